"""Coupling FMUs: build, check, simulate and analyse them.

>>> import couplant
>>> couplant.inspect("recording.csv", steps=3)                   # doctest: +SKIP
>>> couplant.design("recording.csv", steps=[3])                  # doctest: +SKIP
>>> couplant.build("bench/interface.toml", "fmus").files         # doctest: +SKIP
>>> couplant.simulate("scenario.toml").to_dataframe()            # doctest: +SKIP
>>> couplant.advise("system.toml", steps=3).chosen.name           # doctest: +SKIP
>>> couplant.stability("system.toml").margins["plant.force"]     # doctest: +SKIP
>>> couplant.sweep("scenario.toml", seeds=50).to_dataframe()     # doctest: +SKIP

What is loaded for them is loaded when they are first used. More of each is in the package that it comes from.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from couplant.base.errors import CouplantError, UsageError
from couplant.base.modules import find_moved_modules
from couplant.version import __version__

if TYPE_CHECKING:
    from couplant.analysis.assessment import assess as stability
    from couplant.analysis.certify import certify
    from couplant.cosim.simulate import simulate
    from couplant.design.ask import design, inspect
    from couplant.design.ask_signals import energy, identify, learn
    from couplant.design.ask_theory import bode, eros, limits
    from couplant.elsewhere.export import export
    from couplant.lab.algorithm import algorithm
    from couplant.lab.arena.play import play as arena
    from couplant.lab.plant import Plant
    from couplant.pack.build import build
    from couplant.pack.check import validate
    from couplant.pack.describe.card import info
    from couplant.sweep import ask as sweep
    from couplant.sweep.advice import ask as advise
    from couplant.tables.channels import read
    from couplant.tables.headings import Reading

_PLACES = {
    "Plant": ("lab.plant", "Plant"),
    "Reading": ("tables", "Reading"),
    "advise": ("sweep.advice", "ask"),
    "bode": ("design.ask_theory", "bode"),
    "algorithm": ("lab.algorithm", "algorithm"),
    "arena": ("lab.arena", "play"),
    "build": ("pack.build", "build"),
    "certify": ("analysis.certify", "certify"),
    "energy": ("design.ask_signals", "energy"),
    "eros": ("design.ask_theory", "eros"),
    "identify": ("design.ask_signals", "identify"),
    "info": ("pack.describe.card", "info"),
    "inspect": ("design.ask", "inspect"),
    "learn": ("design.ask_signals", "learn"),
    "limits": ("design.ask_theory", "limits"),
    "read": ("tables", "read"),
    "simulate": ("cosim", "simulate"),
    "stability": ("analysis.assessment", "assess"),
    "validate": ("pack.check", "validate"),
}
"""Module and name of what is loaded late."""

_CALLABLE = {"design": "design", "export": "elsewhere.export", "sweep": "sweep"}
"""Packages that can be called."""

__all__ = [
    "CouplantError",
    "Plant",
    "Reading",
    "UsageError",
    "__version__",
    "advise",
    "algorithm",
    "arena",
    "bode",
    "build",
    "certify",
    "design",
    "energy",
    "eros",
    "export",
    "identify",
    "info",
    "inspect",
    "learn",
    "limits",
    "read",
    "simulate",
    "stability",
    "sweep",
    "validate",
]

find_moved_modules()


def __getattr__(name: str) -> Any:
    """Load a name of the package when it is asked for the first time."""
    if name in _CALLABLE:
        return import_module(f"couplant.{_CALLABLE[name]}")
    if name not in _PLACES:
        raise AttributeError(f"module 'couplant' has no attribute {name!r}")
    place, own = _PLACES[name]
    return getattr(import_module(f"couplant.{place}"), own)


def __dir__() -> list[str]:
    """Return the names that are here, loaded or not."""
    return sorted({*globals(), *__all__})
