"""Frames that a side lets go of while it runs, ten a second: what has happened since the last one.

They leave as datagrams to this machine, which cost a call each and wait for nobody; what cannot be sent is lost.
"""

import json
import secrets
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from couplant.base.arrays import Vector
from couplant.bench.steps import Rows, Steps
from couplant.config.bench import LoadedBench
from couplant.config.rules.steps import BondTable
from couplant.cosim.judgement.bond_traces import effort_energy, flow_energy

PERIOD = 0.1  # between two frames [s]
MOST_POINTS, MOST_NUMBERS = 20, 2000  # points of the signals in a frame; numbers in all of them

_DIGITS = 7


@dataclass(frozen=True)
class Viewing:
    """Where frames go, and the word without which nobody takes them or gives them out."""

    host: str
    port: int
    token: str

    @classmethod
    def fresh(cls, host: str, port: int) -> "Viewing":
        """Return one with a token of 128 random bits at `host`, `port` 0 to 65535."""
        return cls(host, port, secrets.token_urlsafe(16))


class BondEnd(NamedTuple):
    """End of a power bond at one side, in one run."""

    bond: BondTable
    timing: str
    sends: int  # column of its signal among those that the side sends
    receives: int  # column of its signal among those that the side receives
    takes_effort: bool  # whether that one is the effort

    def energy(self, time: Vector, rows: Rows, part: slice) -> float:
        """Return the energy that the coupling gave to this side in a `part` of the `rows` of its steps [J].

        The `time` [s] has the shape of the part, (K,).
        """
        sent, estimate = rows.sent[part, self.sends], rows.estimate[part, self.receives]
        if self.takes_effort:
            work = effort_energy(self.bond, estimate, sent, time, self.timing)
        else:
            work = flow_energy(self.bond, sent, estimate, time, self.timing)
        until = np.inf if self.bond.until is None else self.bond.until * (1.0 + 1e-9)
        return float(work[time[1:] <= until].sum())


def bond_ends(loaded: LoadedBench, side: str, timing: str) -> list[BondEnd]:
    """Return the ends of all bonds of a bench at a `side`, in runs of a `timing`."""
    signals = loaded.scenario.signals
    sends = [name for name, one in signals.items() if one.source.component == side]
    receives = [name for name in signals if name not in sends]
    found = []
    for bond in loaded.bonds.values():
        here, there = (bond.effort, bond.flow) if bond.effort in receives else (bond.flow, bond.effort)
        found.append(BondEnd(bond, timing, sends.index(there), receives.index(here), here == bond.effort))
    return found


class Tap:
    """Frames of run number `case` on a `side`, steps are `macro_step` [s]; values that leave `late` [s] are counted.

    Energies are those of the `ends` of power bonds.
    """

    def __init__(
        self, viewing: Viewing, side: str, case: int, macro_step: float, late: float, ends: Sequence[BondEnd] = ()
    ) -> None:
        self._viewing, self._late, self._h = viewing, late, macro_step
        self._head = {"token": viewing.token, "side": side, "case": case}
        self._every = max(round(PERIOD / macro_step), 1)
        self._row = self._message = self._late_steps = 0
        self._ends, self._given = ends, [0.0] * len(ends)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)

    def look(self, n: int, steps: Steps, done: Vector) -> None:
        """Send a frame if it is time at step `n`.

        `done`, shape (N,), tells how long after they were due the values of each step left [s].
        """
        if n + 1 - self._row >= self._every:
            with suppress(OSError):  # nobody there, or too slow
                self._socket.sendto(self.frame(n, steps, done), (self._viewing.host, self._viewing.port))

    def frame(self, n: int, steps: Steps, done: Vector) -> bytes:
        """Return the events up to step `n`, of `steps` and their times `done` as for `look`.

        A point has the time [s], the signals sent, those received, their estimates. Of the latencies there are the
        least, the median, the largest [s], of the energies what the ends of bonds have given since the start [J].
        """
        rows, log = slice(self._row, n + 1), steps.arrivals_since(self._message)
        self._late_steps += int(np.count_nonzero(~(done[rows] <= self._late)))
        if self._ends:
            part = slice(max(rows.start - 1, 0), rows.stop)
            time: Vector = self._h * np.arange(part.start, part.stop, dtype=float)
            for i, end in enumerate(self._ends):
                self._given[i] += end.energy(time, steps.rows, part)
        self._row, self._message = n + 1, self._message + len(log)
        table, latency = steps.rows, log[:, 2] - log[:, 1]
        width = 1 + sum(one.shape[1] for one in (table.sent, table.received, table.estimate))
        thin = -(-(rows.stop - rows.start) // max(min(MOST_POINTS, MOST_NUMBERS // width), 1))
        points = np.arange(rows.start, rows.stop)[::-1][::thin][::-1]  # the newest is one of them
        courses = (points * self._h, table.sent[points], table.received[points], table.estimate[points])
        spread = [latency.min(), np.median(latency), latency.max()] if len(log) else []
        counts = [self._message, *steps.account_of(("lost", "overtaken", "doubled")), self._late_steps, n + 1]
        return pack_frame(
            self._head | {"counts": counts}, n * self._h, np.column_stack(courses),
            {"latency": spread, "status": table.status[n], "skill": steps.skills(), "energy": self._given},
        )  # fmt: skip

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


def pack_frame(
    head: dict[str, Any], time: float, points: Vector, lists: Mapping[str, Sequence[float] | Vector]
) -> bytes:
    """Return a frame: `head` and all lengths in a line of JSON, then little-endian doubles.

    They are the `time` [s], the `points`, shape (K, W), and the `lists`. Whoever sends it has no time to write numbers.
    """
    lengths = {name: len(values) for name, values in lists.items()}
    text = json.dumps(head | {"shape": points.shape, "lengths": lengths}).encode()
    numbers = np.concatenate([[time], points.ravel(), *map(np.asarray, lists.values())]).astype("<f8")
    return text + b"\n" + numbers.tobytes()


def unpack_frame(datagram: bytes) -> dict[str, Any]:
    """Return the frame in a datagram: its head, `time`, `points` and lists; raise `ValueError` if it holds none."""
    text, _, rest = datagram.partition(b"\n")
    head = json.loads(text)
    try:
        (count, width), lengths = head.pop("shape"), head.pop("lengths")
        sizes = [1, count * width, *lengths.values()]
        if min(sizes) < 0 or len(rest) != 8 * sum(sizes):
            raise ValueError
        time, points, *lists = np.split(np.frombuffer(rest, "<f8"), np.cumsum(sizes)[:-1])
        rows = [list(map(_number, row)) for row in points.reshape(count, width).tolist()]
        found = {name: list(map(_number, one.tolist())) for name, one in zip(lengths, lists, strict=True)}
    except (AttributeError, KeyError, TypeError):
        raise ValueError from None
    return {**head, "time": _number(time.item()), "points": rows, **found}


def _number(value: float) -> float | None:
    return float(f"{value:.{_DIGITS}g}") if isfinite(value) else None
