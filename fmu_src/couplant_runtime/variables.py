"""Which of all variables an FMU has, with value references 1, 2, .. in their order."""

from __future__ import annotations

from collections.abc import Mapping

from .generated.algorithms import ROWS
from .generated.numbers import ENUMERATIONS
from .generated.variables import ALL
from .variable import Variable

_NOTHING: Mapping[str, int] = {}
_GROUPS = ("input", "output", "fixed", "tunable", "weight", "debug", "independent", "baseline")


def items(enumeration: str, compared: int = 0) -> dict[str, int]:
    """Return the items of an `enumeration`, with that of the algorithm number `compared` if only some FMUs have it."""
    known = ENUMERATIONS[enumeration]
    if compared and enumeration in ("Algorithm", "ActiveAlgorithm"):
        return known | {ROWS[compared - 1].name: compared}
    return known


def choose(features: Mapping[str, int] = _NOTHING) -> tuple[int, ...]:
    """Return which of all variables an FMU has, as positions in `ALL` from 1, in the order of their references.

    `features` are what the FMU has besides what every FMU has, with the number of entries of lists: "weights" given
    ones, "burst" one less than the values in a message, "auto" the members of the bank, "network" its weights.
    """
    positions = [
        position
        for position, variable in enumerate(ALL, start=1)
        if not variable.feature or max(variable.index, 0) < features.get(variable.feature, 0)
    ]
    return tuple(sorted(positions, key=lambda position: _GROUPS.index(_group(ALL[position - 1]))))


def _group(variable: Variable) -> str:
    if variable.feature in ("debug", "baseline"):
        return variable.feature
    return "weight" if variable.causality == "parameter" and variable.index >= 0 else variable.role
