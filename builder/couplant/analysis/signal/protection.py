"""What a recording tells to protect its receiver by: limits of the estimate, and the floor of what counts as a jump.

They stand in all settings that come of a recording, and what is judged of it is judged with them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from couplant.analysis.signal.sampling import proposed_floor
from couplant.tables import Recording

_MARGIN, _FASTER = 0.2, 2.0


def protection(recording: Recording, micro_step: float, step: float | None) -> dict[str, Any]:
    """Return the tables ``output`` and, for a quantised signal, ``discontinuity`` of its settings.

    `micro_step` is the communication step of the FMU [s], `step` that of quantisation [signal unit], None without one.
    """
    floor = proposed_floor(step)
    jumps = {"discontinuity": {"floor": floor}} if floor else {}
    return {"output": limits(recording, micro_step), **jumps}


def limits(recording: Recording, micro_step: float) -> dict[str, float]:
    """Return limits of the estimate: a fifth of the range around what was recorded, and a rate.

    In a communication step, `micro_step` [s], it lets pass twice what the signal changes by in a macro step: the value
    as it comes, which changes at once by all that it does until the next message, is never held back.
    """
    value = recording.value
    low, high = float(value.min()), float(value.max())
    # a constant signal: a span of its size
    span = high - low or max(1.0, abs(high))
    ends = {"min": _round_to_span(low - _MARGIN * span, span), "max": _round_to_span(high + _MARGIN * span, span)}
    rate = _FASTER * float(np.abs(np.diff(value)).max(initial=0.0)) / micro_step
    return ends | ({"rate_max": _round_to_span(rate, rate)} if rate else {})


def _round_to_span(value: float, span: float) -> float:
    """Return a value to a thousandth of a span."""
    # to three digits of the span: limits are no measurement
    return float(np.round(value, int(3 - np.floor(np.log10(span))))) if span > 0.0 else value
