"""Ridge regression: exact where it can be, cross-validated, constants kept; the recordings of the torque."""

from pathlib import Path

import numpy as np
import pytest

from couplant.design.neural.offline import learn
from couplant.design.neural.ridge import fit, learn_linear
from couplant.errors import UsageError
from couplant.tables import read_recording

DATA = Path(__file__).resolve().parents[3] / "examples" / "03_recording"


def torque(name):
    return read_recording(DATA / f"torque_{name}.csv", column="torque_Nm")


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


def test_recordings_that_are_too_short_are_refused():
    with pytest.raises(UsageError, match="too short"):
        learn_linear([np.ones(40)], 6)


def test_the_torque_is_learnt_from_two_recordings_and_judged_on_a_third():
    """docs/reference.md: k = 6, event timing, at least 33 % below ZOH."""
    lesson = learn([torque("a"), torque("b")], [("c", torque("c"))], 6, "event", None)
    figures = {row.algorithm: row.combined for row in lesson.tables[0][1]}
    assert figures["learnt"] <= 0.67 * figures["zoh"]
    assert figures["learnt"] == min(figures.values())


def test_a_network_is_learnt_from_recordings_too():
    lesson = learn([torque("a"), torque("b")], [("c", torque("c"))], 6, "event", "foh")
    figures = {row.algorithm: row.combined for row in lesson.tables[0][1]}
    assert lesson.neural is not None
    assert figures["learnt"] < 0.9 * figures["foh"]


def test_recordings_of_different_steps_are_refused():
    from dataclasses import replace

    other = replace(torque("b"), macro_step=0.02)
    with pytest.raises(UsageError, match="macro-step"):
        learn([torque("a")], [("b", other)], 6, "event", None)
