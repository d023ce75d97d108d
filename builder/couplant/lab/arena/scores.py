"""Scores of the arena: errors over that of the wire, loops that were lost, ranks; as table, CSV and data frame."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.notebook import Shows, Summary, data_frame
from couplant.base.style import WIRE, number
from couplant.cosim.judgement.verdict import UNSTABLE
from couplant.lab.arena.entries import Entry

if TYPE_CHECKING:
    import pandas

FAILED = "failed"
LOST = 100.0  # what a loop counts that grows, a run that failed, and an error that is larger, over that of the wire [-]
LEAST = 1e-3  # error over that of the wire below which all are alike [-]
_WHOLE = 100.0  # error of an estimate that is always the mean [% of the rms]: the wire counts as no worse
_OUT = 1000.0  # error from which on a loop is lost even if it does not grow any more [% of the rms]


@dataclass(frozen=True)
class Score:
    """An entry on a task."""

    entry: str
    error: float = math.inf  # mean error against the signal without latency, mean of all signals [% of their rms]
    verdict: str = FAILED  # as a run has it: stable, borderline, unstable, unknown, open loop; or failed
    reason: str = ""  # why it failed


@dataclass(frozen=True, eq=False)
class Curve:
    """A part of a run for a picture."""

    entry: str  # empty for the signal without latency
    signal: str
    unit: str
    time: Vector  # shape (N,) [s]
    values: Vector  # shape (N,) [unit]


@dataclass(frozen=True, eq=False)
class Played:
    """A task with the scores of all entries that could take part."""

    name: str
    family: str
    about: str
    closed: bool
    scores: Sequence[Score]
    curves: Sequence[Curve] = ()

    @cached_property
    def ratios(self) -> dict[str, float]:
        """Return the error of each entry over that of the wire, of one that is lost over the size of the signal [-]."""
        wire = next((one for one in self.scores if one.entry == WIRE), Score(WIRE))
        base = _WHOLE if self.is_lost(wire) or not wire.error > 0.0 else wire.error
        bounded = {one.entry: min(max(one.error / base, LEAST), LOST) for one in self.scores}
        return bounded | {one.entry: LOST for one in self.scores if self.is_lost(one)}

    def is_lost(self, score: Score) -> bool:
        """Tell whether a run of this task failed or, where there is a loop, grows or is far off."""
        out = self.closed and (score.verdict == UNSTABLE or not score.error < _OUT)
        return score.verdict == FAILED or out

    @property
    def best(self) -> str:
        """Return the entry with the least error."""
        return min(self.ratios, key=self.ratios.__getitem__)


@dataclass(frozen=True, eq=False)
class Standing:
    """An entry on all tasks."""

    entry: Entry
    mean: float  # geometric mean of the error over that of the wire [-]
    worst: float  # the largest of these [-]
    where: str  # the task with it
    tasks: int
    first: int  # tasks on which it is the best
    lost: int  # loops that grow, and runs that failed
    loops: int
    families: dict[str, float]  # geometric mean by family [-]


@dataclass(frozen=True, eq=False, repr=False)
class Arena(Shows):
    """All scores of a run of the arena."""

    tasks: Sequence[Played]
    entries: Sequence[Entry]
    left_out: Sequence[str] = ()  # a sentence for each entry that cannot run here
    hidden: bool = False  # whether the tasks are those of the hold-out set
    times: Mapping[str, float] = field(default_factory=dict)  # of a step by entry, on this machine [ns]

    @property
    def families(self) -> list[str]:
        """Return the families of the tasks in their order."""
        return list(dict.fromkeys(task.family for task in self.tasks))

    @cached_property
    def standings(self) -> list[Standing]:
        """Return the standing of all entries: those that took part in all tasks first, the least mean first."""
        found = [one for entry in self.entries if (one := self._standing(entry)) is not None]
        return sorted(found, key=lambda one: (one.tasks < len(self.tasks), one.mean))

    def _standing(self, entry: Entry) -> Standing | None:
        there = {task.name: task for task in self.tasks if entry.name in task.ratios}
        if not there:
            return None
        ratios = {name: task.ratios[entry.name] for name, task in there.items()}
        scores = [(task, score) for task in there.values() for score in task.scores if score.entry == entry.name]
        lost = sum(task.is_lost(score) for task, score in scores)
        where = max(ratios, key=ratios.__getitem__)
        families = {
            family: geometric_mean([ratios[name] for name, task in there.items() if task.family == family])
            for family in self.families
        }
        return Standing(
            entry, geometric_mean([*ratios.values()]), ratios[where], where, len(there),
            sum(task.best == entry.name for task in there.values()), lost, sum(task.closed for task in there.values()),
            families,
        )  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each task and entry."""
        sides = {entry.name: entry.side for entry in self.entries}
        return [
            {"task": task.name, "family": task.family, "entry": score.entry, "side": sides[score.entry],
             "error_percent": float(f"{score.error:.6g}"), "over_wire": float(f"{task.ratios[score.entry]:.6g}"),
             "verdict": score.verdict, "lost": task.is_lost(score), "reason": score.reason}
            for task in self.tasks for score in task.scores
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return standings and rows for JSON."""
        standings = [
            {"entry": one.entry.name, "side": one.entry.side, "mean": one.mean, "worst": one.worst, "on": one.where,
             "tasks": one.tasks, "best_on": one.first, "lost": one.lost, "loops": one.loops, "families": one.families,
             "must_be_known": one.entry.knows, "step_ns": self.times.get(one.entry.name)}
            for one in self.standings
        ]  # fmt: skip
        return {"hidden": self.hidden, "standings": standings, "rows": self.rows()}

    def csv(self) -> str:
        """Return all rows as CSV, in six digits."""
        text = io.StringIO()
        rows = self.rows()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return a row for each task and entry; needs pandas."""
        return data_frame(self.rows())

    def _summary(self) -> Summary:
        """Return the standings, as they are shown."""
        rows = [[one.entry.label, *figures(one)] for one in self.standings]
        return Summary(f"Arena: {len(self.tasks)} tasks", HEADINGS, rows, self.left_out)


HEADINGS = ("entry", "mean", "worst", "on", "tasks", "best on", "lost")


def figures(one: Standing) -> list[str]:
    """Return the figures of a standing for a table, in the order of `HEADINGS`."""
    lost = f"{one.lost} of {one.loops}" if one.loops else "-"
    return [number(one.mean), number(one.worst), one.where, str(one.tasks), str(one.first), lost]


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of some `values` above 0, NaN of none."""
    return float(np.exp(np.mean(np.log(values)))) if values else math.nan
