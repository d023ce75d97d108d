"""The latency of a signal in macro steps, and the weights that hold for it."""

from __future__ import annotations

from couplant.config.interface import MAX_STEPS, Latency, Signal
from couplant.grid import latency_in_steps

Pair = tuple[tuple[float, ...], tuple[float, ...]]
"""Weights (a, A) of a linear algorithm, newest value first. [-]"""


def latency_steps(latency: Latency, macro_step: float) -> int:
    """Return the latency k of the newest value in constant mode (docs/behaviour.md).

    `macro_step` is ΔT [s]; 0, when the importer gives it, leaves the offset out.
    """
    extra = latency.offset / macro_step if macro_step > 0 else 0.0
    return latency_in_steps(min(latency.constant_steps + extra, 2.0 * MAX_STEPS + 2.0))


def own_weights(signal: Signal, k: int) -> dict[int, Pair]:
    """Return the weights that the settings of a signal give, by latency; without `steps` they hold for its own, `k`."""
    algorithm = signal.algorithm
    found = {row.steps: (row.a, row.A) for row in algorithm.table}
    if algorithm.a is not None and algorithm.A is not None:
        found[k if algorithm.steps is None else algorithm.steps] = (algorithm.a, algorithm.A)
    return found
