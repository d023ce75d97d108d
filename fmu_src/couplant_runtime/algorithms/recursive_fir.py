"""Recursive FIR filter (Stettinger 2017; Baumann 2024, 3-40): y_n = sum of a_l y_{n-l}, l = 1..4, identified online."""

from ..comparison.identification import Model, make_algorithm

ORDER = 4  # values


def regressors(values: list[float], inputs: list[float], at: int) -> list[float]:
    """Return the regressors that continue `values` [signal unit, newest first]; not `inputs`, wherever `at`."""
    return [*values[:ORDER], 1.0]


needed, line, learn = make_algorithm(Model(ORDER, regressors))
