"""The way of a signal between federates, in place of the network FMU: a half at each end, with its variables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from couplant.cosim.fmu.component import Component, LocalComponent, Port

_NEVER = -1.7976931348623157e308
"""What a time shows before the first message, as in the network FMU. [s]"""

_FAR = re.compile(r"energy\.(given|passed|time)")


class Way(LocalComponent):
    """Keeps messages to be sent, gives out those that arrived.

    Parameters
    ----------
    network : Component
        The network FMU in whose place it stands.
    carried : sequence of str
        Its inputs that a message carries besides the value.
    burst : int
        Number of values that it gives out: the newest and those of the messages before.
    """

    def __init__(self, network: Component, carried: Sequence[str], burst: int) -> None:
        known = (port for port in network.ports.values() if port.causality in ("input", "output"))
        super().__init__(network.name, [Port(p.name, p.kind, p.causality, (), p.unit) for p in known])
        self._carried, self._burst = tuple(carried), burst
        self._past: list[tuple[float, float]] = []

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Show the outputs of the network FMU before a message: the start value, times of never."""
        for name in self.values:
            if re.match(r"received\b", name):
                self.values[name] = float(parameters["received.start"])
            elif re.match(r"(stamp|echoed|newest|energy\.far_time)\b", name):
                self.values[name] = _NEVER

    def message(self, stamp: float) -> list[float]:
        """Return the message that is sent at a time `stamp` [s]: stamp, value, companions."""
        return [stamp, self.values["value"], *(self.values[name] for name in self._carried)]

    @property
    def length(self) -> int:
        """Return the number of values in a message."""
        return 2 + len(self._carried)

    @property
    def newest(self) -> float:
        """Return the stamp of the newest message [s]."""
        return self.values["newest"]

    def deliver(self, message: Sequence[float]) -> None:
        """Give out a `message` until the next communication step is done."""
        stamp, value, *carried = message
        self._past = [(value, stamp), *self._past[: self._burst - 1]]
        for i, (kept, sent) in enumerate(self._past, start=1):
            self.values |= {_entry("received", i): kept, _entry("stamp", i): sent, _entry("valid", i): 1.0}
        self.values["newest"] = stamp
        brought = dict(zip(map(_input_of, self._carried), carried, strict=True))
        assert brought.keys() <= self.ports.keys(), "what nobody reads would be lost in silence"
        self.values |= brought

    def step(self, t: float, h: float) -> None:
        """Nothing has arrived since, unless it is delivered."""
        for i in range(1, self._burst + 1):
            self.values[_entry("valid", i)] = 0.0


def _entry(name: str, i: int) -> str:
    return name if i == 1 else f"{name}[{i}]"


def _input_of(name: str) -> str:
    """Return the output that gives out what the input `name` took."""
    if name == "echo":
        return "echoed"
    return _FAR.sub(r"energy.far_\1", name) if _FAR.fullmatch(name) else name.replace("carried", "brought")
