"""Messages that have arrived at one side, handed to its coupling FMUs step by step.

Several messages may arrive within one step, and each repeats earlier values: every value is handed over once, the
newest on `y`, the others on the inputs of repeated values. What does not fit waits for the next step.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from couplant.bench.message import REASONS, VALUES, Message, Unusable, unpack
from couplant.cosim.fmu.component import LocalComponent, Port
from couplant_runtime.guard import NO_STAMP

NEWEST = "newest"
"""Input that takes the newest value, again and again until a newer one arrives: what a plain wire brings."""

REMEMBERED = 256  # send times that are remembered, of values that wait and of those that were handed over

PUT_VALUE, PUT_VALID, PUT_ECHO, PUT_NEWEST = range(4)


class Put(NamedTuple):
    """An output that messages set."""

    port: str
    kind: int  # a number of a block, whether there is a block, the newest echo, or a number of a block that is newer
    place: int = 0  # of the block among those that are handed over, the newest is 0
    column: int = 0  # in the block


@dataclass(frozen=True)
class Expected:
    """Messages that one side takes."""

    sender: int  # index into `couplant.config.bench.SIDES`
    scenario: int  # fingerprint
    run: int  # number of the run
    width: int  # numbers in a block, with its time
    most: int  # messages in a run

    def read(self, datagram: bytes) -> Message | None:
        """Return the message in a datagram, None if it is of another kind.

        Raises Unusable if it is none of ours to take.
        """
        message = unpack(datagram)
        if message.kind != VALUES:
            return None
        fits = message.scenario == self.scenario and message.run == self.run and message.sequence < self.most
        widths = {len(block) for block in message.blocks}
        if not fits or message.sender != self.sender or widths != {self.width}:
            raise Unusable("foreign")
        return message


@dataclass
class Arrivals:
    """Account of the messages that one side has received."""

    # for each message that is no double: send time, clock of the sender when it left, clock when it arrived [s]
    log: list[tuple[float, float, float]] = field(default_factory=list)
    doubled: int = 0  # messages that had arrived before
    overtaken: int = 0  # messages that arrive after one that was sent later
    highest: int = -1  # largest sequence number
    # datagrams that were not taken, by reason
    dropped: dict[str, int] = field(default_factory=lambda: dict.fromkeys(REASONS, 0))
    _seen: set[int] = field(default_factory=set)

    def is_new(self, message: Message, arrival: float) -> bool:
        """Enter a message; tell whether it has not been here before its `arrival` by the clock of this side [s]."""
        if message.sequence in self._seen:
            self.doubled += 1
            return False
        self._seen.add(message.sequence)
        self.overtaken += message.sequence < self.highest
        self.highest = max(self.highest, message.sequence)
        self.log.append((message.blocks[0][0], message.sent, arrival))
        return True

    @property
    def counts(self) -> dict[str, int]:
        """Return how many are missing before the last one that arrived, doubled, overtaken, and dropped by reason."""
        lost = self.highest + 1 - len(self.log)
        return {"lost": lost, "doubled": self.doubled, "overtaken": self.overtaken, **self.dropped}


class Inbox(LocalComponent):
    """A component whose outputs are the inputs of the coupling FMUs of one side, or what its wires bring.

    `inputs` has for each signal the inputs of its coupling FMU, of a plain wire `NEWEST`; the one with the fewest
    places for values decides. A message has the values of signals in this `order`; `starts` are those before the first
    one arrives [signal unit]. Values whose send time is still to come are handed over with `ahead`, as where the
    sender's clock is another one. `told` has for each signal the other inputs that its coupling FMU has from blocks:
    which block, the newest is 0, and the place there.
    """

    NAME = "inbox"

    def __init__(
        self,
        inputs: Mapping[str, Sequence[str]],
        order: Sequence[str],
        starts: Mapping[str, float],
        ahead: bool = False,
        told: Mapping[str, Mapping[str, tuple[int, int]]] = MappingProxyType({}),
    ) -> None:
        super().__init__(self.NAME, [Port(port_name(s, i)) for s, names in inputs.items() for i in names])
        self.places = min((1 + sum(i.startswith("y[") for i in names) for names in inputs.values()), default=1)
        self.puts: list[Put] = []
        self._first: dict[str, float] = {}
        for signal, names in inputs.items():
            column = 1 + order.index(signal)
            for put in _puts(self.places, column, told.get(signal, {})):
                if put.port in names:
                    self.puts.append(put._replace(port=port_name(signal, put.port)))
            first = {"y": starts[signal], NEWEST: starts[signal], **dict.fromkeys(["y_time", "y_echo"], NO_STAMP)}
            first |= dict.fromkeys(told.get(signal, {}), NO_STAMP)
            self._first.update({port_name(signal, name): value for name, value in first.items() if name in names})
        self._columns, self.ahead = {signal: 1 + order.index(signal) for signal in inputs}, ahead
        self.start(0.0, {})

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Forget all messages."""
        self.values.update(self._first)
        self._handed: dict[float, None] = {}
        self._pending: dict[float, tuple[float, ...]] = {}
        self.newest = dict.fromkeys(self._columns, float("nan"))  # newest values that were handed over [signal unit]
        self.newest_stamp = NO_STAMP  # their send time [s]
        self._echo = NO_STAMP

    @property
    def blank(self) -> tuple[float, ...]:
        """Return the values of a block that says what signals start with."""
        values = (put for put in self.puts if put.kind in (PUT_VALUE, PUT_NEWEST) and put.port in self._first)
        # what a model takes of another signal is not there yet at the start
        first = {put.column: value for put in values if (value := self._first[put.port]) > NO_STAMP}
        return tuple(first[column] for column in self._columns.values())

    def add(self, message: Message) -> None:
        """Keep the values of a message that were not handed over yet; of too many those that were sent first go."""
        for block in message.blocks:
            if block[0] not in self._handed:
                self._pending[block[0]] = block
                if len(self._pending) > REMEMBERED:
                    del self._pending[min(self._pending)]
        self._echo = max(self._echo, message.echo)

    def hand_over(self, t: float) -> None:
        """Set the outputs for the step at `t` [s]: values sent later than that wait, unless clocks differ."""
        due = sorted((stamp for stamp in self._pending if stamp <= t or self.ahead), reverse=True)[: self.places]
        blocks = [self._pending.pop(stamp) for stamp in due]
        self._handed.update(dict.fromkeys(due))
        while len(self._handed) > REMEMBERED:
            del self._handed[next(iter(self._handed))]
        is_newer, n, values = bool(due) and due[0] > self.newest_stamp, len(blocks), self.values
        for port, kind, place, column in self.puts:
            if kind == PUT_VALID:
                values[port] = float(place < n)
            elif kind == PUT_ECHO:
                values[port] = self._echo
            elif place < n and (kind == PUT_VALUE or is_newer):
                values[port] = blocks[place][column]
        if is_newer:
            self.newest_stamp = blocks[0][0]
            self.newest.update({signal: blocks[0][column] for signal, column in self._columns.items()})


def _puts(places: int, column: int, told: Mapping[str, tuple[int, int]]) -> Iterator[Put]:
    """Yield all that messages may set of a signal with this `column`, by the name of the input."""
    yield Put(NEWEST, PUT_NEWEST, 0, column)
    yield Put("y_echo", PUT_ECHO)
    for name, (block, other) in told.items():
        yield Put(name, PUT_VALUE, block, other)
    for place in range(places):
        index = f"[{place + 1}]" if place else ""
        yield Put(f"y{index}", PUT_VALUE, place, column)
        yield Put(f"y_time{index}", PUT_VALUE, place, 0)
        yield Put(f"y_valid{index}", PUT_VALID, place)


def port_name(signal: str, name: str) -> str:
    """Return the name of the output for input `name` of the coupling FMU of `signal`."""
    return f"{signal}.{name}"
