"""Limits around what was recorded: estimates stay there, and the value as it comes is never held back."""

import numpy as np
import pytest

from couplant.analysis.signal.recording import Span
from couplant.analysis.signal.sampling import limits, protection
from couplant.analysis.signal.way import Way
from couplant.config.network import NetworkTable
from couplant.pack.trial import trials
from couplant.tables import Recording
from tests.recordings.real import channels

STEP = 0.01


def test_limits_are_a_fifth_of_the_range_around_and_twice_the_largest_change():
    value = np.array([0.0, 1.0, 3.0, 10.0, 9.0])
    assert limits(Recording("y", STEP, value), STEP / 10) == {"min": -2.0, "max": 12.0, "rate_max": 14000.0}
    assert limits(Recording("y", STEP, value), STEP) == {"min": -2.0, "max": 12.0, "rate_max": 1400.0}


def test_a_constant_signal_has_the_span_of_its_size_and_no_rate():
    assert limits(Recording("y", STEP, np.full(9, 40.0)), STEP) == {"min": 32.0, "max": 48.0}
    assert limits(Recording("y", STEP, np.zeros(9)), STEP) == {"min": -0.2, "max": 0.2}


def test_a_quantised_signal_has_a_floor():
    recording = Recording("y", STEP, np.array([0.0, 1.0]))
    assert protection(recording, STEP, 0.25)["discontinuity"] == {"floor": 0.5}
    assert protection(recording, STEP, None) == {"output": limits(recording, STEP)}


@pytest.mark.parametrize(("timing", "m"), [("step", 10), ("step", 1), ("event", 1)])
def test_the_value_as_it_comes_is_never_held_back(timing, m):
    for one in channels()[::5]:
        recording = Recording(one.name, one.macro_step, one.value[:800])
        way, span = Way(NetworkTable(latency_steps=one.k)), Span(0, recording.value.size)
        tables = {
            "bare": {"algorithm": "zoh"},
            "limited": {"algorithm": "zoh", "output": limits(recording, one.macro_step / m)},
        }
        found = trials(recording, span, way, timing, tables, m)
        assert found["limited"].tobytes() == found["bare"].tobytes(), one.name


def test_an_estimate_stays_within_limits():
    value = np.clip(3.0 * np.sin(0.2 * np.arange(400)), -1.0, 1.0)
    recording, way = Recording("y", STEP, value), Way(NetworkTable(latency_steps=4))
    tables = {"bare": {"algorithm": "eros3"}, "limited": {"algorithm": "eros3", "output": limits(recording, STEP / 10)}}
    found = trials(recording, Span(0, 400), way, "step", tables, 10)
    assert np.abs(found["bare"]).max() > 2.0
    assert np.abs(found["limited"]).max() <= 1.4
