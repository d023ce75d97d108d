"""One side of the bench: a prototype, a coupling FMU at each of its inputs, a transport, a real clock.

A step at t_n: take what has arrived, let the coupling FMUs estimate, set the prototype's inputs, send its outputs with
the stamp t_n, step the prototype. Everything that a step needs is made before the run; a step waits for nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace

import numpy as np

from couplant.base.errors import CouplantError
from couplant.bench.handshake import Agreement
from couplant.bench.inbox import Expected
from couplant.bench.message import VALUES, Message, Unusable
from couplant.bench.record import SideRecord
from couplant.bench.steps import make_steps
from couplant.bench.transport import Transport
from couplant.bench.wiring import SideWiring
from couplant.config.bench import ON_ARRIVAL, SIDES, BenchScenario
from couplant.cosim.run.exchange import Exchange
from couplant.cosim.run.master import start_components
from couplant.cosim.wiring.components import STATUS

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
        self._agreement, self._agreed = Agreement(0, 0.0), 0.0
        self.waits = False  # whether the run of this side begins when the first message arrives
        self._open = ExitStack()

    def __enter__(self) -> Side:
        """Start the FMUs and make all arrays."""
        exchange = self._open.enter_context(start_components(self._made.wiring, 0.0))
        self._exchange: Exchange = exchange
        self._begun, self._done, self._ended = np.full((3, self.count + 1), np.nan)
        return self

    def __exit__(self, *_: object) -> None:
        """Free the FMUs."""
        self._open.close()

    def begin(self, agreement: Agreement) -> None:
        """Take the start and the number of the run; the right side may start later (dissertation 5.1.3)."""
        self._agreement, self._agreed = agreement, agreement.start
        made, scenario, run = self._made, self._scenario, agreement.run
        fingerprint, index = scenario.fingerprint(), SIDES.index(made.side)
        self._expected = Expected(1 - index, fingerprint, run, 1 + made.width, self.count + 1)
        head = Message(VALUES, index, fingerprint, run)
        self._steps = make_steps(made, self._exchange, self._expected, head, scenario.bench.repeat)
        if made.side == SIDES[1]:
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
            if self._steps.stopped:
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
        t, h, steps = n * self._h, self._h if n < self.count else 0.0, self._steps
        self._begun[n] = self._now() - t
        self.gather()
        steps.exchange(n, t, h)
        if not steps.stopped:
            self._transport.send(steps.message(self._now()))
        self._done[n] = self._now() - t
        steps.finish(n, t, h)
        self._ended[n] = self._now() - t

    def record(self, log: Sequence[str] = ()) -> SideRecord:
        """Return the record of the run."""
        made, rows = self._made, self._steps.rows
        messages, counts = self._steps.account()
        counts["foreign"] += getattr(self._transport, "foreign", 0)
        return SideRecord(
            side=made.side,
            algorithm=made.algorithm,
            timing=made.timing,
            run=self._agreement.run,
            shift=self._agreement.start - self._agreed,
            sends=made.sends,
            receives=made.receives,
            sent=rows.sent,
            received=rows.received,
            estimate=rows.estimate,
            status=rows.status.reshape(self.count + 1, len(made.receives), len(STATUS)),
            begun=self._begun,
            done=self._done,
            ended=self._ended,
            messages=messages,
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

    def _take(self, datagram: bytes, arrived: float) -> None:
        if self.waits:
            with suppress(Unusable):
                message = self._expected.read(datagram)
                if message is not None:
                    self.waits = False
                    self._start(arrived - message.blocks[0][0])
        self._steps.take(datagram, arrived - self._agreement.start)
