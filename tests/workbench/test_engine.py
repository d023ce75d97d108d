"""Runs of the page in node: every value of every macro step is that of `simulate`, bit for bit."""

import base64
import random
from dataclasses import dataclass, field

import numpy as np
import pytest

from tests.unwired import simulate
from tests.workbench.node import run
from tests.workbench.page_fmus import kernels
from workbench.build.systems import coupled, engine_data, masses_scenario, recorded_scenario, settings_text

ALGORITHMS = ("zoh", "foh", "smb", "eros3", "eros4", "irregular", "auto")
SCRIPT = """\
import { compileModules, runRecording, runSystem } from "./engine/run.js";

const bytes = Object.entries(given.modules).map(([name, text]) => [name, Buffer.from(text, "base64")]);
const modules = await compileModules(Object.fromEntries(bytes));
const packed = (value) => value instanceof Float64Array
  ? { bits: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") } : value;
const arrays = (requests, make) => requests.map((request) => {
  const read = (key) => request[key] && { [key]: Float64Array.from(request[key]) };
  const found = make({ ...request, ...read("samples"), ...read("times"), modules, data: given.data });
  return JSON.parse(JSON.stringify(found, (_, value) => packed(value)));
});
answer({ recordings: arrays(given.recordings, runRecording), systems: arrays(given.systems, runSystem) });
"""


NAMES = ("sent", "received", "estimate")
CONSTANT = {"jitter": 0, "loss": 0.0}


@dataclass(frozen=True)
class Case:
    """What is simulated on both sides."""

    algorithm: str
    timing: str = "step"
    k: int = 3
    jitter: int = 0
    loss: float = 0.0
    seed: int = 1
    macro_step: float = 0.02
    duration: float = 1.6
    parameters: dict = field(default_factory=dict)
    set: tuple = ()  # the same, and what the settings are made of, as assignments of a scenario
    own_settings: bool = False  # given to the page: it has none for these
    micro_steps: int = 1

    def request(self):
        same = ("algorithm", "timing", "k", "jitter", "loss", "seed", "duration", "parameters")
        own = {"macroStep": self.macro_step} | ({"microSteps": self.micro_steps} if self.micro_steps > 1 else {})
        return {name: getattr(self, name) for name in same} | own | self.settings()

    def settings(self):
        if not self.own_settings:
            return {}
        _, (lists, *_) = coupled(recorded_scenario(), self.algorithm, self.timing, self.assignments())
        return {"settings": settings_text(lists)}

    def assignments(self):
        network = {"latency_steps": self.k, "jitter_steps": self.jitter, "loss": self.loss, "seed": self.seed}
        lines = [f"network.{key}={value!r}" for key, value in network.items()]
        own = [f"macro_step={self.macro_step!r}", f"duration={self.duration!r}", f"timing=['{self.timing}']"]
        own += [f"micro_step={self.macro_step / self.micro_steps!r}"] if self.micro_steps > 1 else []
        return [*lines, *own, f"algorithms=['{self.algorithm}']", *self.set]


def drawn(count, macro_step, **more):
    """Return seeded cases; each k comes with and without jitter."""
    chance = random.Random(18)
    cases = []
    for i in range(count):
        disturbed = {"jitter": chance.choice([0, 1, 3]), "loss": chance.choice([0.0, 0.15])} if i % 3 else CONSTANT
        where = {"timing": chance.choice(["step", "event"]), "k": (0, 1, 3, 8)[i % 4], "seed": chance.randrange(10**6)}
        cases.append(Case(chance.choice(ALGORITHMS), **where, **disturbed, macro_step=macro_step, **more))
    return cases


def sampled(count=161, step=0.01):
    """Return times and values of a signal with jumps, at times that are no multiples of a macro step."""
    chance = np.random.default_rng(5)
    time = step * np.arange(count) * (1.0 + 1e-3 / 7.0)
    return time, np.sin(7.0 * time) + 0.05 * chance.standard_normal(count) + (time > 0.8)


EVERY = [Case(name, timing, duration=1.0) for timing in ("event", "step") for name in ALGORITHMS]
MASSES = (
    EVERY
    + drawn(12, 0.025, duration=1.25)
    + [Case("eros3", k=k, micro_steps=10, duration=1.0) for k in (3, 64)]
    + [
        Case("foh", "event", k=8, seed=7, parameters={"mass_1.m1": 2.5, "mass_2.cc": 30.0},
             set=("components.mass_1.parameters.m1=2.5", "components.mass_2.parameters.cc=30.0")),
        Case("eros3", parameters={"discontinuity.enabled": 1, "output.max": 0.01, "f.coupling.output.max": 0.1},
             set=("coupling.discontinuity.enabled=true", "coupling.output.max=0.01",
                  "signals.f.coupling.output.max=0.1")),
        Case("eros4", k=1, duration=4.0, parameters={"mass_2.cc": 1e3, "mass_1.force.amplitude": 1e72},
             set=("components.mass_2.parameters.cc=1e3", "force_on_mass_1=1e72")),
    ]
)  # fmt: skip
SKILL = [Case("foh", timing, set=("signals.signal.debug=true",)) for timing in ("event", "step")]
WEIGHTS = "coupling.algorithm={a=[2.0, -1.5, 0.5], A=[0.25, -0.5, 0.25]}"
TABLE = "coupling.algorithm={table=[{steps=3, a=[1.5, -0.5], A=[0, 0]}, {steps=5, a=[2, -1], A=[1, -1]}]}"
GIVEN = [
    Case("linear", "event", set=(WEIGHTS,), own_settings=True),
    Case("linear", jitter=2, set=(TABLE,), own_settings=True),
    Case("auto", set=(WEIGHTS,), own_settings=True),
]
FINE = [Case(name, jitter=2, micro_steps=4) for name in ("foh", "auto")]
RECORDINGS = EVERY + drawn(12, 0.013) + FINE + GIVEN + SKILL


@pytest.fixture(scope="module")
def numbers(request):
    """Return the numbers of the cases that tests of this run look at: of recordings and of masses."""
    asked = [(one.originalname, one.callspec.params["i"]) for one in request.session.items
             if one.path == request.path and hasattr(one, "callspec")]  # fmt: skip
    masses = test_two_masses_give_the_bits_of_simulate.__name__
    of_masses = {i for name, i in asked if name == masses}
    of_recordings = {i for name, i in asked if name != masses}
    return sorted(of_recordings), sorted({*of_masses, len(MASSES) - 1})


@pytest.fixture(scope="module")
def here(tmp_path_factory, numbers):
    """Return the runs of `simulate` by number: of recordings and of masses."""
    path = tmp_path_factory.mktemp("recording") / "recording.csv"
    rows = [f"{time!r},{value!r}" for time, value in zip(*map(np.ndarray.tolist, sampled()), strict=True)]
    path.write_text("\n".join(["time,value", *rows]) + "\n", encoding="utf-8")
    scenario = recorded_scenario() | {"components": {"recording": {"recording": str(path)}}}
    return [
        {i: simulate(source, cases[i].assignments()).runs[0] for i in chosen}
        for source, cases, chosen in zip((scenario, masses_scenario()), (RECORDINGS, MASSES), numbers, strict=True)
    ]


@pytest.fixture(scope="module")
def there(numbers):
    """Return the runs of the page by number: of recordings and of masses."""
    time, value = (column.tolist() for column in sampled())
    modules = kernels()
    sent = {"times": time, "samples": value}
    of_recordings = [sent | RECORDINGS[i].request() for i in numbers[0]]
    given = {"modules": modules, "data": engine_data(), "recordings": of_recordings}
    found = run(SCRIPT, given | {"systems": [MASSES[i].request() for i in numbers[1]]})
    return [dict(zip(numbers[n], found[key], strict=True)) for n, key in enumerate(("recordings", "systems"))]


def unpacked(value):
    return np.frombuffer(base64.b64decode(value["bits"]), dtype=np.float64)


def bits(values):
    """Return the bits of numbers, of what is no number none."""
    return np.where(np.isnan(values), np.nan, values).view(np.int64)


def assert_same(shown, trace, names=NAMES, every=1):
    """Hold what is shown against a trace, of which `every` point is a macro point."""
    for name in names:
        np.testing.assert_array_equal(bits(unpacked(shown[name])), bits(getattr(trace, name)[::every]), err_msg=name)


@pytest.mark.sample(1)
@pytest.mark.parametrize("i", range(len(RECORDINGS)), ids=[f"{c.algorithm}-{c.timing}-{c.k}" for c in RECORDINGS])
def test_a_recording_gives_the_bits_of_simulate(here, there, i):
    m = RECORDINGS[i].micro_steps  # with several of them `simulate` has the reference at communication points
    assert_same(there[0][i], here[0][i].traces["signal"], (*NAMES, "time", *(["reference"] if m == 1 else [])), m)


@pytest.mark.sample(6)
@pytest.mark.parametrize("i", range(len(MASSES)), ids=[f"{c.algorithm}-{c.timing}-{c.k}" for c in MASSES])
def test_two_masses_give_the_bits_of_simulate(here, there, i):
    found = there[1][i]
    for name, trace in here[1][i].traces.items():
        assert_same(found["signals"][name], trace)
        assert_same({"reference": found["reference"][name], "time": found["time"]}, trace, ("reference", "time"))


def test_a_run_that_diverges_ends_at_the_same_step(here, there):
    last = len(MASSES) - 1
    (trace,) = {tuple(np.isfinite(one.sent)) for one in here[1][last].traces.values()}
    assert there[1][last]["diverged"] == sum(trace) and 50 < sum(trace) < len(trace)
    assert all(one["diverged"] is None for i, one in there[1].items() if i != last)


@pytest.mark.sample(1)
@pytest.mark.parametrize("i", range(len(RECORDINGS))[-len(SKILL) :], ids=[case.timing for case in SKILL])
def test_quality_is_that_of_the_debug_columns(here, there, i):
    found, debug = there[0][i], here[0][i].debug["signal"]
    np.testing.assert_array_equal(unpacked(found["skill"])[:-1], debug["quality.skill"])
    for name, values in found["outputs"].items():
        if name in ("quality.error", "quality.tolerance", "latency.steps"):
            np.testing.assert_array_equal(unpacked(values)[: len(debug[name])], debug[name], err_msg=name)
    assert len(set(debug["quality.skill"])) > 20
