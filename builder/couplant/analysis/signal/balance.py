"""Balance of energy that is transmitted through a power bond: by window, share and grade."""

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant_runtime.generated.constants import CREATED

WINDOW = 5.0  # time over which created energy is judged [s], but at least `WINDOW_STEPS` macro steps
WINDOW_STEPS = 100
BUDGETS = 4.0  # a budget over the largest energy that passes the bond in k + 1 macro steps [-]
_STILL = 1e-6  # energy that passes in a window in which nothing is judged, share of the most that passes in one
_NOISY = 1.5
"""What passes in macro steps over what passes in such of twice the length, above which most of it is noise [-]."""
_ONE_WAY = 0.9  # net energy above which power is transmitted on average, share of all that passes in a window


@dataclass(frozen=True)
class Span:
    """The energy of a stretch of time."""

    # start, end: from when to when [s]
    start: float
    end: float
    transmitted: float  # sum of the sizes of what passed in the macro steps [J]
    # effort, flow: energy that the estimates of effort and flow have created [J]
    effort: float
    flow: float

    @property
    def created(self) -> float:
        """Energy created, negative: lost [J]."""
        return self.effort + self.flow

    @property
    def share(self) -> float | None:
        """Created over transmitted energy [-]; None where nothing was transmitted."""
        return self.created / self.transmitted if self.transmitted > 0.0 else None

    @property
    def grade(self) -> str:
        """Grade as ``energy.grade`` of an FMU says it: creates, loses, neutral, unknown."""
        share = self.share
        if share is None:
            return "unknown"
        return "creates" if share > CREATED else "loses" if share < -CREATED else "neutral"

    def to_dict(self) -> dict[str, float | None]:
        """Return the figures for JSON."""
        return {**asdict(self), "created": self.created, "share": self.share}


@dataclass(frozen=True, eq=False)
class Passage:
    """Energy that is transmitted."""

    macro_step: float  # ΔT [s]
    time: Vector  # shape (N,): macro points [s]
    energy: Vector  # shape (N,): into the receiver of the effort since the start [J]

    @cached_property
    def passed(self) -> Vector:
        """Sizes of what passes in the macro steps, added up, shape (N,) [J]."""
        return np.concatenate([[0.0], np.cumsum(np.abs(np.diff(self.energy)))])

    @property
    def power(self) -> Vector:
        """Mean power in each macro step, shape (N - 1,) [W]."""
        return np.diff(self.energy) / np.diff(self.time)

    @property
    def noisy(self) -> bool:
        """True if mostly noise passes: with macro steps twice as long there is only half of it."""
        return float(self.passed[-1]) > _NOISY * float(np.abs(np.diff(self.energy[::2])).sum())

    def budget(self, k: int) -> float:
        """Return the budget to set at a latency of `k` macro steps [J]."""
        steps = min(k + 1, self.energy.size - 1)
        return BUDGETS * float(np.abs(self.energy[steps:] - self.energy[:-steps]).max())


@dataclass(frozen=True, eq=False)
class Balance:
    """Energy that a coupling has made of the energy that is transmitted."""

    passage: Passage  # what is transmitted
    # effort, flow: shape (N,): energy that the estimates of effort and flow have created since the start [J]
    effort: Vector
    flow: Vector

    @cached_property
    def created(self) -> Vector:
        """Energy that both have created since the start, shape (N,) [J]."""
        return self.effort + self.flow

    @property
    def window(self) -> int:
        """Macro steps that are judged together."""
        # long enough for a share: a window of seconds, but also of steps
        steps = max(WINDOW_STEPS, round(WINDOW / self.passage.macro_step))
        return min(steps, self.created.size - 1)

    def span(self, first: int, last: int) -> Span:
        """Return the energies from macro point `first` to `last`."""
        time, curves = self.passage.time, (self.passage.passed, self.effort, self.flow)
        return Span(float(time[first]), float(time[last]), *(float(one[last] - one[first]) for one in curves))

    @property
    def whole(self) -> Span:
        """All of it."""
        return self.span(0, -1)

    @property
    def last(self) -> Span:
        """The last window."""
        return self.span(-1 - self.window, -1)

    @property
    def largest(self) -> Span:
        """The window in which most energy is created, or least lost."""
        made = self.created
        # windows are differences of the running sum
        first = int(np.argmax(made[self.window :] - made[: -self.window]))
        return self.span(first, first + self.window)

    @property
    def grade(self) -> str:
        """Grade of the last window; unknown with fewer than 100 macro steps and where hardly anything passes."""
        passed = self.passage.passed
        most = float((passed[self.window :] - passed[: -self.window]).max())
        few = self.created.size <= WINDOW_STEPS
        # a window in which next to nothing passes has shares of noise
        return "unknown" if few or self.last.transmitted <= _STILL * most else self.last.grade

    @property
    def swing(self) -> float | None:
        """Energy that goes to and fro in the last window, mean of both ends, largest less smallest [J].

        None where power is transmitted one way: then it tells nothing about what is stored.
        """
        # the mean of both ends: half of what is created lies at each
        energy = (self.passage.energy + 0.5 * (self.effort - self.flow))[-1 - self.window :]
        # energy that goes one way only is transmitted, it does not swing
        one_way = abs(float(energy[-1] - energy[0])) > _ONE_WAY * float(np.abs(np.diff(energy)).sum())
        return None if one_way else float(np.ptp(energy))

    @property
    def growth(self) -> float | None:
        """Energy created per second over the `swing` [1/s]: the rate at which it makes energy grow, less friction."""
        swing, last = self.swing, self.last
        return None if not swing else last.created / (last.end - last.start) / swing

    def reversed_ends(self) -> tuple[bool, bool]:
        """Return for effort and flow whether what is received has the opposite sign of what is sent."""
        sent, shares = np.diff(self.passage.energy), (self.effort, self.flow)
        size = float(sent @ sent)
        # received energy that mirrors what is sent: their correlation is below -1/2
        effort, flow = ((sent + (1, -1)[i] * np.diff(own)) @ sent < -0.5 * size for i, own in enumerate(shares))
        return bool(effort), bool(flow)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        spans = {"whole": self.whole, "last": self.last, "largest": self.largest}
        figures = {"grade": self.grade, "swing": self.swing, "growth": self.growth}
        return figures | {name: one.to_dict() for name, one in spans.items()}
