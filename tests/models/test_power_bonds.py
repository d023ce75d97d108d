"""The FMU that watches power bonds: what it books, and the steps that it recommends against those of the master."""

import math

import pytest

from couplant.cosim.run.bonds import Bond
from couplant.cosim.run.steps import Ecco, Limits
from couplant.pack.models import build_model_fmu
from tests.cosim.conftest import EXAMPLES
from tests.native import ERROR, OK, Native
from tests.prototypes import PUBLISHED
from tests.unwired import simulate

ENDS = ("u1", "y1", "u2", "y2")


@pytest.fixture(params=["2", "3"])
def watch(request, tmp_path):
    """Return a function that makes an instance that watches bonds."""
    made = []

    def one(**starts):
        path = build_model_fmu("power_bonds", tmp_path, fmi=request.param, file_name=f"watch_{len(made)}", **starts)
        made.append(Native(path, tmp_path / str(len(made))))
        return made[-1]

    yield one
    for instance in made:
        instance.free()


def test_outputs_of_a_bond_depend_on_its_own_values(watch):
    unknowns = {unknown.variable.name: unknown for unknown in watch().description.outputs}
    assert [v.name for v in unknowns["residual[3]"].dependencies] == ["y1[3]", "y2[3]"]
    assert len(unknowns["step"].dependencies) == 16


def put(instance, bond, *values):
    for name, value in zip(ENDS, values, strict=True):
        assert instance.set(f"{name}[{bond}]", value) == OK


def test_energies_by_hand(watch):
    bonds = watch(bonds=2, **{"reversed[2]": True, "scale[2]": 4.0, "tolerance[1]": 0.5, "tolerance[2]": 0.25})
    bonds.initialise()
    put(bonds, 1, 5.0, 0.0, 3.0, 2.0)  # u1, y1, u2, y2
    put(bonds, 2, 1.0, 2.0, -1.0, 3.0)
    assert [bonds.get(f"power[{i}]") for i in (1, 2, 3)] == [0.0, -6.0, 0.0]
    assert (bonds.get("error"), bonds.get("step")) == (0.0, 1e-4)
    assert bonds.step(0.0, 0.5) == OK
    put(bonds, 1, 9.0, 4.0, 9.0, 7.0)
    put(bonds, 2, 9.0, 0.5, 9.0, 6.0)
    residuals = 5.0 * 4.0 - 3.0 * 7.0, -(1.0 * 0.5 + 1.0 * 6.0)
    assert tuple(bonds.get(f"residual[{i}]") for i in (1, 2)) == residuals
    terms = 0.5 * residuals[0] / (0.5 * (1.0 + 14.0)), 0.5 * residuals[1] / (0.25 * (4.0 + 1.5))
    assert bonds.get("error") == pytest.approx(math.sqrt(sum(term**2 for term in terms) / 2))
    assert bonds.step(0.5, 0.25) == OK
    assert tuple(bonds.get(f"energy_residual[{i}]") for i in (1, 2)) == tuple(0.5 * one for one in residuals)
    put(bonds, 1, 0.0, 1.0, 0.0, 0.0)
    assert bonds.get("energy_residual[1]") == 0.5 * residuals[0] + 0.25 * 9.0
    assert bonds.get("energy_residual[1]") == 0.5 * residuals[0] + 0.25 * 9.0  # reading books nothing


def recorded(monkeypatch):
    """Return what each step of example 07 with ECCO had: its length, values before and after, and the next length."""
    rows, next_step = [], Ecco.next
    noted = Bond.note

    def note(self, before, after, h):
        rows.append([h, *(values[place] for values in (before, after) for place in (self.effort, self.flow))])
        return noted(self, before, after, h)

    def following(self, h, error):
        rows[-1].append(next_step(self, h, error))
        return rows[-1][-1]

    monkeypatch.setattr(Bond, "note", note)
    monkeypatch.setattr(Ecco, "next", following)
    words = ["signals.f.judge=false", "signals.v.judge=false", 'steps.control="ecco"']
    simulate(EXAMPLES / "07_quarter_car" / "scenario.toml", words)
    return rows


def test_it_recommends_the_steps_of_the_master(watch, monkeypatch):
    bonds = watch(**{"scale[1]": 750.0, "tolerance[1]": 2.8e-6}).initialise()
    rows, t = recorded(monkeypatch), 0.0
    assert len(rows) > 3900
    for h, e, f, e_end, f_end, expected in rows:
        put(bonds, 1, e, f, f, e)
        assert bonds.step(t, h) == OK
        t += h
        put(bonds, 1, e_end, f_end, f_end, e_end)
        assert bonds.get("step") == pytest.approx(expected, rel=1e-9)


def test_powers_are_those_of_the_standard_library(watch):
    """The error is the power of the residual; between limits that it does not reach the step follows it."""
    wide = {"min": 1e-12, "max": 1e12, "first": 1.0, "rate_min": 1e-12, "rate_max": 1e12, "safety": 1.0}
    bonds = watch(i_gain=0.9, p_gain=0.1, **wide, **{"scale[1]": 1.0, "tolerance[1]": 1.0}).initialise()
    control = Ecco(Limits(1.0, 1e-12, 1e12, 1.0, 0.9, 0.1, 1e-12, 1e12))
    errors = [1.37**n * 1e-9 for n in range(-3, 130)]
    put(bonds, 1, 1.0, 0.0, 0.0, 0.0)
    for n, error in enumerate(errors):
        assert bonds.step(float(n), 1.0) == OK
        put(bonds, 1, 1.0, error, 0.0, 0.0)
        assert bonds.get("error") == pytest.approx(error, rel=1e-15)
        assert bonds.get("step") == pytest.approx(control.next(1.0, error), rel=1e-12)
    assert errors[-1] > 1e8


def test_without_an_error_the_step_grows_and_beyond_all_bounds_it_shrinks(watch):
    bonds = watch(first=1e-3).initialise()
    assert bonds.step(0.0, 1e-3) == OK
    put(bonds, 1, 1e200, 0.0, 1e200, 0.0)
    assert (bonds.get("error"), bonds.get("step")) == (0.0, 1.5e-3)
    assert bonds.step(1e-3, 1.5e-3) == OK
    put(bonds, 1, 0.0, 1e200, 0.0, -1e200)
    assert bonds.get("step") == pytest.approx(3e-4)
    assert bonds.get("error") == 1.7976931348623157e308
    assert (bonds.get("residual[1]"), bonds.get("energy_residual[1]")) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("starts", "sentence"),
    [({"first": 1.0}, "first is not between min and max"), ({"rate_min": 1.0, "rate_max": 1.0}, "rate_min is not")],
)
def test_parameters_that_do_not_fit_are_refused(watch, starts, sentence):
    bonds = watch(**starts)
    assert bonds.enter() == OK
    assert bonds.call("ExitInitializationMode") == ERROR
    assert sentence in bonds.messages[-1][2]


def quarter_car(bonds, body, wheel, late):
    """Step example 07 as `bonds` recommends; return the number of steps."""
    t, steps, f, v, recommended = 0.0, 0, 0.0, 0.0, 1e-4
    while t < 4.0 - 1e-9:
        put(bonds, 1, f, v, v, f)
        h = min(recommended if late else bonds.get("step"), 4.0 - t)
        assert (body.set("f", f), wheel.set("velocity", v)) == (OK, OK)
        assert {one.step(t, h) for one in (bonds, body, wheel)} == {OK}
        t, steps, f, v, recommended = t + h, steps + 1, wheel.get("f"), body.get("v1"), bonds.get("step")
    put(bonds, 1, f, v, v, f)
    return steps


@pytest.mark.sample(1)
@pytest.mark.parametrize(("late", "steps", "residual"), [(False, 3992, 1.6158), (True, 4000, 1.6150)])
def test_an_importer_that_takes_its_steps_creates_a_quarter_of_the_energy(watch, tmp_path, late, steps, residual):
    """Read after the inputs are set the recommendation is that of the master; read after the step it is a step late."""
    bonds = watch(**{"scale[1]": 750.0, "tolerance[1]": 2.8e-6}).initialise()
    free = {"m1": 400.0, "c1": 0.0, "d1": 0.0, "force.amplitude": 0.0}
    paths = build_model_fmu("mass_1", tmp_path, **free), build_model_fmu(PUBLISHED / "quarter_car", tmp_path)
    body, wheel = (Native(path, tmp_path / path.stem).initialise() for path in paths)
    assert quarter_car(bonds, body, wheel, late) == pytest.approx(steps, rel=0.002)
    assert bonds.get("energy_residual[1]") == pytest.approx(residual, rel=0.002)
    for one in (body, wheel):
        one.free()


def test_a_number_of_bonds_out_of_its_range_is_refused_and_read_with_care(watch):
    bonds = watch()
    bonds.set("bonds", 2147483647)
    assert bonds.get("power[8]") == 0.0
    assert bonds.enter() == ERROR
    assert "bonds = " in bonds.messages[-1][2] and "allowed 1 to 8" in bonds.messages[-1][2]
