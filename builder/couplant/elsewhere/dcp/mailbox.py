"""Values that have arrived by DCP, handed to the coupling FMUs of a side, each signal with stamps of its own.

It stands in the place of the inbox of a bench, whose messages have one stamp for all signals.
"""

from collections.abc import Mapping, Sequence

from couplant.bench.inbox import NEWEST, PUT_ECHO, REMEMBERED, Inbox, port_name
from couplant.cosim.fmu.component import LocalComponent
from couplant_runtime.guard import NO_STAMP


class Mailbox(LocalComponent):
    """A component with the outputs of an `inbox`, for the signals `order`, each with a value that it `starts` with."""

    def __init__(self, inbox: Inbox, order: Sequence[str], starts: Mapping[str, float]) -> None:
        super().__init__(inbox.name, [*inbox.ports.values()])
        self._starts, self._ahead = dict(starts), inbox.ahead
        self._ports = {signal: _inputs(inbox, signal) for signal in order}
        # signals that come with those of a model or a derivative, by the output that shows their value
        self._others = {
            put.port: (signal, order[put.column - 1])
            for put in inbox.puts
            for signal in order
            if put.port.startswith(port_name(signal, "companion["))
        }
        self._blocks = {put.port: put.place for put in inbox.puts if put.port in self._others}
        self.has_echo = any(put.kind == PUT_ECHO and put.port in inbox.ports for put in inbox.puts)
        self.clear()

    def clear(self) -> None:
        """Forget all values."""
        self.values.update(dict.fromkeys(self.values, 0.0))
        self._pending: dict[str, dict[float, float]] = {signal: {} for signal in self._ports}
        self._handed: dict[str, dict[float, float]] = {signal: {} for signal in self._ports}
        self._newest = dict.fromkeys(self._ports, NO_STAMP)
        for signal, names in self._ports.items():
            for name in names:
                port = port_name(signal, name)
                if name in ("y", NEWEST):
                    self.values[port] = self._starts[signal]
                elif name == "y_time" or name.startswith(("y_time[", "companion[")):
                    self.values[port] = NO_STAMP

    def start(self, t_0: float, parameters: Mapping[str, object]) -> None:
        """Forget all values."""
        self.clear()

    def add(self, signal: str, stamp: float, value: float) -> None:
        """Keep a `value` of a signal, of the time `stamp` [s], until it is handed over; of too many the oldest go."""
        if stamp in self._handed[signal]:
            return
        pending = self._pending[signal]
        pending[stamp] = value
        if len(pending) > REMEMBERED:
            del pending[min(pending)]

    def hand_over(self, t: float) -> None:
        """Set the outputs for the exchange at `t` [s]; those before the run are what signals start with."""
        for signal, names in self._ports.items():
            if t <= 0.0:
                self._show_first(signal, names)
            else:
                self._show(signal, names, t)

    def _show_first(self, signal: str, names: Sequence[str]) -> None:
        pending = self._pending[signal]
        for name in ("y", NEWEST):
            if pending and name in names:
                self.values[port_name(signal, name)] = pending[max(pending)]

    def _show(self, signal: str, names: Sequence[str], t: float) -> None:
        places = 1 + sum(name.startswith("y[") for name in names)
        pending, handed = self._pending[signal], self._handed[signal]
        due = sorted((stamp for stamp in pending if stamp <= t or self._ahead), reverse=True)[:places]
        blocks = [(stamp, pending.pop(stamp)) for stamp in due]
        handed.update(blocks)
        while len(handed) > REMEMBERED:
            del handed[next(iter(handed))]
        is_newer = bool(due) and due[0] > self._newest[signal]
        for place in range(places):
            index = f"[{place + 1}]" if place else ""
            if place < len(blocks):
                stamp, value = blocks[place]
                self._set(signal, names, {f"y{index}": value, f"y_time{index}": stamp})
            self._set(signal, names, {f"y_valid{index}": float(place < len(blocks))})
        if is_newer:
            self._newest[signal] = due[0]
            self._set(signal, names, {NEWEST: blocks[0][1]})
        self._show_others(signal, blocks)

    def _show_others(self, signal: str, blocks: Sequence[tuple[float, float]]) -> None:
        """Show values of other signals that have the stamps of the `blocks` of a signal."""
        for port, (taker, other) in self._others.items():
            place = self._blocks[port]
            if taker == signal and place < len(blocks):
                stamp = blocks[place][0]
                found = self._pending[other].get(stamp, self._handed[other].get(stamp))
                if found is not None:
                    self.values[port] = found

    def _set(self, signal: str, names: Sequence[str], values: Mapping[str, float]) -> None:
        for name, value in values.items():
            if name in names:
                self.values[port_name(signal, name)] = value


def _inputs(inbox: Inbox, signal: str) -> tuple[str, ...]:
    """Return the outputs of the `inbox` for a signal, by the names of the inputs of its coupling FMU."""
    start = port_name(signal, "")
    return tuple(port[len(start) :] for port in inbox.ports if port.startswith(start))
