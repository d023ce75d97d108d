"""Finding settings in real time: both sides and the relay on this machine, or one side of two machines.

The sides run in processes of their own. What thinks, builds FMUs and unpacks them is this one: a side gets what it only
has to start, and starts it in a thread between its steps.
"""

import multiprocessing
import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from math import inf
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import CouplantError, UsageError
from couplant.base.isolation import unheard
from couplant.bench.handshake import Handshake
from couplant.bench.record import SideRecord
from couplant.bench.runner import Ends, rehearse
from couplant.bench.session import HOST, attempt, relay_process
from couplant.bench.side import Side
from couplant.bench.transport import Transport, load_transport, urgent
from couplant.bench.tune.dry import Identify, Propose, in_order, patience, rank_candidates
from couplant.bench.tune.lanes import FIRST_LANE, Lanes
from couplant.bench.tune.leader import Follower, Leader
from couplant.bench.tune.result import Tuned, Way
from couplant.bench.tune.sides import (
    Blocks,
    Candidate,
    Found,
    Reader,
    Shelf,
    Threaded,
    TuneWorkshop,
    Worded,
    first_of,
    limits_of,
    side_by_side,
    with_models,
)
from couplant.bench.tune.ticker import Ticker
from couplant.bench.tune.tuner import Budget, Tuner
from couplant.config.bench import SIDES, LoadedBench
from couplant.config.models import Model
from couplant.cosim.fmu.instance import kept_messages
from couplant.cosim.fmu.load import FmuLibrary

OWN = "model, of each side"  # name of what each of two machines found by itself
LEAD = 0.3  # time between the wish for a candidate and its first step [s]

_PATIENCE, _LAST_RESORT, _TURN = 1.0, 5.0, 0.1

Told = Callable[[float, str], None]


@dataclass(frozen=True)
class Start:
    """All that a side starts from."""

    loaded: LoadedBench  # with the models whose inputs the messages carry
    ends: Ends
    first: Candidate  # settings that are there
    folder: Path  # for FMUs
    certain: bool  # whether theory knows the loop
    longer: bool = False  # whether the recording goes on, so that both sides can be identified


def _side_process(connection: Connection, start: Start) -> None:
    attempt(connection, lambda: _run(connection, start))


def _run(connection: Connection, start: Start) -> None:
    """Run one side, and tell the session what was found."""
    loaded, side_name, clock = start.loaded, start.ends.side, time.perf_counter
    scenario, h = loaded.scenario, loaded.scenario.macro_step
    with ExitStack() as stack:
        library = stack.enter_context(FmuLibrary(start.folder))
        folder = start.folder / side_name
        shop = TuneWorkshop(loaded, side_name, library, folder, start.first, scenario.models)
        made, lanes = shop.make_lanes()
        stock = Threaded(shop.receives, h)
        reader = Reader(connection, stock)
        reader.start()
        with urgent(scenario.bench.real_time):
            inner = start.ends.transport.opened(start.ends.end(loaded))
        transport = Worded(stack.enter_context(closing(inner)), side_name, shop.fingerprint, start.longer)
        agree = Handshake(transport, clock, shop.fingerprint, scenario.bench.connect, start.ends.shared_clock)
        takes = rehearse(made, scenario, clock)
        side = stack.enter_context(Side(made, scenario, transport, clock))
        side.check_fit(takes)
        limits = {name: limit for name, limit in limits_of(loaded).items() if name in lanes}
        budget = Budget.of(h, lead=LEAD)
        tuner = Tuner(lanes, budget, stock, h, limits, start.certain)
        wait_for = patience(budget, h) if start.longer else 0
        senders = (side_name,) if start.ends.shared_clock else SIDES
        ticker = Ticker(side, Follower(tuner), reader, lanes, connection, stock, transport, senders, wait_for)
        if side_name == SIDES[0]:
            ticker.acting = Leader(tuner, ticker)
        for one in lanes.values():
            one.fed = []
        with urgent(scenario.bench.real_time), kept_messages() as said:
            side.begin(agree.lead() if side_name == SIDES[0] else agree.follow())
            transport.tuner = tuner
            side.run(ticker)
        stock.close()
        record = side.record(said.lines, takes)
        connection.send(("done", _result_of(ticker.acting, record, scenario.late)))


def _result_of(acting: Leader | Follower, record: SideRecord, late: float) -> Found:
    """Return the result of a side; values that left later than `late` [s] are late."""
    tuner, ran = acting.tuner, np.isfinite(record.begun)
    share = float(np.mean(~(record.done[ran] <= late))) if ran.any() else 0.0
    told = (acting.trials, acting.best, acting.reason) if isinstance(acting, Leader) else ([], tuner.force, "")
    trials, best, reason = told
    return Found(trials, tuner.windows, tuner.taken_back, best, tuner.given, tuner.n, record.messages,
                 record.counts, share, reason)  # fmt: skip


class _Session:
    """Processes of the sides that run here, and of the relay if both do."""

    def __init__(
        self, loaded: LoadedBench, propose: Propose, folder: Path, told: Told,
        identify: Identify | None = None, longer: bool = False,
    ) -> None:  # fmt: skip
        self._loaded, self._propose, self._folder, self._told = loaded, propose, folder, told
        self._identify, self._longer = identify, longer
        self._context = multiprocessing.get_context("spawn")
        self._pipes: dict[str, Connection] = {}
        self._processes: list[Any] = []
        self.fed: dict[str, list[dict[str, float]]] = {}
        self.said: dict[str, Blocks] = {}
        self.ages: dict[str, tuple[Vector, float]] = {}
        self.found: dict[str, Found] = {}
        self.candidates: dict[int, Candidate] = {}
        self.shadow: dict[str, float] = {}
        self._ranked: list[tuple[int, str, float]] = []

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
        process = self._context.Process(
            target=target, args=(theirs, *arguments), name=f"couplant tune, {name}", daemon=True
        )
        with unheard():
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

    def tune(self, sides: Sequence[str], shelf: Shelf) -> None:
        """Wait until the sides have ended; think in between. Ctrl-C makes them go back first."""
        try:
            while len(self.found) < len(sides):
                for name in self._speaking(sides):
                    self._take(name, sides, shelf)
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

    def _take(self, name: str, sides: Sequence[str], shelf: Shelf) -> None:
        kind, content = self._hear(name)
        if kind == "fed":
            self.fed.setdefault(content[0], []).extend(content[1])
        elif kind == "said":
            self.said.setdefault(content[0], {}).update(content[1])
        elif kind == "recorded":
            self.ages[name] = content
            if len(self.ages) == len(sides):
                self._think(sides, shelf)
        elif kind == "progress" and name == sides[0]:
            self._told(*content)
        elif kind == "done":
            self.found[name] = content

    def _think(self, sides: Sequence[str], shelf: Shelf) -> None:
        ages, lost = [age for age, _ in self.ages.values()], max(share for _, share in self.ages.values())
        self._told(0.0, "thinking")
        h = self._loaded.scenario.macro_step
        lanes = {name: self._recording(shelf, name, rows, h) for name, rows in self.fed.items()}
        listed = self._propose(ages, lost)
        plain = self._hand_out(sides, shelf, lanes, dict(enumerate(listed, start=FIRST_LANE + 1)))
        if self._identify is None:
            return self._send_all(sides, "order", plain)
        self._send_all(sides, "plain", plain)
        said = {name: self.said.get(name, {}) for name in SIDES}
        propose = None
        if all(said.values()) or not self._longer:
            propose = self._identify(side_by_side(said, h) if self._longer else {})
        if propose is not None:
            apart = len(sides) < len(SIDES)
            rows = dict(enumerate(same_lanes(listed, propose(ages, lost), apart), start=FIRST_LANE + 1))
            self._send_all(sides, "identified", max(rows) if apart and len(rows) > len(listed) else 0)
            plain = self._hand_out(sides, shelf, lanes, rows)
        self._send_all(sides, "order", plain)
        return None

    def _send_all(self, sides: Sequence[str], kind: str, content: Any) -> None:
        for side in sides:
            with suppress(OSError):  # it has ended meanwhile
                self._pipes[side].send((kind, content))

    def _hand_out(
        self, sides: Sequence[str], shelf: Shelf, lanes: Mapping[str, Lanes], candidates: Mapping[int, Candidate]
    ) -> list[tuple[int, str, float]]:
        """Return candidates by lane in the order in which to try them; build those that are new for the sides."""
        new = {key: one for key, one in candidates.items() if key not in self.candidates}
        self.candidates.update(candidates)
        shelf.take(new)
        self._ranked += rank_candidates(new, dict.fromkeys(lanes, shelf), lanes, self._loaded.scenario.macro_step)
        self.shadow = {name: error for _, name, error in self._ranked}
        found = in_order(self.candidates, self._ranked, first_of(self._loaded))
        self.give_out(sides, shelf, [key for key, *_ in found if key in new])
        return found

    def give_out(self, sides: Sequence[str], shelf: Shelf, keys: Sequence[int]) -> None:
        """Build and unpack the candidates in the lanes `keys` for the sides."""
        for key in keys:
            if key not in self.candidates:
                continue
            for name, table in self._loaded.scenario.signals.items():
                for side in sides:
                    if table.source.component != side:
                        packed = pickle.dumps(shelf.pack(name, self.candidates[key]))
                        self._send_all([side], "packed", ((key, name), packed))

    def _recording(self, shelf: Shelf, name: str, rows: list[dict[str, float]], h: float) -> Lanes:
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
    reach: tuple[str | None, str, str | None, bool], identify: Identify | None = None,
    longer: bool = True,
) -> Tuned | None:  # fmt: skip
    """Return the settings that measured best in real time, None on a right side by itself; FMUs go to `folder`.

    `models` are those whose inputs the messages carry, `propose` tells candidates, `told` hears the share that is done;
    with `certain` what is expected of candidates is known of this loop. `reach` has the side that runs here, None for
    both, its address, that of the other one, and whether other hosts are allowed. `identify` tells what proposes
    candidates where the sides are not known, after a `longer` recording, or what each of two machines proposes.

    Raises UsageError if an address or a setting does not fit, CouplantError if a side fails.
    """
    side, listen, peer, anywhere = reach
    if side is not None and side not in SIDES:
        raise UsageError(f"side = {side}, allowed left, right")
    table = loaded.scenario.bench.transport
    carrier: type[Transport] = load_transport(table.name, "bench.transport")
    whole, first = with_models(loaded, models), first_of(loaded)
    sides = SIDES if side is None else (side,)
    carrier.check(Ends(side or SIDES[0], listen if side else "", peer or "", carrier).end(whole), anywhere)
    sure, longer = certain and side is None, longer and identify is not None
    with FmuLibrary(folder) as library, _Session(whole, propose, folder, told, identify, longer) as session:
        shelf = Shelf(loaded, library, folder / "built", loaded.scenario.timing[0])
        if side is None:
            session.start(
                "relay", relay_process, whole, Ends("relay", f"{HOST}:{loaded.scenario.bench.port}", "", carrier)
            )
            listen, peer = f"{HOST}:0", session.address()
        for one in sides:
            ends = Ends(one, listen, peer or "", carrier, side is None)
            session.start(one, _side_process, Start(whole, ends, first, folder, sure, longer))
        session.tune(sides, shelf)
        if SIDES[0] not in sides:
            return None
        return _result(loaded, first, session)


def same_lanes(common: Sequence[Candidate], own: Sequence[Candidate], apart: bool) -> list[Candidate]:
    """Return `common` candidates in their lanes, with what the `own` ones are expected to err, then models of these.

    On two machines, `apart`, it is one model, which is another one on each.
    """
    expected = {one.name: one.expected for one in own}
    rows = [replace(one, expected=expected.get(one.name, inf)) for one in common]
    models = [one for one in own if one.models]
    return rows + ([replace(one, name=OWN) for one in models[:1]] if apart else models)


def _result(loaded: LoadedBench, first: Candidate, session: _Session) -> Tuned:
    left, h = session.found[SIDES[0]], loaded.scenario.macro_step
    others = dict(zip(SIDES, SIDES[::-1], strict=True))
    ways = [Way.of(others[name], name, one.messages, one.counts) for name, one in session.found.items()]
    found = {name: one.windows for name, one in session.found.items()}
    back = {name: one.taken_back for name, one in session.found.items()}
    made = Tuned(loaded, first, session.candidates, left.best, left.trials, found, back, ways, session.shadow,
                 left.n * h, False, reason=left.reason)  # fmt: skip
    return replace(made, late={name: one.late for name, one in session.found.items()})
