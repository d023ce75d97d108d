"""Stage 4: find out whether the newest value breaks with the past.

The spectrum of the last 8 values minus the newest under a half Hann window (Baumann 2024, 5.3.1): a jump if the
sum of its bins exceeds `discontinuity.sensitivity` times the same sum one slot earlier, and a floor. Compared
along send steps: no news, no test.
"""

from math import sqrt

from . import events
from .config import BINS, WINDOW, Settings
from .guard import UNLIMITED, bounded
from .learning.foresight import foreseen
from .residual import residual_break
from .state import SLOTS, State

RELATIVE_FLOOR = 1e-9
RESIDUAL = 2


def discontinuity(c: Settings, s: State) -> None:
    """Test the slots filled since the last test while their window is kept; a jump begins the usable history anew."""
    s.detected = 0
    if not s.detection:
        s.tested = s.newest
        return
    oldest = s.newest - (SLOTS - WINDOW)
    if s.tested < oldest - 1:
        s.tested = oldest
        s.spectrum = _spectrum(c, s.past, SLOTS - WINDOW)
    while s.tested < s.newest:
        s.tested = s.tested + 1
        newest = s.newest - s.tested
        breaks = residual_break(s, newest) if s.detector == RESIDUAL else _spectral_break(c, s)
        jump = s.tested - s.origin + 1 >= WINDOW and breaks
        if jump and not (s.neural and newest == 0 and foreseen(s)):
            s.detected = 1
            s.flagged = 1
            s.anchor_before = s.anchor
            s.anchor = s.tested
            events.tell(s, events.DISCONTINUITY)


def _spectral_break(c: Settings, s: State) -> bool:
    s.spectrum_before = s.spectrum
    newest = s.newest - s.tested
    s.spectrum = _spectrum(c, s.past, newest)
    return _jump(s, abs(s.past[newest]))


def _jump(s: State, size: float) -> bool:
    floor = RELATIVE_FLOOR * size
    if s.floor > floor:
        floor = s.floor
    return s.spectrum > s.sensitivity * s.spectrum_before and s.spectrum > floor


def _spectrum(c: Settings, past: list[float], newest: int) -> float:
    """Return the sum of the magnitudes of all bins but the constant one, for the window that ends at `newest`."""
    total = 0.0
    steps = [past[newest + WINDOW - 1 - i] - past[newest] for i in range(WINDOW)]
    for row in range(BINS):
        real = 0.0
        imaginary = 0.0
        cosines = c.real[row]
        sines = c.imaginary[row]
        for i in range(WINDOW - 1):
            real = real + cosines[i] * steps[i]
            imaginary = imaginary + sines[i] * steps[i]
        total = total + sqrt(real * real + imaginary * imaginary)
    return bounded(total, UNLIMITED)
