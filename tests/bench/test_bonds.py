"""Power bonds of a bench: told as `simulate` tells them, seen while it runs, and without any effect on the sides."""

from dataclasses import replace

import numpy as np
import pytest

from couplant import simulate
from couplant.bench.handshake import Agreement
from couplant.bench.live.tap import Tap, Viewing, bond_ends, unpack_frame
from couplant.bench.record import SideRecord
from couplant.bench.result import judge_bench
from couplant.bench.side import Side
from couplant.bench.wiring import SideWorkshop
from couplant.config.bench import SIDES, load_bench
from tests.bench.virtual import SCENARIO, START, Bench, Clock

BOND = "bonds.spring={effort='f', flow='x1'}"
SPEED = "bonds.spring={effort='f', flow='v1', flow_is='velocity', sign=-1, until=1.5}"


def simulated(timing, algorithm):
    """Return a run of the example with a bond that is watched, messages three macro steps late."""
    document = load_bench(SCENARIO, ["duration=4.0"]).document
    kept = ("name", "macro_step", "components", "signals")
    scenario = {key: document[key] for key in kept} | {"duration": 4.0, "network": {"latency_steps": 3}}
    scenario |= {"timing": [timing], "algorithms": [algorithm], "coupling": {"latency": {"mode": "stamps"}}}
    scenario["bonds"] = {"spring": {"effort": "f", "flow": "x1"}}
    return next(run for run in simulate(scenario).runs if run.algorithm == algorithm)


def record_of(run, side):
    """Return what a side would have recorded of the trajectories of a run."""
    sends, receives = (("x1", "v1"), ("f",))[:: 1 if side == "left" else -1]
    sent = np.column_stack([run.traces[name].sent for name in sends])
    estimate = np.column_stack([run.traces[name].estimate for name in receives])
    n, nothing = len(sent), np.zeros(len(sent))
    status = np.zeros((n, len(receives), 4), np.int8)
    times = (nothing, nothing, nothing, nothing, np.zeros((0, 3)))
    return SideRecord(side, run.algorithm, run.timing, 1, sends, receives, sent, estimate, estimate, status, *times)


@pytest.mark.parametrize(
    ("timing", "algorithm", "off"),
    [("event", "wire", 1e-12), ("step", "wire", 1e-12), ("step", "eros3", 1e-9), ("event", "zoh", 5e-4),
     ("event", "eros3", 5e-4)],
)  # fmt: skip
def test_energies_are_those_that_simulate_tells_of_the_same_trajectories(timing, algorithm, off):
    run = simulated(timing, algorithm)
    records = [[record_of(run, side)] for side in SIDES]
    loaded = load_bench(SCENARIO, ["duration=4.0", f"timing=['{timing}']", BOND])
    reference = type("Reference", (), {"values": {
        table.judged_against: run.traces[name].reference for name, table in loaded.scenario.signals.items()
    }})  # fmt: skip
    (found,) = judge_bench(loaded, reference, *records).result.runs
    here, there = found.bonds["spring"], run.bonds["spring"]
    assert here.transmitted > 1.0, "there is something to tell"
    n = min(len(here.residual), len(there.residual))
    assert n >= 395
    np.testing.assert_allclose(here.residual[:n], there.residual[:n], rtol=0.0, atol=off * there.transmitted)
    if len(here.time) == len(there.time):
        assert found.energy["created"] == pytest.approx(run.energy["created"], abs=off * there.transmitted)


@pytest.fixture(scope="module")
def benches(library, tmp_path_factory):
    """Return the example with a bond, with another one, and without."""
    folder = tmp_path_factory.mktemp("bonds")
    return [Bench(library, folder / str(i), "duration=2.0", *more) for i, more in enumerate(([BOND], [SPEED], []))]


def test_a_bond_changes_no_bit_of_the_sides(benches):
    (with_bond, _), (without, _) = benches[0].run("irregular"), benches[2].run("irregular")
    assert benches[0].loaded.scenario.fingerprint() == benches[2].loaded.scenario.fingerprint()
    for here, there in zip(with_bond, without, strict=True):
        assert all(getattr(here, name).tobytes() == getattr(there, name).tobytes() for name in ("sent", "estimate"))


def watched(bench, every):
    """Return the last frames of both sides of a run, looked at after so many steps, and the records."""
    clock, taps, frames = Clock(), [], []

    class Direct:
        """Hands over at once."""

        def __init__(self):
            self.arrived, self.other = [], None

        def send(self, datagram):
            self.other.arrived.append(datagram)

        def receive(self):
            found, self.arrived = self.arrived, []
            return found

        def remarks(self):
            return []

    ways = [Direct(), Direct()]
    ways[0].other, ways[1].other = ways[1], ways[0]
    scenario, made = bench.loaded.scenario, [shop.make("irregular", "event") for shop in bench.workshops]
    with Side(made[0], scenario, ways[0], clock) as left, Side(made[1], scenario, ways[1], clock) as right:
        for side in (left, right):
            side.begin(Agreement(7, START))
            ends = bond_ends(bench.loaded, side._made.side, "event")
            taps.append(Tap(Viewing("127.0.0.1", 9, "word"), side._made.side, 0, scenario.macro_step, 0.002, ends))
        for n in range(left.count + 1):
            clock.now = left.due(n)
            for side in (left, right):
                side.step(n)
            if n % every == every - 1 or n == left.count:
                frames = [
                    unpack_frame(tap.frame(n, side._steps, side._done))
                    for tap, side in zip(taps, (left, right), strict=True)
                ]
        for tap in taps:
            tap.close()
        return frames, [left.record(), right.record()]


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("every", [7, 10, 101])
def test_the_page_is_told_what_the_report_tells_at_the_end(benches, reference, which, every):
    bench = benches[which]
    frames, records = watched(bench, every)
    solved = replace(reference, values={key: values[:201] for key, values in reference.values.items()})
    (run,) = judge_bench(bench.loaded, solved, *[[record] for record in records]).result.runs
    bond = run.bonds["spring"]
    ends = [bond.given_effort.sum(), bond.given_flow.sum()]  # the left side receives the effort
    assert [one["energy"][0] for one in frames] == pytest.approx(ends, rel=1e-5)
    assert bond.transmitted > 0.1 and abs(sum(ends)) < 0.5 * bond.transmitted
    if which == 1:
        assert not bond.given_effort[bond.time > 1.501].any() and bond.given_effort[bond.time < 1.49].any()


def test_without_bonds_there_is_none(benches):
    frames, _ = watched(benches[2], 10)
    assert [one["energy"] for one in frames] == [[], []]


def test_the_workshop_knows_of_no_bond(benches):
    assert benches[0].loaded.bonds and not benches[0].loaded.scenario.bonds
    made = benches[0].workshops[0].make("irregular", "event")
    assert isinstance(benches[0].workshops[0], SideWorkshop)
    assert not any("energy" in name for one in made.wiring.components.values() for name in one.ports)
