"""All algorithms on a recording, run as in their FMUs and ranked by what they give out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.analysis.signal.recording import OpenLoop, Span, judge
from couplant.base.arrays import Vector
from couplant.config.frame.read import Content
from couplant.design.recommendation import EVERY
from couplant.pack.trial import trials
from couplant.tables import Recording

_BLOCKS = 4


@dataclass(frozen=True, eq=False)
class Judged:
    """Estimates of algorithms on a part of a recording.

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
        """Tell whether the algorithm `name` is no better than ZOH, neither on average nor in the mean square."""
        own, zoh = self.rows[name], self.rows["zoh"]
        # worse in both: one large error alone does not condemn
        return not (own.mae < zoh.mae or own.rms < zoh.rms)

    @property
    def seconds(self) -> tuple[float, float]:
        """Return first and last time judged [s]."""
        return self.span.seconds(self.recording.macro_step)

    def validate(self, choice: Callable[[Mapping[str, OpenLoop]], str]) -> float:
        """Return the mean error over that of ZOH where `choice` sees three quarters and is judged on the fourth, -.

        All quarters have their turn; 1 where ZOH does not err.
        """
        # a signal that stands still: all are equal
        if not self.rows["zoh"].worst > 0.0:
            return 1.0
        value = self.recording.value[self.span.first : self.span.last]
        error = zoh = 0.0
        # quarters in time: chosen on the rest, judged on the quarter, as it will be in use
        for left_out in np.array_split(np.arange(value.size), min(_BLOCKS, value.size)):
            rest = np.setdiff1d(np.arange(value.size), left_out)
            kept = self.rows
            if rest.size:
                kept = {n: judge(n, value[rest], one[rest]) for n, one in self.estimates.items()}
            there = {n: float(np.abs(one - value)[left_out].sum()) for n, one in self.estimates.items()}
            error, zoh = error + there[choice(kept)], zoh + there["zoh"]
        # over ZOH, so that loud quarters do not decide by their size alone
        return error / zoh if zoh > 0.0 else 1.0


def weights_of(algorithm: LinearAlgorithm, selected: str = "linear") -> Content:
    """Return the table of a signal with the weights of an `algorithm`, for `linear` or one that takes them in."""
    weights = {"steps": algorithm.k, "a": list(algorithm.a), "A": list(algorithm.A)}
    return {"algorithm": {"selected": selected, **weights}}


def judge_span(
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
    # what diverged comes last
    return row.mae if np.isfinite(row.mae) else np.inf
