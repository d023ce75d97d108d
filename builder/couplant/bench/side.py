"""One side of the bench: a prototype, a coupling FMU at each of its inputs, a transport, a real clock.

A step at t_n: take what has arrived, let the coupling FMUs estimate, set the prototype's inputs, send its outputs with
the stamp t_n, step the prototype. Everything that a step needs is made before the run; a step waits for nothing.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import astuple, replace
from typing import Protocol

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import CouplantError
from couplant.bench.handshake import Agreement
from couplant.bench.inbox import Expected
from couplant.bench.message import VALUES, Message, Unusable
from couplant.bench.record import SideRecord, StepTime
from couplant.bench.steps import Steps, make_steps
from couplant.bench.transport import Transport
from couplant.bench.wiring import SideWiring
from couplant.config.bench import ON_ARRIVAL, SIDES, BenchScenario
from couplant.cosim.run.exchange import Exchange
from couplant.cosim.run.master import start_components
from couplant.cosim.wiring.components import STATUS

Clock = Callable[[], float]


class Looks(Protocol):
    """An observer of steps."""

    def look(self, n: int, steps: Steps, done: Vector) -> None:
        """Look at step `n` of `steps`, which were `done` so long after they were due [s]."""


_TURN = 0.01
_BUSY = time.thread_time if time.get_clock_info("thread_time").resolution < 1e-5 else time.perf_counter
"""Time that the processor spends on this thread; where it is not known well enough, that of the clock. [s]"""
_PATIENCE = 1.0  # time by which a side must have fallen behind before it is looked at whether it can catch up [s]
_LOOKS = 100  # steps between two looks


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

    def __enter__(self) -> "Side":
        """Start the FMUs and make all arrays."""
        exchange = self._open.enter_context(start_components(self._made.wiring, 0.0))
        self._exchange: Exchange = exchange
        self._begun, self._done, self._ended, self._busy = np.full((4, self.count + 1), np.nan)
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

    def run(self, tap: Looks | None = None) -> None:
        """Carry out all steps on the clock, or until a signal diverges; news is taken in as it arrives.

        Between the steps a `tap` shows what has happened.

        Raises CouplantError if an FMU refuses, the message to start with does not arrive, or steps take longer than
        their period.
        """
        spin, clock, transport = self._scenario.bench.spin, self._clock, self._transport
        behind, patience = 0, self._scenario.bench.connect
        given_up = clock() + patience
        while self.waits:
            if clock() > given_up:
                raise CouplantError(f"no message to start with from the other side within {patience:g} s.")
            transport.wait(_TURN)
            self.gather()
        for n in range(self.count + 1):
            behind = behind + 1 if self.due(n) < clock() else 0
            if behind and behind % _LOOKS == 0:
                self._check_overload(n, behind)
            while (left := self.due(n) - clock()) > 0.0:
                if left > spin:
                    transport.wait(left - spin)
                    self.gather()
            self.step(n)
            if tap is not None:
                tap.look(n, self._steps, self._done)
            if self._steps.stopped:
                return

    def end(self) -> None:
        """Let this step be the last one."""
        self._steps.stopped = True

    def messages(self) -> tuple[Vector, dict[str, int]]:
        """Return the arrivals up to now, shape (K, 3), and counts of messages, as for `SideRecord`."""
        return self._steps.account()

    def gather(self) -> None:
        """Take in what has arrived."""
        datagrams = self._transport.receive()
        arrived = self._clock() if datagrams else 0.0
        for datagram in datagrams:
            if self.waits:
                with suppress(Unusable):
                    message = self._expected.read(datagram)
                    if message is not None:
                        self.waits = False
                        self._start(arrived - message.blocks[0][0])
            self._steps.take(datagram, arrived - self._agreement.start)

    def step(self, n: int) -> None:
        """Carry out the step at macro point `n`.

        Raises CouplantError if an FMU refuses.
        """
        t, h, steps = n * self._h, self._h if n < self.count else 0.0, self._steps
        self._begun[n], busy = self._now() - t, _BUSY()
        self.gather()
        steps.exchange(n, t, h)
        if not steps.stopped:
            self._transport.send(steps.message(self._now()))
        self._done[n] = self._now() - t
        steps.finish(n, t, h)
        self._ended[n], self._busy[n] = self._now() - t, _BUSY() - busy

    def record(self, log: Sequence[str] = (), takes: StepTime | None = None) -> SideRecord:
        """Return the record of the run; a step `takes` so long as far as was measured before."""
        made, rows = self._made, self._steps.rows
        messages, counts = self._steps.account()
        counts["foreign"] += getattr(self._transport, "foreign", 0)
        return SideRecord(
            side=made.side, algorithm=made.algorithm, timing=made.timing, run=self._agreement.run,
            shift=self._agreement.start - self._agreed, sends=made.sends, receives=made.receives,
            sent=rows.sent, received=rows.received, estimate=rows.estimate,
            status=np.nan_to_num(rows.status).astype(np.int8).reshape(self.count + 1, len(made.receives), len(STATUS)),
            begun=self._begun, done=self._done, ended=self._ended, busy=self._busy, messages=messages,
            counts=counts, log=(*log, *self._transport.remarks()),
            takes=() if takes is None else astuple(takes),
        )

    @property
    def step_time(self) -> StepTime | None:
        """Return how long the steps took, without the first one."""
        return StepTime.of(self._begun[1:], self._done[1:], self._ended[1:])

    def check_fit(self, takes: StepTime | None, which: str = "") -> None:
        """Check that steps fit into their period; `which` they are is told.

        Raises CouplantError with what they take and what they have.
        """
        scenario, there, here = self._scenario, len(self._made.sends), len(self._made.receives)
        if takes is not None and (shortage := takes.shortage(scenario.macro_step, scenario.late)):
            signals = "1 signal" if there == 1 else f"{there} signals"
            signals += " each way" if there == here else f" sent and {here} received"
            raise CouplantError(f"{signals} at {1.0 / scenario.macro_step:g} Hz {shortage}{which}.")

    def _check_overload(self, n: int, behind: int) -> None:
        """Check that a side that has been `behind` for so many steps may catch up."""
        if self._clock() - self.due(n) > _PATIENCE:
            last = slice(max(n - behind, 0), n)
            which = f", in the last {behind} steps up to t = {n * self._h:.3g} s"
            self.check_fit(StepTime.of(self._begun[last], self._done[last], self._ended[last]), which)

    def _start(self, at: float) -> None:
        self._agreement = replace(self._agreement, start=at + self._scenario.shift)

    def _now(self) -> float:
        return self._clock() - self._agreement.start
