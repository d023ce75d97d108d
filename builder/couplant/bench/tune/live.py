"""Finding settings in real time: both sides and the relay on this machine, or one side of two machines.

The sides run in processes of their own. What thinks, builds FMUs and unpacks them is this one: a side gets what it only
has to start, and starts it in a thread between its steps.
"""

import multiprocessing
import pickle
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import CouplantError, UsageError
from couplant.bench.handshake import Handshake
from couplant.bench.runner import Ends, rehearse
from couplant.bench.session import HOST, attempt, relay_process
from couplant.bench.side import Side
from couplant.bench.transport import Transport, load_transport, urgent
from couplant.bench.tune.dry import Propose, in_order, rank_candidates
from couplant.bench.tune.lanes import FIRST_LANE, Lanes
from couplant.bench.tune.result import Tuned, Way
from couplant.bench.tune.sides import Candidate, Packed, Shelf, TuneWorkshop, Worded, first_of, lead_or_follow, limits_of, with_models
from couplant.bench.tune.tuner import END, Budget, Follower, Leader, Tuner, best_of
from couplant.config.bench import SIDES, LoadedBench
from couplant.config.models import Model
from couplant.cosim.fmu.component import Component
from couplant.cosim.fmu.instance import kept_messages
from couplant.cosim.fmu.load import FmuLibrary

LEAD = 0.3  # time between the wish for a candidate and its first step [s]

_ROWS = 32  # of a recording in a word: what is large would hold up a step
_PATIENCE, _LAST_RESORT, _TURN = 1.0, 5.0, 0.1

Told = Callable[[float, str], None]


class Threaded:
    """A stock that starts coupling FMUs of `signals` in a thread; macro steps are `macro_step` [s]."""

    def __init__(self, signals: Sequence[str], macro_step: float) -> None:
        self._signals, self._h = signals, macro_step
        self.packed: dict[tuple[int, str], bytes] = {}
        self._worker = ThreadPoolExecutor(1)
        self._worker.submit(int).result()  # begins before this process is urgent
        self._coming: tuple[tuple[int, int], Future[dict[str, Component]]] | None = None

    def order(self, key: int, n: int) -> None:
        """Begin to start a lane for macro point `n`."""
        if self._coming is None or self._coming[1].done():
            self._coming = (key, n), self._worker.submit(self._begun, key, n)

    def deliver(self, key: int, n: int) -> Mapping[str, Component] | None:
        """Return its FMUs if they are there at macro point `n`."""
        if self._coming is None or self._coming[0] != (key, n) or not self._coming[1].done():
            return None
        try:
            return self._coming[1].result()
        except (CouplantError, OSError, KeyError):
            return None

    def _begun(self, key: int, n: int) -> dict[str, Component]:
        packed: dict[str, Packed] = {name: pickle.loads(self.packed[key, name]) for name in self._signals}
        return {name: one.begun(name, n * self._h) for name, one in packed.items()}


class Reader(threading.Thread):
    """Reads what the session says, so that no step waits for it."""

    def __init__(self, connection: Connection, stock: Threaded) -> None:
        super().__init__(daemon=True)
        self._connection, self._stock = connection, stock
        self.order: list[tuple[int, str, float]] | None = None
        self.stopped = False

    def run(self) -> None:
        """Read until the end of the session."""
        with suppress(EOFError, OSError):
            while True:
                kind, content = self._connection.recv()
                if kind == "packed":
                    self._stock.packed[content[0]] = content[1]
                elif kind == "order":
                    self.order = content
                elif kind == "stop":
                    break
        self.stopped = True


@dataclass
class Ticker:
    """What a side does between its steps; stands in the place of a tap."""

    side: Side
    acting: Leader | Follower
    reader: Reader
    lanes: Mapping[str, Lanes]
    connection: Connection
    worker: ThreadPoolExecutor
    asked = False
    over_at = -1
    progress_at = 0

    def ask(self, n: int) -> None:
        """Send what was recorded."""
        if not self.asked:
            self.asked = True
            self.worker.submit(self._send_recording, self._ages())

    def answer(self, n: int) -> Sequence[tuple[int, str, float]] | None:
        """Return what the session thinks."""
        return self.reader.order

    def look(self, n: int, steps: Any, done: Vector) -> None:
        """Act after step `n`; `steps` and when they were `done` do not matter."""
        tuner = self.acting.tuner
        self.acting.tick(n)
        if isinstance(self.acting, Follower) and n >= tuner.budget.record and 0 <= tuner.moved_at <= n - tuner.budget.record:
            self.ask(n)
        if self.reader.stopped and self.over_at < 0:
            if isinstance(self.acting, Leader):
                self.acting.stop()
            else:
                tuner.return_to_first()
            self.over_at = n + 3
        elif isinstance(self.acting, Leader) and self.acting.is_over and self.over_at < 0:
            self.over_at = n + tuner.budget.trial
        elif isinstance(self.acting, Follower) and tuner.heard.phase == END and self.over_at < 0:
            self.over_at = n + tuner.budget.trial
        if 0 <= self.over_at <= n:
            self.side.end()
        if n - self.progress_at >= 1.0 / tuner.h:
            self.progress_at = n
            name = self.acting.names.get(tuner.given, "") if isinstance(self.acting, Leader) else ""
            self.worker.submit(self._send, ("progress", (n / tuner.budget.total, name)))

    def _ages(self) -> tuple[Vector, float]:
        messages, counts = self.side.messages()
        ages = np.ceil((messages[:, 2] - messages[:, 0]) / self.acting.tuner.h - 1e-6)
        return ages, counts["lost"] / max(counts["lost"] + len(messages), 1)

    def _send_recording(self, ages: tuple[Vector, float]) -> None:
        for name, one in self.lanes.items():
            rows, one.fed = one.fed or [], None
            for at in range(0, len(rows), _ROWS):
                self._send(("fed", (name, rows[at : at + _ROWS])))
                time.sleep(0.001)
        self._send(("recorded", ages))

    def _send(self, word: tuple[str, Any]) -> None:
        with suppress(OSError):
            self.connection.send(word)


def _side_process(
    connection: Connection, loaded: LoadedBench, ends: Ends, first: Candidate, models: Mapping[str, Model],
    folder: Path, certain: bool,
) -> None:  # fmt: skip
    attempt(connection, lambda: _run(connection, loaded, ends, first, models, folder, certain))


def _run(
    connection: Connection, loaded: LoadedBench, ends: Ends, first: Candidate, models: Mapping[str, Model],
    folder: Path, certain: bool,
) -> None:  # fmt: skip
    """Run one side, and tell the session what was found."""
    scenario, h, clock = loaded.scenario, loaded.scenario.macro_step, time.perf_counter
    with ExitStack() as stack:
        library = stack.enter_context(FmuLibrary(folder))
        shop = TuneWorkshop(loaded, ends.side, library, folder / ends.side, first, models)
        made, lanes = shop.make_lanes()
        stock = Threaded(shop.receives, h)
        reader = Reader(connection, stock)
        reader.start()
        with urgent(scenario.bench.real_time):
            inner = ends.transport.opened(ends.end(loaded))
        transport = Worded(stack.enter_context(closing(inner)), ends.side, scenario.fingerprint())
        agree = Handshake(transport, clock, scenario.fingerprint(), scenario.bench.connect, ends.shared_clock)
        takes = rehearse(made, scenario, clock)
        budget = Budget.of(h, lead=LEAD)
        limits = {name: limit for name, limit in limits_of(loaded).items() if name in lanes}
        side = stack.enter_context(Side(made, scenario, transport, clock))
        side.check_fit(takes)
        tuner = Tuner(lanes, budget, stock, h, limits, certain)
        ticker = Ticker(side, None, reader, lanes, connection, stock._worker)  # type: ignore[arg-type]
        ticker.acting = lead_or_follow(ends.side, tuner, ticker)
        for one in lanes.values():
            one.fed = []
        with urgent(scenario.bench.real_time), kept_messages() as said:
            side.begin(agree.lead() if ends.side == SIDES[0] else agree.follow())
            transport.tuner = tuner
            connection.send(("begun", takes))
            side.run(ticker)  # type: ignore[arg-type]
        stock._worker.shutdown(wait=True)
        record = side.record(said.lines, takes)
        trials = ticker.acting.trials if isinstance(ticker.acting, Leader) else []
        late = np.flatnonzero(np.isfinite(record.begun))
        share = float(np.mean(~(record.done[late] <= scenario.late))) if late.size else 0.0
        why = ticker.acting.reason if isinstance(ticker.acting, Leader) else ""
        found = Found(trials, tuner.windows, tuner.taken_back, tuner.force, tuner.given, tuner.n, record.messages,
                      record.counts, share, why)  # fmt: skip
        connection.send(("done", found))


@dataclass(frozen=True)
class Found:
    """What a side found."""

    trials: list[Any]
    windows: list[Any]
    taken_back: list[tuple[float, int, str]]
    force: int
    given: int
    n: int
    messages: Vector
    counts: dict[str, int]
    late: float  # share of late steps [-]
    reason: str


class _Session:
    """Processes of the sides that run here, and of the relay if both do."""

    def __init__(self, loaded: LoadedBench, propose: Propose, folder: Path, told: Told, certain: bool) -> None:
        self._loaded, self._propose, self._folder, self._told, self._certain = loaded, propose, folder, told, certain
        self._context = multiprocessing.get_context("spawn")
        self._pipes: dict[str, Connection] = {}
        self._processes: list[Any] = []
        self.fed: dict[str, list[dict[str, float]]] = {}
        self.ages: dict[str, tuple[Vector, float]] = {}
        self.found: dict[str, Found] = {}
        self.candidates: dict[int, Candidate] = {}
        self.shadow: dict[str, float] = {}

    def __enter__(self) -> "_Session":
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self._pipes.values():
            connection.close()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join(_LAST_RESORT)
            if process.is_alive():
                process.kill()
                process.join()

    def start(self, name: str, target: Callable[..., None], *arguments: Any) -> None:
        """Start a process."""
        own, theirs = self._context.Pipe()
        process = self._context.Process(target=target, args=(theirs, *arguments), name=f"couplant tune, {name}", daemon=True)
        process.start()
        theirs.close()
        self._pipes[name] = own
        self._processes.append(process)

    def address(self) -> str:
        """Return where the relay is."""
        pipe = self._pipes["relay"]
        if not pipe.poll(_LAST_RESORT + self._loaded.scenario.bench.connect):
            raise CouplantError("relay: no answer.")
        return str(self._hear("relay")[1])

    def tune(self, sides: Sequence[str], shelf: Shelf, together: bool) -> None:
        """Wait until the sides have ended; think in between. Ctrl-C makes them go back first."""
        try:
            while len(self.found) < len(sides):
                for name in self._speaking(sides):
                    self._take(name, sides, shelf, together)
        except KeyboardInterrupt:
            for name in sides:
                with suppress(OSError):
                    self._pipes[name].send(("stop", None))
            last = time.monotonic() + _PATIENCE
            while len(self.found) < len(sides) and time.monotonic() < last:
                with suppress(CouplantError):
                    for name in self._speaking(sides):
                        kind, content = self._hear(name)
                        if kind == "done":
                            self.found[name] = content
            raise

    def _speaking(self, sides: Sequence[str]) -> list[str]:
        open_ = [name for name in sides if name not in self.found]
        heard = wait([self._pipes[name] for name in open_], _TURN)
        return [name for name in open_ if self._pipes[name] in heard]

    def _take(self, name: str, sides: Sequence[str], shelf: Shelf, together: bool) -> None:
        kind, content = self._hear(name)
        if kind == "fed":
            self.fed.setdefault(content[0], []).extend(content[1])
        elif kind == "recorded":
            self.ages[name] = content
            if len(self.ages) == len(sides):
                self._think(sides, shelf, together)
        elif kind == "progress" and name == sides[0]:
            self._told(*content)
        elif kind == "done":
            self.found[name] = content

    def _think(self, sides: Sequence[str], shelf: Shelf, together: bool) -> None:
        ages, lost = [age for age, _ in self.ages.values()], max(share for _, share in self.ages.values())
        self._told(0.0, "thinking")
        self.candidates = dict(enumerate(self._propose(ages, lost), start=FIRST_LANE + 1))
        shelf.take(self.candidates)
        h = self._loaded.scenario.macro_step
        lanes = {name: self._recorded(shelf, name, rows, h) for name, rows in self.fed.items()}
        order = rank_candidates(self.candidates, dict.fromkeys(lanes, shelf), lanes, h)
        self.shadow = {name: error for _, name, error in order}
        found = in_order(self.candidates, order)
        self.give_out(sides, shelf, [key for key, *_ in found])
        if SIDES[0] in sides:
            self._pipes[SIDES[0]].send(("order", found))

    def give_out(self, sides: Sequence[str], shelf: Shelf, keys: Sequence[int]) -> None:
        """Build and unpack candidates for the sides."""
        for key in keys:
            if key not in self.candidates:
                continue
            for name, table in self._loaded.scenario.signals.items():
                for side in sides:
                    if table.source.component != side:
                        packed = pickle.dumps(shelf.packed(name, self.candidates[key]))
                        self._pipes[side].send(("packed", ((key, name), packed)))

    def _recorded(self, shelf: Shelf, name: str, rows: list[dict[str, float]], h: float) -> Lanes:
        lane, _ = shelf.lane(name, Candidate("zoh", "zoh"))
        made = Lanes(name, lane, [], h, rows[0].get("y", 0.0) if rows else 0.0)
        made.fed = rows
        return made

    def _hear(self, name: str) -> tuple[str, Any]:
        try:
            kind, content = self._pipes[name].recv()
        except (EOFError, OSError):
            raise CouplantError(f"{name}: its process ended.") from None
        if kind == "error":
            raise CouplantError(f"{name}: {content}")
        return kind, content


def tune_live(
    loaded: LoadedBench, models: Mapping[str, Model], propose: Propose, folder: Path, told: Told, certain: bool,
    reach: tuple[str | None, str, str | None, bool],
) -> Tuned | None:  # fmt: skip
    """Return what a bench is tuned to in real time, None on a right side by itself; FMUs go to `folder`.

    `models` are those whose inputs the messages carry, `propose` tells candidates, `told` hears the share that is done;
    with `certain` what is expected of candidates is known of this loop. `reach` has the side that runs here, None for
    both, its address, that of the other one, and whether other hosts are allowed.

    Raises UsageError if an address or a setting does not fit, CouplantError if a side fails.
    """
    side, listen, peer, anywhere = reach
    if side is not None and side not in SIDES:
        raise UsageError(f"side = {side}, allowed left, right")
    table = loaded.scenario.bench.transport
    carrier: type[Transport] = load_transport(table.name, "bench.transport")
    whole, first = with_models(loaded, models if side is None else loaded.scenario.models), first_of(loaded)
    sides = SIDES if side is None else (side,)
    carrier.check(Ends(side or SIDES[0], listen if side else "", peer or "", carrier).end(whole), anywhere)
    with FmuLibrary(folder) as library, _Session(whole, propose, folder, told, certain and side is None) as session:
        shelf = Shelf(loaded, library, folder / "built", loaded.scenario.timing[0])
        if side is None:
            session.start("relay", relay_process, whole, Ends("relay", f"{HOST}:{loaded.scenario.bench.port}", "", carrier))
            listen, peer = f"{HOST}:0", session.address()
        for one in sides:
            ends = Ends(one, listen, peer or "", carrier, side is None)
            more = whole.scenario.models
            session.start(one, _side_process, whole, ends, first, more, folder, certain and side is None)
        session.tune(sides, shelf, side is None)
        if SIDES[0] not in sides:
            return None
        return _result(loaded, first, session)


def _result(loaded: LoadedBench, first: Candidate, session: _Session) -> Tuned:
    left, h = session.found[SIDES[0]], loaded.scenario.macro_step
    force = left.force
    if not session._certain:
        force = best_of(left.trials, force, 0.5 * Budget.of(h).trial * h)
    others = dict(zip(SIDES, SIDES[::-1], strict=True))
    ways = [Way(others[name], name, one.messages[:, 2] - one.messages[:, 1], one.messages[:, 2] - one.messages[:, 0],
                one.counts) for name, one in session.found.items()]  # fmt: skip
    found = {name: one.windows for name, one in session.found.items()}
    back = {name: one.taken_back for name, one in session.found.items()}
    made = Tuned(loaded, first, session.candidates, force, left.trials, found, back, ways, session.shadow, left.n * h,
                 False, reason=left.reason)  # fmt: skip
    return replace(made, late={name: one.late for name, one in session.found.items()})


