"""Recursive least squares that forgets only where it learns (Kulhavy 1987), so that nothing winds up.

    e = y - phi' p,    r = phi' P phi,    p += P phi e / (1 + r),    P -= P phi phi' P (l - (1 - l)/r) / (l (1 + r))

With plain forgetting, P / l, the covariance grows without end in every direction that the signal does not excite, and
the first new motion is answered by a burst. Only the lower triangle of P exists, so it is symmetric. Where a diagonal
element, measured in the ranges of the regressors, leaves its bounds, because the ranges have grown or rounding has
spoilt P, P begins anew; the parameters stay.
"""

from ..guard import UNLIMITED

CONFIDENCE = 1e8  # variance of parameters before the first sample, in ranges of the regressors [-]
GROWTH = 100.0  # of that variance, above which the covariance begins anew [-]
LEAST = 1e-12  # power of regressors below which nothing is learnt [-]


def start(covariance: list[float], scales: list[float]) -> None:
    """Set P to what is believed before the first sample.

    `covariance` is the lower triangle of P, row by row; `scales` are the ranges of the regressors, above 0.
    """
    for i in range(len(scales)):
        for j in range(i + 1):
            covariance[_at(i, j)] = CONFIDENCE / scales[i] / scales[i] if i == j else 0.0


def update(
    parameters: list[float],
    covariance: list[float],
    phi: list[float],
    y: float,
    forgetting: float,
    scales: list[float],
) -> bool:
    """Take one sample; False if the numbers ran out of bounds, so that nothing was learnt.

    Parameters
    ----------
    parameters, covariance : list of float
        p and the lower triangle of P, changed in place.
    phi : list of float
        Regressors.
    y : float
        What came out.
    forgetting : float
        l, above 0, at most 1 [-].
    scales : list of float
        Ranges of the regressors, above 0.
    """
    n = len(phi)
    error = y - dot(parameters, phi)
    along = [dot([covariance[_at(i, j)] for j in range(n)], phi) for i in range(n)]
    power = dot(along, phi)
    if not -UNLIMITED <= power <= UNLIMITED or not -UNLIMITED <= error <= UNLIMITED:
        return False
    if power < LEAST:
        if power < 0.0:
            start(covariance, scales)
        return True
    part = (forgetting - (1.0 - forgetting) / power) / (forgetting * (1.0 + power))
    for i in range(n):
        parameters[i] = parameters[i] + along[i] / (1.0 + power) * error
        for j in range(i + 1):
            covariance[_at(i, j)] = covariance[_at(i, j)] - part * along[i] * along[j]
    if not _bounded(covariance, scales):
        start(covariance, scales)
    return True


def _bounded(covariance: list[float], scales: list[float]) -> bool:
    for i in range(len(scales)):
        if not 0.0 < covariance[_at(i, i)] * scales[i] * scales[i] <= GROWTH * CONFIDENCE:
            return False
    return True


def dot(a: list[float], b: list[float]) -> float:
    """Return the sum of the products of `a` and `b`."""
    total = 0.0
    for i in range(len(a)):
        total = total + a[i] * b[i]
    return total


def _at(i: int, j: int) -> int:
    return i * (i + 1) // 2 + j if i >= j else j * (j + 1) // 2 + i
