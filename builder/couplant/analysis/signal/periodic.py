"""Periodic signals: a fundamental with odd harmonics, found in the spectrum and held against stretches of the signal.

What counts is that the signal is such a wave over a few periods, the time that phasors remember. Amplitude, phase and
frequency may change from one stretch to the next: medians tell, so that a sag or a jump in one of them does not decide.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.config.models import PHASOR
from couplant_runtime.algorithms.phasor import count_harmonics
from couplant_runtime.generated.constants import PHASOR_INSIDE
from couplant_runtime.generated.numbers import PHASORS

LEAST_SHARE = 0.8
"""Share of the power in fundamental and odd harmonics from which a signal is periodic. [-]"""

USUAL = (50.0 / 3.0, 50.0, 60.0, 400.0)  # frequencies of grids, railways and aircraft [Hz]
_NEAR = 0.05  # of a usual frequency: half of what is followed, for a signal moves both ways [-]
_STRETCH = 4  # periods of a stretch at least
_LEAST_STRETCHES = 5
_CLEAR = 4.0  # power over that of chance from which a harmonic is there [-]
_SMALLEST = 1e-3  # amplitude over that of the fundamental below which a harmonic does not matter [-]


@dataclass(frozen=True)
class Periodic:
    """A periodic signal as settings have it."""

    frequency: float  # of the fundamental as found, Hz
    nominal: float  # round number near it, Hz
    harmonics: int  # order of the highest odd harmonic that is there
    share: float  # of the power in fundamental and odd harmonics, median of stretches, -

    def algorithm(self, follow: str = "frequency") -> dict[str, Any]:
        """Return the table ``algorithm`` of a signal; `follow` is ``frequency``, or ``off`` if it is known."""
        return {"selected": PHASOR, "frequency": self.nominal, "harmonics": self.harmonics, "follow": follow}

    def reaches(self, factor: float) -> bool:
        """Tell whether the signal played `factor` times as fast [-] has a frequency that is followed."""
        return abs(factor * self.frequency - self.nominal) < PHASOR_INSIDE * self.nominal


def periodic(value: Vector, macro_step: float) -> Periodic | None:
    """Return fundamental and harmonics of a periodic signal; None if it is none, or the macro step cannot tell it.

    `value` has the signal at the macro points, shape (N,), `macro_step` is ΔT [s].
    """
    turns = _fundamental(value)
    if turns is None:
        return None
    stretch = _stretch(turns)
    if value.size < _LEAST_STRETCHES * stretch:
        return None
    turns = _refine(value, turns, stretch)
    nominal = round_frequency(turns / macro_step)
    count = count_harmonics(nominal * macro_step, 2 * PHASORS - 1)
    if not count:
        return None
    share, powers = _fit(value, turns, count, _stretch(turns))
    if not share >= LEAST_SHARE:
        return None
    highest = max(i for i in range(count) if i == 0 or powers[i] > 0.0)
    return Periodic(float(f"{turns / macro_step:.6g}"), nominal, 2 * highest + 1, share)


def round_frequency(found: float) -> float:
    """Return the nominal frequency that is proposed for the frequency `found` [Hz]."""
    near = [usual for usual in USUAL if abs(found - usual) < _NEAR * usual]
    # two digits where they are within a percent, else three
    short = [float(f"{found:.{digits}g}") for digits in (2, 3)]
    return float(f"{near[0]:.6g}") if near else short[abs(short[0] - found) > 0.01 * found]


def _stretch(turns: float) -> int:
    """Return the macro steps of a stretch: some periods, and enough values for all harmonics to be told apart."""
    count = max(1, count_harmonics(turns, 2 * PHASORS - 1))
    return max(int(np.ceil(_STRETCH / turns)), 3 * (1 + 2 * count))


def _fundamental(value: Vector) -> float | None:
    """Return the turns of the strongest line of the spectrum in a macro step; None without any motion."""
    wave = value - value.mean()
    if value.size < 16 or not float(np.abs(wave).max()) > 1e-9 * float(np.abs(value).max()):
        return None
    power = np.abs(np.fft.rfft(wave * np.hanning(value.size))) ** 2
    place = int(power[1:-1].argmax()) + 1
    # a parabola through the logarithms of three lines: a Hann window is nearly one there
    below, there, above = np.log(np.maximum(power[place - 1 : place + 2], 1e-300))
    bend = below - 2.0 * there + above
    return float((place + (0.5 * (below - above) / bend if bend < 0.0 else 0.0)) / value.size)


def _refine(value: Vector, turns: float, stretch: int) -> float:
    """Return the turns in a macro step by how far the fundamental turns from one stretch to the next: the median."""
    time = np.arange(value.size)
    pieces = ((value - value.mean()) * np.exp(-2j * np.pi * turns * time))[: value.size // stretch * stretch]
    phasors = (pieces.reshape(-1, stretch) * np.hanning(stretch)).sum(axis=1)
    return turns + float(np.median(np.angle(phasors[1:] * phasors[:-1].conj()))) / (2.0 * np.pi * stretch)


def _fit(value: Vector, turns: float, count: int, stretch: int) -> tuple[float, Vector]:
    """Return the share of the power that `count` odd harmonics have, and the power of each, 0 where it is chance.

    Both are medians of stretches, into each of which they are fitted by least squares.
    """
    angle = 2.0 * np.pi * turns * np.arange(stretch)[:, None] * (2 * np.arange(count) + 1)
    waves = np.hstack([np.ones((stretch, 1)), np.cos(angle), np.sin(angle)])
    pieces = value[: value.size // stretch * stretch].reshape(-1, stretch).T
    parts, *_ = np.linalg.lstsq(waves, pieces)
    free = stretch - waves.shape[1]
    # by degrees of freedom: what is fitted takes its share of noise too
    left = ((pieces - waves @ parts) ** 2).sum(axis=0) / free
    whole = np.maximum(((pieces - pieces.mean(axis=0)) ** 2).sum(axis=0) / (stretch - 1), np.finfo(float).tiny)
    powers = np.median(parts[1 : 1 + count] ** 2 + parts[1 + count :] ** 2, axis=1)
    chance = 4.0 * float(np.median(left)) / stretch
    there = powers > max(_CLEAR * chance, _SMALLEST**2 * float(powers[0]))
    return float(np.median(1.0 - left / whole)), np.where(there, powers, 0.0)
