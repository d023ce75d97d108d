"""Periodic signals: a fundamental with odd harmonics, found in the spectrum and held against stretches of the signal.

What counts is that the signal is such a wave over a few periods, the time that phasors remember. Amplitude, phase and
frequency may change from one stretch to the next: medians tell, so that a sag or a jump in one of them does not decide.
The page of the workbench decides by these very functions, translated, so that they leave arrays to others.
"""

import math
from dataclasses import dataclass
from typing import Any

from couplant.analysis.phasor import fitted_waves, strongest_line, turns_between
from couplant.base.arrays import Vector
from couplant.config.models import PHASOR
from couplant_runtime.algorithms.phasor import count_harmonics
from couplant_runtime.generated.constants import PHASOR_INSIDE
from couplant_runtime.generated.numbers import PHASORS

LEAST_SHARE = 0.8
"""Share of the power in fundamental and odd harmonics from which a signal is periodic. [-]"""

USUAL = (50.0 / 3.0, 50.0, 60.0, 400.0)  # frequencies of grids, railways and aircraft [Hz]

PERIODIC_SHIFTS = (0.95, 1.05)
"""How fast periodic signals are played besides: phasors follow their frequency by ten percent to both sides. [-]"""

_NEAR = 0.05  # of a usual frequency: half of what is followed, for a signal moves both ways [-]
_STRETCH = 4  # periods of a stretch at least
_LEAST_STRETCHES = 5
_CLEAR = 4.0  # power over that of chance from which a harmonic is there [-]
_SMALLEST = 1e-6  # power over that of the fundamental below which a harmonic does not matter [-]


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
    line = strongest_line(value)
    if line is None:
        return None
    stretch = _stretch(line)
    if len(value) < _LEAST_STRETCHES * stretch:
        return None
    turns = line + turns_between(value, line, stretch)
    nominal = round_frequency(turns / macro_step)
    count = count_harmonics(nominal * macro_step, 2 * PHASORS - 1)
    if not count:
        return None
    share, chance, powers = fitted_waves(value, turns, count, _stretch(turns))
    if not share >= LEAST_SHARE:
        return None
    clear = max(_CLEAR * chance, _SMALLEST * powers[0])
    highest = max(i for i in range(count) if i == 0 or powers[i] > clear)
    return Periodic(float(f"{turns / macro_step:.6g}"), nominal, 2 * highest + 1, share)


def round_frequency(found: float) -> float:
    """Return the nominal frequency that is proposed for the frequency `found` [Hz]."""
    near = [usual for usual in USUAL if abs(found - usual) < _NEAR * usual]
    if near:
        return float(f"{near[0]:.6g}")
    short = float(f"{found:.2g}")
    return short if abs(short - found) <= 0.01 * found else float(f"{found:.3g}")


def _stretch(turns: float) -> int:
    """Return the macro steps of a stretch: some periods, and enough values for all harmonics to be told apart."""
    count = max(1, count_harmonics(turns, 2 * PHASORS - 1))
    return max(math.ceil(_STRETCH / turns), 3 * (1 + 2 * count))
