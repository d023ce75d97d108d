"""How two sides agree on a run and on the time at which it starts.

Both sides say hello every 20 ms, which tells a relay where they are. The left side answers each hello of the right
one with both clocks, and with the start of the run as soon as it has seen enough of them; from then on the hellos
repeat the start, which tells the left side that it has been heard. Half of the shortest round trip gives the offset of
the clocks (F. Cristian, Distributed Computing 3, 1989); where both sides share a clock it is 0.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from couplant.base.errors import CouplantError
from couplant.bench.message import HELLO, NO_TIME, START, Message, Unusable, pack, unpack
from couplant.bench.transport import Transport

PERIOD = 0.02  # time between two hellos [s]
NOTICE = 0.5  # time between the agreement and the start [s]
EARLY = 0.05  # time before the start at which the handshake ends [s]

_LEFT, _RIGHT = 0, 1


@dataclass(frozen=True)
class Agreement:
    """Agreement of both sides."""

    run: int  # number of the run, not 0
    start: float  # start in the clock of this side [s]
    offset: float = 0.0  # what added to the clock of this side gives that of the left one [s]


class Handshake:
    """The agreement of one side with the other, which it waits for no longer than `patience` [s].

    `clock` returns the time [s], which both sides read if it is `shared`; `scenario` is the fingerprint of both.
    """

    def __init__(
        self, transport: Transport, clock: Callable[[], float], scenario: int, patience: float, shared: bool
    ) -> None:
        self._transport, self._clock, self._scenario = transport, clock, scenario
        self._patience, self._shared = patience, shared
        self._done = 0
        self._stranger = self._other_version = False

    def lead(self) -> Agreement:
        """Agree as the left side.

        Raises CouplantError if the other side does not answer in time.
        """
        run = random.randrange(1, 2**32)
        start, heard, needed = NO_TIME, False, 1 if self._shared else 25
        deadline, next_hello = self._clock() + self._patience, 0.0
        while start == NO_TIME or self._clock() < start - EARLY:
            if start == NO_TIME and self._clock() >= next_hello:
                next_hello = self._clock() + PERIOD
                self._say(Message(HELLO, _LEFT, self._scenario))
            for hello in self._messages(HELLO, _RIGHT):
                needed -= 1
                heard = heard or (hello.run == run and hello.time == start != NO_TIME)
                if needed <= 0 and start == NO_TIME:
                    start = self._clock() + NOTICE
                self._say(Message(START, _LEFT, self._scenario, run, hello.sequence, self._clock(), hello.sent, start))
            if start == NO_TIME:
                self._give_up_after(deadline)
            self._transport.wait(PERIOD / 4)
        if not heard:
            raise CouplantError("the other side stopped answering before the run began.")
        self._done = run
        return Agreement(run, start)

    def follow(self) -> Agreement:
        """Agree as the right side.

        Raises CouplantError if the other side does not answer in time.
        """
        run, start, offset, shortest = 0, NO_TIME, 0.0, float("inf")
        deadline, next_hello, sequence = self._clock() + self._patience, 0.0, 0
        while start == NO_TIME or self._clock() < start - offset - EARLY:
            for answer in self._messages(START, _LEFT):
                now = self._clock()
                if answer.run != self._done and now - answer.echo < shortest:
                    shortest = now - answer.echo
                    offset = 0.0 if self._shared else answer.sent - 0.5 * (answer.echo + now)
                if answer.run != self._done and answer.time != NO_TIME:
                    run, start = answer.run, answer.time
            if self._clock() >= next_hello:
                next_hello, sequence = self._clock() + PERIOD, sequence + 1
                self._say(Message(HELLO, _RIGHT, self._scenario, run, sequence, self._clock(), NO_TIME, start))
            if start == NO_TIME:
                self._give_up_after(deadline)
            self._transport.wait(PERIOD / 4)
        self._done = run
        return Agreement(run, start - offset, offset)

    def _say(self, message: Message) -> None:
        self._transport.send(pack(message))

    def _messages(self, kind: int, sender: int) -> Iterator[Message]:
        for datagram in self._transport.receive():
            try:
                message = unpack(datagram)
            except Unusable as error:
                self._other_version |= error.reason == "version"
                continue
            if message.scenario != self._scenario:
                self._stranger = True
            elif message.kind == kind and message.sender == sender:
                yield message

    def _give_up_after(self, deadline: float) -> None:
        if self._clock() > deadline:
            reason = ": what arrives belongs to another scenario" if self._stranger else ""
            reason = reason if self._transport.connected else ": there is no way to the router or broker any more"
            reason = ": its couplant sends messages of another layout" if self._other_version else reason
            raise CouplantError(f"no answer from the other side within {self._patience:g} s{reason}.")
