"""Step control: the PI law by hand, the tables of Sadjina et al. 2016 on the quarter car, refusals."""

import csv
import math

import pytest

from couplant.base.errors import UsageError
from couplant.config.scenario import load_scenario
from couplant.cosim.run.steps import Constant, Ecco, Limits, Prediction, PredictorCorrector
from examples.published.quarter_car import OTHER, ROOT, UNJUDGED
from tests.cosim.conftest import EXAMPLES
from tests.unwired import simulate

SCENARIO = EXAMPLES / "07_quarter_car" / "scenario.toml"
LIMITS = Limits(1e-4, 1e-4, 1e-2, 0.8, 0.15, 0.2, 0.2, 1.5)


def run(*words):
    """Return number of steps, and figures of the bond, of the only run."""
    (one,) = simulate(SCENARIO, [*UNJUDGED, *words]).runs
    return one.steps, one.bonds["suspension"].figures()


def ecco(tolerance):
    return ['steps.control="ecco"', f"steps.tolerance={tolerance}"]


CONSTANT = ['steps.control="constant"']


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("words", "steps", "residual", "share"),
    [
        (CONSTANT, (4000, 4000), 6.349, 0.005),
        (ecco(2.8e-6), (3983, 3994), 1.616, 0.015),
        (ecco(3.1e-5), (1361, 1367), 4.98, 0.02),
        ([*ROOT, *ecco(7.5e-6)], (1994, 2007), 1.61, 0.02),
        ([*ROOT, *ecco(1e-4)], (623, 645), 5.8, 0.04),
        ([*OTHER, *CONSTANT], (4000, 4000), 22.73, 0.015),
        ([*OTHER, *ecco(9.1e-7)], (3980, 4010), 1.564, 0.015),
        ([*OTHER, *ROOT, *CONSTANT], (2000, 2000), 45.4, 0.04),
        ([*OTHER, *ROOT, *ecco(2.4e-5)], (1960, 1985), 5.16, 0.04),
        ([*OTHER, *CONSTANT, "components.wheel.parameters.parts=1"], (4000, 4000), 26.5, 0.03),
        ([*OTHER, *ecco(1e-6), "components.wheel.parameters.parts=1"], (3980, 4015), 1.591, 0.03),
    ],
)
def test_the_published_tables(words, steps, residual, share):
    found, figures = run(*words)
    assert steps[0] <= found <= steps[1]
    assert figures["created"] == pytest.approx(residual, rel=share)


def test_ecco_creates_a_quarter_of_the_energy_in_as_many_steps():
    constant, controlled = simulate(SCENARIO, UNJUDGED).runs
    energies = [one.bonds["suspension"].figures()["created"] for one in (constant, controlled)]
    assert energies[1] <= 0.28 * energies[0]
    assert controlled.steps <= constant.steps


def test_the_power_of_the_other_reticulation():
    assert run(*OTHER, *ecco(9.1e-7))[1]["power"] == pytest.approx(-187.9, rel=0.015)


def test_reversing_the_sign_of_a_bond_reverses_its_energies_and_leaves_the_steps():
    steps, figures = run(*ecco(3.1e-5), "duration=0.5")
    reversed_steps, other = run(*ecco(3.1e-5), "duration=0.5", "bonds.suspension.sign=-1")
    assert (steps, other["created"], other["power"]) == (reversed_steps, -figures["created"], -figures["power"])


def test_the_last_step_ends_where_the_run_ends():
    (one,) = simulate(SCENARIO, [*UNJUDGED, *ecco(3.1e-5), "duration=0.5"]).runs
    bond = one.bonds["suspension"]
    assert bond.time[-1] == pytest.approx(0.5, abs=1e-12)
    assert bond.step.min() >= 1e-4 * (1 - 1e-9) or bond.step.argmin() == bond.step.size - 1
    assert bond.step.max() <= 1e-2
    assert (bond.step[1:] / bond.step[:-1]).max() <= 1.5 * (1 + 1e-12)


def test_predictor_and_corrector_lengthen_steps_where_outputs_are_straight():
    (one,) = simulate(SCENARIO, [*UNJUDGED, 'steps.control="predictor_corrector"', "steps.tolerance=0.67"]).runs
    assert one.algorithm == "direct_predictor_corrector"
    assert 3500 < one.steps < 5000
    assert one.bonds["suspension"].figures()["created"] < 0.6 * 6.349


def test_constant_steps():
    assert (Constant(0.1).first, Constant(0.1).next(0.05, 9.0)) == (0.1, 0.1)


def test_the_law_by_hand():
    control = Ecco(LIMITS)
    assert control.first == 1e-4
    assert control.next(1e-3, 0.5) == pytest.approx(1e-3 * 0.8 * 0.5**-0.15)
    assert control.next(1e-3, 2.0) == pytest.approx(1e-3 * 0.8 * 2.0**-0.35 * 0.5**0.2)
    assert control.next(1e-3, 1e9) == pytest.approx(2e-4)
    assert control.next(1e-3, 0.0) == pytest.approx(1.5e-3)
    assert control.next(1e-3, 4.0) == pytest.approx(1e-3 * 0.8 * 4.0**-0.15)
    assert control.next(9e-3, 1e-9) == 1e-2
    assert control.next(1.5e-4, 1e9) == 1e-4
    for wrong in (math.nan, math.inf):
        assert control.next(1e-3, wrong) == pytest.approx(2e-4)
    assert PredictorCorrector(LIMITS).next(1e-3, 0.5) == Ecco(LIMITS).next(1e-3, 0.5)


def test_the_prediction_by_hand():
    prediction = Prediction([0], 0.5)
    assert prediction.note([1.0], [3.0], 0.1) == pytest.approx(2.0 / (0.5 * (1 + 3e-4)))
    assert prediction.note([3.0], [7.0], 0.2) == 0.0
    assert prediction.note([7.0], [8.0], 0.1) == pytest.approx(1.0 / (0.5 * (1 + 9e-4)))


def test_what_a_bond_carried_is_written(tmp_path):
    simulate(SCENARIO, [*UNJUDGED, *ecco(3.1e-5), "duration=0.1"], output=tmp_path)
    with (tmp_path / "runs" / "step_direct_ecco_bonds.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert set(rows[0]) == {"time", "step", *(f"suspension.{n}" for n in ("power", "given_e", "given_f", "residual"))}
    for row in rows:
        given = float(row["suspension.given_e"]) + float(row["suspension.given_f"])
        assert given == pytest.approx(float(row["suspension.residual"]), abs=1e-9)
    assert float(rows[-1]["time"]) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (['host="reads_again"'], 'host = "reads_again", allowed "jacobi" with direct'),
        (['algorithms=["direct", "zoh"]'], "direct is allowed alone only"),
        (['algorithms=["zoh"]'], "steps is set, allowed with algorithms"),
        (["network.latency_steps=2"], "network.latency_steps = 2 for signal f, allowed is no network with direct"),
        (["coupling.burst=2"], "coupling is set, but direct has no coupling FMU"),
        (["micro_step=0.0005"], "micro_step = 0.0005, allowed is none with direct"),
        (['steps.control="adaptive"'], "steps.control"),
        (['steps.contrl="ecco"'], "steps.contrl is unknown"),
        (["steps.first=1.0"], "steps.first = 1 s is not between"),
        (["steps.rate_max=0.2"], "steps.rate_max = 0.2, allowed"),
        (["bonds={}"], "bonds is missing: ecco needs a power bond"),
        (["bonds.suspension.sign=2"], "bonds.suspension.sign = 2, allowed 1 or -1"),
        (['bonds.suspension.effort="x"'], 'bonds.suspension.effort = "x", allowed f, v'),
        (['bonds.suspension.flow="f"'], "must lead from one component to another and back"),
        (["bonds.suspension.spring=1.0"], "bonds.suspension.spring is unknown"),
        (['bonds.other={effort="f", flow="v", scale=1.0}'], "is in bonds.suspension too, allowed in one"),
        (['bonds.suspension={effort="f", flow="v"}'], "bonds.suspension.scale is missing"),
        (['steps={control="ecco"}'], "tolerance is missing, needed by control = ecco"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(words, sentence):
    with pytest.raises(UsageError) as refused:
        load_scenario(SCENARIO, words)
    assert sentence in str(refused.value)
    assert len(str(refused.value).splitlines()) <= 2


def test_runs_without_coupling_are_neither_swept_nor_exported(tmp_path):
    from couplant.elsewhere.export.system import algorithm_of
    from couplant.sweep.axes import KEYS, read_axes

    loaded = load_scenario(SCENARIO, [])
    with pytest.raises(UsageError, match="direct cannot be exported"):
        algorithm_of(loaded)
    with pytest.raises(UsageError, match="direct cannot be swept"):
        read_axes(loaded, dict.fromkeys(KEYS))


def test_fmus_that_need_equal_steps_are_refused(monkeypatch):
    from couplant.cosim.fmu.instance import FmuComponent

    monkeypatch.setattr(FmuComponent, "variable_steps", False, raising=False)
    made = FmuComponent.__init__

    def fixed(self, *arguments):
        made(self, *arguments)
        self.variable_steps = False

    monkeypatch.setattr(FmuComponent, "__init__", fixed)
    with pytest.raises(UsageError, match="chassis: the FMU allows no communication steps of varying length"):
        run(*ecco(3.1e-5), "duration=0.1")
    assert run(*CONSTANT, "duration=0.1")[0] == 100
