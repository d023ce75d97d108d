"""Carriers on the real clock of this machine; a router that is gone for a second."""

import time
from contextlib import ExitStack

import numpy as np
import pytest

from couplant.bench import load_bench, run_bench, session
from tests.bench.meetings import broker, free_port, router, standby
from tests.bench.virtual import SCENARIO

pytestmark = pytest.mark.night("live routers and brokers, in real time")

RUN, HOLD = 2, 3
"""Outputs `state` of a coupling FMU that runs, and that holds or is lost."""


def loaded(name, endpoint, *more):
    words = ["algorithms=['irregular']", "wire=false", "bench.connect=120.0", f"bench.transport.name={name!r}", *more]
    return load_bench(SCENARIO, [*words, *([f"bench.transport.endpoint={endpoint!r}"] if endpoint else [])])


@pytest.fixture(scope="module")
def once():
    """Solve the reference once for each length of a run; it has nothing to do with carriers."""
    kept, solve = {}, session.solve_reference

    def solved(bench, progress=None):
        if bench.scenario.duration not in kept:
            kept[bench.scenario.duration] = solve(bench, progress)
        return kept[bench.scenario.duration]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "solve_reference", solved)
        yield


@pytest.mark.needs_system("mosquitto")
def test_values_pass_and_are_estimated_over_each(once, tmp_path):
    """How late the steps of a quiet machine are, and by how much estimates err, is in benchmarks/test_carriers.py."""
    ports = [free_port() for _ in range(3)]
    endpoints = {"zenoh tcp": f"tcp/127.0.0.1:{ports[0]}", "zenoh udp": f"udp/127.0.0.1:{ports[1]}"}
    endpoints["mqtt"] = f"tcp/127.0.0.1:{ports[2]}"
    with router(endpoints["zenoh tcp"], endpoints["zenoh udp"]), broker(tmp_path, ports[2]):
        for name, endpoint in endpoints.items():
            result = run_bench(loaded(name.split()[0], endpoint, "duration=3.0"))
            for direction in result.directions[0]:
                assert direction.counts["arrived"] > 0.5 * direction.counts["sent"], name
            for trace in result.result.runs[0].traces.values():
                assert np.mean(trace.state == RUN) > 0.5 and np.isfinite(trace.estimate).all(), name


class Gone:
    """Kills the router when a run is two seconds old, and lets another one begin a second later."""

    def __init__(self, kept, endpoint):
        self.first, self.second = (kept.enter_context(standby(endpoint)) for _ in range(2))
        self.tell(self.first)
        self.killed = self.back = None

    def tell(self, process):
        process.stdin.write("go\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith("tcp/")

    def __call__(self, share, text):
        now = time.monotonic()
        if self.killed is None and ": " in text and float(text.split(": ")[1].split()[0]) >= 2:
            self.first.kill()
            self.killed = now
        elif self.killed is not None and self.back is None and now >= self.killed + 1.0:
            self.tell(self.second)
            self.back = time.monotonic()


def test_a_router_that_is_killed_for_a_second(once):
    endpoint = f"tcp/127.0.0.1:{free_port()}"
    with ExitStack() as kept:
        gone = Gone(kept, endpoint)
        result = run_bench(loaded("zenoh", endpoint, "duration=8.0", "relay.jitter=0.0"), progress=gone)
    assert gone.back is not None and gone.back - gone.killed >= 1.0
    for trace in result.result.runs[0].traces.values():
        assert np.isfinite(trace.estimate).all(), "the run went on to its own end"
        held = np.flatnonzero(trace.state >= HOLD)
        held = held[held > 100]
        assert len(held) > 60, "it held for most of the second"
        before = trace.state[held[0] - 7 : held[0]]
        assert (before == RUN).all(), "it coasted first"
        assert trace.state[held[0]] == HOLD, "then it held"
        assert np.mean(trace.state[-100:] == RUN) > 0.5, "it resumed"
    assert any("no router at" in line for line in result.log[0])
