"""Signals that leave no part of the kernel out: what learns, everything for bad networks, both ends of a bond."""

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
BOND = {"take_back": 0.05, "source": "bond", "budget": 1.0}
ENDS = {"algorithm": "eros3", "latency": {"mode": "stamps"}, "quality": {"action": "hold"}}
EFFORT = {**ENDS, "bond": {"effort": "s", **BOND}}
FLOW = {**ENDS, "bond": {"flow": "s", **BOND, "take_back": 0.0}}
FOLLOWING = {"algorithm": "eros3", "latency": {"follow": "lag_and_gain", "offset": 0.03, "offset_max": 0.2}}
MODELLED = {"algorithm": "model", "latency": {"mode": "stamps"}, "burst": 2, "discontinuity": {"enabled": True}}
MODELLED |= {"model": {"A": [[0.0, 1.0], [-4.0, -0.1]], "B": [[0.0], [1.0]], "C": [[1.0, 0.0], [0.0, 1.0]]}}
SIGNALS = {"learning": LEARNING, "everything": EVERYTHING, "effort": EFFORT, "flow": FLOW, "following": FOLLOWING}
PERIODIC = {"algorithm": {"selected": "phasor", "frequency": 2.0}, "latency": {"mode": "stamps", "coast_steps": 5}}
SIGNALS |= {"modelled": MODELLED, "periodic": PERIODIC}
APART = ("effort", "flow", "following", "modelled", "periodic")
"""Those whose code other FMUs do without."""


def interface_of(signal: str | dict, timing: str = "step") -> Interface:
    """Return an interface with one signal `s`: one of `SIGNALS` by name, or a section."""
    section = dict(SIGNALS[signal] if isinstance(signal, str) else signal)
    bond = section.pop("bond", None)
    model = section.pop("model", None)
    more = {"bonds": {"shaft": bond}} if bond else {}
    more |= {"models": {"plant": {**model, "inputs": ["back"], "outputs": ["s", "other"]}}} if model else {}
    head = {"name": "bench", "macro_step": PERIOD, "timing": timing}
    return parse_interface({"interface": head, "signals": {"s": section}, **more}, "tests")


def references(interface: Interface) -> dict[str, int]:
    """Return the value references of the FMU of the signal `s` by name."""
    return {variable.name: i for i, variable in enumerate(runtime_settings(interface, "s").variables(), start=1)}
