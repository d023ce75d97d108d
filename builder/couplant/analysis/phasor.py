"""Phasors of a periodic signal as a linear filter: what `phasor` is while the frequency stays, in state space.

A value corrects constant part and phasors by gains that do not change from step to step, once a signal has been
followed for a period and as long as nothing jumps. With x the constant part, then real and imaginary parts, Φ what
turns them by a macro step, and h what adds up the signal:

    x_n = Φ x_{n-1} + g (y_n - h Φ x_{n-1}),    ŷ = h Φ^λ x_{n-k}    over a lead λ of k and more

So theory is about small deviations of a loop whose signals are followed. From rest, or after a jump, a loop with a gain
above a half may not come to that: what is not followed is given out as it comes, and that is another loop.

Where the frequency is followed too (``follow = "frequency"``) the filter changes with the signal itself: amplitude and
phase of the fundamental decide how an error moves the frequency. No time-invariant system has that.

Beside it stands what recordings tell of phasors: `couplant.analysis.signal.periodic` decides by that.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from couplant.base.arrays import ComplexArray, Matrix, Vector
from couplant.base.errors import UsageError
from couplant_runtime.algorithms.phasor import count_harmonics, place_poles
from couplant_runtime.generated.constants import PHASOR_HIGHEST, PHASOR_LONG, PHASOR_RANGE, PHASOR_SLOW

ONLY_FIXED = (
    'algorithm.follow = "frequency", allowed "off": theory covers phasor at its nominal frequency; what follows the '
    "frequency of a signal is not linear"
)
"""Sentence of a refusal."""


@dataclass(frozen=True)
class Phasor:
    """Phasors at a fixed frequency, ``follow = "off"``.

    Raises UsageError if a macro step cannot tell the frequency, or k is out of range.
    """

    k: int  # latency: age of the newest value, macro steps
    turns: float  # of the fundamental in a macro step, f ΔT, -
    harmonics: int = 13  # order of the highest harmonic, -
    lead: float = 0.0  # how much further than k it looks ahead, macro steps
    name: str = "phasor"  # for tables and legends

    def __post_init__(self) -> None:
        """Check the fields."""
        if not self.count:
            low, high = (turns / (1.0 + PHASOR_RANGE) for turns in (PHASOR_SLOW, PHASOR_HIGHEST))
            raise UsageError(f"phasor of {self.turns:g} turns in a macro step, allowed {low:.4g} to below {high:.4g}")

    @property
    def count(self) -> int:
        """Number of harmonics that are followed."""
        return count_harmonics(self.turns, self.harmonics)

    def turn_by(self, steps: float) -> Matrix:
        """Return Φ^steps, shape (1 + 2 count, 1 + 2 count): constant part and phasors after some macro `steps`."""
        found = np.eye(1 + 2 * self.count)
        for i in range(self.count):
            angle = 2.0 * np.pi * self.turns * (2 * i + 1) * steps
            place = slice(1 + 2 * i, 3 + 2 * i)
            found[place, place] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        return found

    @cached_property
    def gains(self) -> Vector:
        """Gains g of constant part and phasors, shape (1 + 2 count,): those of the kernel with its long memory."""
        constant, found = place_poles(2.0 * np.pi * self.turns, PHASOR_LONG / self.turns, self.count)
        return np.array([constant, *(part for gain in found for part in gain)])

    @cached_property
    def sum(self) -> Matrix:
        """Row h that adds up the signal, shape (1, 1 + 2 count): constant part and real parts."""
        return np.array([[1.0] + [1.0, 0.0] * self.count])

    @cached_property
    def kept(self) -> Matrix:
        """Matrix (I - g h) Φ that takes constant part and phasors over a macro step, but for the new value."""
        phi = self.turn_by(1.0)
        return np.asarray(phi - self.gains[:, None] @ (self.sum @ phi))

    @cached_property
    def line(self) -> tuple[Matrix, Matrix]:
        """Rows that give level and slope per macro step of the estimate, shape (1, 1 + 2 count) each."""
        level = self.sum @ self.turn_by(self.k + self.lead)
        return level, self.sum @ self.turn_by(self.k + self.lead + 1.0) - level

    def value(self, q: ComplexArray) -> ComplexArray:
        """Return the estimate at θ = 0 over the newest true value, shape as `q`."""
        return self._answer(self.line[0], q)

    def slope(self, q: ComplexArray) -> ComplexArray:
        """Return the slope of the estimate over the newest true value, shape as `q`."""
        return self._answer(self.line[1], q)

    def _answer(self, row: Matrix, q: ComplexArray) -> ComplexArray:
        z = np.asarray(q, dtype=complex)
        inner = np.eye(len(self.gains)) - z.reshape(-1, 1, 1) * self.kept
        state = np.linalg.solve(inner, np.broadcast_to(self.gains[:, None], (z.size, len(self.gains), 1)))
        return np.asarray(z**self.k * (row @ state).reshape(z.shape))


def strongest_line(value: Vector) -> float | None:
    """Return the turns in a macro step of the strongest line in the spectrum of a signal; None without any motion.

    `value` has the signal at the macro points, shape (N,).
    """
    wave = value - value.mean()
    if value.size < 16 or not float(np.abs(wave).max()) > 1e-9 * float(np.abs(value).max()):
        return None
    size = 1 << (value.size - 1).bit_length()
    power = np.abs(np.fft.rfft(wave * np.hanning(value.size), size)) ** 2
    place = int(power[1:-1].argmax()) + 1
    # a parabola through the logarithms of three lines: a Hann window is nearly one there
    below, there, above = np.log(np.maximum(power[place - 1 : place + 2], 1e-300))
    bend = below - 2.0 * there + above
    return float((place + (0.5 * (below - above) / bend if bend < 0.0 else 0.0)) / size)


def turns_between(value: Vector, turns: float, stretch: int) -> float:
    """Return by how much more than `turns` a phasor turns in a macro step, from stretch to stretch: the median.

    `value` has the signal at the macro points, shape (N,), a `stretch` so many of them.
    """
    backwards = np.exp(-2j * np.pi * turns * np.arange(value.size))
    pieces = ((value - value.mean()) * backwards)[: value.size // stretch * stretch]
    phasors = (pieces.reshape(-1, stretch) * np.hanning(stretch)).sum(axis=1)
    return float(np.median(np.angle(phasors[1:] * phasors[:-1].conj()))) / (2.0 * np.pi * stretch)


def fitted_waves(value: Vector, turns: float, count: int, stretch: int) -> tuple[float, float, list[float]]:
    """Return which share of the power `count` odd harmonics have, the power that chance has, and that of each.

    They are fitted into stretches by least squares, medians of which are returned. `value` has the signal at the macro
    points, shape (N,), a `stretch` so many of them; the fundamental turns by `turns` in each.
    """
    angle = 2.0 * np.pi * turns * np.arange(stretch)[:, None] * (2 * np.arange(count) + 1)
    waves = np.hstack([np.ones((stretch, 1)), np.cos(angle), np.sin(angle)])
    pieces = value[: value.size // stretch * stretch].reshape(-1, stretch).T
    parts, *_ = np.linalg.lstsq(waves, pieces)
    # by degrees of freedom: what is fitted takes its share of noise too
    left = ((pieces - waves @ parts) ** 2).sum(axis=0) / (stretch - waves.shape[1])
    whole = np.maximum(((pieces - pieces.mean(axis=0)) ** 2).sum(axis=0) / (stretch - 1), np.finfo(float).tiny)
    powers = np.median(parts[1 : 1 + count] ** 2 + parts[1 + count :] ** 2, axis=1)
    return float(np.median(1.0 - left / whole)), 4.0 * float(np.median(left)) / stretch, powers.tolist()
