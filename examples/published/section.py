"""What the page is made of: sections of rows, each with its verdict, and the published data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from couplant.config.frame.read import read_toml
from couplant.report.chart import Chart
from couplant_runtime.algorithms import GENERIC

HOLDS, BETTER, SIGN, DIFFERS = "holds", "better", "sign only", "differs"

VERDICTS = {
    HOLDS: "within the tolerance that the section names",
    BETTER: "beyond the tolerance, and better than published",
    SIGN: "the change goes the published way, and is of another size",
    DIFFERS: "none of these; the row says why",
}
"""What is said of a row, with what that means."""

COUNTED = {HOLDS: "hold", BETTER: "are better", SIGN: "have the sign only", DIFFERS: "differ"}
"""The verdicts as they are counted."""


@dataclass(frozen=True)
class Row:
    """A published figure or statement next to ours."""

    what: str  # what the figures are of
    published: str  # the figure with its unit
    ours: str  # the figure with its unit
    holds: bool  # whether ours confirm the published ones within the tolerance of the section
    why: str = ""  # what explains the difference, or what to know where there is none
    otherwise: str = DIFFERS  # what is said if it does not hold

    @property
    def verdict(self) -> str:
        """Return one of `VERDICTS`."""
        return HOLDS if self.holds else self.otherwise


@dataclass(frozen=True, eq=False)
class Section:
    """A published table or figure."""

    title: str  # what it shows
    source: str  # where it was published
    command: str  # the command that gives our figures
    rows: Sequence[Row]
    text: Sequence[str] = ()  # what to know about all rows, the tolerance of the verdicts among it
    charts: Sequence[Chart] = ()
    pictures: Sequence[tuple[str, Figure, Figure]] = ()  # captions, each with a picture for light and for dark


def published(name: str) -> Mapping[str, Any]:
    """Return a table of `published.toml`."""
    table: Mapping[str, Any] = read_toml(Path(__file__).with_name("published.toml"))[name]
    return table


PUBLISHED = tuple(name for name in GENERIC if name in published("limits"))
"""Names of the algorithms with published figures, in the order of every table."""


def better(ours: float, theirs: float) -> str:
    """Return the verdict of an error that is not the published one: `BETTER` if `ours` is smaller than `theirs`."""
    return BETTER if ours < theirs else DIFFERS


def same_sign(*pairs: tuple[float, float]) -> str:
    """Return the verdict of changes that are not the published ones: `SIGN` if both of each of the `pairs` have one."""
    return SIGN if all(ours * theirs > 0.0 for ours, theirs in pairs) else DIFFERS


def close(ours: float, theirs: float, relative: float) -> bool:
    """Tell whether `ours` differs from `theirs`, of the same unit, by at most the share `relative` of `theirs`."""
    return abs(ours - theirs) <= relative * abs(theirs)


def numbers(values: Sequence[float], form: str = ".3g") -> str:
    """Return `values` in a format side by side, with slashes between them."""
    return " / ".join(format(float(value), form) for value in values)
