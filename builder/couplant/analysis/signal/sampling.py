"""How a signal was sampled: quantisation, senders slower than the macro step, noise, as its high differences tell it.

What follows for all settings that come of a recording, and for what is judged of it: limits of the estimate, and the
floor of what counts as a jump.
"""

from dataclasses import dataclass
from math import comb, sqrt
from typing import Any

import numpy as np

from couplant.base.arrays import Mask, Vector
from couplant.tables import Recording

FLOOR_STEPS = 2.0
"""What `discontinuity.floor` is proposed to be, steps of quantisation.

A single step is 1.55 in the spectral detector; the residual one misses a little less than two.
"""

_MARGIN, _FASTER = 0.2, 2.0
_LEVELS = 12  # fewer different values are states, such as gears, whose changes are jumps
_CHANGES = 32
_RUNS = 16
_SAME = 1e-9  # changes that are none, share of the range

_ORDERS = (4, 6, 8)  # of the differences. The middle one tells the noise, whether it is noise the others
_WHITE = 0.1  # by what share the deviation may fall from the first order to the last: white noise keeps it
_CHANCE = 4.0  # the same in standard deviations of a median of so many values
_SHORTEST = 64
_MEDIAN = 0.6744897501960817  # of |N(0, 1)|: where the normal distribution has reached three quarters [-]
_ROUNDING = 1e-12  # share of the largest value that is rounding


def quantum(recording: Recording) -> float | None:
    """Return the step of quantisation of a signal [signal unit]; None where there is none that looks like jumps.

    Nearly all changes are whole multiples of it, most of them one or two, and the size of a change is one more or less
    than the one before now and then: equal changes are a ramp. States with few levels and larger changes do not count.
    """
    changed = _changes(recording)
    steps = np.where(changed, np.abs(np.diff(recording.value)), 0.0)
    sizes = steps[changed]
    if sizes.size < _CHANGES:
        return None
    # the small changes: one step each, the least one without outliers
    least = float(np.quantile(sizes, 0.05, method="nearest"))
    # mean of all that are one step, to within 5 %
    step = float(sizes[np.abs(sizes / least - 1) <= 0.05].mean())
    multiples = np.round(steps / step)
    # 95 % of the changes are whole multiples of it
    whole = np.abs(sizes / step - multiples[changed]) <= 0.05
    # changes that differ by one step in a row: a staircase of a smooth signal has them, a program of states has not
    uneven = np.abs(np.diff(multiples)) == 1
    levels = np.unique(np.round((recording.value - recording.value[0]) / step)).size
    fits = whole.mean() >= 0.95 and np.mean(multiples[changed] <= 2) > 0.5 and uneven[changed[1:]].mean() >= 0.1
    return float(f"{step:.6g}") if fits and levels >= _LEVELS else None


def proposed_floor(step: float | None) -> float:
    """Return `discontinuity.floor` for a signal with a `step` of quantisation [signal unit]; 0 without one."""
    return 0.0 if step is None else float(f"{FLOOR_STEPS * step:.4g}")


def protection(recording: Recording, micro_step: float, step: float | None) -> dict[str, Any]:
    """Return the tables ``output`` and, for a quantised signal, ``discontinuity`` of its settings.

    `micro_step` is the communication step of the FMU [s], `step` that of quantisation [signal unit], None without one.
    """
    floor = proposed_floor(step)
    jumps = {"discontinuity": {"floor": floor}} if floor else {}
    return {"output": limits(recording, micro_step), **jumps}


def limits(recording: Recording, micro_step: float) -> dict[str, float]:
    """Return limits of the estimate: a fifth of the range around what was recorded, and a rate.

    In a communication step, `micro_step` [s], it lets pass twice what the signal changes by in a macro step: the value
    as it comes, which changes at once by all that it does until the next message, is never held back.
    """
    value = recording.value
    low, high = float(value.min()), float(value.max())
    # a constant signal: a span of its size
    span = high - low or max(1.0, abs(high))
    ends = {"min": _round_to_span(low - _MARGIN * span, span), "max": _round_to_span(high + _MARGIN * span, span)}
    rate = _FASTER * float(np.abs(np.diff(value)).max(initial=0.0)) / micro_step
    return ends | ({"rate_max": _round_to_span(rate, rate)} if rate else {})


def _round_to_span(value: float, span: float) -> float:
    """Return a value to a thousandth of a span."""
    # to three digits of the span: limits are no measurement
    return float(np.round(value, int(3 - np.floor(np.log10(span))))) if span > 0.0 else value


def repeats(recording: Recording) -> float | None:
    """Return how many macro steps a value stays that comes from a slower sender, at least 2; None from any other one.

    Nearly all values stay for a whole multiple of it; where its periods are no whole macro steps, a step more or less.
    Changes of one size after like times are the quantised ramp of a sender that is not slow.
    """
    # steps at which a new value came; runs are how long it stayed
    places = np.flatnonzero(_changes(recording))
    runs = np.diff(places)
    if runs.size < _RUNS or np.unique(recording.value).size < _LEVELS:
        return None
    # the usual length, and its neighbours where the sender's step is no multiple
    usual = np.quantile(runs, 0.5, method="nearest")
    near = runs[np.abs(runs - usual) <= 1]
    whole = np.mean(near == usual) > 0.8
    period = float(usual if whole else near.mean())
    # a longer run is a whole number of periods: a value that came out equal
    times = np.round(runs / period)
    regular = np.abs(runs - times * period) < 1.0
    sizes = np.abs(np.diff(recording.value))[places[1:]]
    # only a real signal changes by different amounts: a regular staircase is no slower sender
    varied = (whole & (times > 1)) | (np.abs(sizes - np.median(sizes)) > 0.05 * np.median(sizes))
    fits = regular.mean() >= 0.9 and varied.mean() >= 0.2
    return float(f"{period:.3g}") if fits and period >= 2 else None


def _changes(recording: Recording) -> Mask:
    """Return whether each value differs from the one before, from the second on."""
    value: Vector = recording.value
    # rounding of text files, or of doubles, is no change
    least = max(_SAME * float(np.ptp(value)), 4 * np.finfo(float).eps * float(np.abs(value).max()))
    changed: Mask = np.abs(np.diff(value)) > least
    return changed


@dataclass(frozen=True)
class Noise:
    """Measurement noise of a recording."""

    deviation: float  # its standard deviation, signal unit
    share: float  # the same over the rms of the values, -
    # it is white, as noise is; otherwise the signal itself may move as fast, and this is the most that noise can be
    certain: bool


def noise_of(recording: Recording) -> Noise | None:
    """Return the noise of a recording; None where it is too short or still, or no noise stands out of its rounding.

    A difference of order p leaves of a signal with the frequency w the share (2 sin(w/2))^p, next to nothing of a slow
    one, and of white noise sqrt(C(2p, p)) standard deviations. Their median counts, so that jumps do not. White noise
    has the same deviation by all orders, of anything slower a higher order tells less. Where most changes are
    whole steps of quantisation, the noise is a step over sqrt(12) at least. Values that a slower sender repeats count
    once.
    """
    value, held = recording.value, repeats(recording)
    if held is not None:
        # one value for each period of a slower sender
        places = np.round(np.arange(0.0, value.size - 0.5, held)).astype(int)
        value = value[places[places < value.size]]
    if value.size < _SHORTEST:
        return None
    deviations = []
    for order in _ORDERS:
        # differences of a high order leave noise and remove the signal; the first value off, so that large constants
        # do not cost digits
        median = float(np.median(np.abs(np.diff(value - value[0], order))))
        # a difference of order n has the variance of C(2n, n) values
        deviations.append(median / (_MEDIAN * sqrt(comb(2 * order, order))))
    step, least = quantum(recording), _ROUNDING * float(np.abs(value).max())
    # a rounding of step q has the deviation q/√12
    rounded = 0.0 if step is None else step / sqrt(12.0)
    if not max(deviations[1], rounded) > least:
        return None
    # a median of N normal values scatters by √(π/2/N) of its deviation
    chance = _CHANCE * sqrt(np.pi / 2.0 / value.size)
    # smaller for higher orders: the signal still moves there, no white noise
    falls = deviations[2] < (1.0 - _WHITE - chance) * deviations[0]
    # never below the rounding that the file shows
    found = rounded if deviations[1] <= rounded else deviations[2 if falls else 1]
    share = found / float(np.sqrt(np.mean(recording.value**2)))
    return Noise(float(f"{found:.4g}"), float(f"{share:.4g}"), deviations[1] <= rounded or not falls)
