"""The latency of a signal in macro steps, the weights that hold for it, and the lead for the hold of its receiver.

A receiver that holds a value over its step sees it half a step late on average. Where a host does not read outputs
again, a loop through an output with direct feedthrough is late by one step more, and a quarter of a step on the side on
which that one is made up for, at the inputs of that output, made every loop tried better. On the other signals too it
amplifies what is rough in them; and in a host that reads again a stiff coupling has no lag that a lead could take off.
So nothing is proposed there. `tests/config/test_hold_lead.py` works all this out anew.
"""

from collections.abc import Iterator
from typing import Any

from couplant.base.grid import latency_in_steps
from couplant.base.written import real
from couplant.config.frame.sentences import Problem
from couplant.config.interface import MAX_STEPS, Latency, Signal
from couplant.config.models import MODEL
from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.generated.constants import FOLLOW_FARTHEST

OFF = "off"  # `latency.follow` of a lag that stays as it is set

PROPOSED = 0.25
"""Lead that is proposed: half of what the hold makes a receiver late by on average. [communication steps]"""

ADAPTS = ("irregular", "auto")  # algorithms that bound their gain at the latency they meet, which may vary

BY_DEFAULT = ("eros4", *ADAPTS)
"""Algorithms that have it without being asked where the host is known to add a step.

No loop tried at k = 1 to 5 was worse with it, but for loops that `irregular` does not bear without it either.
"""

OF_MODELS = 0.5
"""Lead of the algorithm `model` in step timing if nothing is said: what the receiver's hold adds. [communication steps]

A receiver holds an estimate for one of them, however long the macro step is.
"""

_FARTHEST_PROPOSED = {"foh": 3.0, "eros3": 4.0, "eros4": 6.0, "irregular": 6.0, "auto": 6.0}
_FARTHEST_SAFE = {"foh": 3.0, "smb": 3.0, "eros3": 4.0, "eros4": 3.0}

DERIVED = ("linear", "auto")  # algorithms that use the derivative of a signal, where the settings name one

Row = tuple[float, ...]
Pair = tuple[Row, Row]  # weights (a, A) of a linear algorithm, newest value first [-]


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
    lead = proposal(signal.latency, chosen, micro_step) if chosen in BY_DEFAULT else 0.0
    latency = signal.latency.model_copy(update={"hold_lead": lead}) if lead else signal.latency
    return signal.model_copy(update={"latency": latency})


def with_own_hold(signal: Signal, timing: str, micro_step: float = 1.0) -> Signal:
    """Return a signal with the lead for the hold that it has by itself in step timing, unless the settings say another.

    That is the algorithm `model`, and weights of the derivative that are worked out. `micro_step` is how long the
    receiver holds an estimate [macro steps].
    """
    chosen = signal.algorithm.selected
    worked_out = chosen == "linear" and uses_derivative(signal) and not own_weights(signal, 0)
    lead = micro_step * (OF_MODELS if chosen == MODEL else PROPOSED * worked_out)
    if not lead or timing != "step" or "hold_lead" in signal.latency.model_fields_set:
        return signal
    latency = signal.latency.model_copy(update={"hold_lead": lead})
    return signal.model_copy(update={"latency": latency})


def proposed_hold_lead(algorithm: str, reach: float | None) -> float:
    """Return the lead to propose for a signal whose `latency.host_lead` makes up for a path through its receiver.

    It is in communication steps, 0 where it would make loops worse that bear the `algorithm` without it: designs have
    a lead of their own, the observer does not stand fractions of a step. `reach` is the latency k plus
    `latency.host_lead` [macro steps], None where the latency is known from stamps only.
    """
    if reach is None:
        return PROPOSED if algorithm in ADAPTS else 0.0
    return PROPOSED if reach <= _FARTHEST_PROPOSED.get(algorithm, -1.0) else 0.0


def reaches_too_far(algorithm: str, reach: float) -> bool:
    """Tell whether `latency.host_lead` makes an algorithm predict so far that stiffly coupled loops become worse by it.

    `algorithm` and `reach` are those of `proposed_hold_lead`. Not known of algorithms that adapt their gain.
    """
    return reach > _FARTHEST_SAFE.get(algorithm, float("inf"))


def proposal(latency: Latency, algorithm: str, micro_step: float = 1.0) -> float:
    """Return the `latency.hold_lead` to propose for a signal that makes up for what a host adds [macro steps].

    0 where nothing is proposed, and where the settings say it themselves. `micro_step` is how long the receiver holds
    an estimate, the communication step [macro steps].
    """
    if latency.host_lead <= 0.0 or "hold_lead" in latency.model_fields_set:
        return 0.0
    constant = latency.mode == "constant"
    reach = latency.constant_steps + latency.host_lead if constant else None
    return micro_step * proposed_hold_lead(algorithm, reach)


def worth_trying(latency: Latency, algorithm: str) -> bool:
    """Tell whether a `latency.hold_lead` of `PROPOSED` is worth trying in step timing; it harms stiff couplings."""
    return algorithm in ADAPTS and not latency.hold_lead and "hold_lead" not in latency.model_fields_set


def is_risky(latency: Latency, algorithm: str) -> bool:
    """Tell whether the lead for the host makes the algorithm of a signal predict too far for stiff couplings."""
    known = latency.mode == "constant" and latency.host_lead > 0.0
    return known and reaches_too_far(algorithm, latency.constant_steps + latency.host_lead)


def follows(latency: Latency) -> bool:
    """Tell whether a signal learns the lag of its receiver."""
    return latency.follow != OFF


def asks_to_follow(table: Any) -> bool:
    """Tell whether the `table` ``latency`` of a scenario, not checked yet, asks for it."""
    return isinstance(table, dict) and table.get("follow", OFF) != OFF


def follow_problems(signal: Signal, macro_step: float, path: str) -> Iterator[Problem]:
    """Yield problems of the lag that a signal learns; `macro_step` is ΔT [s], `path` leads to its section."""
    latency, algorithm = signal.latency, signal.algorithm
    at = f"{path}.latency"
    keys = ("interface.macro_step", *(f"{at}.{key}" for key in ("follow", "offset", "offset_min", "offset_max")))
    if not follows(latency):
        return
    if latency.offset_max <= latency.offset_min:
        text = f"{at}.offset_max = {real(latency.offset_max)} s, allowed above offset_min"
        yield Problem(f"{text} = {real(latency.offset_min)} s: the longest lag that the receiver may have", keys)
    elif not latency.offset_min <= latency.offset <= latency.offset_max:
        allowed = f"{real(latency.offset_min)} to {real(latency.offset_max)} s, as offset_min and offset_max say"
        yield Problem(f"{at}.offset = {real(latency.offset)} s, allowed {allowed}", keys)
    if macro_step > 0.0:
        constant = latency.constant_steps if latency.mode == "constant" else 0
        most = min(FOLLOW_FARTHEST, float(MAX_STEPS - constant))
        if latency.offset_max > most * macro_step * (1.0 + 1e-6):
            text = f"{at}.offset_max = {real(latency.offset_max)} s, allowed up to {most:g} macro steps"
            yield Problem(f"{text}, {most * macro_step:g} s", keys)
    if BY_NAME[algorithm.selected].needs == "neural" or (algorithm.selected == "linear" and algorithm.a is not None):
        text = f'{at}.follow = "{latency.follow}", allowed "{OFF}" with weights for one latency'
        yield Problem(text, (*keys, f"{path}.algorithm"))
    if latency.follow == "lag_and_gain" and signal.signal.period > 0.0:
        text = f'{at}.follow = "lag_and_gain", allowed "{OFF}" and "lag" with a signal that wraps round'
        yield Problem(text, (*keys, f"{path}.signal.period"))
