"""Networks learnt from recordings: judged as they run, better than what they start from."""

from pathlib import Path

import numpy as np
import pytest

from couplant.analysis.signal.recording import span_with_news
from couplant.base.errors import UsageError
from couplant.config.interface import STARTS
from couplant.design.neural.adam import Adam
from couplant.design.neural.offline import learn, learn_neural, learnt_settings, neural_estimates
from couplant.tables import read_recording
from tests.learning.coupling import Coupling, settings_of

DATA = Path(__file__).resolve().parents[3] / "examples" / "03_recording"
K = 6


def torque(name):
    return read_recording(DATA / f"torque_{name}.csv", column="torque_Nm")


def judging(name):
    return name, torque(name), span_with_news(torque(name), 6, "event")


@pytest.mark.sample(2)
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("start", ["foh", "linear"])
def test_what_is_judged_is_what_an_fmu_estimates(timing, start):
    value = torque("c").value[:150]
    lesson = learn([torque("a")], [], K, timing, start)
    expected = neural_estimates(lesson.neural, value, K, timing)
    sections = learnt_settings(lesson) | {"learning": {"enabled": False}}
    coupling = Coupling(settings_of(timing, K, **sections))
    lines = [coupling.take(y) for y in [0.0] * K + list(value[: len(value) - K])]
    ends = [near for near, _ in lines] if timing == "event" else [0.0] + [far for _, far in lines[:-1]]
    assert ends[40:] == pytest.approx(expected[40:], rel=1e-9, abs=1e-9)


def test_a_network_that_starts_as_the_learnt_algorithm_is_a_third_better_than_no_compensation():
    lesson = learn([torque("a"), torque("b")], [judging("c")], K, "event", "linear")
    rows = lesson.judged["c"].table
    combined = {row.algorithm: row.combined for row in rows}
    assert combined["learnt"] <= 0.67 * combined["zoh"]


def test_an_algorithm_without_weights_is_no_start():
    with pytest.raises(UsageError, match=f"start = smb, allowed {', '.join(STARTS)}"):
        learn_neural([torque("a").value], K, "event", "smb")


@pytest.mark.parametrize("adam", [None, Adam(epochs=20), Adam(epochs=20, relative=True)])
def test_what_nothing_can_be_learnt_from_stays_as_it_starts(adam):
    """A random walk has no better predictor than its newest value."""
    walk = np.cumsum(np.random.default_rng(1).standard_normal(400))
    found = neural_estimates(learn_neural([walk], K, "event", "zoh", adam), walk, K, "event")
    assert found[K:] == pytest.approx(walk[:-K], abs=1e-3)
    tones = np.sin(0.2 * np.arange(400)) + 0.4 * np.sin(0.45 * np.arange(400))
    found = neural_estimates(learn_neural([tones], K, "event", "foh", adam), tones, K, "event")
    foh = tones[40 - K : -K] + K * (tones[40 - K : -K] - tones[39 - K : -K - 1])
    assert np.abs(found - tones)[40:].mean() < 0.9 * np.abs(foh - tones[40:]).mean()
