"""Conversions of single entries of a settings file before and after their type is checked.

Plain functions that pydantic calls; they are translated for the page of the workbench, which calls them at the same
places. A ValueError refuses the entry.
"""

from __future__ import annotations

import re
from typing import Any

from couplant.config.ref import Ref

WRITTEN_REF = re.compile(r"[A-Za-z][A-Za-z0-9_]*\..+")
"""A variable of a component."""


def at_least_0_or_from_table(value: float) -> float:
    """Return a `value` that is -1, which means that it is worked out, or not negative."""
    if value < 0.0 and value != -1.0:
        raise ValueError("negative")
    return value


def ascending(band: tuple[float, float]) -> tuple[float, float]:
    """Return the limits of a `band` of which the second is the larger one."""
    if not band[0] < band[1]:
        raise ValueError("not ascending")
    return band


def algorithm_table(value: Any) -> Any:
    """Return the table ``algorithm`` for a `value` that is a name, which is short for it."""
    return {"selected": value} if isinstance(value, str) else value


def ref_of(value: object) -> Ref:
    """Return the variable of a component that a text names."""
    if not isinstance(value, str) or not WRITTEN_REF.fullmatch(value):
        raise ValueError("not a variable of a component")
    return Ref.parse(value)
