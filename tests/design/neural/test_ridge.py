"""Ridge regression: exact where it can be, cross-validated, constants kept; the recordings of the torque."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from couplant.analysis.signal.recording import span_with_news
from couplant.analysis.stability import stability
from couplant.analysis.system_file import read_system
from couplant.base.errors import UsageError
from couplant.design.neural import ridge
from couplant.design.neural.offline import learn
from couplant.design.neural.ridge import (
    LARGEST_GAIN,
    GainBound,
    fit,
    gain,
    gain_bound,
    largest_gain,
    learn_linear,
    samples,
)
from couplant.report.design import describe_lesson
from couplant.tables import Recording, read_recording
from tests.analysis.conftest import OSCILLATOR

DATA = Path(__file__).resolve().parents[3] / "examples" / "03_recording"


def torque(name):
    return read_recording(DATA / f"torque_{name}.csv", column="torque_Nm")


def judging(name):
    return name, torque(name), span_with_news(torque(name), 6, "event")


def test_constants_are_kept_whatever_the_signal(chance):
    signals = [chance.normal(size=200), chance.normal(size=300)]
    for m, penalty in ((2, 1e-3), (9, 10.0)):
        assert fit(signals, m, 4, penalty).sum() == pytest.approx(1.0, abs=1e-12)
    learnt = learn_linear(signals, 3)
    assert learnt.a.sum() == pytest.approx(1.0, abs=1e-12)
    assert learnt.slopes.sum() == pytest.approx(0.0, abs=1e-12)


def test_tones_are_learnt_exactly():
    n = np.arange(600)
    signal = np.sin(0.2 * n) + 0.5 * np.cos(0.7 * n)
    h = fit([signal[:400]], 6, 5, 1e-12)
    estimate = np.convolve(signal, h)[: signal.size]
    assert estimate[100:-5] == pytest.approx(signal[105:], abs=1e-5)


def test_noise_is_met_with_a_penalty_and_tones_are_not(chance):
    n = np.arange(800)
    tone = [np.sin(0.2 * n), np.sin(0.2 * n + 1.0)]
    noise = [chance.normal(size=400) + np.sin(0.02 * n[:400]) for _ in range(2)]
    assert learn_linear(tone, 3).choice.error < 0.01
    assert learn_linear(noise, 3).choice.penalty > learn_linear(tone, 3).choice.penalty


def test_what_learning_makes_worse_on_what_was_left_out_stays_as_it_starts(chance):
    """A random walk has no better predictor than its newest value, but for luck."""
    learnt = [learn_linear([np.cumsum(chance.standard_normal(300))], 3) for _ in range(6)]
    assert max(one.choice.error for one in learnt) <= 1.0 + 1e-6
    assert any(np.allclose(one.a, np.eye(1, one.a.size).ravel(), rtol=0.0, atol=1e-4) for one in learnt)


def test_recordings_that_are_too_short_are_refused():
    with pytest.raises(UsageError, match="too short"):
        learn_linear([np.ones(40)], 6)


def test_the_torque_is_learnt_from_two_recordings_and_judged_on_a_third():
    """docs/reference.md: k = 6, event timing, at least 40 % below ZOH."""
    lesson = learn([torque("a"), torque("b")], [judging("c")], 6, "event", None)
    figures = {row.algorithm: row.combined for row in lesson.judged["c"].table}
    assert figures["learnt"] <= 0.60 * figures["zoh"]
    assert figures["learnt"] <= 1.03 * min(figures.values()), "a design from their spectrum is as good"


def test_a_network_is_learnt_from_recordings_too():
    lesson = learn([torque("a"), torque("b")], [judging("c")], 6, "event", "foh")
    figures = {row.algorithm: row.combined for row in lesson.judged["c"].table}
    assert lesson.neural is not None
    assert figures["learnt"] < 0.9 * figures["foh"]


def test_recordings_of_different_steps_are_refused():
    other = replace(torque("b"), macro_step=0.02)
    with pytest.raises(UsageError, match="macro_step is missing"):
        learn([torque("a")], [("b", other, span_with_news(other, 6, "event"))], 6, "event", None)


def test_weights_go_as_far_from_the_design_as_the_bound_allows(chance):
    for _ in range(30):
        m = int(chance.integers(2, 20))
        bound = GainBound(np.maximum(1.0, chance.uniform(1.0, 3.0) * np.linspace(0.5, 2.0, 256)), {})
        origin, h = np.eye(1, m).ravel(), chance.normal(size=m)
        h = np.append(1.0 - h[1:].sum(), h[1:])
        kept = bound.keep(h, origin)
        assert np.all(gain(kept) <= bound.most * (1 + 1e-9)) and kept.sum() == pytest.approx(1.0)
        share = (kept - origin)[-1] / (h - origin)[-1]
        further = gain(origin + (share + 1e-3) * (h - origin)) > bound.most
        assert -1e-12 <= share <= 1.0 + 1e-12 and (share > 1.0 - 1e-9 or np.any(further))


def test_learning_starts_from_the_design_where_that_keeps_the_bound():
    one = gain_bound(torque("a"), 6, "event")
    design, smaller = one.designed[6]
    assert one.origin(40, 6) == pytest.approx(np.pad(design, (0, 40 - design.size)))
    assert one.origin(20, 6) == pytest.approx(np.pad(smaller, (0, 20 - smaller.size)))
    stiff = fit([torque("a").value], 40, 6, 1e9, one)
    assert stiff == pytest.approx(one.origin(40, 6), abs=1e-4)
    assert gain_bound(torque("a"), 6, "event", 1.0).origin(20, 6)[0] == 1.0
    assert one.origin(3, 6).tolist() == [1.0, 0.0, 0.0]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("timing", "peak"), [("event", None), ("step", None), ("event", 2.0)])
def test_learnt_weights_have_a_bound_on_their_gain(timing, peak):
    n = np.arange(200)
    smooth = Recording("y", 0.01, np.sin(0.05 * n) + 0.3 * np.sin(0.11 * n + 1.0), 0, 0.0)
    free = learn_linear([smooth.value], 6)
    lesson = learn([smooth], [("y", smooth, span_with_news(smooth, 6, timing))], 6, timing, None, peak=peak)
    assert np.abs(free.a).sum() > 30.0
    bound = gain_bound(smooth, 6, timing, peak)
    assert lesson.loop.gain == largest_gain(lesson.algorithm) <= bound.most.max() * (1 + 1e-9)
    assert bound.most[0] == (peak or LARGEST_GAIN[timing])
    assert lesson.loop.stable_share is None and lesson.loop.radius is None
    assert "Nothing is known of the loop" in describe_lesson(lesson, "y").paragraphs[-1]


@pytest.mark.landing("designs for closed loops: 10 s of CPU")
def test_a_known_plant_tells_what_its_loop_makes_of_the_weights(chance):
    n = np.arange(400)
    smooth = Recording("y", 0.02, np.sin(0.1 * n) + 0.3 * np.sin(0.02 * n) + 1e-3 * chance.normal(size=400), 0, 0.0)
    system = read_system(OSCILLATOR)
    lesson = learn([smooth], [], 3, "event", None, system=system)
    plant = replace(system, timing="event").with_algorithms(lambda k: lesson.algorithm, 3)
    assert lesson.loop.radius == pytest.approx(stability(plant).radius, rel=1e-12) and lesson.loop.radius < 1.0
    assert lesson.loop.stable_share == 1.0
    assert "100 % of 100 plants" in describe_lesson(lesson, "y").paragraphs[-1]
    worse = replace(lesson, loop=replace(lesson.loop, stable_share=0.4))
    assert describe_lesson(worse, "y").warnings == ["only 40 % of the scattered plants are stable with what was learnt"]


@pytest.mark.parametrize("noise", [0.0, 0.05])
@pytest.mark.parametrize("count", [1, 3])
def test_choices_are_those_of_errors_worked_out_value_by_value(noise, count, chance, monkeypatch):
    """Sums over blocks, with blocks so short that all folds have several, against fits and residuals of whole folds."""
    n = np.arange(600)
    signals = [np.sin(0.2 * n + i) + 0.5 * np.cos(0.7 * n) + noise * chance.normal(size=600) for i in range(count)]
    monkeypatch.setattr(ridge, "_BLOCK", 37)
    learnt = learn_linear(signals, 3, most=8)
    folds = signals if count > 1 else np.array_split(signals[0], ridge.BLOCKS)
    errors = {}
    for m in (m for m in ridge.TAPS if m <= 8):
        for penalty in ridge.PENALTIES:
            error = hold = 0.0
            for horizon in (3, 4):
                for i, fold in enumerate(folds):
                    h = fit([*folds[:i], *folds[i + 1 :]], m, horizon, penalty)
                    x, t = samples(fold, m, horizon)
                    error, hold = error + np.sum((t - x @ h[1:]) ** 2), hold + np.sum(t**2)
            errors[m, penalty] = np.sqrt(error / hold)
    assert learnt.choice.error == pytest.approx(min(errors.values()), rel=1e-6)
    assert errors[learnt.choice.m, learnt.choice.penalty] == pytest.approx(min(errors.values()), rel=1e-6)
