"""Weights of the algorithm `linear`: those of the settings, else those that fit any signal and its derivative."""

from __future__ import annotations

from couplant.analysis.hermite import hermite
from couplant.config.interface import MAX_STEPS, Signal
from couplant.config.latency import derivative_weights, own_weights, uses_derivative
from couplant_runtime.config import Weights


def weights_of(signal: Signal, k: int) -> tuple[Weights, ...]:
    """Return the weights of a signal by latency; `k` is its own [macro steps].

    Without weights in the settings, where the sender sends the derivative, they are those of `hermite`: for all
    latencies with stamps, else for its own and those of the steps without news that are bridged.
    """
    given, derived = own_weights(signal, k), derivative_weights(signal, k)
    if given or not uses_derivative(signal):
        bare: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
        return tuple(Weights(at, a, A, *derived.get(at, bare)) for at, (a, A) in sorted(given.items()))
    last = k + signal.latency.coast_steps if signal.latency.mode == "constant" else MAX_STEPS
    first = k if signal.latency.mode == "constant" else 0
    found = [hermite(at) for at in range(first, min(last, MAX_STEPS) + 1)]
    return tuple(Weights(one.k, one.a, one.A, one.b, one.B) for one in found)
