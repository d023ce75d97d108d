"""Steps of one side, with messages and components: in Python, or in C between two looks at the clock.

Both have the same bits. Everything that a step needs is made before the run.
"""

import struct
from collections import deque
from ctypes import POINTER, Structure, addressof, c_double, c_int32, c_int64, c_size_t, c_ubyte, c_void_p
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from couplant.base.arrays import Vector
from couplant.bench.inbox import REMEMBERED, Arrivals, Expected
from couplant.bench.message import NO_TIME, REASONS, Message, Unusable, pack
from couplant.bench.wiring import SideWiring
from couplant.config.ref import Ref
from couplant.cosim.fmu.native import fields
from couplant.cosim.run.engine import Engine, NativeFailure, NativePlan, integers, is_native, library
from couplant.cosim.run.exchange import Action, Exchange
from couplant.cosim.run.master import DIVERGED
from couplant.cosim.wiring.components import STATUS
from couplant.cosim.wiring.order import Value
from couplant_runtime.generated.constants import LEAST_STAMP

_SENT_AT = 24  # place in a message of the clock when it left


class Rows:
    """Recorded values of N points: S_out signals sent, S_in received; NaN where a run has not been."""

    def __init__(self, count: int, made: SideWiring) -> None:
        there, here = len(made.sends), len(made.receives)
        self.sent = np.full((count, there), nan)  # shape (N, S_out) [signal unit]
        self.received, self.estimate = np.full((2, count, here), nan)  # shape (N, S_in) [signal unit]
        self.status = np.full((count, here * len(STATUS)), nan)  # shape (N, 4 S_in)


class Steps:
    """Steps of the components `made` of one side, with their `exchange`, begun.

    It takes the messages `expected`; those that leave have the `head` in common, and `repeat` blocks each.
    """

    def __init__(self, made: SideWiring, exchange: Exchange, expected: Expected, head: Message, repeat: int) -> None:
        self.rows, self.stopped = Rows(expected.most, made), False
        self._exchange, self._inbox, self._expected, self._head = exchange, made.inbox, expected, head
        self._arrivals, self._n = Arrivals(), 0
        self._blocks: deque[tuple[float, ...]] = deque(maxlen=repeat)
        self._sent, self._estimates = ([exchange.slot(Value(ref)) for ref in refs] for refs in made.shown)
        self._given = [-1 if value is None else exchange.slot(value) for value in made.given]
        self._status = [exchange.slot(Value(ref)) for ref in made.status]
        self._skills = [exchange.slot(Value(ref)) for ref in made.skills]
        known = 1 + max(i for i, action in enumerate(exchange.point) if {*getattr(action, "slots", ())} & {*self._sent})
        cut = len(exchange.point) if self._given else known  # outputs that follow no input at once leave first
        self._first, self._rest = exchange.point[:cut], exchange.point[cut:]

    def take(self, datagram: bytes, arrival: float) -> None:
        """Take a datagram that has arrived `arrival` seconds after the start of the run."""
        try:
            message = self._expected.read(datagram)
        except Unusable as error:
            self._arrivals.dropped[error.reason] += 1
            return
        if message is not None and self._arrivals.is_new(message, arrival):
            self._inbox.add(message)

    def exchange(self, n: int, t: float, h: float) -> None:
        """Exchange at point `n`, the time `t` [s], before a step `h` [s], until what is sent is known.

        Raises CouplantError if an FMU refuses.
        """
        self._inbox.hand_over(t)
        for action in self._first:
            action(t, h)
        values = self._exchange.values
        sent = [values[slot] for slot in self._sent]
        self.stopped = not all(-DIVERGED <= value <= DIVERGED for value in sent)
        self._blocks.appendleft((t, *sent, *(0.0 if slot < 0 else values[slot] for slot in self._given)))
        self._n = n

    def message(self, now: float) -> bytes:
        """Return the message that leaves `now`, in seconds after the start of the run."""
        echo, blocks = self._inbox.newest_stamp, tuple(self._blocks)
        return pack(self._head._replace(sequence=self._n, sent=now, echo=echo, blocks=blocks))

    def finish(self, n: int, t: float, h: float) -> None:
        """End the exchange, record point `n`, and step from `t` [s] by `h` [s], 0 at the last one, unless it has ended.

        Raises CouplantError if an FMU refuses.
        """
        for action in self._rest:
            action(t, h)
        values, rows = self._exchange.values, self.rows
        rows.sent[n] = [values[slot] for slot in self._sent]
        rows.estimate[n] = [values[slot] for slot in self._estimates]
        rows.status[n] = [values[slot] for slot in self._status] or 0.0  # of a plain wire there is none
        rows.received[n] = list(self._inbox.newest.values())
        if h and not self.stopped:
            self._exchange.step(t, h)

    def arrivals_since(self, first: int) -> Vector:
        """Return the arrivals from number `first` on, shape (K, 3), as for `SideRecord`."""
        return np.array(self._arrivals.log[first:], dtype=float).reshape(-1, 3)

    def account_of(self, names: tuple[str, ...]) -> list[int]:
        """Return some counts of messages by their `names`."""
        counts = self._counts()
        return [counts[name] for name in names]

    def skills(self) -> list[float]:
        """Return `quality.skill` of each signal received, as far as the run asks for it [-]."""
        return [self._exchange.values[slot] for slot in self._skills]

    def account(self) -> tuple[Vector, dict[str, int]]:
        """Return the arrivals, shape (K, 3), as for `SideRecord`, and counts of messages."""
        return self.arrivals_since(0), self._counts()

    def _counts(self) -> dict[str, int]:
        return self._arrivals.counts


class NativePut(Structure):
    """`engine_put`: a value that messages set."""

    _fields_ = fields(("slot kind place column", c_int32))


class NativeSide(Structure):
    """`engine_side`: one side in one run."""

    _fields_ = fields(
        ("first rest step", NativePlan), ("values", POINTER(c_double)), ("puts", POINTER(NativePut)),
        ("sent given estimates status", POINTER(c_int32)),
        ("n_puts n_sent n_given n_received n_status", c_size_t),
        ("blocks newest message seen arrivals", c_void_p),
        ("sent_rows received_rows estimate_rows status_rows", c_void_p),
        ("width_in places repeat most size n_arrivals n_handed", c_size_t),
        ("highest doubled overtaken", c_int64), ("dropped", c_int64 * len(REASONS)),
        ("handed pending", c_double * REMEMBERED), ("echo newest_stamp no_time least_time bound", c_double),
        ("ahead stopped", c_int32), ("failure", NativeFailure),
    )


class NativeSteps(Steps):
    """The same in C; all as for `Steps`."""

    def __init__(self, made: SideWiring, exchange: Exchange, expected: Expected, head: Message, repeat: int) -> None:
        super().__init__(made, exchange, expected, head, repeat)
        self._engine, inbox = Engine(), made.inbox

        def is_planned(action: Action) -> bool:
            return getattr(action, "component", None) is not inbox  # which sets its values itself

        slots = [exchange.slot(Value(Ref(inbox.name, put.port))) for put in inbox.puts]
        puts = [NativePut(slot, *put[1:]) for slot, put in zip(slots, inbox.puts, strict=True)]
        plans = {"first": self._first, "rest": self._rest, "step": exchange.after}
        self._native = NativeSide(
            **{name: self._engine.plan(tuple(filter(is_planned, actions))) for name, actions in plans.items()},
            **self._memory(len(made.receives)), **self._places(), values=exchange.values,
            puts=(NativePut * len(puts))(*puts), n_puts=len(puts),
            **dict.fromkeys(("handed", "pending"), (c_double * REMEMBERED)(*[nan] * REMEMBERED)),
            **dict.fromkeys(("echo", "newest_stamp", "no_time"), NO_TIME),
        )
        native, native.highest, native.repeat, native.ahead = self._native, -1, repeat, inbox.ahead
        native.width_in, native.places, native.most = expected.width, inbox.places, expected.most
        native.least_time, native.bound = LEAST_STAMP, DIVERGED
        self._take = library().engine_side_take
        self._take.argtypes = POINTER(NativeSide), c_void_p, c_size_t, c_double
        self._take.restype = None

    def _places(self) -> dict[str, Any]:
        """Return places of values in those of the exchange, and their numbers."""
        return {
            "sent": integers(self._sent), "given": integers(self._given),
            "estimates": integers(self._estimates), "status": integers(self._status) if self._status else None,
            "n_sent": len(self._sent), "n_given": len(self._given), "n_received": len(self._estimates),
            "n_status": self.rows.status.shape[1],
        }

    def _memory(self, here: int) -> dict[str, int]:
        """Return addresses of all that a run writes, for `here` signals received; it lives as long as this object."""
        expected, rows = self._expected, self.rows
        blocks = ((0.0,) * (1 + len(self._sent) + len(self._given)),) * (self._blocks.maxlen or 0)
        first = pack(self._head._replace(blocks=blocks))
        self._message = (c_ubyte * len(first)).from_buffer_copy(first)
        self._log, seen = np.empty((expected.most, 3)), np.zeros(expected.most, np.uint8)
        arrays = {"newest": np.full(here, nan), "blocks": np.zeros((REMEMBERED, expected.width)), "seen": seen}
        self._arrays: dict[str, NDArray[Any]] = {
            **arrays, "arrivals": self._log, **{f"{name}_rows": values for name, values in vars(rows).items()}
        }
        return {"message": addressof(self._message), **{k: v.ctypes.data for k, v in self._arrays.items()}}

    def take(self, datagram: bytes, arrival: float) -> None:
        """Take a datagram, as `Steps.take`."""
        self._take(self._native, bytes(datagram), len(datagram), arrival)

    def exchange(self, n: int, t: float, h: float) -> None:
        """Begin the exchange, as `Steps.exchange`."""
        self._call("engine_side_exchange", n, t, h)
        self.stopped = bool(self._native.stopped)

    def message(self, now: float) -> bytes:
        """Return the message that leaves, as `Steps.message`."""
        struct.pack_into("<d", self._message, _SENT_AT, now)
        return bytes(memoryview(self._message)[: self._native.size])

    def finish(self, n: int, t: float, h: float) -> None:
        """End the exchange, record and step, as `Steps.finish`."""
        self._call("engine_side_finish", n, t, h)

    def arrivals_since(self, first: int) -> Vector:
        """Return arrivals, as `Steps.arrivals_since`."""
        return self._log[first : self._native.n_arrivals].copy()

    def _counts(self) -> dict[str, int]:
        native = self._native
        lost, dropped = native.highest + 1 - native.n_arrivals, dict(zip(REASONS, native.dropped, strict=True))
        return {"lost": lost, "doubled": native.doubled, "overtaken": native.overtaken, **dropped}

    def _call(self, function: str, n: int, t: float, h: float) -> None:
        self._engine.call(function, self._native, c_size_t(n), c_double(t), c_double(h))


def make_steps(made: SideWiring, exchange: Exchange, expected: Expected, head: Message, repeat: int) -> Steps:
    """Return the steps of `made`, in C where a component is an FMU and the library is there, else in Python.

    `exchange`, `expected`, `head` and `repeat` are those of `Steps`.
    """
    chosen = NativeSteps if is_native(made.wiring.components.values()) else Steps
    return chosen(made, exchange, expected, head, repeat)
