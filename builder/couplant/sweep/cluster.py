"""Points on the workers of a Dask cluster. The workers may be other machines: they get bytes, not paths."""

import asyncio
import queue
import re
import sys
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.errors import CouplantError, UsageError
from couplant.base.files import in_words, write_atomic
from couplant.base.modules import load_extra
from couplant.pack.binaries.platforms import host
from couplant.sweep.axes import Point
from couplant.sweep.job import Job
from couplant.sweep.point import forget, quiet, run_alone, run_point
from couplant.sweep.table import Row
from couplant.version import __version__

_ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):[0-9]{1,5}")
PATIENCE = 10.0  # how long to wait for a scheduler or for a first worker [s]
_LOST = 60.0  # how long a cluster may be without workers before the sweep gives up [s]

_GONE = "the Dask cluster went away; finished rows are kept, the same command goes on."


@dataclass(frozen=True, eq=False)
class Shipment:
    """A job and the contents of its files by digest: sent to a worker once."""

    job: Job
    contents: dict[str, bytes]


@contextmanager
def cluster(address: str) -> Iterator[Any]:
    """Connect to the scheduler at an address such as ``tcp://host:8786``; check that its workers can run points.

    Raise `UsageError` if `distributed` is not installed, `CouplantError` if nothing answers, there is no worker, or the
    workers have other versions.
    """
    distributed = load_extra("distributed", "dask = .. needs the package distributed: pip install 'couplant[dask]'.")
    if not _ADDRESS.fullmatch(address):
        raise UsageError(f"dask = {address}, allowed host:port or tcp://host:port (also tls, ws, wss)")
    connect: Callable[..., Any] = distributed.Client
    with quiet("distributed"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            client = connect(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, distributed.TimeoutError) as error:
            raise CouplantError(f"dask = {address}: no scheduler answers there: {in_words(error)}.") from None
        with client:
            _check(client, address)
            yield client


def on_cluster(client: Any, job: Job, folder: Path, points: Iterable[Point]) -> Generator[Row, None, None]:
    """Run points on a `client` that `cluster` yields and yield their rows as they come.

    Closing the iterator cancels what has not begun. The folder holds the files of the job under their digests. Raise
    `CouplantError` if the cluster goes away.
    """
    names = {*job.fmus.values(), *job.files.values()}
    shipment = Shipment(job, {name: (folder / name).read_bytes() for name in sorted(names)})
    suspects: list[Point] = []
    for point, future in _submit(client, shipment, points):
        if _is_killed(future):
            suspects.append(point)  # or a neighbour on the same worker: each is tried again alone
        else:
            yield _row(job, point, future)
    for suspect in suspects:
        for point, future in _submit(client, shipment, [suspect]):
            yield _row(job, point, future)
    client.run(_forget, job.settings)


def _submit(client: Any, shipment: Shipment, points: Iterable[Point]) -> Iterator[tuple[Point, Any]]:
    """Run points and yield them with their futures as they finish; cancel the rest when nobody listens any more."""
    sent = client.submit(_unpack, shipment, pure=False)  # not scattered: lost with a worker, it is sent anew
    futures = {client.submit(_run, sent, point, pure=False): point for point in points}
    try:
        for future in _futures_as_they_finish(client, futures):
            yield futures[future], future
    finally:
        client.cancel([future for future in futures if not future.done()])


def _row(job: Job, point: Point, future: Any) -> Row:
    if future.status == "finished":
        try:
            row: Row = future.result(timeout=_LOST)
            return row
        except (Exception, asyncio.CancelledError):  # a point that fails has a row: its worker is gone
            raise CouplantError(_GONE) from None
    reason = "an FMU ended the workers that ran it" if _is_killed(future) else in_words(future.exception())
    return Row(point, reason=reason, settings=job.settings)


def _is_killed(future: Any) -> bool:
    return future.status == "error" and type(future.exception()).__name__ == "KilledWorker"


def _futures_as_they_finish(client: Any, futures: Iterable[Any]) -> Iterator[Any]:
    """Yield futures as they finish; give up when no worker is left for a while."""
    done: queue.Queue[Any] = queue.Queue()
    left, idle = 0, 0.0
    for future in futures:
        future.add_done_callback(done.put)
        left += 1
    while left:
        try:
            future = done.get(timeout=1.0)
        except queue.Empty:
            idle = 0.0 if client.nthreads() else idle + 1.0
            if idle >= _LOST or client.status != "running":
                raise CouplantError(_GONE) from None
            continue
        if future.status in ("cancelled", "lost"):
            raise CouplantError(_GONE)
        left, idle = left - 1, 0.0
        yield future


def _unpack(shipment: Shipment) -> Shipment:
    return shipment


def _run(sent: Shipment, point: Point) -> Row:
    """Run a point on a worker; the files are written there once."""
    from distributed import get_worker

    folder = _folder(get_worker(), sent.job.settings)
    for name, content in sent.contents.items():
        if not (folder / name).is_file():
            write_atomic(folder / name, content)
    run = run_alone if sent.job.has_foreign else run_point  # not every worker is started again when it ends
    return run(sent.job, folder, point)


def _forget(settings: str, dask_worker: Any = None) -> None:
    """Remove a job from a worker, which Dask hands over under this name."""
    forget(_folder(dask_worker, settings))


def _folder(worker: Any, settings: str) -> Path:
    """Return the folder of a job on a worker; Dask removes that of the worker when it ends."""
    return Path(worker.local_directory) / f"couplant-{settings}"


def versions() -> dict[str, str]:
    """Return the versions that must be the same here and on a worker."""
    python = ".".join(map(str, sys.version_info[:2]))
    packages = {"couplant": __version__, "numpy": np.__version__, "distributed": version("distributed")}
    return {"platform": host().name, "python": python, **packages}


def _check(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        found = client.run(versions)
    except (TimeoutError, asyncio.TimeoutError):  # one class from Python 3.11 on
        raise CouplantError(f"dask = {address}: the scheduler has no workers.") from None
    except Exception as error:  # whatever importing couplant raises on a worker
        raise CouplantError(f"dask = {address}: a worker cannot run couplant: {in_words(error)}.") from None
    here = versions()
    for worker, there in found.items():
        for name, needed in here.items():
            if there[name] != needed:
                text = f"worker {worker} has {name} {there[name]}, needed is {needed} as here"
                raise CouplantError(f"dask = {address}: {text}.")
