"""The grid of macro steps: how many of them a latency takes."""

from __future__ import annotations

import math

TOLERANCE = 1e-6
"""What a latency may exceed a whole number of macro steps by and still count as that number. [-]"""

MOST_MICRO_STEPS = 100
"""Communication steps in a macro step at most."""


def latency_in_steps(latency: float) -> int:
    """Return k = ceil(τ/ΔT - 1e-6), the macro steps that a latency takes; `latency` is τ/ΔT [-]."""
    return math.ceil(latency - TOLERANCE)
