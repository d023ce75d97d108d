"""Messages that have arrived at one side, handed to its coupling FMUs step by step.

Several messages may arrive within one step, and each repeats earlier values: every value is handed over once, the
newest on `y`, the others on the inputs of repeated values. What does not fit waits for the next step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from couplant.bench.message import REASONS, Message
from couplant.cosim.fmu.component import LocalComponent, Port
from couplant_runtime.guard import NO_STAMP

NEWEST = "newest"
"""Input that takes the newest value, again and again until a newer one arrives: what a plain wire brings."""

_FORGOTTEN = 256


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
    def lost(self) -> int:
        """Return the number of messages that are missing before the last one that arrived."""
        return self.highest + 1 - len(self._seen)


class Inbox(LocalComponent):
    """A component whose outputs are the inputs of the coupling FMUs of one side, or what its wires bring.

    Parameters
    ----------
    inputs : mapping of str to sequence of str
        For each signal the inputs that its coupling FMU has, of a plain wire `NEWEST`; the one with the fewest places
        for values decides.
    order : sequence of str
        Signals in the order in which a message has their values.
    starts : mapping of str to float
        Value of each signal before the first one arrives [signal unit].
    ahead : bool
        Hand over values whose send time is still to come, because the sender's clock is another one.
    told : mapping of str to mapping of str to int, optional
        For each signal the other inputs that its coupling FMU has from the newest block, with their places there.
    """

    NAME = "inbox"

    def __init__(
        self,
        inputs: Mapping[str, Sequence[str]],
        order: Sequence[str],
        starts: Mapping[str, float],
        ahead: bool = False,
        told: Mapping[str, Mapping[str, int]] = MappingProxyType({}),
    ) -> None:
        super().__init__(self.NAME, [Port(port_name(s, i)) for s, names in inputs.items() for i in names])
        self._inputs = {signal: set(names) for signal, names in inputs.items()}
        self._columns = {signal: 1 + order.index(signal) for signal in inputs}
        self._told = {signal: told.get(signal, {}) for signal in inputs}
        self._places = min((1 + sum(i.startswith("y[") for i in names) for names in inputs.values()), default=1)
        self._handed: dict[float, None] = {}
        self._pending: dict[float, tuple[float, ...]] = {}
        self.newest = dict.fromkeys(inputs, float("nan"))  # newest values that were handed over [signal unit]
        self.newest_stamp = NO_STAMP  # their send time [s]
        self._echo, self._ahead = NO_STAMP, ahead
        for signal in inputs:
            self._put(signal, "y", starts[signal])
            self._put(signal, NEWEST, starts[signal])
            self._put(signal, "y_time", NO_STAMP)
            self._put(signal, "y_echo", NO_STAMP)
            for name in self._told[signal]:
                self._put(signal, name, NO_STAMP)

    def add(self, message: Message) -> None:
        """Keep the values of a message that were not handed over yet."""
        for block in message.blocks:
            if block[0] not in self._handed:
                self._pending[block[0]] = block
        self._echo = max(self._echo, message.echo)

    def hand_over(self, t: float) -> None:
        """Set the outputs for the step at `t` [s]: values sent later than that wait, unless clocks differ."""
        due = sorted((stamp for stamp in self._pending if stamp <= t or self._ahead), reverse=True)[: self._places]
        blocks = [self._pending.pop(stamp) for stamp in due]
        self._handed.update(dict.fromkeys(due))
        while len(self._handed) > _FORGOTTEN:
            del self._handed[next(iter(self._handed))]
        while len(self._pending) > _FORGOTTEN:
            del self._pending[min(self._pending)]
        is_newest = bool(due) and due[0] > self.newest_stamp
        for signal, column in self._columns.items():
            self._set(signal, column, blocks)
            if is_newest:
                self.newest[signal] = blocks[0][column]
                self._put(signal, NEWEST, blocks[0][column])
        if is_newest:
            self.newest_stamp = due[0]

    def _set(self, signal: str, column: int, blocks: Sequence[tuple[float, ...]]) -> None:
        self._put(signal, "y_valid", float(bool(blocks)))
        self._put(signal, "y_echo", self._echo)
        for name, other in self._told[signal].items() if blocks else ():
            self._put(signal, name, blocks[0][other])
        for place in range(self._places):
            index = f"[{place + 1}]" if place else ""
            if place < len(blocks):
                self._put(signal, f"y{index}", blocks[place][column])
                self._put(signal, f"y_time{index}", blocks[place][0])
            self._put(signal, f"y_valid{index}", float(place < len(blocks)))

    def _put(self, signal: str, name: str, value: float) -> None:
        if name in self._inputs[signal]:
            self.values[port_name(signal, name)] = value


def port_name(signal: str, name: str) -> str:
    """Return the name of the output for input `name` of the coupling FMU of `signal`."""
    return f"{signal}.{name}"
