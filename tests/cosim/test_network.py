"""Parameters of the network FMU, and what a network tells coupling FMUs."""

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.config.network import SHAPES, NetworkTable, latency_in, signal_seed
from couplant.cosim.wiring.network import (
    gaps_of,
    least_latency,
    network_parameters,
    replayed_latencies,
    shaped_latencies,
)
from tests.unwired import simulate

OSCILLATOR = Path(__file__).resolve().parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"


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


def test_batches_and_losses_in_a_row_reach_the_fmu():
    found = parameters(batch=5, loss=0.12, loss_run=3.0)
    assert (found["batch"], found["loss"], found["loss_run"]) == (5, 0.12, 3.0)


@pytest.mark.parametrize(
    ("network", "coast_steps", "burst"),
    [
        ({"batch": 3}, 3, 3),
        ({"batch": 8}, 7, 8),
        ({"batch": 5, "jitter_steps": 2}, 6, 5),
        ({"loss": 0.05, "loss_run": 2.0}, 6, None),
        ({"loss": 0.12, "loss_run": 4.0, "batch": 2}, 19, 2),
    ],
)
def test_what_a_network_tells_of_its_gaps(network, coast_steps, burst):
    found = latency_in(NetworkTable(latency_steps=2, **network))
    told = {"latency": {"mode": "stamps", "coast_steps": coast_steps}}
    assert found == told | ({} if burst is None else {"burst": burst})


@pytest.mark.parametrize(
    ("network", "coast_steps", "burst"),
    [
        ({"jitter_steps": 4}, 4, 5),
        ({"loss": 0.1}, 3, 3),
        ({"loss": 0.4}, 7, 8),
        ({"loss": 1.0}, 64, 8),
        ({"loss": 0.4, "jitter_steps": 4}, 11, 8),
        ({"batch": 3}, 3, 3),
        ({"loss": 0.05, "loss_run": 2.0}, 6, 7),
    ],
)
def test_what_a_network_tells_a_model(network, coast_steps, burst):
    found = latency_in(NetworkTable(latency_steps=2, **network), modelled=True)
    assert found == {"latency": {"mode": "stamps", "coast_steps": coast_steps}, "burst": burst}
    assert latency_in(NetworkTable(latency_steps=2), modelled=True) == latency_in(NetworkTable(latency_steps=2))


@pytest.mark.parametrize("network", [{"jitter_steps": 2}, {"loss": 0.1}, {"loss": 0.1, "loss_run": 1.0}])
def test_of_other_networks_nothing_more_is_told(network):
    assert latency_in(NetworkTable(latency_steps=2, **network)) == {"latency": {"mode": "stamps"}}


@pytest.mark.parametrize("shape", SHAPES)
def test_no_message_of_a_shape_overtakes_another_and_some_come_together(shape):
    late = np.array(shaped_latencies(shape, 0.01, 5))
    arrived = 0.01 * np.arange(late.size) + late
    assert late.size == 6000 and late.min() > 0.0 and np.all(np.diff(arrived) > -1e-9)
    assert np.mean(np.diff(arrived) < 1e-6) > 1e-3
    assert (*late.tolist(),) == shaped_latencies.__wrapped__(shape, 0.01, 5) != shaped_latencies(shape, 0.01, 6)


def test_a_shape_stands_in_the_place_of_measured_latencies(tmp_path):
    drawn = shaped_latencies("vpn", 0.01, signal_seed(0, "x"))
    (tmp_path / "l.csv").write_text("\n".join(["latency_s", *map(repr, drawn)]) + "\n", encoding="utf-8")
    networks = NetworkTable(shape="vpn"), NetworkTable(replay=str(tmp_path / "l.csv"))
    found = [latency_in(one, gaps=gaps_of(one, 0.01, "x")) for one in networks]
    assert found[0] == found[1]
    assert found[0]["latency"]["coast_steps"] > 5 and found[0]["burst"] > 5
    assert parameters(shape="vpn")["latency.mode"] == "replay"


def test_latencies_without_long_gaps_tell_stamps_only(tmp_path):
    (tmp_path / "l.csv").write_text("latency_s\n0.03\n0.05\n0.02\n", encoding="utf-8")
    one = NetworkTable(replay=str(tmp_path / "l.csv"))
    assert latency_in(one, gaps=gaps_of(one, 0.02, "x")) == {"latency": {"mode": "stamps"}}


@pytest.mark.parametrize(
    ("network", "sentence"),
    [
        ({"shape": "lte"}, "'5g', 'wifi' or 'vpn'"),
        ({"shape": "5g", "replay": "l.csv"}, 'shape = "5g", allowed without replay: both say each latency'),
        ({"loss_run": 0.5}, "loss_run = 0.5, allowed 0 and at least 1"),
        ({"loss": 0.9, "loss_run": 2.0}, "loss = 0.9, allowed up to 0.6667 with loss_run = 2"),
        ({"batch": 65}, "64"),
    ],
)
def test_networks_that_cannot_be(network, sentence):
    with pytest.raises(ValueError, match=sentence):
        NetworkTable(**network)


@lru_cache
def error(*changes, algorithm="auto"):
    """Return C of example 01, 20 s in event timing."""
    words = ["duration=20.0", 'timing=["event"]', f'algorithms=["{algorithm}"]', *changes]
    return {run.algorithm: run.metrics["C"] for run in simulate(OSCILLATOR, words).runs}[algorithm]


@pytest.mark.landing("eight networks: 12 s of CPU")
@pytest.mark.parametrize("size", range(2, 9))
def test_batches_err_as_the_latency_of_their_first_message_does(size):
    """All values come in, those before the newest late: the estimate has less to foresee on the mean."""
    batches = error("network.latency_steps=1", f"network.batch={size}")
    assert batches < 1.5 * error(f"network.latency_steps={size}")


@pytest.mark.landing("two networks: 2 s of CPU")
def test_a_gap_that_is_one_longer_is_no_cliff():
    """Messages in fives leave gaps of four macro steps."""
    short, enough, hold = (
        error("network.latency_steps=1", "network.batch=5", f"coupling.latency.coast_steps={n}", algorithm=name)
        for n, name in ((3, "auto"), (4, "auto"), (4, "zoh"))
    )
    assert short < 1.1 * enough and max(short, enough) < 0.1 * hold


@pytest.mark.landing("five networks: 8 s of CPU")
@pytest.mark.parametrize(("loss", "run"), [(0.05, 2.0), (0.05, 4.0), (0.12, 2.0), (0.12, 4.0)])
def test_losses_in_a_row_err_less_than_the_latency_that_they_lead_to(loss, run):
    lossy = error("network.latency_steps=2", f"network.loss={loss}", f"network.loss_run={run}")
    assert lossy < 1.5 * error(f"network.latency_steps={2 + int(run)}")


@pytest.mark.landing("three networks and their largest latencies: 5 s of CPU")
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_err_less_than_their_largest_latency(shape):
    """Each signal goes through a shape of its own; the largest latency of all counts."""
    drawn = [shaped_latencies(shape, 0.02, signal_seed(1, name))[:1000] for name in ("x1", "v1", "f")]
    largest = max(int(np.ceil(max(one) / 0.02)) for one in drawn)
    assert error(f'network.shape="{shape}"') < 1.5 * error(f"network.latency_steps={largest}")
