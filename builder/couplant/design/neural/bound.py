"""A bound on the gain of learnt weights: a recording shows where errors are small, not what a loop bears.

Weights h are drawn towards weights p that keep the bound, those of a design or of ZOH, as far as it takes:
p + s (h - p) with the largest s in [0, 1] for which |Σ_l (p + s (h - p))_l e^{-jωl}| <= b(ω) at all frequencies. The
gain is convex in s, so each frequency gives one limit of s: the larger root of a quadratic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.base.arrays import ComplexArray, Vector
from couplant.design.from_recording import design_for
from couplant.design.optimal import design
from couplant.tables import Recording

LARGEST_GAIN = {"event": 10.0, "step": 6.0}
"""Of learnt weights by timing, where no loop is known: with them every loop that was tried is stable. [-]"""

_FREQUENCIES = 256
_ROUNDING = 1e-20


@dataclass(frozen=True, eq=False)
class GainBound:
    """Largest gain of learnt weights, and weights that keep it."""

    most: Vector  # shape (N,): largest gain b at frequencies from 0 to Nyquist, evenly spaced, at least 1, -
    # shapes (m,): designed weights by horizon [macro steps], newest first, -; the design with most values comes first
    designed: Mapping[int, Sequence[Vector]]

    def origin(self, m: int, horizon: int) -> Vector:
        """Return the weights that learning starts from, shape (m,), -: a design of at most `m` values, else ZOH.

        They predict as far as `horizon` [macro steps].
        """
        zoh = np.eye(1, m).ravel()
        known = next((one for one in self.designed.get(horizon, ()) if one.size <= m), None)
        if known is None:
            return zoh
        found = np.pad(known, (0, m - known.size))
        return found if np.all(gain(found, self.most.size) <= self.most) else zoh

    def keep(self, h: Vector, origin: Vector) -> Vector:
        """Return weights `h`, shape (m,), drawn towards their `origin`, shape (m,), until they keep the bound [-]."""
        start, change = _response(origin, self.most.size), _response(h - origin, self.most.size)
        a, b = np.abs(change) ** 2, (start.conj() * change).real
        c = np.minimum(np.abs(start) ** 2 - self.most**2, 0.0)
        moving = a > _ROUNDING * a.max(initial=0.0)
        a, b, c = a[moving], b[moving], c[moving]
        share = (np.sqrt(b * b - a * c) - b) / a
        return origin + float(share.min(initial=1.0)) * (h - origin)


def gain(h: Vector, count: int = _FREQUENCIES) -> Vector:
    """Return |Σ_l h_l e^{-jωl}| of weights `h`, at `count` frequencies from 0 to Nyquist, shape (count,), -."""
    return np.asarray(np.abs(_response(h, count)), dtype=float)


def largest_gain(algorithm: LinearAlgorithm) -> float:
    """Return the largest gain at either end of the macro step, -."""
    a = np.array(algorithm.a)
    return float(max(gain(a).max(), gain(a + np.array(algorithm.A)).max()))


def gain_bound(recording: Recording, k: int, timing: str, peak: float | None = None) -> GainBound:
    """Return the bound for weights that are learnt on a recording, at the latency `k` [macro steps].

    With `peak`, at least 1, that is the largest gain [-]; else `LARGEST_GAIN` of the `timing`, or as many times the
    bound of a design from the recording as that is times the usual peak of designs, if that is more.
    """
    most = np.full(_FREQUENCIES, LARGEST_GAIN[timing] if peak is None else peak)
    if recording.constant or k == 0:
        return GainBound(most, {})
    one = design_for(recording, k)
    if peak is None:
        room = LARGEST_GAIN[timing] / one.task.peak
        omega = np.linspace(0.0, np.pi, _FREQUENCIES) / recording.macro_step
        most = np.maximum(most, np.where(omega > one.task.band[1], room * one.task.bound(omega), 1.0))
    fewer = (design(replace(one.task, m=m)) for m in (14,) if m < one.task.m)
    ends = [[predictor.h for predictor in each.predictors] for each in (one, *fewer)]
    return GainBound(most, {k: [near for near, _ in ends], k + 1: [far for _, far in ends]})


def _response(h: Vector, count: int) -> ComplexArray:
    return np.asarray(_turns(count, h.size) @ h, dtype=complex)


@cache
def _turns(count: int, size: int) -> ComplexArray:
    return np.asarray(np.exp(-1j * np.outer(np.linspace(0.0, np.pi, count), np.arange(size))), dtype=complex)
