"""Two slaves and the master couple example 1 as `simulate` does where messages arrive alike."""

import numpy as np
import pytest

from couplant import simulate
from couplant.base.errors import UsageError
from couplant.elsewhere.dcp.master import Master
from couplant.elsewhere.dcp.plan import load_plan
from tests.elsewhere.dcp.virtual import Network, Pair, write_bench


def simulated(duration, steps, timing, algorithm):
    """Return the traces of the same system, whose messages are so many macro steps late."""
    ends = {"x1": ("left", "right", "m"), "v1": ("left", "right", "m/s"), "f": ("right", "left", "N")}
    scenario = {
        "name": "Two masses", "duration": duration, "macro_step": 0.02, "timing": [timing], "algorithms": [algorithm],
        "components": {
            "left": {"model": "mass_1", "parameters": {"force.amplitude": 1.0}},
            "right": {"model": "mass_2", "parameters": {"force.amplitude": 0.0}},
        },
        "network": {"latency_steps": steps}, "coupling": {"latency": {"mode": "stamps"}},
        "signals": {
            name: {"from": f"{source}.{name}", "to": [f"{target}.{name}"], "unit": unit}
            for name, (source, target, unit) in ends.items()
        },
    }  # fmt: skip
    return next(run for run in simulate(scenario).runs if run.algorithm == algorithm).traces


def coupled(folder, network, *assignments):
    """Return what the master recorded, and the rows of both sides."""
    with Pair(folder, network) as pair:
        records = Master(load_plan(folder / "master.toml", assignments), network).run()
        return records, {side: np.array(part.rows) for side, part in pair.parts.items()}


@pytest.mark.parametrize(
    ("late", "timing", "algorithm"), [(0, "event", "eros3"), (2, "event", "foh"), (1, "step", "zoh")]
)
def test_estimates_are_those_of_simulate(tmp_path, late, timing, algorithm):
    folder = write_bench(tmp_path, 2.0, timing, algorithm)
    records, rows = coupled(folder, Network(late))
    traces = simulated(2.0, 1 + late, timing, algorithm)
    left, right = rows["left"], rows["right"]
    assert np.abs(left[:, 1]).max() > 1e-3  # it moves
    known = {"x1": (left[:, 1], right[:, 2]), "v1": (left[:, 2], right[:, 3]), "f": (right[:, 1], left[:, 3])}
    for name, (sent, estimate) in known.items():
        n = len(sent)
        np.testing.assert_array_equal(sent, traces[name].sent[:n], err_msg=name)
        np.testing.assert_array_equal(estimate, traces[name].estimate[:n], err_msg=name)
    # what the master recorded is what the sides did
    recorded = np.array(records["left"].rows)
    np.testing.assert_allclose(recorded[:100, 0], left[:100, 0], atol=1e-12)
    np.testing.assert_array_equal(recorded[:100, 1], left[:100, 1])


def test_what_is_lost_doubled_and_overtaken_is_seen_by_number(tmp_path):
    folder = write_bench(tmp_path, 4.0)
    clean = coupled(folder, Network())[1]

    def fate(n):
        return [] if n % 17 == 0 else [0, 1] if n % 5 == 0 else [2] if n % 7 == 0 else [0]

    network = Network(fate=fate)
    dirty = coupled(folder, network)[1]
    counts = [one for machine in network.machines.values() for one in machine.course.numberings.values()]
    assert all(one.counts["doubled"] > 10 and one.counts["overtaken"] > 5 for one in counts)
    assert all(one.counts["taken"] < 200 and not one.counts["strange"] for one in counts)
    # the estimates make up for it
    largest = np.abs(clean["left"][:, 1]).max()
    assert 0.0 < np.abs(clean["left"][:, 1] - dirty["left"][:, 1]).max() < 0.05 * largest


def test_parameters_of_the_master_reach_the_prototypes(tmp_path):
    folder = write_bench(tmp_path, 1.0)
    text = (folder / "master.toml").read_text()
    (folder / "master.toml").write_text(text + "[slaves.left.parameters]\n'force.amplitude' = 2.0\n")
    twice = coupled(folder, Network())[1]["left"]
    (folder / "master.toml").write_text(text)
    once = coupled(folder, Network())[1]["left"]
    np.testing.assert_allclose(twice[:, 1], 2.0 * once[:, 1], rtol=1e-6, atol=1e-12)


def test_in_soft_real_time_the_run_is_on_the_clock(tmp_path):
    folder = write_bench(tmp_path, 2.0)
    network = Network()
    records, rows = coupled(folder, network, 'mode="SRT"')
    assert len(records["left"].rows) >= 100
    times = np.array(records["left"].rows)[:100, 0]
    np.testing.assert_allclose(times, 0.02 * np.arange(100), atol=1e-9)
    assert np.abs(rows["right"][:, 2]).max() > 0.0
    for machine in network.machines.values():
        assert not sum(machine.dropped.values())


def test_a_bench_file_says_as_much_as_a_master_file(tmp_path):
    folder, network = write_bench(tmp_path, 1.0), Network()
    by_master, _ = coupled(folder, network)
    with Pair(folder, Network()) as pair:
        plan, same = load_plan(folder / "bench.toml", ['mode="NRT"']), load_plan(folder / "master.toml")
        assert (plan.flows, plan.slaves) == (same.flows, same.slaves)
        by_bench = Master(plan, pair.network).run()
    assert {name: one.rows for name, one in by_bench.items()} == {name: one.rows for name, one in by_master.items()}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (["modes=1"], "modes is unknown"),
        (['slaves.left.description="none.dcp"'], "none.dcp: no description of a DCP slave"),
        (["slaves.left.port=0"], "slaves.left.port = 0, allowed 1 to 65535"),
    ],
)
def test_what_is_wrong_with_a_bench_file_in_the_place_of_a_master_file(tmp_path, changes, sentence):
    folder = write_bench(tmp_path, 1.0)
    with Pair(folder, Network()), pytest.raises(UsageError) as error:
        load_plan(folder / "bench.toml", changes)
    assert sentence in str(error.value)


def test_a_scenario_without_a_duration_is_no_master_file(tmp_path):
    folder = write_bench(tmp_path, 1.0)
    scenario = folder / "scenario.toml"
    text = (folder / "bench.toml").read_text()
    scenario.write_text(text.replace("duration = 1.0\n", "").replace("[bench]\nrepeat = 1\nreal_time = false\n", ""))
    with Pair(folder, Network()), pytest.raises(UsageError, match="duration is missing"):
        load_plan(scenario)
