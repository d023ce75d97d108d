"""One side of the bench: a prototype, a coupling FMU at each of its inputs, a transport, a real clock.

A step at t_n: take what has arrived, let the coupling FMUs estimate, set the prototype's inputs, send its outputs with
the stamp t_n, step the prototype. Everything that a step needs is made before the run; a step waits for nothing.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace

import numpy as np

from couplant.base.errors import CouplantError
from couplant.bench.handshake import Agreement
from couplant.bench.inbox import Arrivals
from couplant.bench.message import NO_TIME, VALUES, Message, Unusable, pack, unpack
from couplant.bench.record import SideRecord
from couplant.bench.transport import Transport
from couplant.bench.wiring import SideWiring
from couplant.config.bench import ON_ARRIVAL, SIDES, BenchScenario
from couplant.cosim.run.exchange import Exchange
from couplant.cosim.run.master import DIVERGED, start_components
from couplant.cosim.wiring.components import STATUS
from couplant.cosim.wiring.order import Value

Clock = Callable[[], float]

_TURN = 0.01


class Side:
    """One side in one run; a context manager that starts and frees its FMUs. `clock` returns the time [s]."""

    def __init__(
        self, made: SideWiring, scenario: BenchScenario, transport: Transport, clock: Clock = time.perf_counter
    ) -> None:
        self._made, self._scenario, self._transport, self._clock = made, scenario, transport, clock
        self._h = scenario.macro_step
        self.count = scenario.steps(scenario.duration or 0.0)
        self._index, self._fingerprint = SIDES.index(made.side), scenario.fingerprint()
        self._arrivals, self._inbox = Arrivals(), made.inbox
        self._blocks: deque[tuple[float, ...]] = deque(maxlen=scenario.bench.repeat)
        self._agreement, self._agreed = Agreement(0, 0.0), 0.0
        self.waits = False  # whether the run of this side begins when the first message arrives
        self._open = ExitStack()
        self.stopped = False

    def __enter__(self) -> Side:
        """Start the FMUs and make all arrays."""
        exchange = self._open.enter_context(start_components(self._made.wiring, 0.0))
        self._exchange: Exchange = exchange
        made, n = self._made, self.count + 1
        self._sent_slots, self._estimate_slots = ([exchange.slot(Value(r)) for r in refs] for refs in made.shown)
        self._given_slots = [None if value is None else exchange.slot(value) for value in made.given]
        self._status_slots = [exchange.slot(Value(ref)) for ref in made.status]
        self._sent, self._received, self._estimate, self._status = (
            np.full((n, width), np.nan)
            for width in (len(made.sends), len(made.receives), len(made.receives), len(made.receives) * len(STATUS))
        )
        self._begun, self._done = np.full(n, np.nan), np.full(n, np.nan)
        return self

    def __exit__(self, *_: object) -> None:
        """Free the FMUs."""
        self._open.close()

    def begin(self, agreement: Agreement) -> None:
        """Take the start and the number of the run; the right side may start later (dissertation 5.1.3)."""
        self._agreement, self._agreed = agreement, agreement.start
        if self._made.side == SIDES[1]:
            self.waits = self._scenario.bench.start == ON_ARRIVAL
            self._start(agreement.start)

    def due(self, n: int) -> float:
        """Return when step `n` begins by the clock [s]."""
        return self._agreement.start + n * self._h

    def run(self) -> None:
        """Carry out all steps on the clock, or until a signal diverges; news is taken in as it arrives.

        Raises
        ------
        CouplantError
            If an FMU refuses, or the message to start with does not arrive.
        """
        spin, clock, transport = self._scenario.bench.spin, self._clock, self._transport
        self._wait_for_start()
        for n in range(self.count + 1):
            while (left := self.due(n) - clock()) > 0.0:
                if left > spin:
                    transport.wait(left - spin)
                    self.gather()
            self.step(n)
            if self.stopped:
                return

    def gather(self) -> None:
        """Take in what has arrived."""
        datagrams = self._transport.receive()
        if not datagrams:
            return
        arrived = self._clock()
        for datagram in datagrams:
            self._take(datagram, arrived)

    def step(self, n: int) -> None:
        """Carry out the step at macro point `n`.

        Raises
        ------
        CouplantError
            If an FMU refuses.
        """
        t = n * self._h
        self._begun[n] = self._now() - t
        self.gather()
        self._inbox.hand_over(t)
        self._exchange.run(t, self._h if n < self.count else 0.0)
        values = self._exchange.values
        sent = tuple([values[slot] for slot in self._sent_slots])
        self.stopped = not all(-DIVERGED <= value <= DIVERGED for value in sent)
        if not self.stopped:
            given = tuple([0.0 if slot is None else values[slot] for slot in self._given_slots])
            self._send(n, t, sent + given)
        self._done[n] = self._now() - t
        self._sent[n] = sent
        self._estimate[n] = [values[slot] for slot in self._estimate_slots]
        self._status[n] = [values[slot] for slot in self._status_slots] or 0.0  # of a plain wire there is none
        self._received[n] = list(self._inbox.newest.values())
        if n < self.count and not self.stopped:
            self._exchange.step(t, self._h)

    def record(self, log: Sequence[str] = ()) -> SideRecord:
        """Return the record of the run."""
        made, arrivals = self._made, self._arrivals
        counts = {"lost": arrivals.lost, "doubled": arrivals.doubled, "overtaken": arrivals.overtaken}
        counts |= arrivals.dropped
        counts["foreign"] += getattr(self._transport, "foreign", 0)
        return SideRecord(
            side=made.side,
            algorithm=made.algorithm,
            timing=made.timing,
            run=self._agreement.run,
            shift=self._agreement.start - self._agreed,
            sends=made.sends,
            receives=made.receives,
            sent=self._sent,
            received=self._received,
            estimate=self._estimate,
            status=self._status.reshape(self.count + 1, len(made.receives), len(STATUS)),
            begun=self._begun,
            done=self._done,
            messages=np.array(arrivals.log, dtype=float).reshape(-1, 3),
            counts=counts,
            log=(*log, *self._transport.remarks()),
        )

    def _start(self, at: float) -> None:
        self._agreement = replace(self._agreement, start=at + self._scenario.shift)

    def _wait_for_start(self) -> None:
        patience = self._scenario.bench.connect
        given_up = self._clock() + patience
        while self.waits:
            if self._clock() > given_up:
                raise CouplantError(f"no message to start with from the other side within {patience:g} s.")
            self._transport.wait(_TURN)
            self.gather()

    def _now(self) -> float:
        return self._clock() - self._agreement.start

    def _send(self, n: int, t: float, sent: tuple[float, ...]) -> None:
        self._blocks.appendleft((t, *sent))
        run, echo = self._agreement.run, self._inbox.newest_stamp
        message = Message(
            VALUES, self._index, self._fingerprint, run, n, self._now(), echo, NO_TIME, tuple(self._blocks)
        )
        self._transport.send(pack(message))

    def _take(self, datagram: bytes, arrived: float) -> None:
        try:
            message = unpack(datagram)
            self._check(message)
        except Unusable as error:
            self._arrivals.dropped[error.reason] += 1
            return
        if message.kind != VALUES:
            return
        if self.waits:
            self.waits = False
            self._start(arrived - message.blocks[0][0])
        if self._arrivals.is_new(message, arrived - self._agreement.start):
            self._inbox.add(message)

    def _check(self, message: Message) -> None:
        """Refuse values of another run or scenario, or that are not ours to receive."""
        if message.kind != VALUES:
            return
        fits = message.scenario == self._fingerprint and message.run == self._agreement.run
        widths = {len(block) for block in message.blocks}
        if not fits or message.sender == self._index or widths != {1 + self._made.width}:
            raise Unusable("foreign")
