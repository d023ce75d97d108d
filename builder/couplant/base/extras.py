"""Packages that come with an extra of couplant."""

from __future__ import annotations

import importlib
from typing import Any

from couplant.base.errors import UsageError


def load_extra(module: str, sentence: str) -> Any:
    """Return a `module` of an extra, which its caller knows the types of.

    Raises
    ------
    UsageError
        With this `sentence`, if it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UsageError(sentence) from None
