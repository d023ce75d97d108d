"""The bench on a clock of its own: the same sides and the same relay, without processes, sockets and waiting."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import inf
from pathlib import Path

import numpy as np

from couplant.base.arrays import Vector
from couplant.bench.handshake import Agreement
from couplant.bench.message import unpack
from couplant.bench.record import SideRecord
from couplant.bench.relay import Lines, Relay
from couplant.bench.side import Side
from couplant.bench.transport import Transport
from couplant.bench.tune.lanes import FIRST_LANE, WIRE_LANE, Lanes
from couplant.bench.tune.sides import (
    Candidate,
    Prompt,
    Shelf,
    TuneWorkshop,
    Worded,
    first_of,
    lead_or_follow,
    limits_of,
)
from couplant.bench.tune.result import Tuned, Way
from couplant.bench.tune.tuner import Budget, Follower, Leader, Tuner, best_of
from couplant.bench.wiring import SideWorkshop
from couplant.config.bench import SIDES, LoadedBench
from couplant.config.models import Model
from couplant.cosim.fmu.load import FmuLibrary

START = 1000.0  # when runs begin by the clock that waits [s]
THINKING, LISTING = 8.0, 2.0  # time of the bench that is counted for advice in a known loop, and without one [s]

_RUN = 7

Propose = Callable[[Sequence[Vector], float], Sequence[Candidate]]
"""Returns candidates, the best first: by the age of the values of each direction [macro steps], and the losses [-]."""


class Clock:
    """Shows what it is told."""

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
        """Hand it over."""
        self.clock.now += self.effort
        self.relay.take(self.clock(), unpack(datagram), datagram)

    def receive(self) -> list[bytes]:
        """Return what has arrived."""
        found, self.arrived = self.arrived, []
        return found

    def close(self) -> None:
        """Forget it."""
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
        """Let whatever comes next happen, messages before steps, until the sides have done their `last` steps."""
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


class Thinker:
    """A plan that thinks for some time of the bench; `lanes` and `shelves` are those of both sides."""

    def __init__(
        self, lanes: Mapping[str, Lanes], shelves: Mapping[str, Shelf], propose: Propose, macro_step: float,
        ages: Callable[[], tuple[list[Vector], float]], takes: float,
    ) -> None:  # fmt: skip
        self._lanes, self._shelves, self._propose, self._h, self._ages = lanes, shelves, propose, macro_step, ages
        self._takes, self._ready = round(takes / macro_step), 0
        self._found: list[tuple[int, str, float]] = []
        self.shadow: dict[str, float] = {}  # errors of the candidates beside what was recorded, by name [-]
        for one in lanes.values():
            one.fed = []

    def ask(self, n: int) -> None:
        """Think now; the answer comes when it would have been there."""
        candidates = dict(enumerate(self._propose(*self._ages()), start=FIRST_LANE + 1))
        for shelf in self._shelves.values():
            shelf.take(candidates)
        order = rank_candidates(candidates, self._shelves, self._lanes, self._h)
        self.shadow = {name: error for _, name, error in order}
        self._found = in_order(candidates, order)
        self._ready = n + self._takes
        for one in self._lanes.values():
            one.fed = None

    def answer(self, n: int) -> Sequence[tuple[int, str, float]] | None:
        """Return the candidates when it is time."""
        return self._found if n >= self._ready else None


def rank_candidates(
    candidates: Mapping[int, Candidate], shelves: Mapping[str, Shelf], lanes: Mapping[str, Lanes], macro_step: float
) -> list[tuple[int, str, float]]:
    """Return lane, name and error of each candidate on what the `lanes` were fed, over that of the plain wire [-].

    `shelves` are by signal. What cannot be built has an infinite error.
    """
    found = []
    for key, one in candidates.items():
        if one.algorithm == "wire":
            found.append((WIRE_LANE, one.name, 1.0))
            continue
        shares = [replay(shelves[name].lane(name, one)[0], lane, macro_step) for name, lane in lanes.items()]
        found.append((key, one.name, float(np.mean(shares)) if shares else inf))
    return found


def replay(lane, fed, macro_step):
    """Return the rms error of a lane on what another one was fed, over that of the plain wire [-]."""
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
        skip = len(fed.fed) // 4
        late = [truth for truth in made.truths if truth.known >= skip]
        square = {key: float(np.mean([t.errors[key] ** 2 for t in late])) if late else inf for key in (0, 1)}
    finally:
        made.free()
    return float(np.sqrt((square[1] + 1e-300) / (square[0] + 1e-300)))


def in_order(candidates: Mapping[int, Candidate], order: Sequence[tuple[int, str, float]]) -> list[tuple[int, str, float]]:
    """Return lanes, names and expected errors, the first to try first.

    Where theory knows the loop its order counts, without what is far worse than the wire on what was recorded; else
    that of the recording.
    """
    known = any(np.isfinite(one.expected) for one in candidates.values())
    if not known:
        return sorted(order, key=lambda one: one[2])
    by_name = {one.name: one.expected for one in candidates.values()}
    rows = [(key, name, by_name[name]) for key, name, error in order if error < 1.5 or key == WIRE_LANE]
    return sorted(rows, key=lambda one: one[2])


@dataclass
class DryRun:
    """A bench that was tuned on a clock that waits."""

    leader: Leader
    tuners: tuple[Tuner, Tuner]
    records: list[SideRecord]
    lines: Lines
    plan: Thinker
    candidates: Mapping[int, Candidate]


def tune_dry(
    loaded: LoadedBench, first: Candidate, models: Mapping[str, Model], propose: Propose, folder: Path,
    told: Callable[[float, str], None] = lambda share, text: None, certain: bool = False, takes: float = LISTING,
    silent_after: int | None = None, stop_at: int | None = None, to_the_end: bool = True,
) -> DryRun:  # fmt: skip
    """Return what becomes of a bench that is tuned from `first` on; FMUs are built into a `folder`.

    `models` are those whose inputs the messages carry. `told` hears the share that is done and what is being done. With
    `certain` what is expected of candidates is known of this loop; to think `takes` so long [s]. The right side may
    vanish after a step, `silent_after`, and the user stop at one, `stop_at`. Unless `to_the_end` it is over when all is
    tried and what is in force has been watched for the time of a trial.

    Raises CouplantError if an FMU cannot be built or refuses.
    """
    h, clock, relay = loaded.scenario.macro_step, Clock(), Relay(loaded.scenario.relay)
    posts = [Post(relay, clock) for _ in SIDES]
    budget, limits = Budget.of(h), limits_of(loaded)
    with ExitStack() as stack:
        library = stack.enter_context(FmuLibrary())
        shops = [TuneWorkshop(loaded, side, library, folder / side, first, models) for side in SIDES]
        made = [shop.make_lanes() for shop in shops]
        words = [Worded(p, side, made_scenario(shops[0]).fingerprint()) for p, side in zip(posts, SIDES, strict=True)]
        sides = [stack.enter_context(Side(m, made_scenario(s), w, clock)) for (m, _), s, w in zip(made, shops, words, strict=True)]
        tuners = []
        for i in range(2):
            stock = Prompt(shops[i].shelf, shops[i].receives, h)
            tuners.append(Tuner(made[i][1], budget, stock, h, {k: v for k, v in limits.items() if k in made[i][1]}, certain))
            words[i].tuner = tuners[i]
            sides[i].begin(Agreement(_RUN, START))
        every = made[0][1] | made[1][1]
        shelves = {name: shop.shelf for shop in shops for name in shop.receives}
        plan = Thinker(every, shelves, propose, h, lambda: _ages(sides, h), takes)
        acting = [lead_or_follow(side, tuner, plan) for side, tuner in zip(SIDES, tuners, strict=True)]
        leader, follower = acting
        assert isinstance(leader, Leader) and isinstance(follower, Follower)
        end = sides[0].count

        def after(i: int, n: int) -> None:
            acting[i].tick(n)
            if i == 0 and n == stop_at:
                leader.stop()
            if leader.is_over and not to_the_end and n > leader.over_at + budget.trial:
                course.stopped = True
            if i == 0 and n % 50 == 0:
                told(n / end, leader.names.get(tuners[0].given, ""))

        course = Course(clock, relay, posts, sides, after)
        course.carry_out([end, end if silent_after is None else silent_after])
        return DryRun(
            leader, (tuners[0], tuners[1]), [side.record() for side in sides], relay.lines, plan,
            shops[0].shelf.candidates,
        )


def made_scenario(shop: TuneWorkshop):
    return shop._loaded.scenario


def _ages(sides: Sequence[Side], macro_step: float) -> tuple[list[Vector], float]:
    """Return the age of values when they are there, by direction [macro steps], and the largest share of losses."""
    found, lost = [], 0.0
    for side in sides:
        messages, counts = side.messages()
        found.append(np.ceil((messages[:, 2] - messages[:, 0]) / macro_step - 1e-6))
        lost = max(lost, counts["lost"] / max(counts["lost"] + len(messages), 1))
    return found, lost


def tune_bench(
    loaded: LoadedBench, models: Mapping[str, Model], propose: Propose, folder: Path,
    told: Callable[[float, str], None], certain: bool,
) -> Tuned:  # fmt: skip
    """Return what a bench of `loaded` would be tuned to; arguments as for `tune_dry`. It ends when all is tried."""
    before = first_of(loaded)
    takes = THINKING if certain else LISTING
    run = tune_dry(loaded, before, models, propose, folder, told=told, certain=certain, takes=takes, to_the_end=False)
    return tuned_from(loaded, before, run.candidates, run.leader, run.tuners, run.records, run.plan.shadow)


def tuned_from(
    loaded: LoadedBench, before: Candidate, candidates: Mapping[int, Candidate], leader: Leader,
    tuners: Sequence[Tuner], records: Sequence[SideRecord], shadow: Mapping[str, float],
) -> Tuned:  # fmt: skip
    """Return the result of a dry run of a bench."""
    force, h = leader.tuner.force, loaded.scenario.macro_step
    if not leader.tuner.certain:
        force = best_of(leader.trials, force, 0.5 * leader.tuner.budget.trial * h)
    ways = [
        Way(other, one.side, one.messages[:, 2] - one.messages[:, 1], one.messages[:, 2] - one.messages[:, 0], one.counts)
        for one, other in zip(records, SIDES[::-1], strict=True)
    ]
    return Tuned(
        loaded, before, candidates, force, leader.trials, {s: t.windows for s, t in zip(SIDES, tuners, strict=True)},
        {s: t.taken_back for s, t in zip(SIDES, tuners, strict=True)}, ways, shadow, leader.tuner.n * h, True, reason=leader.reason,
    )  # fmt: skip
