"""Figures of a scenario's own: one number of a signal or an output, and when it was so."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from couplant.config.frame.read import OneOf, Real, Table, Text
from couplant.config.parameters import setting

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
