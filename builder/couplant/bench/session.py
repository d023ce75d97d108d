"""A bench on one machine: starts the relay and both sides, waits for their records, ends them whatever happens."""

import multiprocessing
import random
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from couplant.base.errors import CouplantError
from couplant.base.files import in_words, scratch_folder
from couplant.bench.carriers.meeting import Meeting
from couplant.bench.live.tap import Viewing
from couplant.bench.record import SideRecord, read_records, write_records
from couplant.bench.relay import Lines
from couplant.bench.result import BenchResult, judge_bench
from couplant.bench.runner import Ends, carry_out, run_relay
from couplant.bench.transport import Transport, load_transport
from couplant.config.bench import SIDES, LoadedBench
from couplant.cosim.fmu.foreign import delay_free
from couplant.cosim.run.reference import Reference

Progress = Callable[[float, str], None]

_TURN, _LAST_RESORT, _OVERDUE = 0.1, 5.0, 30.0
HOST = "127.0.0.1"


def run_bench(
    loaded: LoadedBench,
    output: Path | None = None,
    progress: Progress | None = None,
    transport: type[Transport] | None = None,
    viewing: Viewing | None = None,
) -> BenchResult:
    """Run a bench on this machine: all algorithms one after another in real time.

    FMUs stay in the folder `output`; `progress` hears the share that is done, 0 to 1, and what is being done. The
    `transport` is that of the bench file unless given. Frames for a page go to `viewing`, see `couplant.bench.live`.

    Raises UsageError if a setting does not fit, CouplantError if a side or the relay fails.
    """
    carrier = transport or load_transport(loaded.scenario.bench.transport.name, "bench.transport")
    reference = solve_reference(loaded, progress)
    with scratch_folder() as scratch, _Processes(loaded, output, scratch) as processes:
        records, relay = processes.run(carrier, progress or (lambda share, text: None), viewing)
    return judge_bench(loaded, reference, records["left"], records["right"], relay)


def join_bench(loaded: LoadedBench, folder: Path, progress: Progress | None = None) -> BenchResult:
    """Judge the recordings of two machines: the files left.npz and right.npz of a folder.

    Raises UsageError if a file cannot be read or belongs to another bench.
    """
    fingerprint = loaded.scenario.fingerprint()
    left, right = (read_records(folder / f"{side}.npz", fingerprint) for side in SIDES)
    return judge_bench(loaded, solve_reference(loaded, progress), left, right)


def solve_reference(loaded: LoadedBench, progress: Progress | None = None) -> Reference:
    """Return the delay-free reference; outside of the real time of the runs.

    `progress` hears the share that is done, 0 to 1, and what is being done.
    """
    told = progress or (lambda share, text: None)
    return delay_free(loaded, lambda share: told(0.0, "reference"))


class _Processes:
    """Relay and sides in processes of their own; a context manager that ends them."""

    def __init__(self, loaded: LoadedBench, output: Path | None, scratch: Path) -> None:
        self._loaded, self._output, self._scratch = loaded, output, scratch
        self._context = multiprocessing.get_context("spawn")
        self._running: dict[str, tuple[BaseProcess, Connection]] = {}
        self._begun: dict[str, tuple[int, str, float]] = {}

    def __enter__(self) -> "_Processes":
        return self

    def __exit__(self, *_: object) -> None:
        for process, connection in self._running.values():
            connection.close()
            process.terminate()
        for process, _connection in self._running.values():
            process.join(_LAST_RESORT)
            if process.is_alive():
                process.kill()
                process.join()

    def run(
        self, transport: type[Transport], progress: Progress, viewing: Viewing | None
    ) -> tuple[dict[str, list[SideRecord]], Lines]:
        """Start everything and return what the sides and the relay recorded."""
        scenario = self._loaded.scenario
        meet = issubclass(transport, Meeting)
        topic = f"{scenario.fingerprint():08x}/{random.randrange(2**32):08x}" if meet else ""
        common = transport, True, meet, topic, viewing
        self._start("relay", relay_process, Ends("relay", f"{HOST}:{scenario.bench.port}", "", *common))
        address = self._ask("relay", _LAST_RESORT + scenario.bench.connect)
        for side in SIDES:
            ends = Ends(side, f"{HOST}:0", "" if meet else address, *common)
            self._start(side, _side_process, ends, self._output, self._scratch)
        records = self._collect(progress)
        self._running["relay"][1].send("stop")
        return records, self._ask("relay", _LAST_RESORT + scenario.bench.connect)

    def _start(self, name: str, target: Callable[..., None], *arguments: Any) -> None:
        own, theirs = self._context.Pipe()
        process = self._context.Process(
            target=target, args=(theirs, self._loaded, *arguments), name=f"couplant bench, {name}", daemon=True
        )
        process.start()
        theirs.close()
        self._running[name] = (process, own)

    def _ask(self, name: str, patience: float) -> Any:
        if not self._running[name][1].poll(patience):
            raise CouplantError(f"{name}: no answer within {patience:g} s.")
        return self._hear(name)[1]

    def _hear(self, name: str) -> tuple[str, Any]:
        """Return kind and content of the next word of a process."""
        process, connection = self._running[name]
        try:
            kind, content = connection.recv()
        except (EOFError, OSError):
            process.join(_LAST_RESORT)
            raise CouplantError(f"{name}: its process ended with status {process.exitcode}.") from None
        if kind == "error":
            raise CouplantError(f"{name}: {content}")
        return kind, content

    def _collect(self, progress: Progress) -> dict[str, list[SideRecord]]:
        scenario = self._loaded.scenario
        expected = len(scenario.cases)
        records: dict[str, list[SideRecord]] = {side: [] for side in SIDES}
        while any(len(found) < expected for found in records.values()):
            # a side that has told everything ends, and closes its pipe, while the other may still run
            speaking = [name for name in (*SIDES, "relay") if len(records.get(name, ())) < expected]
            heard = wait([self._running[name][1] for name in speaking], _TURN)
            for name in [name for name in speaking if self._running[name][1] in heard]:
                kind, content = self._hear(name)
                if kind == "begun":
                    index, takes = content
                    self._begun[name] = index, f", {takes}" if takes else "", time.monotonic()
                elif kind == "record":
                    records[name] += read_records(content, scenario.fingerprint(), own=True)
            for name, (*_, begun) in self._begun.items():  # a side hangs although its run should have ended long ago
                if time.monotonic() > begun + (scenario.duration or 0.0) + _OVERDUE + scenario.bench.connect:
                    raise CouplantError(f"{name}: did not end its run in time.")
            self._tell(progress, expected)
        return records

    def _tell(self, progress: Progress, expected: int) -> None:
        if "left" not in self._begun:
            progress(0.0, "building")
            return
        index, takes, begun = self._begun["left"]
        duration = self._loaded.scenario.duration or 0.0
        elapsed = min(max(time.monotonic() - begun, 0.0), duration)
        timing, algorithm = self._loaded.scenario.cases[index]
        progress(
            (index + elapsed / duration) / expected, f"{algorithm}, {timing}: {elapsed:.0f} s of {duration:g} s{takes}"
        )


def relay_process(connection: Connection, loaded: LoadedBench, ends: Ends) -> None:
    """Run the relay in a process of its own until something is said through the `connection`."""

    def stopped() -> bool:
        try:
            return connection.poll()
        except (EOFError, OSError):
            return True

    def work() -> None:
        record = run_relay(loaded, ends, lambda address: connection.send(("address", address)), stopped)
        connection.send(("record", record))

    attempt(connection, work)


def _side_process(connection: Connection, loaded: LoadedBench, ends: Ends, output: Path | None, scratch: Path) -> None:
    def tell(kind: str, content: Any) -> None:
        if kind == "record":  # in a file: who judges it reads parts only
            record, content = content, scratch / f"{ends.side}_{content.run}.npz"
            write_records(content, loaded.scenario.fingerprint(), [record], packed=False)
        connection.send((kind, content))

    attempt(connection, lambda: carry_out(loaded, ends, output, tell))


def attempt(connection: Connection, work: Callable[[], None]) -> None:
    """Do the work of a process; an error becomes a sentence for the session, which ends the process on Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that FMUs and their folders are released
    try:
        work()
    except Exception as error:
        known = isinstance(error, (CouplantError, OSError))
        try:
            connection.send(("error", f"{in_words(error)}." if known else f"{type(error).__name__}: {in_words(error)}"))
        except OSError:
            return
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # nothing is left to release, and Python may be closing down
