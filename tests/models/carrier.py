"""The network written down a second time, in Python and with other means: what the network FMU is compared with."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

NEVER = -1.7976931348623157e308
VALUES = 8


def uniform(seed: int, message: int, stream: int) -> float:
    """Return a number in (0, 1) from the finaliser of splitmix64 (Steele, Lea, Flood 2014), once a word."""

    def mix(z):
        z = (z + 0x9E3779B97F4A7C15) % 2**64
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return z ^ (z >> 31)

    return ((mix(mix(mix(seed) ^ message) ^ stream) >> 12) + 0.5) / 2**52


@dataclass
class Carrier:
    """A network for values sent at whole multiples of `step` [s]; latencies in s, the settings of the FMU."""

    step: float
    latency: float = 0.0
    jitter: float = 0.0
    jitter_steps: int = 0
    order: int = 0  # of the Erlang distribution, 0: uniform
    loss: float = 0.0
    loss_run: float = 0.0
    batch: int = 1
    reordering: bool = True
    burst: int = 1
    offset: float = 0.0
    drift: float = 0.0
    seed: int = 1
    sent: list[tuple[float, float]] = field(default_factory=list)  # value, stamp
    on_the_way: list[tuple[float, int, float]] = field(default_factory=list)  # arrival, number, echo
    shown: dict[str, float] = field(default_factory=dict)

    def __post_init__(self):
        for i in range(1, VALUES + 1):
            self._show(i, 0.0, NEVER, 0.0)
        self.shown |= {"echoed": NEVER, "newest": NEVER}
        self.latest = 0.0

    def carry(self, value: float, echo: float) -> dict[str, float]:
        """Send at the next macro step; return the outputs at its end."""
        n = len(self.sent)
        self.sent.append((value, n * self.step * (1.0 + self.drift) + self.offset))
        if not self._loses(n):
            last = n - n % self.batch + self.batch - 1
            arrival = last * self.step + self._draw(n // self.batch)
            arrival = arrival if self.reordering else max(arrival, self.latest)
            self.latest = max(arrival, self.latest)
            self.on_the_way.append((arrival, n, echo))
        end = (n + 1 + 1e-6) * self.step
        here = [message for message in self.on_the_way if message[0] <= end]
        self.on_the_way = [message for message in self.on_the_way if message[0] > end]
        self._receive(max(here, key=lambda message: message[1], default=None))
        return dict(self.shown)

    def _loses(self, n: int) -> bool:
        if not self.loss_run or n == 0:
            self.losing = uniform(self.seed, n, 0) < self.loss
        elif self.losing:
            self.losing = uniform(self.seed, n, 0) < 1.0 - 1.0 / self.loss_run
        else:
            self.losing = uniform(self.seed, n, 0) < self.loss / self.loss_run / (1.0 - self.loss)
        return self.losing

    def _draw(self, n: int) -> float:
        if self.order:
            logs = [-math.log(uniform(self.seed, n, 3 + i)) for i in range(self.order)]
            return self.latency + self.jitter * math.fsum(logs) / self.order
        steps = math.floor(uniform(self.seed, n, 2) * (self.jitter_steps + 1))
        return self.latency + self.jitter * uniform(self.seed, n, 1) + steps * self.step

    def _receive(self, message: tuple[float, int, float] | None) -> None:
        for i in range(1, VALUES + 1):
            value, stamp = (self.shown[self._name(what, i)] for what in ("received", "stamp"))
            known = message is not None and i <= min(self.burst, message[1] + 1)
            self._show(i, *(self.sent[message[1] - i + 1] if known else (value, stamp)), float(known))
        if message is not None:
            self.shown["echoed"] = message[2]
            self.shown["newest"] = max(self.shown["newest"], message[1] * self.step)

    def _show(self, i: int, value: float, stamp: float, valid: float) -> None:
        self.shown |= {self._name("received", i): value, self._name("stamp", i): stamp, self._name("valid", i): valid}

    def _name(self, what: str, i: int) -> str:
        return what if i == 1 else f"{what}[{i}]"
