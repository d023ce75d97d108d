"""The arena runs: every task with every entry, each task in one of some processes."""

import math
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from couplant.base.errors import CouplantError, UsageError
from couplant.base.files import write_atomic
from couplant.base.isolation import Told, call_isolated
from couplant.cosim.result import Result
from couplant.cosim.simulate import Progress, simulate
from couplant.lab.arena.entries import SMALL as FEW
from couplant.lab.arena.entries import Entry, find_entries, load_entries
from couplant.lab.arena.scores import Arena, Curve, Played, Score
from couplant.lab.arena.tasks import SCENARIO, SMALL, Task, check_secret, draw_task, find_plans
from couplant.sweep.point import quiet
from couplant.sweep.processes import cpus, spread

_SHOWN = 160  # macro steps of a run that a picture shows


@dataclass(frozen=True)
class _Job:
    """Settings of all tasks of a run, for its processes."""

    entries: tuple[Entry, ...]
    files: tuple[Path, ...]
    secret: str | None
    folder: Path | None  # where the files of tasks stay


def play(
    tasks: Sequence[str] = (),
    entries: Sequence[str] = (),
    files: Sequence[str | Path] = (),
    *,
    small: bool = False,
    secret: str | None = None,
    workers: int | None = None,
    output: str | Path | None = None,
    progress: Progress | None = None,
) -> Arena:
    """Run tasks with entries and return their scores.

    Parameters
    ----------
    tasks, entries : sequence of str
        Names; all of them if not given. The wire always takes part.
    files : sequence of str or Path
        Python files with algorithms that take part too.
    small : bool
        Take a few of what is not named.
    secret : str, optional
        Makes the hold-out set, whose tasks then take the place of the published ones.
    workers : int, optional
        Number of processes, at least 1; one for each processor if not given.
    output : str or Path, optional
        Folder in which scenarios and recordings of the tasks stay.
    progress : callable, optional
        Told the share that is done, 0 to 1, and what is being done.

    Returns
    -------
    Arena
        Scores of all tasks in their order.

    Raises
    ------
    UsageError
        If there is no such task or entry, a file is wrong, or the secret is another one.
    CouplantError
        If processes cannot be started.
    """
    if workers is not None and workers < 1:
        raise UsageError(f"workers = {workers}, allowed 1 and more")
    names = [plan.name for plan in find_plans(tasks or (SMALL if small else ()))]
    paths = tuple(Path(file).resolve() for file in files)
    wanted = find_entries(entries or (FEW if small else ()), paths)
    if secret is not None:
        check_secret(secret)
    there = tuple(entry for entry in wanted if not entry.missing)
    job, done = _Job(there, paths, secret, None if output is None else Path(output)), {}
    with closing(spread(partial(_play, job), partial(_alone, job), names, workers or cpus())) as played:
        for one in played:
            done[one.name] = one
            if progress is not None:
                progress(len(done) / len(names), f"{len(done)} of {len(names)} tasks")
    missing = tuple(entry.missing for entry in wanted if entry.missing)
    return Arena([done[name] for name in names], there, missing, hidden=secret is not None)


def _alone(job: _Job, name: str) -> Played:
    """Run a task in a process of its own; if it ends, all entries have failed."""
    try:
        found: Played = call_isolated(_play_there, job, name)
    except CouplantError as error:
        (plan,) = find_plans([name])
        scores = [Score(entry.name, reason=" ".join(str(error).split())) for entry in job.entries]
        return Played(name, plan.family, "", plan.closed, scores)
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
    return Played(name, plan.family, task.about, plan.closed, scores, curves)


def _scores(task: Task, path: Path, names: Sequence[str]) -> tuple[list[Score], list[Curve]]:
    """Run all entries at once, and one by one where one of them fails."""
    try:
        return _read(_simulate(path, names))
    except CouplantError:
        pass
    scores: list[Score] = []
    curves: list[Curve] = []
    for name in names:
        try:
            found = _read(_simulate(path, [name]))
        except CouplantError as error:
            found = [Score(name, reason=" ".join(str(error).split()))], []
        scores += [score for score in found[0] if score.entry == name]
        curves += [curve for curve in found[1] if curve.entry == name or not (curve.entry or curves)]
    return scores, curves


def _simulate(path: Path, names: Sequence[str]) -> Result:
    listed = ", ".join(f'"{name}"' for name in names)
    return simulate(path, [f"algorithms = [{listed}]"])


def _read(result: Result) -> tuple[list[Score], list[Curve]]:
    """Return score and curve of each run, and the curve of the truth, whose entry has no name."""
    errors = [math.inf if (error := run.metrics["error"]) is None else error for run in result.runs]
    scores = [Score(run.algorithm, e, result.outcome(run)) for run, e in zip(result.runs, errors, strict=True)]
    # a run that blew up ends before the others
    traces = {run.algorithm: next(iter(run.traces.values())) for run in result.runs}
    longest = max(traces.values(), key=lambda trace: trace.time.size)
    first = max(0, int(0.6 * longest.time.size) - _SHOWN // 2)
    rows = slice(first, first + _SHOWN)
    return scores, [
        Curve(name, trace.name, trace.unit, np.array(trace.time[rows]), np.array(values[rows]))
        for name, trace, values in [("", longest, longest.reference), *((n, t, t.estimate) for n, t in traces.items())]
    ]
