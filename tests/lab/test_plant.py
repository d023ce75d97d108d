"""Plants in Python: the forms they may have give the same run, and what is wrong is a sentence."""

import copy
import pickle

import control
import numpy as np
import pytest
import scipy.signal
from scipy.linalg import expm

import couplant
from couplant.base.errors import CouplantError, UsageError
from couplant.lab.dynamics import Nonlinear, exponential, integrate
from couplant.sweep import sweep
from tests.lab import scenes
from tests.lab.scenes import ARM, SIGNALS, A, B, C, D, arm, courses, function, matrices, scenario, spring, states


def nonlinear(t, x, u, params):
    return [x[1], u[0] - params["stiffness"] * x[0] - 0.4 * x[1]]


FORMS = {
    "function": lambda: function,
    "with parameters": lambda: couplant.Plant(scenes.tuned, parameters={"stiffness": 100.0}, **SIGNALS),
    "without g": lambda: couplant.Plant(spring, **SIGNALS),
    "control": lambda: couplant.Plant(
        control.ss(A, B, C, D, inputs=["f"], outputs=["x", "v"]), start=SIGNALS["start"]
    ),
    "nonlinear": lambda: couplant.Plant(
        control.nlsys(nonlinear, lambda t, x, u, p: x, inputs=["f"], outputs=["x", "v"], states=2,
                      params={"stiffness": 100.0}), start=SIGNALS["start"]
    ),
    "scipy": lambda: couplant.Plant(scipy.signal.StateSpace(A, B, C, D), **SIGNALS),
    "stiff method": lambda: couplant.Plant(spring, states, method="DOP853", rtol=1e-12, atol=1e-13, **SIGNALS),
    "by file": lambda: f"{scenes.__file__}:function",
}  # fmt: skip


@pytest.fixture(scope="module")
def exact():
    return courses(couplant.simulate(scenario(matrices)))


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_run_of_the_matrices(form, exact):
    assert np.abs(courses(couplant.simulate(scenario(FORMS[form]()))) - exact).max() < 1e-9


def test_matrices_are_followed_exactly():
    """Against the exponential of scipy, with an input that is a line in each step."""
    rest = couplant.Plant((A, B, C, D), inputs="f", outputs=["x", "v"], start=[0.0, 0.0])
    component = rest.component("mass")
    component.start(0.0, {})
    component.begin()
    write, read = component.writer(["f", "f.slope"]), component.reader(["x", "v"])
    x, step = np.zeros(2), 0.01
    block = np.zeros((4, 4))
    block[:2, :2], block[:2, 2:3], block[2, 3] = A * step, B * step, 1.0
    whole = expm(block)
    for n in range(200):
        write([np.sin(0.03 * n), 2.0])
        component.step(n * step, step)
        x = whole[:2, :2] @ x + whole[:2, 2] * np.sin(0.03 * n) + whole[:2, 3] * 2.0 * step
    assert np.abs(np.array(read()) - x).max() < 1e-13


def test_theory_knows_linear_plants():
    radius = [run.radius for run in couplant.simulate(scenario(matrices)).runs]
    assert all(0.9 < one < 1.1 for one in radius)
    assert couplant.simulate(scenario(function)).runs[0].radius is None


def test_a_transfer_function_of_all_libraries_is_one_plant():
    plants = [([2.0], [1.0, 3.0, 5.0]), control.tf([2.0], [1.0, 3.0, 5.0]),
              scipy.signal.TransferFunction([2.0], [1.0, 3.0, 5.0]),
              scipy.signal.ZerosPolesGain([], np.roots([1.0, 3.0, 5.0]), 2.0)]  # fmt: skip
    for system in plants:
        made = couplant.Plant(system)
        assert (made.inputs, made.outputs) == (["u"], ["y"])
        a, b, c, d = made.matrices
        s = np.array([0.0, 1.0j, 3.0j])
        found = [(c @ np.linalg.solve(one * np.eye(2) - a, b) + d)[0, 0] for one in s]
        assert np.abs(found - 2.0 / (s**2 + 3.0 * s + 5.0)).max() < 1e-12


def test_parameters_are_set_by_the_scenario():
    soft = couplant.Plant(scenes.tuned, parameters={"stiffness": 400.0}, **SIGNALS)
    document = scenario({"plant": soft, "parameters": {"stiffness": 100.0}})
    assert np.abs(courses(couplant.simulate(document)) - courses(couplant.simulate(scenario(function)))).max() == 0.0


def test_a_discrete_plant_takes_its_inputs_at_its_points_whatever_the_steps_are():
    plant = couplant.Plant(lambda t, x, u: [x[0] + u[0]], inputs="u", outputs="y", start=[0.0], dt=0.02)
    assert [port.name for port in plant.component("p").ports.values()] == ["u", "y"]
    sums = []
    for steps in (1, 4):  # in 0.02 s
        one = plant.component("p")
        one.start(0.0, {})
        write, read = one.writer(["u"]), one.reader(["y"])
        for n in range(5 * steps):
            write([float(n // steps) if n % steps == 0 else 99.0])
            one.step(n * 0.02 / steps, 0.02 / steps)
        sums.append(read()[0])
    assert sums == [10.0, 10.0]


def test_states_are_saved_and_restored():
    for plant in (function, matrices, couplant.Plant(spring, dt=0.03, **SIGNALS)):
        one = plant.component("p")
        one.start(0.0, {})
        one.step(0.0, 0.01)
        one.save()
        read = one.reader(["x", "v"])
        one.step(0.01, 0.05)
        first = read()
        one.writer(["f"])([50.0])
        one.restore()
        one.step(0.01, 0.05)
        assert read() == first


def test_integration_keeps_its_tolerance_and_passes_kinks():
    found = integrate(lambda t, x: np.array([x[1], -100.0 * x[0]]), 0.0, 1.0, np.array([1.0, 0.0]), (1e-10, 1e-12))
    assert np.abs(found - [np.cos(10.0), -10.0 * np.sin(10.0)]).max() < 1e-8
    kink = integrate(lambda t, x: np.array([1.0 if t < 0.3 else -1.0]), 0.0, 1.0, np.array([0.0]), (1e-10, 1e-12))
    assert abs(kink[0] + 0.4) < 1e-6


def test_the_exponential_of_a_matrix():
    random = np.random.default_rng(3)
    for size in (1e-3, 1.0, 30.0):
        matrix = size * random.standard_normal((5, 5))
        assert np.abs(exponential(matrix) / expm(matrix) - 1.0).max() < 1e-9


def test_which_inputs_act_at_once_is_found():
    assert couplant.Plant(spring, states, **SIGNALS).feedthrough == {"x": (), "v": ()}
    through = couplant.Plant(spring, lambda t, x, u: [x[0], x[1] * u[0]], **SIGNALS)
    assert through.feedthrough == {"x": (), "v": ("f",)}
    assert couplant.Plant((A, B, C, [[0.0], [1.0]]), **SIGNALS).feedthrough == {"x": (), "v": ("f",)}
    unknown = couplant.Plant(spring, lambda t, x, u: [1.0 / float(u[0]), 0.0], **SIGNALS)  # raises at the start
    assert unknown.feedthrough == {"x": ("f",), "v": ("f",)}


def test_a_plant_is_itself_when_copied_and_another_of_the_same_behaviour_when_pickled():
    for plant in (function, matrices):
        assert copy.deepcopy(plant) is plant
        assert pickle.loads(pickle.dumps(plant)).identity == plant.identity
    assert function.identity != matrices.identity


def test_a_sweep_runs_plants_and_algorithms_in_its_processes(tmp_path):
    document = scenario(function, ["foh", "line"], ["event"])
    rows = {row.point: row for row in sweep(document, tmp_path, {"latency": "1,2"}).table.sorted()}
    assert len(rows) == 4
    for point, row in rows.items():
        assert row.verdict != "failed", row.reason
        assert row.error == rows[point._replace(algorithm="foh")].error


WRONG = {
    "raises": (lambda t, x, u: [1.0 / (t - t), 0.0], "f raises ZeroDivisionError: float division by zero"),
    "nan": (lambda t, x, u: [np.nan, 0.0], "f gives [nan, 0.0], allowed finite numbers"),
    "shape": (lambda t, x, u: [0.0], "f gives 1 number, allowed 2"),
    "text": (lambda t, x, u: "ab", "f gives 'ab', allowed 2 numbers"),
    "none": (lambda t, x, u: None, "f gives"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_function_that_fails_is_a_sentence_with_name_and_time(what):
    f, words = WRONG[what]

    def later(t, x, u):
        return spring(t, x, u) if t < 0.05 else f(t, x, u)

    with pytest.raises(CouplantError) as error:
        couplant.simulate(scenario(couplant.Plant(later, states, **SIGNALS)))
    text = str(error.value)
    assert text.startswith("plant mass at t = 0.05") and words in text
    assert len(text.splitlines()) == 1


def test_a_stiff_plant_is_told_what_is_for_it():
    def stiff(t, x, u):
        return [x[1], -1e9 * (x[1] - u[0])]

    one = couplant.Plant(stiff, states, **SIGNALS).component("mass")
    one.start(0.0, {})
    one.writer(["f"])([1.0])
    with pytest.raises(CouplantError, match="method='Radau' is for stiff plants"):
        one.step(0.0, 0.01)
    couplant.simulate(scenario(couplant.Plant(stiff, states, method="Radau", **SIGNALS), timing=["event"]))


REFUSED = [
    (lambda: couplant.Plant(3), "a plant of int is not known"),
    (lambda: couplant.Plant(spring, inputs="f"), "start is missing"),
    (lambda: couplant.Plant(spring, inputs="f", start="q"), "start = 'q', allowed numbers"),
    (lambda: couplant.Plant(spring, inputs="f", outputs="x", start=[1, 0]), "one for each state: g is not given"),
    (lambda: couplant.Plant(spring, inputs=["f", "f"], start=[1, 0]), "the name f is given twice"),
    (lambda: couplant.Plant(spring, inputs=[""], start=[1, 0]), "inputs has ''"),
    (lambda: couplant.Plant(spring, inputs=2.5, start=[1, 0]), "inputs = 2.5, allowed names or how many"),
    (lambda: couplant.Plant(spring, states, rtol=0.0, **SIGNALS), "rtol = 0.0, allowed a number above 0"),
    (lambda: couplant.Plant(spring, states, dt=-1.0, **SIGNALS), "dt = -1.0, allowed a number of at least 0"),
    (lambda: couplant.Plant(spring, states, method="euler", **SIGNALS), "method = euler, allowed RK45"),
    (lambda: couplant.Plant(spring, states, units={"z": "m"}, **SIGNALS), "units.z: there is no such"),
    (lambda: couplant.Plant((A, B, C, D), inputs="f", outputs="x"), "outputs = x, allowed 2 names"),
    (lambda: couplant.Plant((A, A, C, np.eye(3))), "B is (2, 2), allowed (2, 3)"),
    (lambda: couplant.Plant((A, B, C, [["a"], ["b"]])), "D is no matrix of real numbers"),
    (lambda: couplant.Plant(([1.0, 0.0, 0.0], [1.0, 2.0])), "transfer function"),
    (lambda: couplant.Plant((A, B, C, D), states), "g is given, allowed with a function"),
    (lambda: couplant.Plant((1, 2, 3, 4, 5)), "a plant of 5 parts"),
    (lambda: couplant.Plant("x.txt"), "allowed the path of an FMU"),
    (lambda: couplant.Plant("nowhere.fmu"), "there is no such file"),
    (lambda: couplant.Plant(control.ss(A, B, C, D, True)), "dt = True, allowed 0 or a period"),
    (lambda: couplant.simulate(scenario({"plant": 3})), "components.mass.plant = 3, allowed a couplant.Plant"),
    (lambda: couplant.simulate(scenario({"plant": "x.py:y"})), "x.py: cannot be read"),
    (lambda: couplant.simulate(scenario({"plant": f"{scenes.__file__}:A"})), "A in it is no couplant.Plant"),
    (lambda: couplant.simulate(scenario({"plant": function, "parameters": {"q": 1}})), "mass has no parameter q"),
    (lambda: couplant.simulate(scenario({"plant": function, "model": "mass_1"})), "exactly one of fmu"),
]


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_what_is_wrong_is_one_sentence(place):
    call, words = REFUSED[place]
    with pytest.raises(UsageError) as error:
        call()
    assert words in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_arms_of_both_forms_agree_when_their_inputs_are_lines():
    """A plant whose inputs have slopes, integrated and exact."""
    a, b, c, _ = map(np.array, ARM)
    other = couplant.Plant(lambda t, x, u: a @ x + b @ u, lambda t, x: c @ x, inputs=["x", "v"], outputs="f",
                           start=[0.0, 0.0])  # fmt: skip
    ends = []
    for plant in (arm, other):
        one = plant.component("arm")
        one.start(0.0, {})
        one.writer(["x", "v", "x.slope", "v.slope"])([1.0, 2.0, -3.0, 4.0])
        one.step(0.0, 0.1)
        ends.append(one.reader(["f", "x", "v", "v.slope"])())
    assert ends[0] == pytest.approx(ends[1], abs=1e-10)
    assert ends[0][1:3] == pytest.approx([0.7, 2.4], abs=1e-12)
    assert isinstance(other.dynamics(), Nonlinear)
