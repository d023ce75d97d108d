"""Coupling FMUs: build, check, simulate and analyse them."""

from couplant.errors import CouplantError, UsageError

__version__ = "0.1.0"

__all__ = ["CouplantError", "UsageError", "__version__"]
