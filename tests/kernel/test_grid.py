"""Hosts that add up their time, t += h: macro steps stay those that the host counts, for as long as it runs."""

import ctypes
import math
import re
import struct

import pytest

from couplant_runtime import grid as python
from tests.kernel.library import Host, Kernel, Refused, needs_compiler
from tests.twin.pair import Pair
from tests.twin.scenario import plain_settings

pytestmark = needs_compiler

UNIX = 1.7e9
HOUR = 3600.0
ADDED_UP = [1e-4, 2.5e-4, 1e-3, 1e-2, 1.0 / 240.0]
PARTS = [(10, 1), (1500, 1), (10_000, 1), (3, 1), (10, 7), (100, 99), (3, 2), (10, 37)]
"""Communication steps in so many macro steps."""


def kernel(period, start=0.0, **values):
    values = {"macro_step": period, "algorithm.selected": 2, "latency.constant_steps": 3, **values}
    one = Kernel(plain_settings(start=values))
    one.init(start)
    return one


def off_grid(period, size, steps, parts=1, macros=1, start=0.0):
    """Return at how many communication points the grid alone is wrong."""
    one = kernel(period, start)
    return one.lib.cp_test_grid(ctypes.byref(one.state), start, ctypes.byref(Host(size, steps, parts, macros)))


def off_steps(period, size, steps, parts=1, macros=1, start=0.0):
    """Return at how many communication points of a whole run the macro step, the latency or its end is wrong."""
    one = kernel(period, start)
    host = Host(size, steps, parts, macros)
    return one.lib.cp_test_steps(one.settings, ctypes.byref(one.state), start, ctypes.byref(host))


@pytest.mark.sample(2)
@pytest.mark.parametrize("period", ADDED_UP)
def test_a_hundred_million_steps(period):
    assert off_grid(period, period, 10**8) == 0


@pytest.mark.sample(2)
@pytest.mark.parametrize("period", ADDED_UP)
def test_a_million_whole_steps_after_a_day(period):
    assert off_steps(period, period, 10**6, start=86400.0 / 7.0) == 0


@pytest.mark.sample(5)
@pytest.mark.parametrize("parts, macros", PARTS)
@pytest.mark.parametrize("period", [1e-3, 1.0 / 240.0])
def test_micro_steps_and_long_ones(period, parts, macros):
    assert off_grid(period, period * macros / parts, 10**7, parts, macros) == 0
    assert off_steps(period, period * macros / parts, 10**5, parts, macros, 86400.0) == 0


@pytest.mark.parametrize("share", [1.0 / math.sqrt(2.0), 1.0 / math.pi, 0.3003, 1500.3**-1, math.e])
def test_steps_that_do_not_divide_the_macro_step_never_move_the_grid(share):
    """They come close to macro points by chance, each time from the same side."""
    assert off_grid(1e-3, share * 1e-3, 10**7, parts=0) == 0


@pytest.mark.sample(2)
@pytest.mark.parametrize("share", [1.0 - 1e-12, 1.0 + 1e-12, 1.0 - 1e-7, 1.0 - 5e-4, 1.0 + 5e-4])
def test_a_step_that_is_nearly_the_macro_step_is_one(share):
    assert off_grid(1e-3, share * 1e-3, 10**7) == 0
    assert off_steps(1e-3, share * 1e-3, 10**6) == 0


@pytest.mark.sample(1)
@pytest.mark.parametrize("period", [1e-3, 1e-2])
@pytest.mark.parametrize("parts", [1, 10])
def test_an_hour_of_unix_time(period, parts):
    size = period / parts
    assert off_steps(period, size, int(HOUR / size), parts, start=UNIX) == 0


@pytest.mark.parametrize("start", [1e8, UNIX, -UNIX])
def test_times_that_are_multiplied_agree_with_those_that_are_added_up(start):
    """The end of the last step, as the FMU adds it up, and t_0 + n h, as the host does, are some ulp apart."""
    one = kernel(1e-3, start)
    for n in range(5000):
        one.step(start + n * 1e-3, 1e-3)
        assert one.state.grid.n == n


@pytest.mark.parametrize("start", [0.0, 1e8, UNIX])
def test_another_time_is_refused_and_seen_to_differ(start):
    one = kernel(1e-3, start)
    one.step(start, 1e-3)
    wrong = one.state.grid.time + max(2e-9, 2.0 * python.same_time(start, 0.0))
    with pytest.raises(Refused, match="current time") as refused:
        one.step(wrong, 1e-3)
    given, allowed = re.findall(r"[-+.e\d]+(?= s)", str(refused.value))
    assert (float(given), float(allowed)) == (wrong, one.state.grid.time)


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


@pytest.mark.parametrize("parts", [1, 10])
@pytest.mark.parametrize("start", [0.0, 1000.0])
@pytest.mark.parametrize("adds", [True, False])
def test_a_host_that_counts_time_in_single_precision(adds, start, parts):
    """LabVIEW and embedded hosts: no step is refused, none is lost, in both runtimes."""
    size = single(0.1 / parts)
    pair = Pair(plain_settings(start={"macro_step": 0.1, "algorithm.selected": 2, "latency.constant_steps": 3}))
    assert pair.init(start)
    time = start
    for i in range(3000):
        assert pair.step(time, size)
        assert pair.state.grid.n == i // parts
        time = single(time + size) if adds else single(start + (i + 1) * 0.1 / parts)


def test_a_time_in_single_precision_that_is_wrong_is_refused():
    one = kernel(0.01, 1000.0)
    one.step(1000.0, single(0.01))
    with pytest.raises(Refused, match="current time"):
        one.step(single(1000.013), single(0.01))


def test_a_step_that_does_not_move_the_time_is_refused():
    one = kernel(1e-2, UNIX)
    with pytest.raises(Refused, match=r"step size = 1e-8 s, allowed what moves the time 1700000000 s on"):
        one.step(UNIX, 1e-8)


@pytest.mark.parametrize("start, period", [(UNIX, 1e-6), (-UNIX, 1e-6), (1e8, 5e-8)])
def test_macro_steps_that_time_does_not_resolve_are_refused_at_initialisation(start, period):
    with pytest.raises(Refused, match=r"macro_step = \S+ s, allowed \S+ s or more with the start time"):
        kernel(period, start)
    kernel(20.0 * period, start)


def test_the_next_point_is_always_later():
    one = kernel(1e-3, 0.0)
    for time in (0.0, 1e3, UNIX, 1e13, -UNIX, 1e300):
        one.state.grid.time = one.state.grid.anchor_time = time
        assert one.lib.cp_coupling_next_point(ctypes.byref(one.state)) > time


def test_times_that_are_multiplied_stay_on_the_first_grid():
    """So figures of hosts that were right before stay what they were."""
    one = kernel(0.02)
    for n in range(20_000):
        one.step(n * 0.02, 0.02)
    assert (one.state.grid.anchor, one.state.grid.anchor_time) == (0, 0.0)


@pytest.mark.parametrize("size", [1e-3, 1e-4, 0.7e-3, 2.5e-3, 1e-3 / 1500.0, 1e-9, 5e-324, 1e300])
@pytest.mark.parametrize("time", [0.0, 1.0, -UNIX, 1e300])
def test_nearness_is_that_of_the_python_runtime(size, time):
    one = kernel(1e-3)
    one.lib.cp_test_nearness.restype = ctypes.c_double
    one.lib.cp_test_nearness.argtypes = [ctypes.c_double] * 3
    assert one.lib.cp_test_nearness(time, size, 1e-3) == python.nearness(time, size, 1e-3)
