"""Figures of a scenario's own: one number of a signal or an output, and when it was so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Protocol

from pydantic import Field

from couplant.config.frame.read import OneOf, Real, Table, Text
from couplant.config.frame.sentences import Problem
from couplant.config.parameters import setting
from couplant.config.ref import Ref

LARGEST, SMALLEST, LAST, MEAN = TAKES = ("largest", "smallest", "last", "mean")
"""What of a course counts."""

COLUMNS = ("sent", "received", "estimate")
"""What of a signal a figure may be of: what leaves the sender, arrives at the coupling FMU, leaves it."""


class FigureTable(Table):
    """A figure of every run, and of the reference."""

    of: Text = Field(description="SIGNAL.sent, SIGNAL.received, SIGNAL.estimate, or an output that watch names")
    take: Annotated[str, OneOf(TAKES)] = setting(LARGEST, "what of its course counts")
    begin: Real | None = setting(None, "from when on; not given: from the start of the run on [s]", alias="from", ge=0)
    until: Real | None = setting(None, "until when; not given: to the end of the run [s]", gt=0)
    mean: Real = setting(0.0, "length of a moving mean that is taken first; 0: none [s]", ge=0)

    @property
    def signal(self) -> str:
        """Return the name of the signal that the figure is of; empty for an output."""
        head, _, tail = self.of.rpartition(".")
        return head if tail in COLUMNS and "." not in head else ""


class _Scenario(Protocol):
    """Scenario as the rules see it, whose module uses this one."""

    @property
    def signals(self) -> Mapping[str, Any]: ...

    @property
    def watch(self) -> list[Ref]: ...

    @property
    def figures(self) -> Mapping[str, FigureTable]: ...


def figure_problems(scenario: _Scenario) -> Iterator[Problem]:
    """Return the problems of the figures of a scenario."""
    judged = [name for name, table in scenario.signals.items() if table.judge]
    known = [f"{name}.{column}" for name in judged for column in COLUMNS]
    allowed = [*known, *map(str, scenario.watch)]
    for name, table in scenario.figures.items():
        key = f"figures.{name}"
        if table.of not in allowed:
            text = f'{key}.of = "{table.of}", allowed {", ".join(allowed) or "what watch names"}'
            yield Problem(text, (key, "signals", "watch"))
        if table.until is not None and table.until <= (table.begin or 0.0):
            yield Problem(f"{key}.until = {table.until:g} s is not after from = {table.begin or 0.0:g} s", (key,))
