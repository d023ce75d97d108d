"""Signals that leave no part of the kernel out: a network that learns, and everything for bad networks."""

from __future__ import annotations

import math

from couplant.config import parse_interface
from couplant.config.interface import Interface
from couplant.pack.settings import runtime_settings

PERIOD = 0.01
LEARNING = {"algorithm": "network", "latency": {"constant_steps": 3}, "discontinuity": {"enabled": True}}
LEARNING |= {"learning": {"cycle_steps": 20, "judge_steps": 10}, "quality": {"action": "warn"}}
EVERYTHING = {"algorithm": "auto", "latency": {"mode": "stamps", "clock": "free"}, "burst": 3}
EVERYTHING |= {"discontinuity": {"enabled": True, "detector": "residual"}, "quality": {"action": "hold"}}
EVERYTHING |= {"signal": {"period": 2.0 * math.pi}, "debug": True}
SIGNALS = {"learning": LEARNING, "everything": EVERYTHING}


def interface_of(signal: str | dict, timing: str = "step") -> Interface:
    """Return an interface with one signal `s`: one of `SIGNALS` by name, or a section."""
    section = SIGNALS[signal] if isinstance(signal, str) else signal
    head = {"name": "bench", "macro_step": PERIOD, "timing": timing}
    return parse_interface({"interface": head, "signals": {"s": section}}, "tests")


def references(interface: Interface) -> dict[str, int]:
    """Return the value references of the FMU of the signal `s` by name."""
    return {variable.name: i for i, variable in enumerate(runtime_settings(interface, "s").variables(), start=1)}
