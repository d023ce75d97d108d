"""Stage 4: find out whether the newest value breaks with the past.

The spectrum of the last 8 values minus the newest under a half Hann window (Baumann 2024, 5.3.1): a jump if the
sum of its bins exceeds `discontinuity.sensitivity` times the same sum one slot earlier, and a floor. Compared
along send steps: no news, no test.
"""

from math import sqrt

from ..config import Settings
from ..events import tell
from ..generated import events
from ..generated.constants import RELATIVE_FLOOR
from ..generated.numbers import BINS, DETECT_RESIDUAL, SLOTS, WINDOW
from ..guard import UNLIMITED, bounded
from ..learning.foresight import foreseen
from ..state import State
from .residual import residual_break


def discontinuity(c: Settings, s: State) -> None:
    """Test the slots filled since the last test while their window is kept; a jump begins the usable history anew."""
    s.discontinuity.detected = 0
    if not s.parameter.detection:
        s.discontinuity.tested = s.history.newest
        return
    oldest = s.history.newest - (SLOTS - WINDOW)
    if s.discontinuity.tested < oldest - 1:
        s.discontinuity.tested = oldest
        s.discontinuity.spectrum = _spectrum(c, s.history.past, SLOTS - WINDOW)
    while s.discontinuity.tested < s.history.newest:
        s.discontinuity.tested = s.discontinuity.tested + 1
        newest = s.history.newest - s.discontinuity.tested
        breaks = residual_break(s, newest) if s.parameter.detector == DETECT_RESIDUAL else _spectral_break(c, s)
        jump = s.discontinuity.tested - s.history.origin + 1 >= WINDOW and breaks
        if jump and not (s.neural is not None and newest == 0 and foreseen(s)):
            s.discontinuity.detected = 1
            s.discontinuity.flagged = 1
            s.discontinuity.anchor_before = s.switching.anchor
            s.switching.anchor = s.discontinuity.tested
            tell(s, events.DISCONTINUITY)


def _spectral_break(c: Settings, s: State) -> bool:
    s.discontinuity.spectrum_before = s.discontinuity.spectrum
    newest = s.history.newest - s.discontinuity.tested
    s.discontinuity.spectrum = _spectrum(c, s.history.past, newest)
    return _jump(s, abs(s.history.past[newest]))


def _jump(s: State, size: float) -> bool:
    floor = RELATIVE_FLOOR * size
    if s.parameter.floor > floor:
        floor = s.parameter.floor
    now, before = s.discontinuity.spectrum, s.discontinuity.spectrum_before
    return now > s.parameter.sensitivity * before and now > floor


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
