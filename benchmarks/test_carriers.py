"""Carriers on the real clock of a quiet machine, next to UDP in the same try: late steps, error of the estimates.

SIL Kit takes part where it is there, as `tests/bench/silkit` says.
"""

from contextlib import ExitStack
from statistics import median

import pytest

from benchmarks.dcp_bench import run_dcp
from couplant.bench import run_bench
from tests.bench.meetings import broker, free_port, router
from tests.bench.silkit.stand_in import IS_THERE, itself
from tests.bench.test_live import loaded

TRIES = 3
LATE = 0.01
"""Largest share of late steps, the median of the tries. [-]"""
WORSE = 1.5
"""Largest error over that of UDP in the same try, the median of the tries. [-]"""
LENGTH = "duration=6.0"


def figures(name, endpoint=None, *more):
    """Return the share of late steps and the MAE of a run."""
    result = run_bench(loaded(name, endpoint, LENGTH, *more))
    return result.late_share, result.result.runs[0].metrics["mae"]


def figures_of_dcp(folder):
    """Return the same of two slaves in soft real time, whose data pass the same relay."""
    result = run_dcp(loaded("udp", None, LENGTH, "bench.repeat=1"), folder)
    return result.late_share, result.result.runs[0].metrics["mae"]


@pytest.mark.needs_system("mosquitto")
def test_late_steps_and_errors_next_to_those_of_udp(tmp_path):
    ports = [free_port() for _ in range(3)]
    endpoints = {"zenoh tcp": f"tcp/127.0.0.1:{ports[0]}", "zenoh udp": f"udp/127.0.0.1:{ports[1]}"}
    endpoints |= {"mqtt": f"tcp/127.0.0.1:{ports[2]}", "villas": None}
    with ExitStack() as kept:
        endpoints |= {"silkit": kept.enter_context(itself())} if IS_THERE else {}
        kept.enter_context(router(endpoints["zenoh tcp"], endpoints["zenoh udp"]))
        kept.enter_context(broker(tmp_path, ports[2]))
        seen = {name: [] for name in ("udp", *endpoints, "udp without repeated values", "dcp")}
        for number in range(TRIES):
            late, of_udp = figures("udp")
            seen["udp"].append((late, 1.0))
            for name, endpoint in endpoints.items():
                late, found = figures(name.split()[0], endpoint)
                seen[name].append((late, found / of_udp))
            # data of DCP carry each value once
            late, of_udp = figures("udp", None, "bench.repeat=1")
            seen["udp without repeated values"].append((late, 1.0))
            late, found = figures_of_dcp(tmp_path / str(number))
            seen["dcp"].append((late, found / of_udp))
    medians = {name: tuple(map(median, zip(*tries, strict=True))) for name, tries in seen.items()}
    print(f"\nmedians of {TRIES} tries: share of late steps, error over that of UDP")
    for name, (late, worse) in medians.items():
        print(f"{name:28} {late:.4f} {worse:.3f}   {[(round(a, 4), round(b, 3)) for a, b in seen[name]]}")
    assert all(late <= LATE and worse <= WORSE for late, worse in medians.values()), medians
