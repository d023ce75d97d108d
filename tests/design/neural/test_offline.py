"""Networks learnt from recordings: judged as they run, better than what they start from."""

from pathlib import Path

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from couplant.analysis.signal.recording import span_with_news
from couplant.base.errors import UsageError
from couplant.cli.signals.target import target_of
from couplant.config import load_interface
from couplant.config.interface import STARTS
from couplant.design.neural.adam import Adam
from couplant.design.neural.offline import NeuralWeights, _neural, learn, learn_neural, learnt_settings, write_settings
from couplant.design.neural.trainer import outputs
from couplant.pack.trial import trial
from couplant.tables import read_recording
from tests.learning.coupling import Coupling, settings_of

DATA = Path(__file__).resolve().parents[3] / "examples" / "03_recording"
K = 6


def torque(name):
    return read_recording(DATA / f"torque_{name}.csv", column="torque_Nm")


def judging(name, timing="event"):
    return name, torque(name), span_with_news(torque(name), 6, timing)


def neural_estimates(neural: NeuralWeights, value, k, timing):
    """Return the estimates of a network that does not learn any more at the start of each macro step, shape (N,)."""
    late, m = k + int(timing == "step"), neural.origin.m
    # before the first value it repeats
    arrived = np.concatenate([np.full(m - 1 + late, value[0]), value])[: value.size + m - 1]
    past = sliding_window_view(arrived, m)[:, ::-1]
    span = (np.maximum.accumulate(arrived) - np.minimum.accumulate(arrived))[m - 1 :, None]
    known = np.where(span > 0.0, span, 1.0)
    net = _neural(neural.origin, neural.shape, neural.start)
    return past[:, 0] + known[:, 0] * outputs(net, neural.weights, (past[:, 1:] - past[:, :1]) / known)


@pytest.mark.sample(2)
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("start", ["foh", "linear"])
def test_an_fmu_estimates_what_its_weights_say(timing, start):
    value = torque("c").value[:150]
    lesson = learn([torque("a")], [], K, timing, start)
    expected = neural_estimates(lesson.neural, value, K, timing)
    sections = learnt_settings(lesson) | {"learning": {"enabled": False}}
    coupling = Coupling(settings_of(timing, K, **sections))
    lines = []
    for y in [0.0] * K + list(value[: len(value) - K]):
        coupling.state.neural.harmful = 0  # else the newest value is given out where these lose
        lines.append(coupling.take(y))
    ends = [near for near, _ in lines] if timing == "event" else [0.0] + [far for _, far in lines[:-1]]
    assert ends[40:] == pytest.approx(expected[40:], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("start", [pytest.param(None, marks=pytest.mark.landing("learns weights: 3 s of CPU")), "foh"])
def test_what_is_judged_is_what_is_saved(timing, start, tmp_path):
    """The limits of the settings are in it, and whether a network goes on learning."""
    config = tmp_path / "bench.toml"
    config.write_text(
        f'[interface]\nname = "b"\nmacro_step = {torque("c").macro_step:.9g}\ntiming = "{timing}"\n'
        "[signals.M]\nlatency = { constant_steps = 6 }\noutput = { min = -20.0, max = 30.0, rate_max = 600.0 }\n"
        "learning = { enabled = false }\n"
    )
    common = target_of(config, "M", None, None, None).protection
    name, one, span = judging("c", timing)
    lesson = learn([torque("a")], [(name, one, span)], K, timing, start, common=common)
    write_settings(config, "M", lesson)
    config.write_text(config.read_text().replace("[signals.M]", f"[signals.M]\nstart = {float(one.value[0])!r}"))
    saved = trial(one, span, load_interface(config), "M", micro_steps=lesson.judged[name].micro_steps)
    assert lesson.judged[name].estimates["learnt"] == pytest.approx(saved, rel=1e-12, abs=1e-12)
    assert saved.min() >= -20.0 and saved.max() <= 30.0


def test_a_network_that_starts_as_the_learnt_algorithm_is_a_third_better_than_no_compensation():
    still = {"learning": {"enabled": False}}
    lesson = learn([torque("a"), torque("b")], [judging("c")], K, "event", "linear", common=still)
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
