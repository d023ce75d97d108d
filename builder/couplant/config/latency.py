"""The latency of a signal in macro steps, and the weights that hold for it."""

from __future__ import annotations

from couplant.base.grid import latency_in_steps
from couplant.config.interface import MAX_STEPS, Latency, Signal
from couplant.config.models import MODEL
from couplant.config.rules.hold_lead import (
    ADAPTS,
    BY_DEFAULT,
    OF_MODELS,
    PROPOSED,
    proposed_hold_lead,
    reaches_too_far,
)

DERIVED = ("linear", "auto")
"""Algorithms that use the derivative of a signal, where the settings name one."""

Row = tuple[float, ...]
Pair = tuple[Row, Row]
"""Weights (a, A) of a linear algorithm, newest value first. [-]"""


def added_steps(latency: Latency, macro_step: float) -> float:
    """Return the part of the lead beyond the age of the newest value [macro steps].

    `macro_step` is ΔT [s]; 0, when the importer gives it, leaves the offset out.
    """
    offset = latency.offset / macro_step if macro_step > 0 else 0.0
    return offset + (latency.host_lead + latency.hold_lead)


def latency_steps(latency: Latency, macro_step: float) -> int:
    """Return the latency k that is made up for in constant mode, leads included (docs/lateness.md).

    `macro_step` is ΔT [s]; 0, when the importer gives it, leaves the offset out.
    """
    lead = latency.constant_steps + added_steps(latency, macro_step)
    return max(0, latency_in_steps(max(-1.0, min(lead, 2.0 * MAX_STEPS + 2.0))))


def own_weights(signal: Signal, k: int) -> dict[int, Pair]:
    """Return the weights that the settings of a signal give, by latency; without `steps` they hold for its own, `k`."""
    algorithm = signal.algorithm
    found = {row.steps: (row.a, row.A) for row in algorithm.table}
    if algorithm.a is not None and algorithm.A is not None:
        found[k if algorithm.steps is None else algorithm.steps] = (algorithm.a, algorithm.A)
    return found


def derivative_weights(signal: Signal, k: int) -> dict[int, Pair]:
    """Return the weights (b, B) of the derivative that the settings of a signal give, by latency; `k` is its own."""
    algorithm = signal.algorithm
    found = {row.steps: (row.b, row.B) for row in algorithm.table if row.b is not None and row.B is not None}
    if algorithm.b is not None and algorithm.B is not None:
        found[k if algorithm.steps is None else algorithm.steps] = (algorithm.b, algorithm.B)
    return found


def uses_derivative(signal: Signal) -> bool:
    """Tell whether the FMU of a signal uses its derivative: by weights that are given, or by those that are worked out.

    Weights of the value alone do without it.
    """
    if signal.derivative is None or signal.algorithm.selected not in DERIVED:
        return False
    return bool(derivative_weights(signal, 0)) or not own_weights(signal, 0)


def with_hold(signal: Signal, micro_step: float) -> Signal:
    """Return a signal that makes up for what a host adds, with the lead for the hold that is the default then.

    `micro_step` is how long the receiver holds an estimate [macro steps].
    """
    chosen = signal.algorithm.selected
    lead = proposal(signal.latency, chosen) * micro_step if chosen in BY_DEFAULT else 0.0
    latency = signal.latency.model_copy(update={"hold_lead": lead}) if lead else signal.latency
    return signal.model_copy(update={"latency": latency})


def with_own_hold(signal: Signal, timing: str, micro_step: float = 1.0) -> Signal:
    """Return a signal with the lead for the hold that it has by itself in step timing, unless the settings say another.

    That is the algorithm `model`, and weights of the derivative that are worked out. `micro_step` is how long the
    receiver holds an estimate [macro steps].
    """
    chosen = signal.algorithm.selected
    worked_out = chosen == "linear" and uses_derivative(signal) and not own_weights(signal, 0)
    lead = OF_MODELS * micro_step if chosen == MODEL else PROPOSED * worked_out
    if not lead or timing != "step" or "hold_lead" in signal.latency.model_fields_set:
        return signal
    latency = signal.latency.model_copy(update={"hold_lead": lead})
    return signal.model_copy(update={"latency": latency})


def proposal(latency: Latency, algorithm: str) -> float:
    """Return the `latency.hold_lead` to propose for a signal that makes up for what a host adds [macro steps].

    0 where nothing is proposed, and where the settings say it themselves.
    """
    if latency.host_lead <= 0.0 or "hold_lead" in latency.model_fields_set:
        return 0.0
    constant = latency.mode == "constant"
    return proposed_hold_lead(algorithm, latency.constant_steps + latency.host_lead if constant else None)


def worth_trying(latency: Latency, algorithm: str) -> bool:
    """Tell whether a `latency.hold_lead` of `PROPOSED`, which harms stiff couplings, is worth trying in step timing."""
    return algorithm in ADAPTS and not latency.hold_lead and "hold_lead" not in latency.model_fields_set


def is_risky(latency: Latency, algorithm: str) -> bool:
    """Tell whether the lead for the host makes the algorithm of a signal predict too far for stiff couplings."""
    known = latency.mode == "constant" and latency.host_lead > 0.0
    return known and reaches_too_far(algorithm, latency.constant_steps + latency.host_lead)
