"""Figures that the page shows of its runs, against those that Python makes of what `simulate` gives back: to 1e-12."""


import numpy as np
import pytest

from couplant.analysis.signal.recording import judge
from couplant.analysis.signal.sampling import protection
from couplant.cosim.judgement import metrics
from couplant.design.judged import MICRO_STEPS
from couplant.tables import Recording
from tests.unwired import simulate
from tests.workbench.node import run
from tests.workbench.page_fmus import kernels, page_folder
from tests.workbench.test_engine import ALGORITHMS, Case
from workbench.build.systems import engine_data, masses_scenario, recorded_scenario

pytestmark = pytest.mark.landing("every figure of the page against Python")

RELATIVE = 1e-12
SCRIPT = """\
import { estimated } from "./analysis/recording.js";
import { judgedSpan } from "./analysis/span.js";
import { systemRuns } from "./analysis/system.js";
import { compileModules } from "./engine/run.js";

const bytes = Object.entries(given.modules).map(([name, text]) => [name, Buffer.from(text, "base64")]);
const engine = { modules: await compileModules(Object.fromEntries(bytes)), data: given.data };
const never = () => false;
const recordings = [];
for (const { samples, ...request } of given.recordings) {
  const wanted = Float64Array.from(samples);
  for await (const { row, skill } of estimated(engine, { ...request, samples: wanted }, never)) {
    recordings.push({ row, skill: [...skill], span: judgedSpan(wanted.length) });
  }
}
const systems = [];
for (const request of given.systems) {
  for await (const { algorithm, figures } of systemRuns(engine, request, never)) {
    if (algorithm === request.algorithm) systems.push(figures);
  }
}
answer({ recordings, systems });
"""
STEP = 2.0**-6
"""Macro step of which all multiples are exact: `simulate` then has the samples of a recording as they are [s]."""

NETWORKS = {"constant": {"k": 3}, "jitter": {"k": 1, "jitter": 2, "seed": 7}, "loss": {"k": 2, "loss": 0.15}}
NETWORKS |= {"jitter and loss": {"k": 4, "jitter": 3, "loss": 0.1, "seed": 180}}
CASES = [
    Case(name, timing, macro_step=STEP, duration=1.5, **network)
    for network in NETWORKS.values() for timing in ("event", "step") for name in ALGORITHMS
]  # fmt: skip
NAMES = [f"{network}-{timing}-{name}" for network in NETWORKS for timing in ("event", "step") for name in ALGORITHMS]


def samples():
    """Return values on the macro points of a case, with a jump and noise."""
    time = STEP * np.arange(97)
    return np.sin(7.0 * time) + 0.05 * np.random.default_rng(8).standard_normal(time.size) + (time > 1.2)


def limits(micro_step):
    """Return the assignments of the limits that a page with these samples judges and saves."""
    found = protection(Recording("value", STEP, samples()), micro_step, None)["output"]
    return [f"coupling.output.{key}={value!r}" for key, value in found.items()]


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    """Return what the page shows: of recordings with the span that judges, of masses."""
    folder, modules = page_folder(tmp_path_factory.mktemp("page")), kernels()
    systems = [case.request() for case in CASES]
    recordings = [one | {"samples": samples().tolist(), "microSteps": MICRO_STEPS} for one in systems]
    given = {"modules": modules, "data": engine_data(), "recordings": recordings, "systems": systems}
    return run(SCRIPT, given, folder=folder)


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """Return the runs of `simulate`: of recordings and of masses."""
    path = tmp_path_factory.mktemp("recording") / "recording.csv"
    rows = [f"{STEP * n!r},{value!r}" for n, value in enumerate(samples().tolist())]
    path.write_text("\n".join(["time,value", *rows]) + "\n", encoding="utf-8")
    scenario = recorded_scenario() | {"components": {"recording": {"recording": str(path)}}}
    fine = STEP / MICRO_STEPS
    more = {"event": limits(STEP), "step": [*limits(fine), f"micro_step={fine!r}"]}
    return simulated(scenario, more, ["signals.signal.debug=true"]), simulated(masses_scenario(), {}, [])


def simulated(source, timings, more):
    """Return the runs of all cases with the assignments `more`, and those that `timings` has for each of them."""
    firsts = [one for one in CASES if one.algorithm == ALGORITHMS[0]]
    every = [f"algorithms={list(ALGORITHMS)}", *more]
    given = [[*one.assignments(), *every, *timings.get(one.timing, [])] for one in firsts]
    return [run for words in given for run in simulate(source, words).runs]


@pytest.mark.sample(2)
@pytest.mark.parametrize("i", range(len(CASES)), ids=NAMES)
def test_figures_of_a_recording_are_those_of_python(here, there, i):
    shown, done = there["recordings"][i], here[0][i]
    trace, skill = done.traces["signal"], done.debug["signal"]["quality.skill"]
    m = MICRO_STEPS if CASES[i].timing == "step" else 1
    reference, estimate, skill = trace.reference[::m], trace.estimate[::m], skill[::m]
    np.testing.assert_array_equal(reference, samples())
    first, last = shown["span"]
    assert last - first > 30
    wanted = judge("", reference[first:last], estimate[first:last])
    figures = {"mae": wanted.mae, "rms": wanted.rms, "max": wanted.worst, "C": wanted.combined}
    if CASES[i].timing == "event":  # in step timing at communication points: test_candidates_js, test_one_figure
        assert {name: shown["row"][name] for name in figures} == pytest.approx(figures, rel=RELATIVE, abs=0.0)
    assert wanted.mae > 1e-3
    assert shown["skill"][: skill.size] == skill.tolist()
    assert shown["row"]["skill"] == [one for one in shown["skill"] if one is not None][-1]


@pytest.mark.parametrize("i", range(len(CASES)), ids=NAMES)
def test_figures_of_two_masses_are_those_of_simulate(here, there, i):
    trace, shown = here[1][i].traces["x1"], there["systems"][i]
    known = metrics.judge(trace)
    error = trace.estimate - trace.reference
    share = np.sqrt(np.mean(error**2)) / np.sqrt(np.mean(trace.reference**2))
    figures = {"mae": known["mae"], "max": known["max"], "share": share, "height": np.abs(trace.reference).max()}
    assert {name: shown[name] for name in figures} == pytest.approx(figures, rel=RELATIVE, abs=0.0)
    assert known["mae"] > 0.0
