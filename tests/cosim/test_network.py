"""Parameters of the network FMU."""

import pytest

from couplant.base.errors import UsageError
from couplant.config.network import NetworkTable, signal_seed
from couplant.cosim.wiring.network import least_latency, network_parameters, replayed_latencies


def parameters(**settings):
    return network_parameters(NetworkTable(**settings), 0.02, "x", start=4.0)


def test_a_constant_latency_in_seconds():
    found = parameters(latency_steps=3, seed=5)
    assert (found["latency.mode"], found["latency.seconds"], found["loss"]) == ("constant", pytest.approx(0.06), 0.0)
    assert (found["sample_time"], found["received.start"]) == (0.02, 4.0)


def test_jitter_in_whole_steps_or_erlang_distributed():
    assert (parameters(jitter_steps=2)["latency.mode"], parameters(jitter_steps=2)["latency.jitter_steps"]) == (
        "uniform",
        2,
    )
    erlang = parameters(jitter_steps=1.5, distribution="erlang", order=3)
    assert (erlang["latency.mode"], erlang["latency.jitter"], erlang["latency.order"]) == (
        "erlang",
        pytest.approx(0.03),
        3,
    )


def test_each_signal_has_its_own_seed_that_depends_on_the_common_one():
    seeds = [signal_seed(seed, name) for seed in (1, 2) for name in ("x1", "v1", "f")]
    assert len(set(seeds)) == 6
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_burst_and_clock_of_the_sender():
    found = network_parameters(NetworkTable(clock_offset=5.0, clock_drift=1e-5), 0.02, "x", start=0.0, burst=3)
    assert (found["burst"], found["clock.offset"], found["clock.drift"]) == (3, 5.0, 1e-5)
    assert parameters()["burst"] == 1


@pytest.mark.parametrize(
    ("settings", "longest"),
    [
        ({"latency_steps": 3}, 3),
        ({"latency_steps": 3, "jitter_steps": 2}, 5),
        ({"jitter_steps": 2, "distribution": "erlang"}, None),
        ({"latency_steps": 3, "distribution": "erlang"}, 3),
        ({"latency_steps": 3, "replay": "l.csv"}, None),
    ],
)
def test_the_longest_latency_where_there_is_one(settings, longest):
    assert NetworkTable(**settings).longest_steps == longest


@pytest.mark.parametrize(
    ("settings", "constant", "absent"),
    [
        ({}, True, True),
        ({"latency_steps": 1}, True, False),
        ({"loss": 0.1}, False, False),
        ({"jitter_steps": 1}, False, False),
        ({"replay": "x.csv"}, False, False),
    ],
)
def test_what_needs_stamps_and_what_needs_no_network(settings, constant, absent):
    table = NetworkTable(**settings)
    assert (table.is_constant, table.is_absent) == (constant, absent)


def test_measured_latencies_by_the_name_of_their_column(tmp_path):
    path = tmp_path / "l.csv"
    path.write_text("t,delay\n0,0.03\n1,0.05\n", encoding="utf-8")
    assert replayed_latencies(path, "delay") == [0.03, 0.05]
    assert least_latency(NetworkTable(latency_steps=9), 0.02, [0.03, 0.05]) == 0.03
    with pytest.raises(UsageError, match="has no column latency_s; there are: t, delay"):
        replayed_latencies(path, "latency_s")
    path.write_text("delay\n0.1\nx\n", encoding="utf-8")
    with pytest.raises(UsageError, match='row 3: delay = "x", allowed a number'):
        replayed_latencies(path, "delay")
