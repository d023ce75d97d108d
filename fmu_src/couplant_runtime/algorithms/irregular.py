"""Spectral least squares on values of any age: the estimate is right where the ages are irregular.

With the values' times t_i and the time t of the estimate, all counted in macro steps from the newest value, the
weights h minimise h' (R + noise I) h - 2 h' r with R_ij = r(t_i - t_j), r_i = r(t - t_i), where r is the
autocorrelation of a signal with the given band, subject to sum h_i t_i^p = t^p for p = 0 .. degree (RESEARCH 3).

Times are whole numbers of ticks, TICKS of them a macro step, so that equal patterns of ages are recognised.
"""

from math import sqrt

TICKS = 65536


def weights(
    ages: list[int],
    count: int,
    lead: int,
    degree: int,
    noise: float,
    correlation: tuple[float, ...],
    gradient: tuple[float, ...],
) -> tuple[list[float], list[float]]:
    """Return the weights of the estimate at the macro point and of its change until the next one.

    Parameters
    ----------
    ages : list of int
        Ages relative to the newest value [ticks], ascending, the first 0; at least `count` of them.
    count : int
        Number of values used, at least 1.
    lead : int
        Time from the newest value to the macro point [ticks].
    degree : int
        Degree of the polynomials that are continued exactly; few values lower it.
    noise : float
        Variance of the noise as a share of the signal's.
    correlation, gradient : tuple of float
        r and its derivative at multiples of a fixed part of a macro step.

    Returns
    -------
    tuple of list of float
        `count` weights each, newest first, -.
    """
    rows = _exact_rows(count, degree)
    factor = _factor(ages, count, noise, correlation, gradient)
    powers = [_powers(ages, count, row) for row in range(rows)]
    solved = [_solve(factor, power, count) for power in powers]
    schur = _schur(count, powers, solved, rows)
    now, then = (
        _predictor(ages, count, lead + late, factor, powers, solved, schur, rows, correlation, gradient)
        for late in (0, TICKS)
    )
    return now, [then[i] - now[i] for i in range(count)]


def covariance(ticks: int, correlation: tuple[float, ...], gradient: tuple[float, ...]) -> float:
    """Return r at a distance of `ticks`, a cubic between the knots; beyond the end of the table the last value.

    Parameters
    ----------
    ticks : int
        Distance of two times, either sign [ticks].
    correlation, gradient : tuple of float
        r and its derivative at multiples of a fixed part of a macro step.
    """
    if ticks < 0:
        ticks = -ticks
    width = TICKS // 4
    cell = ticks // width
    if cell >= len(correlation) - 1:
        return correlation[-1]
    x = (ticks - cell * width) / width
    left = correlation[cell]
    step = correlation[cell + 1] - left
    start = gradient[cell] * 0.25 - step
    end = step - gradient[cell + 1] * 0.25
    return left + x * (step + (1.0 - x) * (start + x * (end - start)))


def _exact_rows(count: int, degree: int) -> int:
    """Return how many powers are continued exactly: a degree needs twice as many values, so that noise is damped."""
    allowed = (count - 1) // 2
    return (degree if degree < allowed else allowed) + 1


def _factor(ages, count, noise, correlation, gradient) -> list[list[float]]:
    """Return the lower triangle L of R + noise I = L L' (Cholesky), with the reciprocals of its diagonal."""
    lower = [[0.0] * count for _ in range(count)]
    for i in range(count):
        for j in range(i + 1):
            total = covariance(ages[i] - ages[j], correlation, gradient)
            if i == j:
                total = total + noise
            for k in range(j):
                total = total - lower[i][k] * lower[j][k]
            if i == j:
                lower[i][i] = 1.0 / sqrt(total if total > 0.5 * noise else 0.5 * noise)
            else:
                lower[i][j] = total * lower[j][j]
    return lower


def _solve(lower: list[list[float]], right: list[float], count: int) -> list[float]:
    """Return x with L L' x = right, from L with the reciprocals of its diagonal."""
    x = [0.0] * count
    for i in range(count):
        total = right[i]
        for k in range(i):
            total = total - lower[i][k] * x[k]
        x[i] = total * lower[i][i]
    for i in range(count - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, count):
            total = total - lower[k][i] * x[k]
        x[i] = total * lower[i][i]
    return x


def _scaled(ticks: int, ages: list[int], count: int) -> float:
    """Return a time in units of the span of the values, so that powers stay near 1."""
    span = ages[count - 1]
    return ticks / (span if span > 0 else TICKS)


def _power(x: float, exponent: int) -> float:
    value = 1.0
    for _ in range(exponent):
        value = value * x
    return value


def _powers(ages: list[int], count: int, exponent: int) -> list[float]:
    return [_power(-_scaled(ages[i], ages, count), exponent) for i in range(count)]


def _dot(left: list[float], right: list[float], count: int) -> float:
    total = 0.0
    for i in range(count):
        total = total + left[i] * right[i]
    return total


def _schur(count, powers, solved, rows) -> list[list[float]]:
    """Return the Cholesky factor of V' (R + noise I)^-1 V."""
    lower = [[0.0] * rows for _ in range(rows)]
    for i in range(rows):
        for j in range(i + 1):
            total = _dot(powers[i], solved[j], count)
            for k in range(j):
                total = total - lower[i][k] * lower[j][k]
            if i == j:
                lower[i][i] = 1.0 / sqrt(total if total > 1e-30 else 1e-30)
            else:
                lower[i][j] = total * lower[j][j]
    return lower


def _predictor(ages, count, ahead, factor, powers, solved, schur, rows, correlation, gradient) -> list[float]:
    """Return the weights of the estimate `ahead` ticks after the newest value."""
    right = [covariance(ahead + ages[i], correlation, gradient) for i in range(count)]
    free = _solve(factor, right, count)
    missing = [0.0] * rows
    at = _scaled(ahead, ages, count)
    for row in range(rows):
        missing[row] = _power(at, row) - _dot(powers[row], free, count)
    share = _solve(schur, missing, rows)
    for row in range(rows):
        for i in range(count):
            free[i] = free[i] + share[row] * solved[row][i]
    return free
