"""How a signal was sampled: steps of quantisation, and senders slower than the macro step that repeat their values."""

from __future__ import annotations

import numpy as np

from couplant.base.arrays import Mask, Vector
from couplant.tables import Recording

FLOOR_STEPS = 2.0
"""What `discontinuity.floor` is proposed to be, steps of quantisation.

A single step is 1.55 in the spectral detector; the residual one misses a little less than two.
"""

_LEVELS = 12
"""Fewer different values are states, such as gears, whose changes are jumps."""
_CHANGES = 32
_RUNS = 16
_SAME = 1e-9
"""Changes that are none, share of the range."""


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
