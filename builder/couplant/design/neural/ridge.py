"""Weights from recordings: ridge regression of the value some macro steps later on the newest values.

    minimise   Σ (y_{n+κ} - y_n - Σ_l w_l (y_{n-l} - y_n))² + penalty · N · mean square difference · Σ w_l²

on differences to the newest value, so that the weights h_0 = 1 - Σ w_l, h_l = w_l keep constants exactly. With a bound
on the gain the penalty is on changes of the weights that it starts from, Σ (w_l - v_l)².
Number of values m and penalty are those with the least squared error on recordings that were left out.
"""

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.base.arrays import ComplexArray, Matrix, Vector
from couplant.base.errors import UsageError
from couplant.design.from_recording import design_for
from couplant.design.optimal import design
from couplant.tables import Recording

LARGEST_GAIN = {"event": 10.0, "step": 6.0}
"""Of learnt weights by timing, where no loop is known: with them every loop that was tried is stable. [-]"""

_FREQUENCIES = 256
_ROUNDING = 1e-20


@dataclass(frozen=True, eq=False)
class GainBound:
    """Largest gain of learnt weights, and weights that keep it: a recording does not show what a loop bears.

    Weights h are drawn towards weights p that keep the bound, those of a design or of ZOH, as far as it takes:
    p + s (h - p) with the largest s in [0, 1] for which |Σ_l (p + s (h - p))_l e^{-jωl}| <= b(ω) at all frequencies.
    The gain is convex in s, so each frequency gives one limit of s: the larger root of a quadratic.
    """

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


TAPS = (2, 3, 4, 6, 8, 10, 14, 20, 30, 40)
PENALTIES = (*(float(10.0**i) for i in np.arange(-6.0, 1.5, 0.5)), 1e6)
"""The last one leaves the weights where they start: what learning only makes worse stays as it is. [-]"""

FEW = 20  # past values of what a neural network starts as, and of what is learnt for a loop that does not bear more

BLOCKS = 4

_BLOCK = 1 << 15  # samples that are unfolded at a time
_EXACT = 1e-9  # share of the squared changes from which on a squared error by sums has digits enough to choose by [-]


@dataclass(frozen=True)
class Choice:
    """Choice of cross-validation."""

    m: int  # number of past values
    penalty: float  # relative to the mean square of the differences, -
    # root of the mean squared error at both ends of the macro step on what was left out, over that of ZOH, -
    error: float


@dataclass(frozen=True, eq=False)
class Learnt:
    """A linear algorithm learnt from recordings."""

    steps: int  # latency k, macro steps
    # a, slopes: shape (m,): weights a and A, newest first, -
    a: Vector
    slopes: Vector
    choice: Choice  # how m and penalty were chosen


def learn_linear(signals: Sequence[Vector], k: int, bound: GainBound | None = None, *, most: int = TAPS[-1]) -> Learnt:
    """Return the linear algorithm that fits recordings best, at the latency `k` [macro steps].

    `signals` have one value a macro step [signal unit]. Its gain keeps the `bound`; it has at most `most` values.
    Raises UsageError if the recordings are too short.
    """
    first, last = k, k + 1
    folds = _folds(signals)
    need = TAPS[0] + last + 20
    # a fold shorter than taps, horizon and some samples tells nothing
    if min(fold.size for fold in folds) < need:
        raise UsageError(f"the recordings are too short: {need} values are needed in each part of the validation")
    taps = [m for m in TAPS if m <= most and m + last + 20 <= min(fold.size for fold in folds)]
    scores = {(m, p): error for m in taps for p, error in _scores(folds, m, (first, last), bound).items()}
    # the least error on what was left out
    (m, penalty), error = min(scores.items(), key=lambda item: item[1])
    near, far = (fit(signals, m, horizon, penalty, bound) for horizon in (first, last))
    # A is the end less the start
    return Learnt(k, near, far - near, Choice(m, penalty, error))


def fit(signals: Sequence[Vector], m: int, horizon: int, penalty: float, bound: GainBound | None = None) -> Vector:
    """Return the weights of a predictor, newest first, shape (m,); they add up to 1.

    From `m` past values of the `signals` it predicts `horizon` macro steps; the `penalty` is relative to the mean
    square of the differences [-]. Its gain keeps the `bound`.
    """
    origin = _origin(m, horizon, bound)
    sums = reduce(operator.add, (_Gram.of(one, m, horizon, origin) for one in signals))
    return _solve(sums, origin, horizon, penalty, bound)


@dataclass(frozen=True, eq=False)
class _Gram:
    """Sums over N samples of inputs x and changes t: all that ridge regression needs to know of them."""

    xx: Matrix  # X'X, shape (m - 1, m - 1), signal unit²
    xt: Vector  # X't, shape (m - 1,), signal unit²
    tt: float  # t't, signal unit²
    count: int  # N

    @classmethod
    def of(cls, signal: Vector, m: int, horizon: int, origin: Vector | None = None) -> "_Gram":
        """Return the sums of a `signal`, block by block: a long one is never unfolded as a whole.

        X't is about an `origin`, as by `about`, but for cancellation.
        """
        found = cls(np.zeros((m - 1, m - 1)), np.zeros(m - 1), 0.0, 0)
        for x, t in _blocks(signal, m, horizon):
            rest = t if origin is None else t - x @ origin[1:]
            found = found + cls(x.T @ x, x.T @ rest, float(t @ t), len(t))
        return found

    def __add__(self, other: "_Gram") -> "_Gram":
        return _Gram(self.xx + other.xx, self.xt + other.xt, self.tt + other.tt, self.count + other.count)

    def about(self, origin: Vector) -> "_Gram":
        """Return the sums for what the changes are besides those that `origin` predicts, weights of shape (m,)."""
        return replace(self, xt=self.xt - self.xx @ origin[1:])

    def squared_error(self, w: Vector) -> float:
        """Return the sum of (t - X w)² with weights `w`, shape (m - 1,), signal unit²; rounding is left in it."""
        return self.tt - 2.0 * float(w @ self.xt) + float(w @ self.xx @ w)


def _origin(m: int, horizon: int, bound: GainBound | None) -> Vector:
    """Return the weights that ridge pulls towards, shape (m,), -: ZOH, or those that the bound starts from."""
    return np.eye(1, m).ravel() if bound is None else bound.origin(m, horizon)


def _solve(sums: _Gram, origin: Vector, horizon: int, penalty: float, bound: GainBound | None) -> Vector:
    """Return weights, shape (m,), of `sums` about an `origin`, which predict as far as the `horizon`."""
    m = origin.size
    # an age of 0 is known
    if horizon == 0:
        return np.eye(1, m).ravel()
    scale = float(np.trace(sums.xx)) / (sums.count * (m - 1)) if sums.count else 1.0
    # penalty per sample and mean square: the same for any unit and length
    stiff = penalty * sums.count * (scale or 1.0) * np.eye(m - 1)
    w = origin[1:] + np.linalg.solve(sums.xx + stiff, sums.xt)
    # weights add up to 1: constants stay, the newest takes the rest
    h = np.append(1.0 - float(w.sum()), w)
    return h if bound is None else bound.keep(h, origin)


def samples(signal: Vector, m: int, horizon: int) -> tuple[Vector, Vector]:
    """Return inputs, shape (N, m - 1), and changes to predict, shape (N,), both as differences to the newest value.

    The `signal` has one value a macro step [signal unit]; `m` past values predict it `horizon` macro steps ahead.
    """
    # windows newest first
    windows = np.lib.stride_tricks.sliding_window_view(signal[: signal.size - horizon], m)[:, ::-1]
    # differences to the newest: the sum of weights need not be learnt
    return windows[:, 1:] - windows[:, :1], signal[m - 1 + horizon :] - windows[:, 0]


def _folds(signals: Sequence[Vector]) -> list[Vector]:
    """Return the recordings, or parts of a single one."""
    if len(signals) > 1:
        return [np.asarray(signal, float) for signal in signals]
    # a single recording in four stretches: neighbouring samples are too alike to be split at random
    return np.array_split(np.asarray(signals[0], float), BLOCKS)


def _blocks(signal: Vector, m: int, horizon: int) -> Iterator[tuple[Vector, Vector]]:
    """Give the `samples` of a signal in blocks."""
    reach = m - 1 + horizon
    for first in range(0, signal.size - reach, _BLOCK):
        yield samples(signal[first : first + _BLOCK + reach], m, horizon)


def _scores(folds: Sequence[Vector], m: int, horizons: tuple[int, int], bound: GainBound | None) -> dict[float, float]:
    """Return the error on what was left out over that of ZOH, by penalty."""
    error, hold = np.zeros(len(PENALTIES)), 0.0
    for horizon in horizons:
        origin = _origin(m, horizon, bound)
        parts = [_Gram.of(fold, m, horizon) for fold in folds]
        for i, (fold, left_out) in enumerate(zip(folds, parts, strict=True)):
            # made of the other parts, judged on this one
            rest = reduce(operator.add, parts[:i] + parts[i + 1 :]).about(origin)
            weights = [_solve(rest, origin, horizon, penalty, bound)[1:] for penalty in PENALTIES]
            error += _squared_errors(left_out, weights, fold, horizon)
            hold += left_out.tt
    # over that of ZOH on the same samples
    shares = np.sqrt(error / hold) if hold > 0.0 else np.zeros_like(error)
    return dict(zip(PENALTIES, shares.tolist(), strict=True))


def _squared_errors(sums: _Gram, weights: Sequence[Vector], signal: Vector, horizon: int) -> Vector:
    """Return the squared errors of `weights` on a `signal`, whose sums are known, shape (len(weights),)."""
    found = np.array([sums.squared_error(w) for w in weights])
    if np.all(found > _EXACT * sums.tt):
        return found
    # a difference of nearly equal sums is rounding: what is that small is worked out value by value
    table = np.column_stack(weights)
    blocks = _blocks(signal, table.shape[0] + 1, horizon)
    return np.asarray(sum(np.sum((t[:, None] - x @ table) ** 2, axis=0) for x, t in blocks))
