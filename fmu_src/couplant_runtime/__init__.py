"""Runtime of the coupling FMU: one signal, one pipeline, standard library only.

    latency -> history -> quality -> discontinuity -> switching -> algorithm -> reconstruction

Each word is a module; `step.py` runs them in this order. `Settings` is what the builder fixed, `State` is
everything that changes, and both have a twin in the C kernel that gives the same outputs bit for bit.
"""

from .config import Settings
from .errors import ParameterRefused, SettingsError, StepRefused
from .state import State

__all__ = ["ParameterRefused", "Settings", "SettingsError", "State", "StepRefused"]
