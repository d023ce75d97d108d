"""Clocks that differ, in C: an hour of drift, with messages late, twice, in disorder and from the future."""

import pytest

from tests.kernel.driver import KernelDriver
from tests.kernel.library import needs_compiler
from tests.runtime.test_clock import DRIFT, LATENCY, STEP, drive

pytestmark = needs_compiler


@pytest.mark.landing("an hour of a clock: 5 s of CPU")
@pytest.mark.parametrize(("mode", "minimum"), [("stamps", LATENCY), ("round_trip", 0.0)])
def test_an_hour_of_drift_with_round_trips_or_a_known_minimum(mode, minimum):
    worst, state = drive(3600.0, mode, minimum, KernelDriver)
    assert worst < 0.5
    assert state.clock.drift == pytest.approx(DRIFT, rel=0.1)
    assert state.history.newest - state.history.origin <= 3600.0 / STEP * (1.0 + 2 * DRIFT)
