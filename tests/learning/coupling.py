"""A coupling with a network in the Python runtime, built from a configuration."""

from __future__ import annotations

from couplant.config import parse_interface
from couplant.pack.settings import runtime_settings
from couplant_runtime.algorithms.rows import weights
from couplant_runtime.config import Settings
from couplant_runtime.state import State
from couplant_runtime.step import init, reset, step

EROS3 = weights("eros3", 3)
STEP = 0.02


def settings_of(timing: str = "event", k: int = 3, algorithm: str = "network", **sections) -> Settings:
    """Return the settings of one signal."""
    signal = {"algorithm": algorithm, "latency": {"constant_steps": k}, **sections}
    document = {"interface": {"name": "test", "macro_step": STEP, "timing": timing}, "signals": {"y": signal}}
    return runtime_settings(parse_interface(document, "test"), "y")


class Coupling:
    """One coupling, a macro step at a time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.state: State = reset(settings)
        init(settings, self.state, 0.0)
        self.n = 0

    def take(self, y: float) -> tuple[float, float]:
        """Take a value and return the estimates at both ends of the macro step."""
        s = self.state
        s.input.y = y
        step(self.settings, s, self.n * STEP, STEP)
        self.n += 1
        return s.algorithm.level, s.algorithm.level + s.algorithm.slope
