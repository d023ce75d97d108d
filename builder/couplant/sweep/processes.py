"""Points in processes of this machine. An FMU that takes its process down costs one point, not the sweep."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

from couplant.base.errors import CouplantError
from couplant.base.isolation import process_context, silence, unheard, without_main
from couplant.sweep.axes import Point
from couplant.sweep.job import Job
from couplant.sweep.point import run_alone, run_point
from couplant.sweep.table import Row

_QUEUED = 2  # points that are given to a process ahead of time
_shared: list[tuple[Job, Path]] = []


def cpus() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_processes(job: Job, folder: Path, points: Iterable[Point], workers: int) -> Generator[Row, None, None]:
    """Run points in `workers` processes and yield their rows as they come; closing the iterator ends all at once.

    The folder holds the files of the job under their digests; the processes unpack FMUs below it. Raise `CouplantError`
    if processes cannot be started.
    """
    waiting = deque(points)
    while waiting:
        with _pool(job, folder, min(workers, len(waiting))) as pool:
            suspects = yield from _drain(pool, waiting, _QUEUED * workers)
        for point in suspects:
            yield run_alone(job, folder, point)


def _drain(pool: ProcessPoolExecutor, waiting: deque[Point], most: int) -> Generator[Row, None, list[Point]]:
    """Run all that waits; return the points that were at hand if a process ended, to be tried one by one."""
    running: dict[Future[Row], Point] = {}
    try:
        while waiting or running:
            while waiting and len(running) < most:
                with without_main():
                    running[pool.submit(_run, waiting[0])] = waiting[0]
                waiting.popleft()
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                row = future.result()
                del running[future]
                yield row
    except BrokenProcessPool:
        return list(running.values())
    return []


@contextmanager
def _pool(job: Job, folder: Path, workers: int) -> Iterator[ProcessPoolExecutor]:
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, process_context(__name__), _begin, (job, folder))
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


def _begin(job: Job, folder: Path) -> None:
    """Prepare a process: Ctrl-C is its parent's business, and it does not outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    silence()
    _shared[:] = [(job, folder)]
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run(point: Point) -> Row:
    ((job, folder),) = _shared
    return run_point(job, folder, point)
