"""Least squares with a prior: sums over samples, then a factorisation in pieces of bounded work.

Symmetric matrices are stored as their lower triangle, row by row.
"""

from math import sqrt

Vector = list[float]


def add_sample(matrix: Vector, right: Vector, features: Vector, target: float) -> None:
    """Add one sample to the normal equations: matrix += f f', right += f t.

    `matrix` is the lower triangle, `right` the right-hand side [-]; `features` are f, as many as there are weights, and
    `target` is t.
    """
    place = 0
    for row in range(len(features)):
        left = features[row]
        right[row] = right[row] + left * target
        for column in range(row + 1):
            matrix[place + column] = matrix[place + column] + left * features[column]
        place = place + row + 1


def damp(matrix: Vector, factor: Vector, n: int, damping: float) -> None:
    """Write `matrix` + `damping` times identity into `factor`; `n` rows."""
    place = 0
    for row in range(n):
        for column in range(row + 1):
            factor[place + column] = matrix[place + column]
        place = place + row + 1
        factor[place - 1] = factor[place - 1] + damping


def factor_column(factor: Vector, n: int, column: int) -> bool:
    """Carry out a `column` of the Cholesky factorisation in place; False if the matrix is not positive definite.

    `factor` is the lower triangle of `n` rows; the columns before are done.
    """
    top = column * (column + 1) // 2
    pivot = factor[top + column]
    for i in range(column):
        pivot = pivot - factor[top + i] * factor[top + i]
    if not pivot > 0.0:
        return False
    root = sqrt(pivot)
    factor[top + column] = root
    for row in range(column + 1, n):
        place = row * (row + 1) // 2
        value = factor[place + column]
        for i in range(column):
            value = value - factor[place + i] * factor[top + i]
        factor[place + column] = value / root
    return True


def solve(factor: Vector, right: Vector, n: int) -> Vector:
    """Return the solution of L L' x = `right` for a finished `factor` L of `n` rows."""
    x: list[float] = []
    for row in range(n):
        place = row * (row + 1) // 2
        value = right[row]
        for i in range(row):
            value = value - factor[place + i] * x[i]
        x.append(value / factor[place + row])
    for back in range(n):
        row = n - 1 - back
        value = x[row]
        for i in range(row + 1, n):
            value = value - factor[i * (i + 1) // 2 + row] * x[i]
        x[row] = value / factor[row * (row + 1) // 2 + row]
    return x


def trace(matrix: Vector, n: int) -> float:
    """Return the sum of the diagonal of a `matrix` of `n` rows."""
    total = 0.0
    for row in range(n):
        total = total + matrix[row * (row + 1) // 2 + row]
    return total
