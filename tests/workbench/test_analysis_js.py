"""What the page works out itself, against the functions of the package, on the project's recordings and by hand."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from couplant.analysis.signal.periodic import periodic
from couplant.analysis.signal.recording import bands, discontinuities, judge, spectrum
from couplant.analysis.signal.sampling import noise_of, proposed_floor, quantum, repeats
from couplant.base.errors import UsageError
from couplant.base.style import number
from couplant.cosim.judgement.metrics import excess, growth, ripple
from couplant.cosim.traces import Trace
from couplant.tables import read, resample
from tests.analysis.test_periodic import FAST_OR_SHORT, NAMES, not_periodic
from tests.recordings.real import channels
from tests.runtime.periodic import HARMONICS, Wave
from tests.workbench.node import run
from tests.workbench.page_fmus import page_folder

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = sorted(EXAMPLES.glob("*/*.csv"))

INSPECT = """
import { resample } from "./analysis/resample.js";
import { spectrum, bands } from "./analysis/spectrum.js";
import { discontinuities } from "./analysis/jumps.js";
import { quantum, repeats, proposedFloor } from "./analysis/sampling.js";
import { noiseOf } from "./analysis/noise.js";
import { judge } from "./analysis/judge.js";
const listed = (values) => [...values];
answer(given.map(({ time, value, step }) => {
  const missing = (values) => Float64Array.from(values, (v) => (v === null ? NaN : v));
  const found = resample(missing(time), missing(value), step);
  if (found.error) return found;
  const power = spectrum(found.value, found.macroStep);
  const late = found.value.map((_, i) => found.value[Math.max(0, i - 3)]);
  return {
    ...found, value: listed(found.value), omega: listed(power.omega), power: listed(power.power),
    variance: power.variance, bands: bands(power),
    jumps: discontinuities(found.value, 5, proposedFloor(quantum(found.value))), quantum: quantum(found.value),
    repeats: repeats(found.value), noise: noiseOf(found.value), errors: judge(found.value, late),
  };
}));
"""


def given(time, value, step=None):
    listed = [[None if np.isnan(v) else float(v) for v in column] for column in (time, value)]
    return {"time": listed[0], "value": listed[1], "step": step}


def compare(found, time, value, step=None):
    """Hold what the page found against what the package finds."""
    recording = resample(np.asarray(time, float), np.asarray(value, float), step)
    assert (found["macroStep"], found["gaps"]) == (recording.macro_step, recording.gaps)
    assert found["said"] == recording.assumed
    assert found["longestGap"] == pytest.approx(recording.longest_gap, rel=1e-12)
    assert found["value"] == pytest.approx(recording.value, rel=1e-13, abs=1e-13 * np.abs(recording.value).max())
    power = spectrum(recording)
    assert found["omega"] == pytest.approx(power.omega, rel=1e-12)
    assert np.abs(found["power"] - power.power).max() <= 1e-9 * power.power.max()
    assert found["variance"] == pytest.approx(power.variance, rel=1e-12)
    expected = bands(power)
    assert found["bands"]["useful"] == pytest.approx(expected.useful, rel=1e-12)
    assert np.ravel(found["bands"]["disturbances"]) == pytest.approx(np.ravel(expected.disturbances), rel=1e-12)
    assert found["quantum"] == quantum(recording)
    assert found["repeats"] == repeats(recording)
    assert found["jumps"] == discontinuities(recording, floor=proposed_floor(quantum(recording))).tolist()
    noise = noise_of(recording)
    assert (found["noise"] is None) == (noise is None)
    if noise:
        assert found["noise"] == {"deviation": noise.deviation, "share": noise.share, "certain": noise.certain}
    errors = judge("late", recording.value, recording.value[np.maximum(np.arange(recording.value.size) - 3, 0)])
    assert found["errors"] == pytest.approx({k: v for k, v in errors.to_dict().items() if k != "algorithm"}, rel=1e-12)


def test_recordings_of_the_project_tell_the_same():
    channels = [one for path in FILES for one in read(path).values()]
    assert len(channels) > 10
    steps = [(None, 2.5 * float(np.median(np.diff(one.time))))[i % 2] for i, one in enumerate(channels)]
    found = run(INSPECT, [given(one.time, one.value, step) for one, step in zip(channels, steps, strict=True)])
    for one, step, seen in zip(channels, steps, found, strict=True):
        compare(seen, one.time, one.value, step)


def odd_signals():
    rng = np.random.default_rng(3)
    t = 0.01 * np.arange(1300)
    wave = np.sin(3.0 * t) + 0.3 * np.sin(41.0 * t)
    gaps = np.where((t > 2.0) & (t < 2.1) | (t > 7.0), np.nan, wave)
    held = np.repeat(wave[::4], 4)[: t.size] + 0.0
    return {
        "gaps": (t[:900], gaps[:900]),
        "jumps": (t, wave + 4.0 * (t > 3.0) - 2.0 * (t > 8.0)),
        "quantised": (t, np.round(wave / 0.05) * 0.05),
        "slow sender": (t, held),
        "slow by no whole number": (t, np.interp(np.floor(t / 0.025) * 0.025, t, np.cumsum(rng.normal(size=t.size)))),
        "noise": (t, wave + 0.01 * rng.normal(size=t.size)),
        "constant": (t, np.full(t.size, 2.5)),
        "uneven": (np.cumsum(rng.uniform(0.005, 0.015, 800)), rng.normal(size=800)),
        "short": (t[:64], wave[:64]),
        "odd length": (t[:1259], wave[:1259]),
    }


def test_signals_with_gaps_jumps_steps_and_noise_tell_the_same():
    signals = odd_signals()
    found = run(INSPECT, [given(*one) for one in signals.values()])
    for one, seen in zip(signals.values(), found, strict=True):
        compare(seen, *one)
    quantised = dict(zip(signals, found, strict=True))
    assert quantised["quantised"]["quantum"] == 0.05 and quantised["slow sender"]["repeats"] == 4.0
    assert quantised["jumps"]["jumps"] and quantised["gaps"]["gaps"] == 2


PERIODIC = """
import { periodic } from "./python/couplant.analysis.signal.periodic.js";
answer(given.map(([value, step]) => periodic(Float64Array.from(value), step)));
"""
KINDS = ("nominal", "higher", "lower", "ramp", "swing", "drift", "jump", "sag", "back")


def waves():
    """Yield signals with their macro steps: waves of a grid, waves between lines, what is none, real channels."""
    time, noise = 1e-3 * np.arange(3001), np.random.default_rng(7).standard_normal(3001)
    for i, kind in enumerate(KINDS):
        value = Wave(kind, harmonics=HARMONICS[: i % 5]).values(time)
        yield (1.0 + 1e3 * i) * (value + 0.005 * i * noise) + 1e3 * (i % 3), 1e-3
    for i, frequency in enumerate((8.3, 16.7, 47.13, 55.0, 61.2, 137.7, 390.0)):
        size = 3001 - 501 * i // 2
        yield (np.cos(2.0 * np.pi * frequency * time) + 0.02 * noise)[:size], 1e-3
    yield from ((not_periodic(name), 1e-3) for name in (*NAMES, *FAST_OR_SHORT))
    yield np.cos(2.0 * np.pi * 49.7 * 5e-5 * np.arange(70_001)), 5e-5
    yield from ((one.value[:4000], one.macro_step) for one in channels())


def test_the_same_signals_are_periodic(tmp_path):
    """With the same frequency and harmonics; the power in them is a sum that rounds otherwise."""
    given = [(value.tolist(), step) for value, step in waves()]
    found = run(PERIODIC, given, folder=page_folder(tmp_path))
    known = [periodic(*one) for one in waves()]
    assert sum(one is not None for one in known) == 19, "two of a gait are among them"
    for seen, one in zip(found, known, strict=True):
        assert seen == (one and {**asdict(one), "share": pytest.approx(one.share, rel=1e-9)})


def test_pauses_doubled_times_and_times_since_1970_are_taken_alike():
    step, count = 0.01, 400
    even = step * np.arange(count)
    paused = np.r_[even[:150], even[150:] + 30.0]
    twice = np.insert(paused, 20, paused[20])
    holed = np.where(np.arange(count) == 300, np.nan, np.sin(paused))
    late = 1.7e9 + 1e-3 * np.arange(count)
    scenes = [(paused, np.sin(paused)), (twice, np.cos(twice)), (paused, holed), (late, np.sin(7.0 * even))]
    for found, scene in zip(run(INSPECT, [given(*scene) for scene in scenes]), scenes, strict=True):
        compare(found, *scene)
    assert resample(*scenes[3]).macro_step == 0.001 and resample(*scenes[0]).value.size == 250


@pytest.mark.parametrize(
    ("time", "value", "step", "words"),
    [
        ([0.0], [1.0], None, "Fewer than two values"),
        ([0.0, 1.0, 0.5], [1.0, 2.0, 3.0], None, "does not increase at 1 s"),
        ([0.0, 1.0, 2.0], [1.0, 2.0, 3.0], None, "3 macro steps of 1 s, at least 64"),
        (list(range(70)), list(range(70)), 1e-4, "far below the sampling"),
    ],
)
def test_what_cannot_be_put_on_a_grid_is_refused_by_a_sentence(time, value, step, words):
    (found,) = run(INSPECT, [given(np.array(time, float), np.array(value, float), step)])
    assert words in found["error"] and found["error"].endswith(".")
    with pytest.raises(UsageError):
        resample(np.array(time, float), np.array(value, float), step)


GROWTH = """
import { growth, ripple, excess, verdict } from "./analysis/growth.js";
const arrays = (signals) => signals.map((one) => Float64Array.from(one));
answer(given.map(({ time, sent, estimate, reference }) => {
  const parts = [time, arrays(sent), arrays(estimate), arrays(reference)];
  const told = { growth: growth(time, parts[1]), ripple: ripple(time, parts[2]), excess: excess(...parts) };
  return { ...told, verdict: verdict(...parts) };
}));
"""


def runs(rate, rough=0.0, seconds=40.0, own=-0.01):
    """Return a run of two signals, its estimates and its reference; `rough` is the growth of a ripple."""
    time = 0.02 * np.arange(int(seconds / 0.02) + 1)
    waves = [np.sin(1.4 * time), np.cos(1.4 * time)]
    sent = [one * np.exp(rate * time) for one in waves]
    small = 1e-4 * np.where(np.arange(time.size) % 2, 1.0, -1.0) * np.exp(rough * time)
    estimate = [one + small for one in sent] if rough else sent
    return time, sent, estimate, [one * np.exp(own * time) for one in waves]


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"rate": 0.1}, "unstable"), ({"rate": -0.02}, "stable"), ({"rate": 0.002}, "borderline"),
        ({"rate": -0.02, "rough": 0.1}, "unstable"), ({"rate": 0.1, "seconds": 8.0}, "unknown"),
        ({"rate": 0.1, "own": 0.1}, "stable"),
    ],
)  # fmt: skip
def test_a_run_that_grows_is_told_as_simulate_tells_it(how, told):
    time, sent, estimate, reference = runs(**how)
    asked = {name: [one.tolist() for one in given] for name, given in
             (("sent", sent), ("estimate", estimate), ("reference", reference))}  # fmt: skip
    (found,) = run(GROWTH, [{"time": time.tolist(), **asked}])
    traces = [trace(time, *one) for one in zip(sent, estimate, reference, strict=True)]
    grown = growth(time, np.column_stack(sent))
    expected = {"growth": grown, "ripple": ripple(time, *estimate), "excess": excess(grown, traces)}
    assert found.pop("verdict") == told
    for name, value in expected.items():
        assert found[name] == (value if value is None else pytest.approx(value, rel=1e-9)), name


def trace(time, sent, estimate, reference):
    none = np.zeros(time.size, dtype=bool)
    return Trace(
        name="x", unit="m", time=time, reference=reference, sent=sent, received=sent, estimate=estimate,
        active=none, state=none, detected=none, limited=none,
    )  # fmt: skip


def test_numbers_read_as_everywhere():
    values = [0.0, 1.0, -0.00644, 1.2023, 3.2e7, 99999.0, 12345.6, 1e-5, -2.5e-7, 123456.0, 0.5, 100.0]
    script = 'import { number } from "./chart/numbers.js"; answer(given.map((v) => [number(v), number(v, 2)]));'
    assert run(script, values) == [[number(v), number(v, 2)] for v in values]
