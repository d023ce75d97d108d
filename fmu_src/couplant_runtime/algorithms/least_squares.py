"""The equations of `irregular`: covariances of changes, powers of times, and their solution in one order of steps.

The module of the algorithm has the equations in words. Times are whole numbers of ticks, TICKS of them a macro step.
"""

from ..generated.constants import TICKS

Row = tuple[float, ...]
Matrix = list[list[float]]


def weights(
    ages: list[int],
    count: int,
    lead: int,
    degree: int,
    noise: float,
    correlation: Row,
    gradient: Row,
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
        Weights of the differences to the newest value, `count` - 1 each, newest first, -.
    """
    matrix, x, values = system(ages, count, lead, degree, correlation, gradient)
    return solve(matrix, x, values, len(matrix), noise)


def system(
    ages: list[int], count: int, lead: int, degree: int, correlation: Row, gradient: Row
) -> tuple[Matrix, Matrix, int]:
    """Return matrix and right sides without noise, and the number of weights.

    `ages`, `count`, `lead`, `degree`, `correlation` and `gradient` are those of `weights`.
    """
    values = count - 1
    # a degree needs twice as many values, so that noise is damped
    order = values + (degree if degree < values // 2 else values // 2)
    matrix = [[0.0] * order for _ in range(order)]
    x = [[0.0, 0.0] for _ in range(order)]
    _changes(matrix, x, values, ages, lead, correlation, gradient)
    _powers(matrix, x, values, ages, lead)
    return matrix, x, values


def solve(
    equations: Matrix, sides: Matrix, values: int, order: int, noise: float
) -> tuple[list[float], list[float]]:
    """Return the weights that solve equations of `system`.

    Parameters
    ----------
    equations, sides : list of list of float
        Matrix, its lower triangle, and two right sides of each row, without noise.
    values : int
        Number of weights; rows below are those of exact powers.
    order : int
        Number of rows that count, the first ones.
    noise : float
        Variance of the noise as a share of the signal's.
    """
    matrix, x = [row[:] for row in equations[:order]], [row[:] for row in sides[:order]]
    for i in range(values):
        for j in range(i):
            matrix[i][j] = matrix[i][j] + noise
        matrix[i][i] = matrix[i][i] + 2.0 * noise
        x[i][0] = x[i][0] + noise
        x[i][1] = x[i][1] + noise
    for k in range(order):
        _eliminate(matrix, x, k, k < values, 0.5 * noise)
    for i in range(order - 1, -1, -1):
        _substitute(matrix, x, i)
    return [x[i][0] for i in range(values)], [x[i][1] - x[i][0] for i in range(values)]


def covariance(ticks: int, correlation: Row, gradient: Row) -> float:
    """Return r at a distance of `ticks`, either sign, a cubic between the knots; beyond the table its last value.

    `correlation` and `gradient` are r and its derivative at multiples of a fixed part of a macro step.
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


def _changes(
    matrix: Matrix, x: Matrix, values: int, ages: list[int], lead: int, correlation: Row, gradient: Row
) -> None:
    """Fill in the covariances of the changes since the newest value, without noise: lower triangle and right sides."""
    whole = correlation[0]
    now = whole - covariance(lead, correlation, gradient)
    then = whole - covariance(lead + TICKS, correlation, gradient)
    past = [covariance(ages[i + 1], correlation, gradient) for i in range(values)]
    for i in range(values):
        age = ages[i + 1]
        for j in range(i):
            matrix[i][j] = covariance(age - ages[j + 1], correlation, gradient) - past[i] + (whole - past[j])
        matrix[i][i] = 2.0 * (whole - past[i])
        x[i][0] = covariance(lead + age, correlation, gradient) - past[i] + now
        x[i][1] = covariance(lead + TICKS + age, correlation, gradient) - past[i] + then


def _powers(matrix: Matrix, x: Matrix, values: int, ages: list[int], lead: int) -> None:
    """Fill in powers 1 .. degree of the times, in units of the span of the values, so that they stay near 1."""
    span = ages[values]
    unit = 1.0 / (span if span > 0 else TICKS)
    now = lead * unit
    then = (lead + TICKS) * unit
    for row in range(values, len(matrix)):
        first = row == values
        for i in range(values):
            matrix[row][i] = (1.0 if first else matrix[row - 1][i]) * (-ages[i + 1] * unit)
        x[row][0] = (1.0 if first else x[row - 1][0]) * now
        x[row][1] = (1.0 if first else x[row - 1][1]) * then


def _eliminate(matrix: Matrix, x: Matrix, k: int, positive: bool, least: float) -> None:
    """Take equation k out of those below it; L' comes above the diagonal, the reciprocal of D on it.

    Pivots of weights are `positive`, at least `least`; those of Lagrange multipliers are negative.
    """
    pivot = matrix[k][k]
    if positive:
        pivot = pivot if pivot > least else least
    else:
        pivot = pivot if pivot < -1e-30 else -1e-30
    inverse = 1.0 / pivot
    matrix[k][k] = inverse
    for i in range(k + 1, len(matrix)):
        factor = matrix[i][k] * inverse
        matrix[k][i] = factor
        for j in range(k + 1, i + 1):
            matrix[i][j] = matrix[i][j] - factor * matrix[j][k]
        x[i][0] = x[i][0] - factor * x[k][0]
        x[i][1] = x[i][1] - factor * x[k][1]


def _substitute(matrix: Matrix, x: Matrix, i: int) -> None:
    """Solve equation i, those below it being solved."""
    now = x[i][0] * matrix[i][i]
    then = x[i][1] * matrix[i][i]
    for k in range(i + 1, len(matrix)):
        now = now - matrix[i][k] * x[k][0]
        then = then - matrix[i][k] * x[k][1]
    x[i][0] = now
    x[i][1] = then
