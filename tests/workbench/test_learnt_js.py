"""Weights that the page learns against those of `couplant.design.neural`, on the recordings of the project.

Where the optimum is flat other weights are as good: weights count to 1e-9 of the largest, or the error that they make
on the recording, relative to its rms.
"""

import numpy as np
import pytest

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.analysis.signal.recording import compare, split
from couplant.base.errors import UsageError
from couplant.design.neural.loop import learn_for_loop, linear
from couplant.tables import Recording, read, resample
from tests.workbench.node import ROOT, run

FILES = sorted(ROOT.glob("examples/*/*.csv"))
LATENCIES = (1, 3, 6)
TIMINGS = ("event", "step")

LEARN = """
import { spectrum } from "./analysis/spectrum.js";
import { learn } from "./design/learnt.js";
const finished = (steps) => {
  for (;;) {
    const now = steps.next();
    if (now.done) return now.value;
  }
};
answer(given.map(({ value: listed, macroStep, k, timing }) => {
  const value = Float64Array.from(listed);
  return finished(learn({ name: "y", value, macroStep, spectrum: spectrum(value, macroStep) }, k, timing));
}));
"""


def made_of(time, value):
    """Return the part of a signal that weights are learnt from."""
    return split(resample(time, value, None))[0]


def recorded():
    """Return that part of all signals of the project that move in it."""
    channels = [one for path in FILES for one in read(path).values() if np.isfinite(one.value).sum() >= 64]
    found = [made_of(one.time, one.value) for one in channels]
    return [one for one in found if not one.constant]


def in_page(cases):
    return run(LEARN, [{"value": one.value.tolist(), "macroStep": one.macro_step, "k": k, "timing": timing}
                       for one, k, timing in cases])  # fmt: skip


def rms(one, weights, timing):
    return compare(one, [weights], timing)[0].rms


def same(cases, learnt):
    """Hold what the page has learnt against what Python learns; returns how many weights are the same."""
    exact = 0
    for (one, k, timing), found in zip(cases, learnt, strict=True):
        expected = linear(learn_for_loop([one], k, timing, None, None)[0])
        ours, weights = np.array([found["a"], found["A"]]), np.array([expected.a, expected.A])
        if ours.shape == weights.shape and np.abs(ours - weights).max() <= 1e-9 * np.abs(weights).max():
            exact += 1
            continue
        page = LinearAlgorithm(k, tuple(found["a"]), tuple(found["A"]), "page")
        size = float(np.sqrt(np.mean(one.value**2)))
        assert rms(one, page, timing) == pytest.approx(rms(one, expected, timing), rel=0, abs=1e-9 * size), one.name
    return exact


@pytest.mark.night("many recordings: 22 s of CPU")
def test_weights_of_recordings():
    signals = recorded()
    assert len(signals) > 10
    cases = [(one, LATENCIES[i % 3], TIMINGS[i % 2]) for i, one in enumerate(signals)]
    assert same(cases, in_page(cases)) >= 0.7 * len(cases)


@pytest.mark.landing("learns twice, in the page and in Python")
def test_weights_of_noise_keep_their_bound_and_the_newest_value_stays():
    """Of white noise nothing is learnt, of a random walk little, of tones much more than the bound allows."""
    rng, t = np.random.default_rng(5), 0.01 * np.arange(900)
    noise, tones = rng.normal(size=t.size), np.sin(90.0 * t) + np.sin(170.0 * t)
    signals = [made_of(t, value) for value in (noise, np.cumsum(noise), tones + 1e-3 * noise, tones + 0.3 * noise)]
    cases = [(one, k, timing) for one in signals for k, timing in ((0, "step"), (1, "event"), (4, "step"))]
    found = in_page(cases)
    assert same(cases, found) >= 10
    newest = [one for one, (_, k, _) in zip(found, cases, strict=True) if k == 0]
    assert all(one["a"] == [1.0, *[0.0] * (one["m"] - 1)] for one in newest)


def test_a_recording_that_is_too_short_teaches_nothing():
    short = Recording("y", 0.01, np.sin(0.1 * np.arange(100)))
    with pytest.raises(UsageError):
        learn_for_loop([short], 3, "event", None, None)
    assert in_page([(short, 3, "event")]) == [None]
