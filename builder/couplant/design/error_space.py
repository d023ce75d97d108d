"""Extrapolation in error space (EROS): the procedure that makes coupling algorithms (dissertation 3.2).

Curves f_p(x) = y_{n-k} + Σ p_i g_i(x) with g_i(0) = 0 continue the newest value; x is its age in macro steps. With the
parameters p the curve of an earlier step would have missed the value h macro steps later by

    e_i(p) = y_{i-h} + Σ p_i g_i(h) - y_i                                                (3-13)

These errors are known up to i = n - k. They are continued h steps further, ê(p) = Σ w_j e_{n-k-j}(p), and the curve is
the one with the least |ê|. As Σ w_j = 1, that is Σ p_i g_i(h) = Σ w_j (y_{n-k-j} - y_{n-k-j-h}): linear in past values.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.base.arrays import Vector
from couplant.base.errors import require

Curve = Callable[[float], float]

FAMILIES = ("line", "parabola", "sine", "tone")
ENDS = ("last", "both")
EXTRAPOLATIONS = ("taylor", "fit")
MOST_ORDER = 6


@dataclass(frozen=True)
class ErrorSpace:
    """The points at which the procedure can be varied; the defaults make EROS3, `order` 2 EROS4.

    Any distance that is least where the error is 0 gives the same algorithm. Raises UsageError if a setting is not
    allowed.
    """

    # of the extrapolation of errors: the last term of the Taylor series, or the degree of the polynomial, 0 to 6
    order: int = 1
    # curves: ``line`` (x), ``parabola`` (x, x²), ``sine`` (sin ωx), ``tone`` (sin ωx, 1 - cos ωx), or functions g_i of
    # x [macro steps] that are 0 at 0
    family: str | Sequence[Curve] = "line"
    # {"last", "both"}: where the error is to be least: at the end of the macro step, h = k + 1, or at its start too, h
    # = k and k + 1, by least squares. A family with two parameters needs both
    ends: str = "last"
    # {"taylor", "fit"}: Taylor series with backward differences in place of derivatives (3-11), or the polynomial
    # through the errors
    extrapolation: str = "taylor"
    errors: int | None = None  # number of past errors; order + 1 if not given. More smooth the fit, by least squares
    frequency: float | None = None  # ω of ``sine`` and ``tone``, rad per macro step

    def __post_init__(self) -> None:
        """Check the settings."""
        if not isinstance(self.family, str):
            object.__setattr__(self, "family", tuple(self.family))
        require(0 <= self.order <= MOST_ORDER, f"order = {self.order}, allowed 0 to {MOST_ORDER}")
        require(self.ends in ENDS, f"ends = {self.ends!r}, allowed {', '.join(ENDS)}")
        named = f"extrapolation = {self.extrapolation!r}, allowed {', '.join(EXTRAPOLATIONS)}"
        require(self.extrapolation in EXTRAPOLATIONS, named)
        least, fits = self.order + 1, self.extrapolation == "fit"
        counted = f"errors = {self.errors}, allowed {least}" + (" and more" if fits else " with a Taylor series")
        require(self.count == least or (fits and self.count > least), counted)
        require(not isinstance(self.family, str) or self.family in FAMILIES,
               f"family = {self.family!r}, allowed {', '.join(FAMILIES)}")  # fmt: skip
        require((self.family in ("sine", "tone")) == (self.frequency is not None),
               "frequency belongs to the families sine and tone, which need it")  # fmt: skip

    @property
    def count(self) -> int:
        """Number of past errors."""
        return self.errors or self.order + 1

    @property
    def curves(self) -> tuple[Curve, ...]:
        """The functions g_i."""
        if not isinstance(self.family, str):
            return tuple(self.family)
        w = self.frequency or 0.0
        return {
            "line": (lambda x: x,),
            "parabola": (lambda x: x, lambda x: x * x),
            "sine": (lambda x: math.sin(w * x),),
            "tone": (lambda x: math.sin(w * x), lambda x: 1.0 - math.cos(w * x)),
        }[self.family]

    def continuation(self, ahead: int) -> Vector:
        """Return the weights w of the known errors, newest first, for the error `ahead` macro steps later."""
        count = self.count
        if self.extrapolation == "fit":
            through = np.linalg.pinv(np.vander(-np.arange(count, dtype=float), self.order + 1, increasing=True))
            return np.asarray(np.power(float(ahead), np.arange(self.order + 1)) @ through, dtype=float)
        weights, difference = np.zeros(count), np.eye(count)[0]
        for term in range(count):
            weights += ahead**term / math.factorial(term) * difference
            difference = difference - np.append(0.0, difference[:-1])
        return weights

    def algorithm(self, k: int) -> LinearAlgorithm:
        """Return the algorithm at the latency `k`, 0 to 64 macro steps.

        A curve that is no line is replaced by the line between its two ends of the macro step, as FMUs give it out.
        Raises UsageError if the errors at the ends do not tell the parameters of the curves.
        """
        # p as weights of the past values, shape (parameters, m)
        horizons = (k + 1,) if self.ends == "last" else (k, k + 1)
        reach = np.array([[g(float(h)) for g in self.curves] for h in horizons])
        rank, wanted = np.linalg.matrix_rank(reach), len(self.curves)
        told = f"the family has {wanted} parameters, allowed at k = {k} with ends = {self.ends!r}: {rank}"
        require(rank == wanted, told)
        changes = np.zeros((len(horizons), k + 1 + self.count))
        for row, h in zip(changes, horizons, strict=True):
            w = self.continuation(h)
            row[: w.size] += w
            row[h : h + w.size] -= w
        known = np.asarray(np.linalg.pinv(reach) @ changes, dtype=float)
        start, end = (np.array([g(float(k + late)) for g in self.curves]) for late in (0, 1))
        a = start @ known
        a[0] += 1.0
        return LinearAlgorithm(k, tuple(a), tuple((end - start) @ known), self.name)

    @property
    def name(self) -> str:
        """EROS3 or EROS4 if it is one of them."""
        plain = (self.family, self.ends, self.extrapolation) == ("line", "last", "taylor")
        return {1: "eros3", 2: "eros4"}.get(self.order, "eros") if plain else "eros"
