"""Weights that the page designs against those of `couplant.design`, those of flat optima too."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from couplant.analysis.signal.recording import bands, spectrum, split
from couplant.base.errors import UsageError
from couplant.design.from_recording import design_for
from couplant.design.optimal import design
from couplant.design.request import Request, answer
from couplant.design.task import DesignTask, Spectrum
from couplant.tables import read_recording, resample
from couplant_runtime.algorithms.rows import PURE, weights
from tests.workbench.node import ROOT, run

FIGURES = ("rms_error", "peak_gain", "noise_gain", "violation")
RECORDED = {
    "03_recording/torque_a.csv": "torque_Nm",
    "03_recording/torque_low.csv": "torque_Nm",
    "03_recording/torque_high.csv": "torque_Nm",
    "13_rths/el_centro.csv": None,
    "15_engine_shaft/recorded_a.csv": "torque",
    "15_engine_shaft/recorded_b.csv": "speed",
}
NAMES = {"macro_step": "macroStep", "gain_band": "gainBand", "gain_limit": "gainLimit"}

TASKS = """
import { design } from "./design/optimal.js";
import { DesignTask } from "./design/task.js";
answer(given.map((one) => design(new DesignTask(one)).written()));
"""
ASKED = """
import { spectrum } from "./analysis/spectrum.js";
import { designAsked } from "./design/request.js";
answer(given.map(({ value, ...one }) => {
  if (!value) return designAsked(one).written();
  const { macroStep } = one, values = Float64Array.from(value);
  const recording = { name: "y", value: values, macroStep, spectrum: spectrum(values, macroStep) };
  return designAsked({ ...one, recording }).written();
}));
"""


def refused(script):
    """The same, with the name and words of its error as the answer."""
    asking, rest = script.split("answer(", 1)
    return f"{asking}try {{ answer({rest} }} catch (error) {{ answer([error.name, error.message]); }}"


@cache
def recorded(name):
    """The part that designs are made of."""
    return split(read_recording(ROOT / "examples" / name, column=RECORDED[name]))[0]


def in_page(task):
    """A task as the page is given it."""
    fields = {NAMES.get(name, name): value for name, value in vars(task).items()}
    power = task.spectrum
    return fields | {"spectrum": power and {"omega": power.omega.tolist(), "power": power.power.tolist()}}


def random_band(rng, macro_step):
    """From 0.02 of Nyquist up, where many weights are nearly as good, to 0.3 of it."""
    high = np.pi / macro_step * float(np.exp(rng.uniform(np.log(0.02), np.log(0.3))))
    return high * float(rng.uniform(0.0, 0.1)), high


def random_settings(rng, timing, high):
    found = {"degree": int(rng.integers(0, 3)), "peak": float(rng.choice([1.5, 2.0, 4.0, 6.0]))}
    found |= {"slope": float(rng.choice([0.0, 1.0, 2.0, 3.0])), "lead": 0.0}
    if timing == "step":
        found["lead"] = float(rng.choice([0.0, 0.25, 0.5]))
    if rng.random() < 0.25:
        found |= {"gain_band": 1.5 * high, "gain_limit": 1.2}
    return found


def noisy_task(seed):
    """A band with given settings and noise."""
    rng = np.random.default_rng(seed)
    macro_step, timing = float(rng.choice([0.001, 0.01, 0.02])), str(rng.choice(["event", "step"]))
    band = random_band(rng, macro_step)
    given = random_settings(rng, timing, band[1]) | {"noise": float(rng.choice([0.001, 0.01, 0.1]))}
    return DesignTask(macro_step, int(rng.integers(1, 13)), band, timing, int(rng.integers(4, 31)), **given)


def recorded_task(seed):
    """The spectrum of a recording of the project."""
    rng = np.random.default_rng(100 + seed)
    one, timing = recorded(list(RECORDED)[seed % len(RECORDED)]), str(rng.choice(["event", "step"]))
    power, band = spectrum(one), random_band(rng, one.macro_step)
    given = random_settings(rng, timing, band[1]) | {"spectrum": Spectrum(power.omega, power.power)}
    return DesignTask(one.macro_step, int(rng.integers(1, 13)), band, timing, int(rng.integers(4, 31)), **given)


def flat_task(seed):
    """A narrow band, its number of values given, without noise: other weights are nearly as good."""
    rng = np.random.default_rng(300 + seed)
    high = float(rng.uniform(2.0, 6.0))
    given = {"degree": int(rng.integers(0, 2)), "peak": float(rng.choice([1.5, 4.0, 100.0]))}
    return DesignTask(0.01, int(rng.integers(1, 9)), (0.0, high), m=int(rng.integers(8, 31)), **given)


def random_request(seed):
    """A band alone: the rules choose how many values."""
    rng = np.random.default_rng(200 + seed)
    macro_step, timing = float(rng.choice([0.001, 0.01, 0.02])), str(rng.choice(["event", "step"]))
    return Request(macro_step, [int(rng.integers(1, 13))], timing, random_band(rng, macro_step))


def asked(request, value=None):
    """A request as the page is given it."""
    (k,) = request.steps
    known = [dict(zip("aA", weights(name, k), strict=True)) for name in PURE]
    found = {"macroStep": request.macro_step, "k": k, "timing": request.timing, "band": request.band, "known": known}
    settings = {NAMES.get(name, name): one for name, one in request.settings.items()}
    return found | {"settings": settings, "value": None if value is None else value.tolist()}


def distance(one, other):
    """Largest difference of weights (a, A) over the largest weight."""
    return np.abs(np.subtract(one, other)).max() / np.abs(other).max()


def weights_of(one):
    return [one.algorithm.a, one.algorithm.A]


def check(designs, found):
    """Compare designs with what the page makes."""
    for one, other in zip(designs, found, strict=True):
        assert (one.task.m, one.task.k, one.task.timing) == (other["m"], other["steps"], other["timing"])
        assert distance([other["a"], other["A"]], weights_of(one)) <= 1e-9
        assert other["rms_error"] == pytest.approx(one.rms_error, rel=0, abs=1e-9)
        expected = [getattr(one, name) for name in FIGURES]
        assert [other[name] for name in FIGURES] == pytest.approx(expected, rel=1e-8, abs=1e-9)


def test_weights_of_noisy_bands():
    tasks = [noisy_task(seed) for seed in range(18)]
    check([design(task) for task in tasks], run(TASKS, [in_page(task) for task in tasks]))


def test_weights_of_spectra_of_recordings():
    tasks = [recorded_task(seed) for seed in range(18)]
    check([design(task) for task in tasks], run(TASKS, [in_page(task) for task in tasks]))


def test_weights_of_flat_optima():
    tasks = [flat_task(seed) for seed in range(8)]
    check([design(task) for task in tasks], run(TASKS, [in_page(task) for task in tasks]))


@pytest.mark.landing("a design by page and package")
def test_a_band_alone_takes_as_many_values_as_help():
    requests = [random_request(seed) for seed in range(14)]
    designs = [answer(one)[one.steps[0]].design for one in requests]
    check(designs, run(ASKED, [asked(one) for one in requests]))


@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["event", "step"])
def test_designs_of_recordings_are_those_of_inspect(timing):
    """From the values of a recording: its spectrum, its band and the choice among designs are the same."""
    latencies = (1, 2, 4, 6, 9, 12) if timing == "event" else (12, 9, 6, 4, 2, 1)
    cases = list(zip(map(recorded, RECORDED), latencies, strict=True))
    designs = [design_for(one, k, timing) for one, k in cases]
    given = [asked(Request(one.macro_step, [k], timing), one.value) for one, k in cases]
    found = run(ASKED, given)
    assert [one["peak"] for one in found] == [one.task.peak for one in designs]
    check(designs, found)


def test_a_recording_chooses_the_bound_and_the_values_of_a_given_band():
    one = recorded("15_engine_shaft/recorded_a.csv")
    given = [("event", {}), ("step", {}), ("event", {"m": 9, "slope": 1.0}), ("event", {"degree": 0})]
    band = 0.5, 0.8 * bands(spectrum(one)).useful
    requests = [
        Request(one.macro_step, [3], timing, band, one, settings=own, judge=("", one)) for timing, own in given
    ]
    designs = [answer(request)[3].design for request in requests]
    found = run(ASKED, [asked(request, one.value) for request in requests])
    assert [row["slope"] for row in found] == pytest.approx([each.task.slope for each in designs], rel=1e-9)
    assert [row["lead"] for row in found] == [0.0, 0.25, 0.0, 0.0]
    check(designs, found)


def test_a_design_from_a_recording_can_be_changed():
    one = recorded("03_recording/torque_a.csv")
    request = Request(one.macro_step, [4], "step", recording=one, settings={"m": 12, "lead": 0.5}, judge=("", one))
    (found,) = run(ASKED, [asked(request, one.value)])
    made = answer(request)[4]
    told = made.to_dict()
    assert found.keys() == told.keys() - {"errors", "judged", "robustness"}
    assert found["fmu_steps"] == told["fmu_steps"] == 5
    assert found["offset"] == pytest.approx(told["offset"])
    check([made.design], [found])


def test_without_latency_the_newest_value_is_kept():
    task = DesignTask(0.01, 0, (1.0, 60.0), "event", 5, noise=0.01)
    found = run(TASKS, [in_page(task)])
    assert found[0]["a"] == [1, 0, 0, 0, 0]
    check([design(task)], found)


WRONG = [
    {"k": 65},
    {"band": (3.5, 2.5)},
    {"band": (0.5, 200.5)},
    {"peak": 0.5},
    {"slope": -0.5},
    {"gain_limit": 0.5},
    {"noise": -0.5},
    {"lead": 1.5, "timing": "step"},
    {"lead": 0.5},
    {"gain_band": 1.5},
    {"m": 65},
    {"m": 3, "degree": 3},
    {"macro_step": -0.5},
    {"spectrum": Spectrum(np.array([1.0, 2.0]), np.zeros(2))},
]


@pytest.mark.sample(5)
@pytest.mark.parametrize("change", WRONG)
def test_wrong_settings_are_refused_in_the_same_words(change):
    right = DesignTask(0.02, 3, (0.5, 12.5))
    given = in_page(right) | {NAMES.get(name, name): value for name, value in change.items()}
    if "spectrum" in change:
        given = in_page(replace(right, **change))
    name, message = run(refused(TASKS), [given])
    with pytest.raises(UsageError) as said:
        design(replace(right, **change))
    assert (name, message) == ("RangeError", str(said.value))


def test_a_constant_signal_is_refused():
    one = resample(np.arange(300) * 0.02, np.full(300, 4.0), 0.02)
    with pytest.raises(UsageError) as said:
        design_for(one, 3)
    assert run(refused(ASKED), [asked(Request(0.02, [3]), one.value)]) == ["RangeError", str(said.value)]


def test_equations_are_solved_whatever_their_order():
    rng = np.random.default_rng(0)
    cases = [(rng.standard_normal((n, n)), rng.standard_normal(n)) for n in (1, 2, 5, 33)]
    cases.append((np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0], [4.0, 0.0, 0.0]]), np.array([1.0, 2.0, 4.0])))
    script = """
    import { solve } from "./design/linear.js";
    answer(given.map(([rows, right]) => Array.from(solve(Float64Array.from(rows.flat()), Float64Array.from(right)))));
    """
    for (rows, right), found in zip(cases, run(script, [[a.tolist(), b.tolist()] for a, b in cases]), strict=True):
        assert rows @ found == pytest.approx(right, abs=1e-12)


def test_equations_without_a_single_solution_are_refused():
    script = """
    import { solve } from "./design/linear.js";
    answer(Array.from(solve(Float64Array.from(given), new Float64Array(2))));
    """
    assert run(refused(script), [1.0, 2.0, 2.0, 4.0]) == ["RangeError", "the equations have no single solution"]


def test_reflections_leave_a_triangle_with_the_same_products():
    """A = Q R and Qᵀb: RᵀR = AᵀA, and the top of Qᵀb is what solves Rᵀx = Aᵀb."""
    rng = np.random.default_rng(0)
    columns, right = rng.standard_normal((4, 9)), rng.standard_normal(9)
    script = """
    import { forward, reflect } from "./design/linear.js";
    const columns = given.map((one) => Float64Array.from(one)), moment = columns.pop();
    reflect(columns, 4);
    answer([columns.map((one) => Array.from(one)), Array.from(forward(columns, moment))]);
    """
    turned, x = run(script, [*columns.tolist(), right.tolist(), (columns @ right).tolist()])
    triangle, other = np.array(turned[:4]).T, np.array(turned[4])
    assert np.abs(np.tril(triangle, -1)).max() <= 1e-14
    assert triangle.T @ triangle == pytest.approx(columns @ columns.T)
    assert triangle.T @ other == pytest.approx(columns @ right)
    assert other[:4] == pytest.approx(x)
    assert other @ other == pytest.approx(right @ right)
