"""The arena runs: every task with every entry, each task in one of some processes."""

import math
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from couplant.arena.entries import SMALL as FEW
from couplant.arena.entries import Entry, find_entries, load_entries
from couplant.arena.scores import Arena, Curve, Played, Score
from couplant.arena.tasks import SCENARIO, SMALL, Task, check_secret, draw_task, find_plans
from couplant.base.errors import CouplantError, UsageError
from couplant.base.files import write_atomic
from couplant.base.isolation import Told, call_isolated
from couplant.cosim.result import Result, Run
from couplant.cosim.simulate import simulate
from couplant.sweep.point import quiet
from couplant.sweep.processes import cpus, spread

_SHOWN = 160  # macro steps of a run that a picture shows


@dataclass(frozen=True)
class Choice:
    """Tasks and entries that are wanted."""

    tasks: Sequence[str] = ()  # names; none: all
    entries: Sequence[str] = ()  # names; none: all
    files: Sequence[Path] = ()  # files of users with algorithms, which take part too
    small: bool = False  # a few of both, where no names are given
    secret: str | None = None  # of the hold-out set, whose tasks take the place of the published ones
    workers: int | None = None  # processes; None: one for each processor


@dataclass(frozen=True)
class _Job:
    """Settings of all tasks of a run, for its processes."""

    entries: tuple[Entry, ...]
    files: tuple[Path, ...]
    secret: str | None
    folder: Path | None  # where the files of tasks stay


def play(
    choice: Choice | None = None, folder: Path | None = None, progress: Callable[[float, str], None] | None = None
) -> Arena:
    """Run the tasks and the entries of a `choice`, all of the published ones without one, and return their scores.

    The files of the tasks stay in the `folder`, if there is one: `couplant simulate` runs them too. `progress` is told
    the share that is done, 0 to 1, and what is being done. Raise `UsageError` if there is no such task or entry, a file
    of a user is wrong, or the secret is another one; `CouplantError` if processes cannot be started.
    """
    choice, told = choice or Choice(), progress or (lambda share, text: None)
    if choice.workers is not None and choice.workers < 1:
        raise UsageError(f"workers = {choice.workers}, allowed 1 and more")
    plans = find_plans(list(choice.tasks or (SMALL if choice.small else ())))
    files = tuple(path.resolve() for path in choice.files)
    wanted = find_entries(choice.entries or (FEW if choice.small else ()), files)
    if choice.secret is not None:
        check_secret(choice.secret)
    entries = tuple(entry for entry in wanted if not entry.missing)
    job, done = _Job(entries, files, choice.secret, folder), {}
    names = [plan.name for plan in plans]
    with closing(spread(partial(_play, job), partial(_alone, job), names, choice.workers or cpus())) as played:
        for one in played:
            done[one.name] = one
            told(len(done) / len(names), f"{len(done)} of {len(names)} tasks")
    return Arena([done[name] for name in names], entries, tuple(entry.missing for entry in wanted if entry.missing))


def _alone(job: _Job, name: str) -> Played:
    """Run a task in a process of its own; if it ends, all entries have failed."""
    try:
        found: Played = call_isolated(_play_there, job, name)
    except CouplantError as error:
        (plan,) = find_plans([name])
        scores = [Score(entry.name, reason=" ".join(str(error).split())) for entry in job.entries]
        return Played(name, plan.family, "", False, scores)
    return found


def _play_there(job: _Job, name: str, _: Told) -> Played:
    return _play(job, name)


def _play(job: _Job, name: str) -> Played:
    """Return the scores of all entries on a task."""
    (plan,) = find_plans([name])
    task = draw_task(plan, job.secret)
    for path in job.files:
        load_entries(path)
    states = task.states()
    there = [entry for entry in job.entries if entry.register(states)]
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch, quiet():
        folder = Path(scratch) if job.folder is None else job.folder / "tasks" / name
        for file, text in task.files.items():
            write_atomic(folder / file, text)
        scores, curves = _scores(task, folder / SCENARIO, [entry.name for entry in there])
    return Played(name, plan.family, task.about, task.closed, scores, curves)


def _scores(task: Task, path: Path, names: Sequence[str]) -> tuple[list[Score], list[Curve]]:
    """Run all entries at once, and one by one where one of them fails."""
    try:
        return _read(_simulate(path, names))
    except CouplantError:
        pass
    scores, curves = [], []
    for name in names:
        try:
            found = _read(_simulate(path, [name]))
        except CouplantError as error:
            found = [Score(name, reason=" ".join(str(error).split()))], []
        scores += [score for score in found[0] if score.entry == name]
        curves += [curve for curve in found[1] if curve.entry in (name, "") and curve not in curves]
    return scores, curves


def _simulate(path: Path, names: Sequence[str]) -> Result:
    listed = ", ".join(f'"{name}"' for name in names)
    return simulate(path, [f"algorithms = [{listed}]"])


def _read(result: Result) -> tuple[list[Score], list[Curve]]:
    """Return score and curve of each run, and the curve of the truth, whose entry has no name."""
    scores, curves = [], []
    for run in result.runs:
        error = run.metrics["error"]
        scores.append(Score(run.algorithm, math.inf if error is None else error, result.outcome(run)))
        curves.append(_curve(run, run.algorithm))
    return scores, [_curve(result.runs[0], ""), *curves]


def _curve(run: Run, entry: str) -> Curve:
    trace = next(iter(run.traces.values()))
    first = max(0, int(0.6 * trace.time.size) - _SHOWN // 2)
    rows = slice(first, first + _SHOWN)
    values = (trace.estimate if entry else trace.reference)[rows]
    return Curve(entry, trace.name, trace.unit, np.array(trace.time[rows]), np.array(values))
