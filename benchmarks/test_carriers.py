"""Carriers on the real clock of a quiet machine, next to UDP in the same run: late steps, error of the estimates."""

import pytest

from couplant.bench import run_bench
from tests.bench.meetings import broker, free_port, router
from tests.bench.test_live import loaded

TRIES = 3
LATE = 0.01
"""Largest share of late steps; a try in which UDP itself is later says nothing. [-]"""
WORSE = 1.5
"""Largest error over that of UDP in the same try. [-]"""


def figures(name, endpoint=None):
    """Return the share of late steps and the MAE of a run."""
    result = run_bench(loaded(name, endpoint, "duration=6.0"))
    return result.late_share, result.result.runs[0].metrics["mae"]


@pytest.mark.needs_system("mosquitto")
def test_late_steps_and_errors_next_to_those_of_udp(tmp_path):
    ports = [free_port() for _ in range(3)]
    endpoints = {"zenoh tcp": f"tcp/127.0.0.1:{ports[0]}", "zenoh udp": f"udp/127.0.0.1:{ports[1]}"}
    endpoints["mqtt"] = f"tcp/127.0.0.1:{ports[2]}"
    seen = {name: [] for name in endpoints}
    with router(endpoints["zenoh tcp"], endpoints["zenoh udp"]), broker(tmp_path, ports[2]):
        for _ in range(TRIES):
            late, of_udp = figures("udp")
            for name in endpoints if late <= LATE else ():
                later, found = figures(name.split()[0], endpoints[name])
                seen[name].append((later, found / of_udp))
    print("\nshare of late steps, and error over that of UDP:", seen)
    assert all(seen.values()), "UDP itself was late in every try: no figure of the carriers"
    wrong = {name: found for name, found in seen.items() if not any(a <= LATE and b <= WORSE for a, b in found)}
    assert not wrong, "in every try"
