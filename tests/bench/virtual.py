"""The bench on a clock of its own: the same sides and the same relay, without processes, sockets and waiting."""

from __future__ import annotations

from contextlib import ExitStack
from math import inf
from pathlib import Path

from couplant.bench import Transport, load_bench
from couplant.bench.handshake import Agreement
from couplant.bench.message import unpack
from couplant.bench.relay import Relay
from couplant.bench.result import judge_bench
from couplant.bench.session import solve_reference
from couplant.bench.side import Side
from couplant.bench.wiring import SideWorkshop
from couplant.config.bench import SIDES
from couplant.cosim.fmu.load import FmuLibrary

SCENARIO = Path(__file__).resolve().parents[2] / "examples" / "05_udp_bench" / "scenario.toml"
START = 1000.0


class Clock:
    """Shows what it is told."""

    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now


class Wire(Transport):
    """Hands datagrams to the relay; each takes `effort` seconds before it leaves."""

    def __init__(self, relay, clock):
        self.relay, self.clock, self.arrived, self.effort = relay, clock, [], 0.0

    def send(self, datagram):
        self.clock.now += self.effort
        self.relay.take(self.clock(), unpack(datagram), datagram)

    def receive(self):
        found, self.arrived = self.arrived, []
        return found

    def close(self):
        self.arrived = []


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
            self._carry_out(last, clock, relay, wires, sides)
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

    def _carry_out(self, last, clock, relay, wires, sides):
        """Let whatever comes next happen, messages before steps, until the sides have done their `last` steps."""
        done = [0, 0]
        while any(n <= end for n, end in zip(done, last, strict=True)):
            ready = zip(sides, done, last, strict=True)
            steps = [side.due(n) if n <= end and not side.waits else inf for side, n, end in ready]
            arrival, i = relay.next_due(), steps.index(min(steps))
            if arrival is not None and arrival <= steps[i]:
                clock.now = arrival
                for sender, datagram in relay.due(arrival):
                    wires[1 - sender].arrived.append(datagram)
                    sides[1 - sender].gather()
            else:
                clock.now = steps[i]
                sides[i].step(done[i])
                done[i] += 1


__all__ = ["SCENARIO", "Bench", "FmuLibrary", "solve_reference"]
