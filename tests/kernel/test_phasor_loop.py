"""Two estimates of `phasor` in a loop: a voltage goes to a load, its current back behind the source's impedance."""

import math

import numpy as np
import pytest

from tests.kernel.library import needs_compiler
from tests.kernel.test_phasor import STEP, coupling, wave

pytestmark = needs_compiler

DURATION = 6.0
"""Of a run, from rest. [s]"""

ANGLE = 2.0 * math.pi * 50.0 * STEP
HALF = math.sqrt(0.5)


class Load:
    """A load of 1 ohm at 50 Hz, a macro step at a time; what is not resistive has as much of resistance."""

    def __init__(self, kind, state=0.0):
        self.kind, self.state = kind, state

    def current(self, voltage):
        """Return the current and take the step (backward Euler)."""
        if self.kind == "resistive":
            return voltage
        if self.kind == "inductive":
            self.state = (self.state * HALF / ANGLE + voltage) / (HALF + HALF / ANGLE)
            return self.state
        self.state = (self.state + ANGLE * voltage) / (1.0 + ANGLE)
        return (voltage - self.state) / HALF

    def undelayed(self, source, ratio):
        """Return the current behind the source's impedance without any latency."""
        at_0, at_1 = (Load(self.kind, self.state).current(voltage) for voltage in (0.0, 1.0))
        return self.current((source - ratio * at_0) / (1.0 + ratio * (at_1 - at_0)))


def errors(kind, ratio, k, estimated):
    """Return the errors of the current in each second, over its size [-]; not `estimated`: by the wire."""
    times = STEP * np.arange(round(DURATION / STEP))
    source = wave(times, 50.2, harmonics=((5, 0.03, 0.0),))
    ends, load, whole = [coupling(k), coupling(k)], Load(kind), Load(kind)
    sent = np.zeros((2, len(times)))  # current and voltage
    true = np.zeros(len(times))
    for n in range(len(times)):
        late = sent[:, n - k] if n >= k else np.zeros(2)
        for end, value in zip(ends, late, strict=True):
            end.state.input.y_valid = int(n >= k)
            end.state.input.y = value
            end.step(n * STEP, STEP)
        current, voltage = [end.state.algorithm.level for end in ends] if estimated else late
        sent[:, n] = load.current(voltage), source[n] - ratio * current
        true[n] = whole.undelayed(source[n], ratio)
    seconds = np.split(sent[0] - true, round(DURATION))
    return np.array([np.sqrt(np.mean(one**2)) for one in seconds]) / np.sqrt(np.mean(true**2))


@pytest.mark.parametrize("k", [5, 11, 22, 30, 45])
@pytest.mark.parametrize("kind", ["resistive", "inductive", "capacitive"])
def test_it_does_so_where_a_round_trip_is_no_whole_number_of_periods(kind, k):
    found, wire = (errors(kind, 0.5, k, estimated)[-1] for estimated in (True, False))
    assert found < 0.02
    assert found < 0.05 * wire


@pytest.mark.parametrize("k", [20, 60])
@pytest.mark.parametrize("ratio", [0.3, 0.5])
@pytest.mark.parametrize("kind", ["resistive", "inductive", "capacitive"])
def test_a_loop_up_to_a_half_comes_from_rest_to_what_it_is_without_latency(kind, ratio, k):
    found, wire = (errors(kind, ratio, k, estimated) for estimated in (True, False))
    assert found[-1] < 1e-3
    assert found[-1] < 0.1 * wire[-1]
