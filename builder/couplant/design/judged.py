"""All algorithms on a recording, run as in their FMUs and ranked by what they give out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.analysis.recording import OpenLoop, Span, judge
from couplant.arrays import Vector
from couplant.frame import Content
from couplant.pack.trial import trials
from couplant.tables import Recording
from couplant_runtime.algorithms import GENERIC

EVERY = (*GENERIC, "irregular", "auto")
"""Algorithms that need no weights and learn nothing."""

DESIGNED, AUTO_DESIGNED, LEARNT = "designed", "auto_designed", "learnt"
"""Rows of a design, of `auto` with it among its members, and of weights that were learnt."""


@dataclass(frozen=True, eq=False)
class Judged:
    """What algorithms give out on a part of a recording.

    Attributes
    ----------
    recording : Recording
        The true signal.
    span : Span
        The part that is judged.
    table : list of OpenLoop
        Errors, the smallest mean first.
    estimates : dict of str to ndarray, shape (span.size,)
        What each gave out [signal unit].
    other : str
        The file, where it is not the one that something was made of.
    """

    recording: Recording
    span: Span
    table: list[OpenLoop]
    estimates: dict[str, Vector] = field(default_factory=dict)
    other: str = ""

    @property
    def rows(self) -> dict[str, OpenLoop]:
        """Return the errors by algorithm."""
        return {row.algorithm: row for row in self.table}

    def worse(self, name: str) -> bool:
        """Tell whether the algorithm `name` is no better than ZOH, neither in the mean nor in the mean square."""
        own, zoh = self.rows[name], self.rows["zoh"]
        return not (own.mae < zoh.mae or own.rms < zoh.rms)

    @property
    def seconds(self) -> tuple[float, float]:
        """Return first and last time judged [s]."""
        return self.span.seconds(self.recording.macro_step)


def weights_of(algorithm: LinearAlgorithm, selected: str = "linear") -> Content:
    """Return the table of a signal with the weights of an `algorithm`, for `linear` or one that takes them in."""
    weights = {"steps": algorithm.k, "a": list(algorithm.a), "A": list(algorithm.A)}
    return {"algorithm": {"selected": selected, **weights}}


def judged(
    recording: Recording,
    span: Span,
    k: int,
    timing: str,
    tables: Mapping[str, Content] | None = None,
    others: Mapping[str, Vector] | None = None,
    names: Sequence[str] = EVERY,
) -> Judged:
    """Return how algorithms do on a `span` of a recording at the latency `k` [macro steps].

    Parameters
    ----------
    tables : mapping of str to dict, optional
        Further ones: tables of a signal by the name of the row.
    others : mapping of str to ndarray, shape (span.size,), optional
        Estimates that were made elsewhere, by name.
    names : sequence of str
        Algorithms with their default settings.

    Raises
    ------
    UsageError
        If an algorithm cannot run with these settings.
    """
    wanted = {name: {"algorithm": name} for name in names} | dict(tables or {})
    estimates = trials(recording, span, k, timing, wanted) | dict(others or {})
    value = recording.value[span.first : span.last]
    rows = [judge(name, value, estimate) for name, estimate in estimates.items()]
    return Judged(recording, span, sorted(rows, key=_error), estimates)


def _error(row: OpenLoop) -> float:
    return row.mae if np.isfinite(row.mae) else np.inf
