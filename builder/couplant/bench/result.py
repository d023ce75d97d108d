"""Result of a bench: the runs as those of a simulation, and what the network and the clock did in each."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from couplant.base.arrays import Vector, blocks, make_course, read_rows
from couplant.base.errors import UsageError
from couplant.base.grid import latency_in_steps
from couplant.bench.record import Pace, SideRecord, spread
from couplant.bench.relay import Lines
from couplant.config.bench import SIDES, LoadedBench
from couplant.config.network import RelayTable
from couplant.config.ref import Ref
from couplant.cosim.judgement.bond_traces import bond_traces, course_of
from couplant.cosim.judgement.judging import run_figures
from couplant.cosim.result import Courses, Energy, Result, Run
from couplant.cosim.run.master import Recording
from couplant.cosim.run.reference import Reference
from couplant.cosim.traces import BondTrace, Trace
from couplant.cosim.wiring.coupling import coupling_of, offset_of
from couplant.cosim.wiring.links import coupling_name


@dataclass(frozen=True, eq=False)
class Direction:
    """One direction of one run: its settings and its figures."""

    sender: str
    receiver: str
    set: Vector | None  # delays that the relay was told to make [s]; None without an account of the relay
    measured: Vector  # shape (K,): time from leaving the sender to arriving at the receiver, by their clocks [s]
    age: Vector  # shape (K,): time from the macro point at which a value was sent to its arrival [s]
    # sent, arrived; lost, overtaken, doubled and datagrams dropped by reason, as the receiver saw them
    counts: dict[str, int]
    # by which the receiver's run began later than the sender's [s]; to coupling FMUs the latency is so much less
    shift: float = 0.0
    # taken, lost, reordered, duplicated by the relay; empty without an account of it
    told: dict[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures, latencies in seconds."""
        return {
            "from": self.sender, "to": self.receiver,
            "latency_set": None if self.set is None else spread(self.set),
            "latency_measured": spread(self.measured), "shift": self.shift, "counts": self.counts,
            "relay": self.told or None,
        }


@dataclass(frozen=True, eq=False)
class BenchResult:
    """All runs of a bench."""

    result: Result  # signals and figures, as of a simulation
    directions: list[list[Direction]]  # of each run: left to right, right to left
    paces: list[list[Pace]]  # of each run: left, right
    relay: RelayTable
    log: list[list[str]]  # what the coupling FMUs said, by run

    @property
    def late_share(self) -> float:
        """Return the largest share of late steps of a side in a run [-]."""
        return max(pace.share for paces in self.paces for pace in paces)

    @property
    def shift_text(self) -> str:
        """Return in words how much later the right side began, nothing if both began together."""
        shifts = [1e3 * directions[0].shift for directions in self.directions]
        if not any(shifts):
            return ""
        low, high = (f"{shift:.1f}" for shift in (min(shifts), max(shifts)))
        span = low if low == high else f"{low} to {high}"
        return f"The right side began {span} ms after the left one: latencies are so much less there, more on the left."

    def to_dict(self) -> dict[str, Any]:
        """Return the figures of the runs, each with `network`, `clock` and `late_share`."""
        figures = self.result.to_dict()
        for run, directions, paces in zip(figures["runs"], self.directions, self.paces, strict=True):
            run["late_share"] = max(pace.share for pace in paces)
            run["network"] = [direction.to_dict() for direction in directions]
            run["clock"] = [pace.to_dict() for pace in paces]
        return figures

    def to_json(self) -> str:
        """Return `to_dict` as JSON text."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)


def judge_bench(
    loaded: LoadedBench,
    reference: Reference,
    left: Sequence[SideRecord],
    right: Sequence[SideRecord],
    relay: Lines | None = None,
) -> BenchResult:
    """Put the records of both sides together and judge the estimates.

    Raises UsageError if the records are not of the same runs.
    """
    scenario = loaded.scenario
    if not left or [record.run for record in left] != [record.run for record in right]:
        raise UsageError("The records of the two sides are not of the same runs.")
    pairs = list(zip(left, right, strict=True))
    runs = [_run(loaded, reference, pair) for pair in pairs]
    directions = [[_direction(pair[i], pair[1 - i], relay) for i in (0, 1)] for pair in pairs]
    paces = [[record.pace(scenario.macro_step, scenario.late) for record in pair] for pair in pairs]
    steps = latency_in_steps(scenario.relay.latency / scenario.macro_step)
    result = Result(scenario.name, scenario.macro_step, steps, runs, dict(loaded.document))
    log = [
        [f"{run.algorithm}, {record.side}: {line}" for record in pair for line in record.log]
        for run, pair in zip(runs, pairs, strict=True)
    ]
    return BenchResult(result, directions, paces, scenario.relay, log)


def _run(loaded: LoadedBench, reference: Reference, pair: tuple[SideRecord, SideRecord]) -> Run:
    signals = loaded.scenario.signals
    h = loaded.scenario.macro_step
    time = make_course(len(pair[0].sent), lambda rows: h * np.arange(rows.start, rows.stop, dtype=float))
    traces = {name: _trace(loaded, name, time, reference, pair) for name, table in signals.items() if table.judge}
    energy = Energy(_bonds(loaded, time, pair))
    return Run(pair[0].algorithm, pair[0].timing, Courses(traces), run_figures(traces), power=energy)


def _bonds(loaded: LoadedBench, time: Vector, pair: tuple[SideRecord, SideRecord]) -> dict[str, BondTrace]:
    """Return the power bonds of a run by what both sides sent and were given."""
    if not loaded.bonds:
        return {}
    scenario = loaded.scenario.model_copy(update={"bonds": loaded.bonds})
    sources = {name: one.source for name, one in scenario.signals.items()}
    watched: dict[Ref, Vector] = {}
    for one in pair:
        sent, given = zip(one.sends, one.sent.T, strict=True), zip(one.receives, one.estimate.T, strict=True)
        watched |= {sources[name]: np.asarray(column) for name, column in sent}
        watched |= {Ref(coupling_name(name), "y_hat"): np.asarray(column) for name, column in given}
    course = course_of(pair[0].algorithm, pair[0].timing)
    return bond_traces(replace(loaded, scenario=scenario), Recording(np.asarray(time), watched, {}), course)


def _trace(
    loaded: LoadedBench, name: str, time: Vector, reference: Reference, pair: tuple[SideRecord, SideRecord]
) -> Trace:
    table = loaded.scenario.signals[name]
    sender, receiver = pair if table.source.component == SIDES[0] else pair[::-1]
    here = receiver.receives.index(name)
    active, state, detected, limited = receiver.status[:, here].T
    return Trace(
        name, table.unit, time, reference.values[table.judged_against],
        sender.sent[:, sender.sends.index(name)], receiver.received[:, here], receiver.estimate[:, here],
        active, state, detected.view(np.bool_), limited.view(np.bool_),
        offset_of(coupling_of(loaded, name, receiver.algorithm, receiver.timing), name),
    )


def _direction(sender: SideRecord, receiver: SideRecord, relay: Lines | None) -> Direction:
    line = (relay or {}).get((sender.run, SIDES.index(sender.side)))
    told, delays = ({}, None) if line is None else (line.counts, np.array(line.delays))
    stamp, left, arrived = receiver.messages.T
    shift = receiver.shift - sender.shift
    sent = sum(int(np.isfinite(sender.done[rows]).sum()) for rows in blocks(len(sender.done)))
    counts = {"sent": sent, "arrived": len(arrived), **receiver.counts}

    def time_since(start: Vector) -> Vector:
        return make_course(len(arrived), lambda rows: read_rows(arrived, rows) - read_rows(start, rows) + shift)

    return Direction(sender.side, receiver.side, delays, time_since(left), time_since(stamp), counts, shift, told)
