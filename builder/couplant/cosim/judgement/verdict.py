"""Whether a coupling is stable, told from the growth of a run; what has no loop cannot become unstable."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from couplant.cosim.judgement.metrics import excess
from couplant.cosim.result import Run

STABLE, BORDERLINE, UNSTABLE, UNKNOWN = "stable", "borderline", "unstable", "unknown"

BORDERLINE_GROWTH = 1.02
"""A signal that grows faster than its reference by less than this: only a longer run can tell."""


def is_open_loop(settings: Mapping[str, Any]) -> bool:
    """Tell whether by the `settings` of a scenario every signal comes from a recording or goes nowhere."""
    components, signals = (settings.get(key) for key in ("components", "signals"))
    if not isinstance(components, Mapping) or not isinstance(signals, Mapping):
        return False
    return bool(signals) and all(_goes_nowhere(signal, components) for signal in signals.values())


def _goes_nowhere(signal: Mapping[str, Any], components: Mapping[str, Any]) -> bool:
    source = str(signal.get("from", "")).partition(".")[0]
    return not signal.get("to") or bool(components.get(source, {}).get("recording"))


def verdict(run: Run) -> str:
    """Tell stable from unstable by growth, and by theory where the run is too short to show it.

    A coupling is stable if neither its signals nor their estimates, nor a ripple in these, grow faster than the same
    system without delay.

    Returns
    -------
    str
        ``unstable`` if the growth is more than `BORDERLINE_GROWTH` times one and that of the reference, or if errors
        are not finite; ``borderline`` if it is larger by less, or if only theory says that the coupling is unstable;
        ``unknown`` without growth (too short a run).
    """
    error = run.metrics.get("mae")
    if error is not None and not math.isfinite(error):
        return UNSTABLE
    largest = excess(run.metrics.get("growth"), [*run.traces.values()])
    if largest is None:
        return UNKNOWN
    if largest <= 1.0:
        return BORDERLINE if run.radius is not None and run.radius >= 1.0 else STABLE
    return BORDERLINE if largest <= BORDERLINE_GROWTH else UNSTABLE
