"""Stage 4: find out whether the newest value breaks with the past.

The spectrum of the last 8 values minus the newest under a half Hann window (Baumann 2024, 5.3.1): a jump if the
sum of its bins exceeds `discontinuity.sensitivity` times the same sum one slot earlier, and a floor. Compared
along send steps: no news, no test.
"""

from math import sqrt

from ..config import Settings
from ..events import once
from ..generated import events
from ..generated.constants import LEAST_IN_SPECTRUM, RELATIVE_FLOOR
from ..generated.numbers import DETECT_RESIDUAL, SLOTS, WINDOW
from ..guard import UNLIMITED, bounded
from ..learning.foresight import foreseen
from ..state import State
from .residual import residual_break


def discontinuity(c: Settings, s: State) -> None:
    """Test the slots filled since the last test while their window is kept; a jump begins the usable history anew."""
    own, received = s.discontinuity, s.history
    own.detected = 0
    if not s.parameter.detection:
        own.tested = received.newest
        return
    oldest = received.newest - (SLOTS - WINDOW)
    if own.tested < oldest - 1:
        own.tested = oldest
        own.spectrum = _spectrum(c, received.past, SLOTS - WINDOW)
    while own.tested < received.newest:
        own.tested = own.tested + 1
        newest = received.newest - own.tested
        breaks = residual_break(s, newest) if s.parameter.detector == DETECT_RESIDUAL else _spectral_break(c, s)
        jump = own.tested - received.origin + 1 >= WINDOW and breaks
        if jump and not (s.neural is not None and newest == 0 and foreseen(s)):
            own.detected = 1
            own.flagged = 1
            own.anchor_before = s.switching.anchor
            s.switching.anchor = own.tested
            if not _rested(received.past, newest + 1):
                once(s, events.DISCONTINUITY)


def _rested(past: list[float], newest: int) -> bool:
    """Return whether the `past` has been one value up to the slot `newest`: then what comes is the start."""
    for value in past[newest + 1 :]:
        if value != past[newest]:
            return False
    return True


def _spectral_break(c: Settings, s: State) -> bool:
    own, past = s.discontinuity, s.history.past
    own.spectrum_before = own.spectrum
    newest = s.history.newest - own.tested
    own.spectrum = _spectrum(c, past, newest)
    return _jump(s, abs(past[newest]))


def _jump(s: State, size: float) -> bool:
    floor, noise = RELATIVE_FLOOR * size, LEAST_IN_SPECTRUM * s.parameter.noise
    if noise > floor:
        floor = noise
    if s.parameter.floor > floor:
        floor = s.parameter.floor
    now, before = s.discontinuity.spectrum, s.discontinuity.spectrum_before
    return now > s.parameter.sensitivity * before and now > floor


def _spectrum(c: Settings, past: list[float], newest: int) -> float:
    """Return the sum of the magnitudes of all bins but the constant one, for the window that ends at `newest`."""
    total = 0.0
    last = past[newest]
    steps = [value - last for value in past[newest + WINDOW - 1 : newest : -1]]
    for cosines, sines in zip(c.real, c.imaginary, strict=True):
        real = 0.0
        imaginary = 0.0
        for i in range(WINDOW - 1):
            step = steps[i]
            real = real + cosines[i] * step
            imaginary = imaginary + sines[i] * step
        total = total + sqrt(real * real + imaginary * imaginary)
    return bounded(total, UNLIMITED)
