"""Latencies that a network replayed."""

from __future__ import annotations

from dataclasses import dataclass

from couplant.base.grid import latency_in_steps
from couplant.base.style import macro_steps, number


@dataclass(frozen=True)
class Replayed:
    """Latencies of the messages of a signal whose network replays measured ones."""

    shortest: float  # s
    median: float  # s
    longest: float  # s

    def words(self, macro_step: float) -> str:
        """Say them in ms and in macro steps ΔT = `macro_step` [s]."""
        low, high = (max(latency_in_steps(one / macro_step), 0) for one in (self.shortest, self.longest))
        span, middle = (f"{number(1e3 * one)}" for one in (self.shortest, self.median))
        if self.shortest == self.longest:
            return f"{span} ms ({macro_steps(high)})"
        steps = f"{low} to {macro_steps(high)}" if low != high else macro_steps(high)
        return f"{span} to {number(1e3 * self.longest)} ms, median {middle} ms ({steps})"
