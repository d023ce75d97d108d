"""The bench on a clock of its own: the same sides and the same relay, without processes, sockets and waiting."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from couplant.bench import load_bench
from couplant.bench.handshake import Agreement
from couplant.bench.relay import Relay
from couplant.bench.result import judge_bench
from couplant.bench.session import solve_reference
from couplant.bench.side import Side
from couplant.bench.tune.dry import START, Clock, Course
from couplant.bench.tune.dry import Post as Wire
from couplant.bench.wiring import SideWorkshop
from couplant.config.bench import SIDES
from couplant.cosim.fmu.load import FmuLibrary

SCENARIO = Path(__file__).resolve().parents[2] / "examples" / "05_udp_bench" / "scenario.toml"


class Bench:
    """Both sides of one file, built once; `run` carries out one run."""

    def __init__(self, library, folder, *assignments):
        self.loaded = load_bench(SCENARIO, assignments)
        self.workshops = [SideWorkshop(self.loaded, side, library, folder / side) for side in SIDES]

    def run(self, algorithm, timing="event", relay=None, silent_after=None, effort=0.0):
        """Return the records of both sides and of the relay; the right side may vanish, the left one be slow."""
        settings = relay or self.loaded.scenario.relay
        clock, relay = Clock(), Relay(settings)
        wires = [Wire(relay, clock) for _ in SIDES]
        wires[0].effort = effort
        with ExitStack() as stack:
            sides = [
                stack.enter_context(Side(shop.make(algorithm, timing), self.loaded.scenario, wire, clock))
                for shop, wire in zip(self.workshops, wires, strict=True)
            ]
            for side in sides:
                side.begin(Agreement(7, START))
            last = [sides[0].count, sides[0].count if silent_after is None else silent_after]
            Course(clock, relay, wires, sides).carry_out(last)
            return [side.record() for side in sides], relay.lines

    def judged(self, algorithms, reference, **more):
        """Return the result of several runs."""
        left, right, relays = [], [], []
        for algorithm in algorithms:
            records, relay = self.run(algorithm, **more)
            left.append(records[0])
            right.append(records[1])
            relays.append(relay)
        return judge_bench(self.loaded, reference, left, right, relays[0])


__all__ = ["SCENARIO", "START", "Bench", "Clock", "FmuLibrary", "Wire", "solve_reference"]
