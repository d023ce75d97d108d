"""Model-based coupling element (Stettinger 2014; Baumann 2024, 3-37): a second-order model of an input-output pair.

    y_n = -a_2 y_{n-1} - a_1 y_{n-2} + b_2 u_{n-1} + b_1 u_{n-2},    u the input of the prototype that sends y

u is known up to now, because this side gave it out, so the k values that are still under way follow from the model.
"""

from ..comparison.identification import Model, make_algorithm

ORDER = 2  # values, and inputs


def regressors(values: list[float], inputs: list[float], at: int) -> list[float]:
    """Return the values that the model weighs to continue `values` by one.

    `values`, at least ORDER [signal unit], and `inputs` [unit of u] are newest first; `at` is the position of the last
    input that acted before the continuation.
    """
    return [values[0], values[1], inputs[at], inputs[at + 1], 1.0]


needed, line, learn = make_algorithm(Model(ORDER, regressors))
