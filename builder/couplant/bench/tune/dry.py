"""The bench on a clock of its own: the same sides and the same relay, without processes, sockets and waiting."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import CouplantError
from couplant.base.style import WIRE
from couplant.bench.handshake import Agreement
from couplant.bench.message import unpack
from couplant.bench.record import SideRecord
from couplant.bench.relay import Lines, Relay
from couplant.bench.side import Side
from couplant.bench.transport import Transport
from couplant.bench.tune.lanes import FIRST_LANE, WIRE_LANE, Lane, Lanes
from couplant.bench.tune.leader import Follower, Leader
from couplant.bench.tune.meter import LOOK, is_growing
from couplant.bench.tune.result import Tuned, Way
from couplant.bench.tune.sides import (
    RECORDED,
    Candidate,
    Prompt,
    Shelf,
    TuneWorkshop,
    Worded,
    first_of,
    limits_of,
    side_by_side,
)
from couplant.bench.tune.tuner import Budget, Tuner
from couplant.bench.wiring import SideWorkshop
from couplant.config.bench import SIDES, LoadedBench
from couplant.config.models import Model
from couplant.cosim.fmu.instance import kept_messages
from couplant.cosim.fmu.load import FmuLibrary

START = 1000.0  # when runs begin by the clock that waits [s]
LISTING = 2.0  # time of the bench that is counted for a list of candidates [s]
IDENTIFYING = 30.0  # the same where both sides are identified first [s]

_RUN, _TINY = 7, 1e-300

Propose = Callable[[Sequence[Vector], float], Sequence[Candidate]]
"""Returns candidates, the best first: by the age of the values of each direction [macro steps], and the losses [-]."""


Identify = Callable[[Mapping[str, Matrix]], Propose | None]
"""Returns what proposes candidates, by what the sides sent and were given; None where they cannot be identified."""


def thinking_time(certain: bool) -> float:
    """Return the time of the bench that is counted: more for advice, where theory is `certain` to know the loop [s]."""
    return 8.0 if certain else LISTING


class Clock:
    """A clock that shows the time that it is told."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        """Return the time [s]."""
        return self.now


class Post(Transport):
    """Hands datagrams to a `relay` by a `clock`; each takes `effort` before it leaves [s]."""

    def __init__(self, relay: Relay, clock: Clock) -> None:
        self.relay, self.clock, self.effort = relay, clock, 0.0
        self.arrived: list[bytes] = []

    def send(self, datagram: bytes) -> None:
        """Hand a datagram over."""
        self.clock.now += self.effort
        self.relay.take(self.clock(), unpack(datagram), datagram)

    def receive(self) -> list[bytes]:
        """Return all datagrams that have arrived."""
        found, self.arrived = self.arrived, []
        return found

    def close(self) -> None:
        """Forget all datagrams."""
        self.arrived = []


@dataclass
class Course:
    """Both sides of a run on a clock that waits; `after` hears the side, 0 or 1, and the step that it has done."""

    clock: Clock
    relay: Relay
    posts: Sequence[Post]
    sides: Sequence[Side]
    after: Callable[[int, int], None] = lambda side, n: None
    stopped: bool = False

    def carry_out(self, last: Sequence[int]) -> None:
        """Let messages and steps happen, messages first, until the sides have done their `last` steps."""
        done = [0, 0]
        while not self.stopped and any(n <= end for n, end in zip(done, last, strict=True)):
            ready = zip(self.sides, done, last, strict=True)
            steps = [side.due(n) if n <= end and not side.waits else inf for side, n, end in ready]
            arrival, i = self.relay.next_due(), steps.index(min(steps))
            if arrival is not None and arrival <= steps[i]:
                self.clock.now = arrival
                for sender, datagram in self.relay.due(arrival):
                    self.posts[1 - sender].arrived.append(datagram)
                    self.sides[1 - sender].gather()
            else:
                self.clock.now = steps[i]
                self.sides[i].step(done[i])
                self.after(i, done[i])
                done[i] += 1


Records = tuple[list[SideRecord], Lines]


def run_plain(loaded: LoadedBench, algorithm: str, library: FmuLibrary, folder: Path) -> Records:
    """Return the records of both sides and of the relay of a run with an algorithm of `loaded`; FMUs go to `folder`.

    Raises CouplantError if an FMU cannot be built or refuses.
    """
    clock, relay = Clock(), Relay(loaded.scenario.relay)
    posts = [Post(relay, clock) for _ in SIDES]
    with ExitStack() as stack:
        sides = []
        for name, post in zip(SIDES, posts, strict=True):
            made = SideWorkshop(loaded, name, library, folder / name).make(algorithm, loaded.scenario.timing[0])
            sides.append(stack.enter_context(Side(made, loaded.scenario, post, clock)))
        for side in sides:
            side.begin(Agreement(_RUN, START))
        Course(clock, relay, posts, sides).carry_out([side.count for side in sides])
        return [side.record() for side in sides], relay.lines


@dataclass(frozen=True)
class Deeper:
    """Identification of both sides, before anything is proposed."""

    identify: Identify
    rows: Callable[[], Mapping[str, Matrix]]  # what the sides sent and were given, by side
    patience: int  # macro steps by which the recording goes on
    tuners: Sequence[Tuner]  # which are told that it has found them


class Thinker:
    """A plan that thinks for some time of the bench, `takes` [s]; `lanes` and `shelves` are those of both sides.

    With `deeper` the recording goes on first, unless the signals grow.
    """

    def __init__(
        self, lanes: Mapping[str, Lanes], shelves: Mapping[str, Shelf], propose: Propose, macro_step: float,
        ages: Callable[[], tuple[list[Vector], float]], takes: float, before: Candidate, deeper: Deeper | None = None,
    ) -> None:  # fmt: skip
        self._lanes, self._shelves, self._propose, self._h, self._ages = lanes, shelves, propose, macro_step, ages
        self._takes, self._ready, self._before, self._deeper = takes, -1, before, deeper
        self._until = 0
        self._found: list[tuple[int, str, float]] = []
        self.shadow: dict[str, float] = {}  # errors of the candidates beside what was recorded, by name [-]
        for one in lanes.values():
            one.fed = []

    def ask(self, n: int) -> None:
        """Think now, at macro point `n`, or when enough is recorded; the answer comes when it would have been there."""
        self._until = n + (0 if self._deeper is None else self._deeper.patience)
        if self._deeper is None:
            self._think(n, self._propose, self._takes)

    def answer(self, n: int) -> Sequence[tuple[int, str, float]] | None:
        """Return the candidates when it is time, None before that macro point `n`."""
        if self._ready < 0 and self._deeper is not None:
            if n % LOOK == 0 and is_growing(self._lanes.values()):
                self._think(n, self._propose, self._takes)
            elif n >= self._until:
                found = self._deeper.identify(self._deeper.rows())
                for tuner in self._deeper.tuners if found else ():
                    tuner.was_identified = True
                self._think(n, found or self._propose, IDENTIFYING)
        return self._found if 0 <= self._ready <= n else None

    def _think(self, n: int, propose: Propose, takes: float) -> None:
        candidates = dict(enumerate(propose(*self._ages()), start=FIRST_LANE + 1))
        for shelf in self._shelves.values():
            shelf.take(candidates)
        order = rank_candidates(candidates, self._shelves, self._lanes, self._h)
        self.shadow = {name: error for _, name, error in order}
        self._found = in_order(candidates, order, self._before)
        self._ready = n + round(takes / self._h)
        for one in self._lanes.values():
            one.fed = None


def rank_candidates(
    candidates: Mapping[int, Candidate], shelves: Mapping[str, Shelf], lanes: Mapping[str, Lanes], macro_step: float
) -> list[tuple[int, str, float]]:
    """Return lane, name and error of each of the `candidates` on what the `lanes` were fed, over that of the wire [-].

    Candidates are by lane, `shelves` by signal; a macro step is `macro_step` [s]. Settings that cannot be built have an
    infinite error.
    """
    found = []
    for key, one in candidates.items():
        if one.algorithm == WIRE:
            found.append((WIRE_LANE, one.name, 1.0))
            continue
        try:
            shares = [replay(shelves[name].lane(name, one)[0], lane, macro_step) for name, lane in lanes.items()]
        except CouplantError:
            shares = [inf]
        found.append((key, one.name, float(np.mean(shares)) if shares else inf))
    return found


def replay(lane: Lane, fed: Lanes, macro_step: float) -> float:
    """Return the rms error of a `lane` on the inputs that other ones were `fed`, over that of the plain wire [-].

    A macro step is `macro_step` [s].
    """
    made = Lanes("replay", lane, [], macro_step, fed.first_value)
    if not fed.fed:
        return inf
    try:
        made.start(0.0, {})
        made.begin()
        names = [name for name in fed.fed[-1] if name in made.ports]
        write = made.writer(names)
        for n, values in enumerate(fed.fed):
            write([values[name] for name in names])
            made.step(n * macro_step, macro_step)
        late = [truth for truth in made.truths if truth.known >= len(fed.fed) // 4]
        wire, own = (float(np.mean([t.errors[key] * t.errors[key] for t in late])) if late else inf for key in (0, 1))
    finally:
        made.free()
    return float(np.sqrt((own + _TINY) / (wire + _TINY)))


def in_order(
    candidates: Mapping[int, Candidate], order: Sequence[tuple[int, str, float]], before: Candidate
) -> list[tuple[int, str, float]]:
    """Return lanes, names and expected errors of `candidates`, the first to try first, without what was there `before`.

    Where theory knows the loop its order counts, without what is far worse than the wire on what was recorded; else the
    `order` of the recording, without what is worse than the wire there.
    """
    same = {before.algorithm} | ({WIRE, "zoh"} if before.algorithm in (WIRE, "zoh") else set())
    old = {one.name for one in candidates.values() if one.algorithm in same and not one.models}
    known = any(np.isfinite(one.expected) for one in candidates.values())
    expected = {one.name: one.expected if known else inf for one in candidates.values()}
    most = 1.5 if known else 1.0
    rows = [(key, name, expected[name] if known else error) for key, name, error in order if error <= most]
    first = [(FIRST_LANE, name, value) for _, name, value in rows if name in old][:1]
    return first + sorted((row for row in rows if row[1] not in old), key=lambda row: row[2])


@dataclass
class DryRun:
    """A bench that was tuned on a clock that waits."""

    leader: Leader
    tuners: tuple[Tuner, Tuner]
    records: list[SideRecord]
    lines: Lines
    plan: Thinker
    candidates: Mapping[int, Candidate]


@dataclass
class DryBench:
    """A bench to be tuned on a clock that waits, from the settings `first` on; FMUs are built into a `folder`."""

    loaded: LoadedBench
    first: Candidate
    models: Mapping[str, Model]  # whose inputs the messages carry
    propose: Propose
    folder: Path
    told: Callable[[float, str], None] = lambda share, text: None  # hears the share that is done, and what is given
    certain: bool = False  # what is expected of candidates is known of this loop
    takes: float = LISTING  # to think [s]
    silent_after: int | None = None  # step after which the right side vanishes
    stop_at: int | None = None  # step at which the user stops
    identify: Identify | None = None  # where the sides are not known
    to_the_end: bool = True  # else it ends when what is in force at last has been watched for the time of a trial

    def tune(self) -> DryRun:
        """Return the bench at the end; raise `CouplantError` if an FMU cannot be built or refuses."""
        self._h, clock, relay = self.loaded.scenario.macro_step, Clock(), Relay(self.loaded.scenario.relay)
        posts = [Post(relay, clock) for _ in SIDES]
        self._budget = Budget.of(self._h)
        with ExitStack() as stack:
            library = stack.enter_context(FmuLibrary())
            stack.enter_context(kept_messages())
            shops = [TuneWorkshop(self.loaded, s, library, self.folder / s, self.first, self.models) for s in SIDES]
            made = [shop.make_lanes() for shop in shops]
            kept = self.identify is not None
            words = [Worded(p, shop.side, shop.fingerprint, kept) for p, shop in zip(posts, shops, strict=True)]
            parts = zip(made, shops, words, strict=True)
            sides = [stack.enter_context(Side(one, shop.scenario, word, clock)) for (one, _), shop, word in parts]
            tuners = [self._tuner(shop, lanes) for shop, (_, lanes) in zip(shops, made, strict=True)]
            for side, word, tuner in zip(sides, words, tuners, strict=True):
                word.tuner = tuner
                side.begin(Agreement(_RUN, START))
            shelves = {name: shop.shelf for shop in shops for name in shop.receives}
            ages = partial(_ages, sides, self._h)
            lanes = made[0][1] | made[1][1]
            how = self._deeper(words, tuners)
            plan = Thinker(lanes, shelves, self.propose, self._h, ages, self.takes, self.first, how)
            leader, follower = Leader(tuners[0], plan), Follower(tuners[1])
            course = Course(clock, relay, posts, sides)
            course.after = partial(self._after, course, leader, follower)
            count = sides[0].count
            course.carry_out([count, count if self.silent_after is None else self.silent_after])
            records = [side.record() for side in sides]
            return DryRun(leader, (tuners[0], tuners[1]), records, relay.lines, plan, shops[0].shelf.candidates)

    def _deeper(self, words: Sequence[Worded], tuners: Sequence[Tuner]) -> Deeper | None:
        if self.identify is None:
            return None

        def rows() -> dict[str, Matrix]:
            return side_by_side({SIDES[i]: word.blocks[i] for i, word in enumerate(words)}, self._h)

        return Deeper(self.identify, rows, patience(self._budget, self._h), tuners)

    def _tuner(self, shop: TuneWorkshop, lanes: Mapping[str, Lanes]) -> Tuner:
        limits = {name: limit for name, limit in limits_of(self.loaded).items() if name in lanes}
        stock = Prompt(shop.shelf, shop.receives, self._h)
        return Tuner(lanes, self._budget, stock, self._h, limits, self.certain)

    def _after(self, course: Course, leader: Leader, follower: Follower, side: int, n: int) -> None:
        (leader, follower)[side].tick(n)
        if side == 0:
            if n == self.stop_at:
                leader.stop()
            if n % 50 == 0:
                self.told(min(n / self._budget.total, 1.0), leader.names.get(leader.tuner.given, ""))
            course.stopped = leader.is_over and not self.to_the_end and n > leader.over_at + self._budget.trial


def _ages(sides: Sequence[Side], macro_step: float) -> tuple[list[Vector], float]:
    """Return the age of values when they are there, by direction [macro steps], and the largest share of losses."""
    ages, lost = zip(*(ages_of(side, macro_step) for side in sides), strict=True)
    return list(ages), max(lost)


def patience(budget: Budget, macro_step: float) -> int:
    """Return by how many macro steps of `macro_step` [s] a recording goes on, so that sides can be identified.

    The `budget` leaves room for thinking, for a candidate that is soon taken back, and for a whole trial of another.
    """
    room = latest(budget) - budget.record - round(IDENTIFYING / macro_step)
    return max(min(RECORDED - budget.record, room), 0)


def latest(budget: Budget) -> int:
    """Return the macro point of a `budget` at which the first trial begins at the latest, so that two fit in."""
    tried = budget.lead + budget.shadow + 6 * budget.window
    return budget.total - tried - (budget.lead + budget.shadow + budget.trial + budget.window)


def ages_of(side: Side, macro_step: float) -> tuple[Vector, float]:
    """Return the ages of what came to a `side`, in macro steps of `macro_step` [s], and the share that was lost."""
    messages, counts = side.messages()
    ages = np.ceil((messages[:, 2] - messages[:, 0]) / macro_step - 1e-6)
    return ages, counts["lost"] / max(counts["lost"] + len(messages), 1)


def tune_bench(
    loaded: LoadedBench, models: Mapping[str, Model], propose: Propose, folder: Path,
    told: Callable[[float, str], None], certain: bool, identify: Identify | None = None,
) -> Tuned:  # fmt: skip
    """Return the settings that a bench would get; `told`, `certain`, `identify` and the rest as for `DryBench`."""
    before = first_of(loaded)
    how: dict[str, Any] = {"certain": certain, "takes": thinking_time(certain), "identify": identify}
    run = DryBench(loaded, before, models, propose, folder, told, **how, to_the_end=False).tune()
    leader, h = run.leader, loaded.scenario.macro_step
    ways = [
        Way.of(other, one.side, one.messages, one.counts) for one, other in zip(run.records, SIDES[::-1], strict=True)
    ]
    windows, back = ({side: getattr(one, name) for side, one in zip(SIDES, run.tuners, strict=True)}
                     for name in ("windows", "taken_back"))  # fmt: skip
    shadow, time = run.plan.shadow, leader.tuner.n * h
    return Tuned(loaded, before, run.candidates, leader.best, leader.trials, windows, back, ways, shadow, time, True,
                 reason=leader.reason)  # fmt: skip
