"""Sweeps: a scenario with many algorithms, latencies, jitters, losses and seeds, in parallel.

What is there already stays, the rest runs, every finished row is kept.
"""

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from couplant.base import notebook
from couplant.base.errors import Stopped, UsageError
from couplant.base.files import hold_folder
from couplant.base.modules import make_callable
from couplant.base.notebook import Shows, data_frame
from couplant.base.style import plain
from couplant.config.frame.read import Source
from couplant.config.scenario import Loaded, load_scenario
from couplant.cosim.simulate import Progress
from couplant.sweep.axes import Axes, Point, read_axes
from couplant.sweep.cluster import cluster as connect
from couplant.sweep.cluster import on_cluster
from couplant.sweep.job import at, make_job, settings_digest
from couplant.sweep.processes import cpus, in_processes
from couplant.sweep.table import FAILED, Cell, Row, Summary, Table, best, read_table, summarise

if TYPE_CHECKING:
    import pandas

__all__ = ["Axes", "Point", "Row", "Sweep", "Table", "Where", "ask", "sweep"]

Values = str | float | Sequence[float] | Sequence[str] | None

CSV = "sweep.csv"  # name of the file with all rows
_PAUSE, _SHARE = 1.0, 20.0  # the file is written at most once in a second, and for at most a twentieth of the time


@dataclass(frozen=True, eq=False, repr=False)
class Sweep(Shows):
    """Result of a sweep."""

    loaded: Loaded
    axes: Axes
    table: Table
    settings: str  # digest of everything else that decides the results
    ran: int  # number of points that were not there before
    assignments: Sequence[str] = ()  # changes to the scenario, ``key=TOML value``

    @property
    def failed(self) -> int:
        """Return the number of points without a result."""
        return sum(row.verdict == FAILED for row in self.table.rows.values())

    def summary(self) -> dict[tuple[str, str], Summary]:
        """Return the figures of each algorithm, by algorithm and timing."""
        medians, rows = self.table.medians(), self.table.sorted()
        places = Counter((name, place[0]) for place, name in best(medians).items())
        runs = dict.fromkeys((row.point.algorithm, row.point.timing) for row in rows)
        return {
            run: summarise([r for r in rows if (r.point.algorithm, r.point.timing) == run], places[run]) for run in runs
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the results for JSON."""
        medians = self.table.medians()
        places = [
            dict(zip(("timing", "latency_steps", "jitter_steps", "loss", "algorithm"), (*place, name), strict=True))
            for place, name in best(medians).items()
        ]
        return {
            "settings": self.settings,
            "points": len(self.table.rows),
            "failed": self.failed,
            "rows": [row.to_dict() for row in self.table.sorted()],
            "medians": [median.to_dict() for median in medians],
            "best": places,
        }


    def to_dataframe(self) -> "pandas.DataFrame":
        """Return a row for each point: its place on the axes, its figures, its verdict; needs pandas."""
        return data_frame([row.to_dict() for row in self.table.sorted()])

    def _summary(self) -> notebook.Summary:
        """Return the figures of each algorithm, as it is shown."""
        rows = [
            [*run, *(str(n) for n in (s.points, s.failed, s.unstable)), *map(plain, s.figures), str(s.best)]
            for run, s in self.summary().items()
        ]
        return notebook.Summary(f"{self.loaded.scenario.name}: {len(self.table.rows)} points", HEADINGS, rows, [LEGEND])


HEADINGS = ("algorithm", "timing", "points", "failed", "unstable", "error / %", "growth", "C", "to wire", "best in")
LEGEND = "error, growth, C, ratio: medians over all points; best in: cells of the maps with the smallest error."


@dataclass(frozen=True)
class Where:
    """Where points run."""

    workers: int | None = None  # number of processes on this machine; None: one for each processor
    dask: str | None = None  # address of the scheduler of a Dask cluster, in place of processes


def ask(
    scenario: Source,
    output: str | Path | None = None,
    *,
    algorithms: Values = None,
    timing: Values = None,
    latency: Values = None,
    jitter: Values = None,
    loss: Values = None,
    seeds: Values = None,
    assignments: Sequence[str] = (),
    workers: int | None = None,
    dask: str | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Sweep:
    """Run a scenario with many algorithms and networks, in parallel.

    Parameters
    ----------
    scenario : str, Path or mapping
        The scenario file, or what it would contain.
    output : str or Path, optional
        Folder for `sweep.csv`: rows that it holds already are not run again. By default nothing is kept.
    algorithms, timing : str or sequence of str, optional
        Names; with commas between them in a text.
    latency, jitter, loss, seeds : number, str or sequence of numbers, optional
        Latencies and largest extra latencies [macro steps], shares of lost values [-], seeds of the networks, a single
        number of which is how many. A text is as on the command line: ``"0,1:4"``, ``"20ms:120ms:20ms"``.
    assignments : sequence of str
        Changes in the form ``key=TOML value``.
    workers : int, optional
        Processes, by default one for each processor.
    dask : str, optional
        Address of a Dask scheduler, in place of processes.
    fresh : bool
        Drop the rows that `output` holds.
    progress : callable, optional
        Told the share that is done, 0 to 1, and what is being done.

    Returns
    -------
    Sweep
        A row for each point, `to_dataframe()`; medians of each algorithm, `summary()`.

    Raises
    ------
    UsageError
        If anything is wrong with scenario, axes or the file that is there.
    CouplantError
        If an FMU cannot be built, processes or cluster cannot be used, or the user stops the sweep.
    """
    given = dict(algorithms=algorithms, timing=timing, latency=latency, jitter=jitter, loss=loss, seeds=seeds)
    axes = {key: value if isinstance(value, (str, int, float)) or value is None else list(value)
            for key, value in given.items()}  # fmt: skip
    more: dict[str, Any] = dict(assignments=assignments, where=Where(workers, dask), fresh=fresh, progress=progress)
    if output is not None:
        return sweep(scenario, Path(output), axes, **more)
    with tempfile.TemporaryDirectory(prefix="couplant-") as folder:
        return sweep(scenario, Path(folder), axes, **more)


def sweep(
    path: Source,
    output: Path,
    axes: Mapping[str, Any] | None = None,
    *,
    assignments: Sequence[str] = (),
    where: Where | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Sweep:
    """Run a scenario at every point of some axes; rows that are there already are not run again unless they failed.

    The folder `output` holds `sweep.csv`, whose rows `fresh` drops. The `axes` are texts as on the command line,
    numbers or lists: algorithms, timing, latency, jitter, loss, seeds; what is not given comes from the table sweep of
    the scenario, else from its other settings. `assignments` are changes in the form ``key=TOML value``; `progress` is
    told the share that is done, 0 to 1, and what is being done. Returned are the rows of all points. Raise
    `UsageError` if anything is wrong with scenario, axes or the file that is there, before the first run,
    `CouplantError` if an FMU cannot be built, processes or cluster cannot be used, or the user stops the sweep.
    """
    where, told = where or Where(), progress or (lambda share, text: None)
    if where.workers is not None and where.workers < 1:
        raise UsageError(f"workers = {where.workers}, allowed 1 or more")
    if where.workers is not None and where.dask is not None:
        text = f"workers = {where.workers} and dask = {where.dask} exclude each other"
        raise UsageError(f"{text}: a cluster has its own workers.")
    loaded = load_scenario(path, assignments)
    chosen = read_axes(loaded, axes or {})
    known: dict[tuple[float, float], bool] = {}

    def is_random(jitter: float, loss: float) -> bool:
        if (jitter, loss) not in known:
            cell = Cell(chosen.timing[0], chosen.algorithms[0], chosen.latency[0], jitter, loss)
            known[jitter, loss] = any(not network.is_constant for network in at(loaded, cell).networks.values())
        return known[jitter, loss]

    settings, points = settings_digest(loaded), list(chosen.points(is_random))
    table = Table() if fresh else _read_known(output / CSV, settings)
    missing = [point for point in points if point not in table.rows or table.rows[point].verdict == FAILED]
    if missing:
        run = partial(_rows, loaded, settings, missing, where)
        _run(run, len(missing), _Keeper(table, output / CSV, settings, fresh), told)
    return Sweep(loaded, chosen, table.select(points), settings, len(missing), tuple(assignments))


def _read_known(path: Path, settings: str) -> Table:
    """Return the table of a file, empty without one; raise `UsageError` if it was made with other settings."""
    table = read_table(path)
    other = next((row.settings for row in table.rows.values() if row.settings != settings), None)
    if other is not None:
        text = f"made with other settings ({other}, now {settings})"
        raise UsageError(f"{path}: {text}: name another folder, or start anew, fresh = true.")
    return table


class _Keeper:
    """A table and its file, which is rewritten now and then; other sweeps may write rows into it meanwhile.

    If `fresh` the rows that are there before the first ones are dropped.
    """

    def __init__(self, table: Table, path: Path, settings: str, fresh: bool) -> None:
        self.table, self.path, self._settings, self._fresh = table, path, settings, fresh
        self._own: dict[Point, Row] = {}
        self._next = 0.0

    def add(self, row: Row) -> None:
        self.table.add(row)
        self._own[row.point] = row
        if time.monotonic() >= self._next:
            self.write()

    def write(self) -> None:
        begin = time.monotonic()
        with hold_folder(self.path.parent):
            others = {} if self._fresh else _read_known(self.path, self._settings).rows
            Table(others | self._own).write(self.path)
        self._fresh = False
        end = time.monotonic()
        self._next = end + max(_PAUSE, _SHARE * (end - begin))


def _run(
    run: Callable[[Path, Progress], Generator[Row, None, None]], total: int, keeper: _Keeper, told: Progress
) -> None:
    """Run all points and keep their rows, also when the user stops."""
    done = 0
    try:
        with (
            tempfile.TemporaryDirectory(prefix="couplant-") as folder,
            closing(run(Path(folder), told)) as rows,
        ):
            for row in rows:
                keeper.add(row)
                done += 1
                told(done / total, f"{done} of {total} points")
    except KeyboardInterrupt:
        kept = f" and in {keeper.path}; the same command goes on" if done else ""
        raise Stopped(f"{Stopped.words}: {done} of {total} points are done{kept}.") from None
    finally:
        if done:
            keeper.write()


def _rows(
    loaded: Loaded, settings: str, points: Sequence[Point], where: Where, folder: Path, told: Progress
) -> Generator[Row, None, None]:
    with nullcontext() if where.dask is None else connect(where.dask) as client:
        cells = dict.fromkeys(Cell(*point[:-1]) for point in points)
        job, refused = make_job(loaded, settings, cells, folder, told)
        reasons = {point: refused.get(Cell(*point[:-1])) for point in points}
        yield from (Row(p, reason=why, settings=settings) for p, why in reasons.items() if why is not None)
        rest = [point for point, why in reasons.items() if why is None]
        if client is None:
            rows = in_processes(job, folder, rest, where.workers or cpus())
        else:
            rows = on_cluster(client, job, folder, rest)
        with closing(rows):
            yield from rows


make_callable(__name__, ask)
