"""One point of a sweep, wherever it runs."""

import logging
import math
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from couplant.base.errors import CouplantError
from couplant.base.files import in_words
from couplant.base.isolation import Told, call_isolated
from couplant.config.ref import Ref
from couplant.cosim.fmu.component import read_series
from couplant.cosim.fmu.load import FmuLibrary
from couplant.cosim.judgement.judging import judge_run
from couplant.cosim.result import Run
from couplant.cosim.run import master
from couplant.cosim.simulate import result_of
from couplant.cosim.wiring.components import Workshop
from couplant.sweep.axes import Point
from couplant.sweep.job import Job, Stock, at
from couplant.sweep.table import Row
from couplant.tables import Series

_ENERGIES = ("sent", "received", "created", "created_share")  # figures of a bond that a row has

_lock = threading.Lock()
"""One point at a time in a process: loading a library changes the working directory for all threads."""
_benches: dict[Path, "_Bench"] = {}


class _Bench:
    """Store of a process between the points of a job: unpacked FMUs, recordings."""

    def __init__(self, job: Job, folder: Path, unpacked: Path | None) -> None:
        self.files: Mapping[str, Path] = {text: folder / name for text, name in job.files.items()}
        self.library = FmuLibrary(unpacked)
        self.stock = Stock(folder, dict(job.fmus))
        self.series: dict[str, Series] = read_series(replace(job.loaded, files=self.files))
        # first values of senders, by the signals that pass a network: of points, that is all they depend on
        self.starts: dict[tuple[str, ...], Mapping[Ref, float]] = {}


def run_point(job: Job, folder: Path, point: Point) -> Row:
    """Run one point; a failure is a row too. The folder holds the files of the job under their digests."""
    with _lock, quiet():
        try:
            return _row(job, point, _run(job, folder, point))
        except Exception as error:  # whatever an FMU makes of it, the other points go on
            return Row(point, reason=in_words(error), settings=job.settings)


def run_alone(job: Job, folder: Path, point: Point) -> Row:
    """Run one point in a process of its own; if it ends that is a row too, which tells how."""
    try:
        row: Row = call_isolated(_run_alone, job, folder, point)
    except CouplantError as error:
        return Row(point, reason=" ".join(str(error).split()), settings=job.settings)
    return row


def _run_alone(job: Job, folder: Path, point: Point, _: Told) -> Row:
    _benches[folder] = _Bench(job, folder, unpacked=None)  # where it is gone with the process
    return run_point(job, folder, point)


def forget(folder: Path) -> None:
    """Release and remove what this process keeps in a folder."""
    with _lock:
        _benches.pop(folder, None)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def quiet(source: str = "couplant") -> Iterator[None]:
    """Keep the messages of a `source`, a package or module whose loggers may have levels of their own, off the screen.

    A thousand runs are nothing to read about, and what matters comes as an exception.
    """
    inner = [name for name in list(logging.root.manager.loggerDict) if name.startswith(f"{source}.")]
    loggers = [logging.getLogger(name) for name in (source, *inner)]
    levels = [log.level for log in loggers]
    for log in loggers:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in zip(loggers, levels, strict=True):
            log.setLevel(level)


def _run(job: Job, folder: Path, point: Point) -> Run:
    if folder not in _benches:
        _benches[folder] = _Bench(job, folder, unpacked=folder)
    bench = _benches[folder]
    loaded = at(job.loaded, point, bench.files)
    passing = tuple(name for name, network in loaded.networks.items() if not network.is_absent)
    workshop = Workshop(loaded, bench.library, bench.stock, bench.series, bench.starts.get(passing))
    coupled = workshop.couple(point.algorithm, point.timing)
    bench.starts[passing] = workshop.starts
    return judge_run(loaded, coupled, job.reference, master.run(coupled, job.grid))


def _row(job: Job, point: Point, run: Run) -> Row:
    """Return the figures; those of a run that diverged are infinite where they measure its size, else unknown."""
    figures: dict[str, Any] = {name: _finite(value) for name, value in run.metrics.items()}
    found = result_of(job.loaded, [run], {}).outcome(run)
    if figures["mae"] is None and run.metrics["mae"] is not None:
        figures |= dict.fromkeys(("error", "mae", "max", "growth"), math.inf) | dict.fromkeys("CMP")
    return Row(point, **figures, verdict=found, radius=_finite(run.radius), settings=job.settings, own=_own(run))


def _own(run: Run) -> dict[str, float | None]:
    """Return the scenario's own figures and the energies of its bonds by column; what is not known is left out."""
    found = {f"figures.{name}": one.value for name, one in run.figures.items()}
    found |= {f"figures.{name}.time": one.time for name, one in run.figures.items()}
    for name, bond in run.bonds.items():
        found |= {f"bonds.{name}.{key}": value for key, value in bond.figures().items() if key in _ENERGIES}
    return {name: value for name, value in found.items() if math.isfinite(value)}


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
