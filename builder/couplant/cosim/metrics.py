"""Figures that judge an estimate.

C, M and P compare the signal with its estimate within one run (M. A. Sprague, T. L. Geers, Shock and Vibration 10,
2003); they say nothing about how far the coupled run is from the undelayed one. That is what mae, max and growth are
for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from couplant.cosim.result import METRICS, Trace

Array = NDArray[np.float64]
Metrics = dict[str, float | None]

WINDOW = 5.0
"""Length of the two windows whose rms values growth compares. [s]"""


def judge(trace: Trace) -> Metrics:
    """Return all figures of one signal.

    Returns
    -------
    dict
        mae and max of ŷ against the reference [signal unit], growth of y [-], C, M, P of y against ŷ, x 100 [-].
    """
    error = np.abs(trace.estimate - trace.reference)
    c, m, p = sprague_geers(trace.sent, trace.estimate)
    return {
        "mae": float(error.mean()),
        "max": float(error.max()),
        "growth": growth(trace.time, trace.sent),
        "C": c,
        "M": m,
        "P": p,
    }


def combine(traces: Sequence[Trace], per_signal: Sequence[Metrics]) -> Metrics:
    """Return the figures of a run: mae, C, M and P summed over its signals, max the largest, growth of all together.

    Growth comes from the rms over all signals, because position and velocity of an oscillation take turns: in a window
    that is not a whole number of periods one of them seems to grow.

    Parameters
    ----------
    per_signal : sequence of dict, length S
        Their figures; what is None is left out, and where all are None the result is None.
    """
    values = {key: [value for s in per_signal if (value := s[key]) is not None] for key in METRICS}
    figures = {key: (_largest if key == "max" else sum)(values[key]) if values[key] else None for key in METRICS}
    together = np.column_stack([trace.sent for trace in traces]) if traces else np.zeros((1, 0))
    return figures | {"growth": growth(traces[0].time, together) if traces else None}


def growth(time: Array, values: Array) -> float | None:
    """Return the rms over the last 5 s divided by the rms over the 5 s before.

    Parameters
    ----------
    time : ndarray, shape (N,)
        Macro points [s].
    values : ndarray, shape (N,) or (N, S)
        A signal, or S signals.

    Returns
    -------
    float or None
        Above 1: it grows. None for runs shorter than 10 s and where the earlier window holds zeros only.
    """
    age = time[-1] - time
    slack = 1e-6 * WINDOW
    if age[0] < 2 * WINDOW - slack:
        return None
    last, before = age < WINDOW - slack, (age >= WINDOW - slack) & (age < 2 * WINDOW - slack)
    earlier = _rms(values[before])
    return _rms(values[last]) / earlier if earlier > 0.0 else None


def sprague_geers(y: Array, y_hat: Array) -> tuple[float | None, float | None, float | None]:
    """Return the Sprague & Geers figures C, M and P, x 100.

    M = |sqrt(Σŷ²/Σy²) - 1|, P = arccos(Σyŷ / sqrt(Σy² Σŷ²)) / π, C = sqrt(M² + P²).

    Parameters
    ----------
    y, y_hat : ndarray, shape (N,)
        The signal and its estimate.

    Returns
    -------
    tuple of float or None
        None where one of the two is zero throughout.
    """
    scale = max(float(np.max(np.abs(y))), float(np.max(np.abs(y_hat))))
    if not math.isfinite(scale):
        return math.inf, math.inf, math.nan
    energy, estimated, product = (_dot(a, b, scale) for a, b in ((y, y), (y_hat, y_hat), (y, y_hat)))
    if energy == 0.0 or estimated == 0.0:
        return None, None, None
    m = abs(math.sqrt(estimated / energy) - 1.0)
    p = math.acos(min(1.0, max(-1.0, product / math.sqrt(energy * estimated)))) / math.pi
    return 100.0 * math.hypot(m, p), 100.0 * m, 100.0 * p


def _dot(a: Array, b: Array, scale: float) -> float:
    return math.fsum((a / scale) * (b / scale)) if scale > 0.0 else 0.0


def _rms(values: Array) -> float:
    with np.errstate(over="ignore"):
        return float(np.sqrt(np.mean(values**2)))


def _largest(values: Sequence[float]) -> float:
    return math.nan if any(math.isnan(value) for value in values) else max(values)
