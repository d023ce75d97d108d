"""The modules of the algorithms by number: what the stages call."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from ..config import Settings
from ..generated.algorithms import EROS3
from ..row import Row
from ..state import State
from . import ROWS


class Algorithm(Protocol):
    """Protocol of the module of an algorithm."""

    def needed(self, c: Settings, s: State) -> int:
        """Return m(k) [slots]."""

    def line(self, c: Settings, s: State) -> tuple[float, float, float]:
        """Return level [signal unit], slope [signal unit per macro step] and shift [macro steps] of the estimate."""


def _module(row: Row) -> Any:
    return import_module(f".{row.module or row.name}", __package__)


MODULES: dict[int, Algorithm] = {number: _module(row) for number, row in ROWS.items()}
LEARN: dict[int, Callable[[Settings, State], None]] = {n: _module(row).learn for n, row in ROWS.items() if row.learns}
PLACE = EROS3
"""Number in whose place an algorithm of the user's runs (`own.py`): it needs nothing, and no state of its own."""

PURE = {row.name: _module(row) for row in ROWS.values() if row.pure}
"""Modules of the algorithms that are functions of past values and k alone, by name."""


def module(s: State, number: int) -> Algorithm:
    """Return the module of the algorithm `number`, in `PLACE` that of the user's if the FMU has one."""
    return s.own if s.own is not None and number == PLACE else MODULES[number]


def weights(name: str, k: int) -> tuple[list[float], list[float]]:
    """Return the weights (a, A) of `name`, one of `PURE`, at `k` macro steps, as its response to unit impulses.

    Returns
    -------
    tuple of list of float
        a and A, m values each, newest first, such that
        y_hat = sum a_l y_{n-k-l} + theta sum A_l y_{n-k-l} (docs/reference.md 1).

    Raises
    ------
    KeyError
        If there is no such algorithm.
    """
    m = PURE[name].taps(k)
    lines = [PURE[name].estimate([1.0 if i == tap else 0.0 for i in range(m)], k) for tap in range(m)]
    return [level for level, _ in lines], [slope for _, slope in lines]
