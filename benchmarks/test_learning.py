"""What learning costs, inside the step in C and on a server from Python: against the same step without it."""

import math
import time

import numpy as np
import pytest

from benchmarks.conftest import stepper
from couplant.pack import build_coupling_fmu
from couplant.pack.binaries.platforms import host
from tests.c.programs import run
from tests.c.signals import PERIOD, interface_of
from tests.c.test_loader import Unpacked
from tests.c.test_realtime import harness
from tests.learning.serving import TOKEN, serving

LINUX = pytest.mark.skipif("linux" not in host().name, reason="the harness counts system calls of Linux")
MOST = 30.0
"""A step that learns as a multiple of one that does not."""
STEPS = 20_000


def signal(steps, **learning):
    return {"algorithm": "network", "latency": {"constant_steps": steps}, "learning": learning}


@LINUX
@pytest.mark.parametrize("k", [3, 11])
def test_learning_in_a_step_costs_at_most_thirty_steps(tmp_path, k):
    """The default network, and one of 62 weights; whole batches, and the steps with the most work one by one."""
    cost = {}
    for name, enabled in (("off", False), ("on", True)):
        fmu = build_coupling_fmu(interface_of(signal(k, enabled=enabled)), "s", tmp_path / name)
        where = Unpacked(fmu, tmp_path / name / "unpacked").arguments(host())[2:]
        cost[name] = least("time", where)[0], least("single", where)[1]
    for i, what in enumerate(("median", "99.9 percentile of single steps")):
        off, on = cost["off"][i], cost["on"][i]
        more = f"{(on - off) / 1e3:.2f} µs more; ratio {on / off:.1f}, at most {MOST:g}"
        print(f"\n{what}: {off:.0f} ns, learning {on:.0f} ns, {more}")
        assert on <= MOST * off


def least(mode, where):
    """Return median, 99.9 percentile and maximum, each the least of five runs, ns."""
    program = harness(signal="learning")
    return np.min([[float(word) for word in run([program, mode, *where]).split()] for _ in range(5)], axis=0)


def test_asking_a_server_at_most_doubles_the_slowest_steps(tmp_path):
    """99.9 percentile; both FMUs take turns, so that a busy machine slows both; the median of five runs."""
    with serving() as server:
        address = {"mode": "server", "port": server.port, "token": TOKEN}
        names = {"off": signal(3, enabled=False), "on": signal(3, **address)}
        paths = [
            build_coupling_fmu(interface_of(section), "s", tmp_path / name, backend="python")
            for name, section in names.items()
        ]
        with stepper(paths[0], "y", "y_hat", PERIOD) as off, stepper(paths[1], "y", "y_hat", PERIOD) as on:
            ratios = [compared(off, on) for _ in range(5)]
            accepted = on.fmu.getInteger([on.references["learning.accepted"]])[0]
    own, wall = np.median(ratios, axis=0)
    print(f"\nratios, medians of five: computing time {own:.2f}, whole time {wall:.2f}, at most 2; {accepted} taken")
    assert accepted > 0
    assert max(own, wall) <= 2.0


def compared(off, on):
    """Return the ratios of the 99.9 percentiles of two FMUs: of the thread's computing time, and of the whole time."""
    clocks = (time.thread_time, time.perf_counter)
    seconds = np.empty((STEPS, 2, 2))
    for i in range(STEPS):
        value = math.sin(0.11 * on.n) + 0.3 * math.sin(0.3 * on.n + 1.0)
        for j, one in enumerate((off, on)):
            begin = [clock() for clock in clocks]
            one(value)
            seconds[i, j] = [clock() - start for clock, start in zip(clocks, begin, strict=True)]
    high = np.percentile(seconds, 99.9, axis=0)
    for name, (without, learning) in zip(("computing", "whole"), high.T * 1e6, strict=True):
        print(f"\n99.9 percentile, {name} time: {without:.0f} µs, with a server {learning:.0f} µs", end="")
    return high[1] / high[0]
