"""Recursive FIR filter (Stettinger 2017; Baumann 2024, 3-40): y_n = sum of a_l y_{n-l}, l = 1..4, identified online."""

ORDER = 4


def regressors(values: list[float], inputs: list[float], at: int) -> list[float]:
    """Return what the model weighs to continue `values` by one.

    Parameters
    ----------
    values : list of float
        Values before, newest first, at least ORDER [signal unit].
    inputs : list of float
        Not used.
    at : int
        Not used.
    """
    return [*values[:ORDER], 1.0]
