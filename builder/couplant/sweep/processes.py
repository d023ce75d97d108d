"""Points in processes of this machine. An FMU that takes its process down costs one point, not the sweep."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from couplant.base.errors import CouplantError
from couplant.base.isolation import process_context, silence, unheard, without_main
from couplant.sweep.axes import Point
from couplant.sweep.job import Job
from couplant.sweep.point import run_alone, run_point
from couplant.sweep.table import Row

_QUEUED = 2  # points that are given to a process ahead of time
_shared: list[Any] = []

_Item = TypeVar("_Item")
_Made = TypeVar("_Made")


def cpus() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_processes(job: Job, folder: Path, points: Iterable[Point], workers: int) -> Generator[Row, None, None]:
    """Run points in `workers` processes and yield their rows as they come; closing the iterator ends all at once.

    The folder holds the files of the job under their digests; the processes unpack FMUs below it. Raise `CouplantError`
    if processes cannot be started.
    """
    yield from spread(_run, lambda point: run_alone(job, folder, point), points, workers, (job, folder))


def spread(
    run: Callable[[_Item], _Made], alone: Callable[[_Item], _Made], items: Iterable[_Item], workers: int,
    shared: object = None,
) -> Generator[_Made, None, None]:  # fmt: skip
    """Yield the results of `run` for items in `workers` processes as they come; closing the iterator ends all at once.

    What was at hand when a process ended is tried by `alone` in this one. `shared` goes to each process once. Raise
    `CouplantError` if processes cannot be started.
    """
    waiting = deque(items)
    while waiting:
        with _pool(shared, min(workers, len(waiting))) as pool:
            suspects = yield from _drain(pool, run, waiting, _QUEUED * workers)
        for item in suspects:
            yield alone(item)


def _drain(
    pool: ProcessPoolExecutor, run: Callable[[_Item], _Made], waiting: deque[_Item], most: int
) -> Generator[_Made, None, list[_Item]]:
    """Run all that waits; return the items that were at hand if a process ended, to be tried one by one."""
    running: dict[Future[_Made], _Item] = {}
    try:
        while waiting or running:
            while waiting and len(running) < most:
                with without_main():
                    running[pool.submit(run, waiting[0])] = waiting[0]
                waiting.popleft()
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                made = future.result()
                del running[future]
                yield made
    except BrokenProcessPool:
        return list(running.values())
    return []


@contextmanager
def _pool(shared: object, workers: int) -> Iterator[ProcessPoolExecutor]:
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, process_context(__name__), _begin, (shared,))
    try:
        with unheard(), without_main():
            first = pool.submit(os.getpid)
        first.result()
        yield pool
    except BrokenProcessPool:
        raise CouplantError("processes cannot be started: workers = 1 does with one.") from None
    finally:
        for process in set(multiprocessing.active_children()) - before:
            process.kill()  # an FMU may ignore less
        pool.shutdown(cancel_futures=True)


def _begin(shared: object) -> None:
    """Prepare a process: Ctrl-C is its parent's business, and it does not outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    silence()
    _shared[:] = [shared]
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run(point: Point) -> Row:
    ((job, folder),) = _shared
    return run_point(job, folder, point)
