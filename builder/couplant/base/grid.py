"""The grid of macro steps: how many of them a latency takes, and how many communication steps are in one."""

import math

TOLERANCE = 1e-6  # what a latency may exceed a whole number of macro steps by and still count as that number [-]
MOST_MICRO_STEPS = 100  # communication steps in a macro step at most


def latency_in_steps(latency: float) -> int:
    """Return k = ceil(τ/ΔT - 1e-6), the macro steps that a latency takes; `latency` is τ/ΔT [-]."""
    return math.ceil(latency - TOLERANCE)


def micro_steps_in(macro_step: float, micro_step: float | None) -> int:
    """Return how many communication steps of `micro_step` a `macro_step` has, both above 0 [s]; 0 if it is not whole.

    Where no `micro_step` is given it is one; more than a million count as not whole.
    """
    ratio = 1.0 if micro_step is None else macro_step / micro_step
    if not ratio <= 1e6:
        return 0
    return round(ratio) if abs(ratio - round(ratio)) <= TOLERANCE * ratio else 0
