"""Signals of a grid, the late values that an estimate is made of, and what others make of the same values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .runs import coupling, give

Row = NDArray[np.float64]
RMS = np.sqrt(0.5)
"""Root mean square of a fundamental of the amplitude 1."""

HARMONICS = ((5, 0.05, 0.3), (7, 0.04, 1.0), (11, 0.02, 2.0), (13, 0.015, 0.5))
"""Order, amplitude and phase of the harmonics: as EN 50160 has them about, total 6.8 %."""

STEADY = ("nominal", "higher", "lower", "ramp", "swing", "drift")
EVENT = 2.0033
"""When a phase jumps or a sag begins or ends; between two values. [s]"""


@dataclass(frozen=True)
class Wave:
    """A phase of a three-phase voltage with harmonics; `kind` tells how it departs from the nominal frequency."""

    kind: str = "nominal"
    nominal: float = 50.0  # [Hz]
    phase: int = 0  # of three
    harmonics: tuple[tuple[int, float, float], ...] = field(default=HARMONICS)

    def frequency(self, t: Row) -> Row:
        """Return the frequency at the times `t` [Hz]."""
        off = {
            "higher": 0.5 + 0.0 * t,
            "lower": -0.5 + 0.0 * t,
            "ramp": -0.5 + np.clip(0.5 * (t - 1.0), 0.0, 1.0),
            "swing": 0.5 * np.sin(0.2 * np.pi * t),
        }
        return self.nominal + off.get(self.kind, 0.0 * t)

    def angle(self, t: Row) -> Row:
        """Return the phase at the times `t`, evenly spaced from 0 on [rad]."""
        frequency = self.frequency(t)
        turned = np.concatenate(([0.0], np.cumsum(0.5 * (frequency[1:] + frequency[:-1])))) * (t[1] - t[0])
        angle = 2.0 * np.pi * (turned - self.phase / 3.0)
        if self.kind == "drift":
            return angle + 0.2 * np.sin(0.8 * np.pi * t)
        return angle + (np.pi / 6.0) * (t > EVENT) if self.kind == "jump" else angle

    def amplitude(self, t: Row) -> Row:
        """Return the amplitude of the fundamental at the times `t` [-]."""
        if self.kind == "drift":
            return 1.0 + 0.1 * np.sin(np.pi * t)
        if self.kind == "sag":
            return np.where(t > EVENT, 0.4, 1.0)
        return np.where((t > EVENT - 0.5) & (t < EVENT), 0.4, 1.0) if self.kind == "back" else np.ones_like(t)

    def values(self, t: Row) -> Row:
        """Return the signal at the times `t`."""
        angle = self.angle(t)
        shape = np.cos(angle) + sum(a * np.cos(h * angle + shift) for h, a, shift in self.harmonics)
        return self.amplitude(t) * shape


def estimates(
    values: Row, k: int, macro_step: float, algorithm: str | dict[str, object] = "phasor", **settings: object
) -> Row:
    """Return what a coupling in event timing gives out for the macro points, of `values` that arrive `k` steps late."""
    latency = {"mode": "stamps", "coast_steps": 64}
    driver = coupling(algorithm, 0, "event", macro_step, **({"latency": latency} | settings))
    out = np.zeros(len(values))
    for n in range(len(values)):
        late = n - k
        give(driver, values[max(late, 0)], stamp=max(late, 0) * macro_step, valid=late >= 0)
        driver.step(n * macro_step, macro_step)
        out[n] = driver.committed("debug.level") if algorithm else 0.0
    return out


def error(given: Row, truth: Row, part: slice | Row) -> float:
    """Return the rms of what is `given` out less the `truth`, over that of the fundamental [%]."""
    return float(100.0 * np.sqrt(np.mean((given - truth)[part] ** 2)) / RMS)


def fourier_shift(values: Row, k: int, share: float, orders: tuple[int, ...]) -> Row:
    """Return the dynamic phasors of a window of a nominal period, each turned on by its angle over the latency.

    `share` is the macro step in nominal periods, `orders` the harmonics that are taken, 0 the mean.
    """
    window = round(1.0 / share)
    out = np.zeros(len(values))
    at = np.arange(window)
    for order in orders:
        kernel = np.exp(2j * np.pi * order * share * at) / window
        phasor = np.convolve(values, kernel)[: len(values)]
        turned = (phasor * np.exp(2j * np.pi * order * share * k)).real
        late = np.concatenate((np.zeros(k), turned[: len(values) - k]))
        out += late if order == 0 else 2.0 * late
    return out


ANCHORS: dict[str, Callable[[Row, int, float], Row]] = {
    "wire": lambda values, k, share: np.concatenate((np.full(k, values[0]), values[: len(values) - k])),
    "Fourier, fundamental": lambda values, k, share: fourier_shift(values, k, share, (1,)),
    "Fourier, harmonics": lambda values, k, share: fourier_shift(values, k, share, (0, 1, 3, 5, 7, 9, 11, 13)),
}
"""What others give out, by name, of values `k` macro steps late, a macro step being `share` of a period."""
