"""Finding settings for a scenario that is no bench: the co-simulation master in the place of sides and relay.

A scenario that is much shorter than the time for finding settings is run several times: once as it is, then with a
candidate each, as a manoeuvre is repeated on a bench.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.grid import latency_in_steps
from couplant.bench.tune.dry import LISTING, Propose, in_order, rank_candidates, thinking_time
from couplant.bench.tune.lanes import FIRST_LANE, WIRE_LANE, Lanes
from couplant.bench.tune.leader import Leader, Trial, best_of
from couplant.bench.tune.result import Tuned
from couplant.bench.tune.sides import LANES, Candidate, LaneWorkshop, Prompt, Shelf, first_of, limits_of
from couplant.bench.tune.tuner import SECONDS, Budget, Tuner, Word
from couplant.config.models import Model
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.instance import kept_messages
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.judgement.judging import judge_run
from couplant.cosim.result import Run
from couplant.cosim.run.exchange import Exchange
from couplant.cosim.run.master import Grid, Recorder, recorded_steps, start_components
from couplant.cosim.run.reference import Reference

_FEWEST = 3  # runs that must fit into the time for finding settings, for a scenario to be repeated
_HOPELESS = 1.1  # error on all of a run over that of the best so far from which a candidate is not tried [-]


def tune_scenario(
    loaded: Loaded, models: Mapping[str, Model], propose: Propose, folder: Path,
    told: Callable[[float, str], None], certain: bool,
) -> Tuned:  # fmt: skip
    """Return the settings of a scenario that measured best; `told`, `certain` and the rest as for `ScenarioTuner`."""
    before = first_of(loaded)
    found = ScenarioTuner(loaded, before, models, propose, folder, told, certain, thinking_time(certain)).tune()
    windows = [one for tuner in found.tuners for one in tuner.windows]
    back = [one for tuner in found.tuners for one in tuner.taken_back]
    time = sum(tuner.n for tuner in found.tuners) * loaded.scenario.macro_step
    return Tuned(
        loaded, before, found.candidates, found.force, found.trials, {"both": windows}, {"both": back}, (),
        found.shadow, time, True,
    )  # fmt: skip


Listed = Sequence[tuple[int, str, float]]


class Given:
    """A plan that is made already."""

    def __init__(self, todo: Listed) -> None:
        self._todo = todo

    def ask(self, n: int) -> None:
        """Do nothing at macro point `n`: there is nothing to think about."""

    def answer(self, n: int) -> Listed | None:
        """Return the plan, at any macro point `n`."""
        return self._todo


@dataclass
class Thought:
    """A plan that is made of what the lanes were fed, known `takes` macro steps later."""

    think: Callable[[], Listed]
    takes: int
    _found: Listed = ()
    _ready: int = 0

    def ask(self, n: int) -> None:
        """Think now."""
        self._found, self._ready = self.think(), n + self.takes

    def answer(self, n: int) -> Listed | None:
        """Return the plan when it is time, None before that macro point `n`."""
        return self._found if n >= self._ready else None


@dataclass
class ScenarioRun:
    """A scenario that was tuned."""

    trials: list[Trial] = field(default_factory=list)
    tuners: list[Tuner] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    candidates: dict[int, Candidate] = field(default_factory=dict)
    shadow: dict[str, float] = field(default_factory=dict)
    force: int = FIRST_LANE


class ScenarioTuner:
    """Tunes a scenario on the co-simulation master, from `first` on; FMUs are built into a `folder`.

    `models` are those whose inputs the messages carry; `propose`, `told`, `certain` and `takes` as for `DryBench`.
    """

    def __init__(
        self, loaded: Loaded, first: Candidate, models: Mapping[str, Model], propose: Propose, folder: Path,
        told: Callable[[float, str], None] = lambda share, text: None, certain: bool = False, takes: float = LISTING,
    ) -> None:  # fmt: skip
        self._loaded, self._first, self._models, self._propose, self._folder = loaded, first, models, propose, folder
        self._told, self._certain, self._takes = told, certain, takes
        self._h, self._timing = loaded.scenario.macro_step, loaded.scenario.timing[0]
        self.found = ScenarioRun()

    def tune(self, reference: Reference | None = None) -> ScenarioRun:
        """Return trials and runs, judged where a `reference` is given; raise `CouplantError` as runs do."""
        self._reference = reference
        with FmuLibrary() as self._library, kept_messages():
            self._shelf = Shelf(self._loaded, self._library, self._folder / "lanes", self._timing)
            grid = self._shop().grid()
            passes = max(round(SECONDS / self._h), Budget.of(self._h).total) // max(grid.count, 1)
            if passes < _FEWEST:
                self._once(grid)
            else:
                self._repeat(grid, passes)
        self.found.candidates = self._shelf.candidates
        if not self._certain:
            self.found.force = best_of(self.found.trials, self.found.force, self._least)
        return self.found

    def _shop(self) -> LaneWorkshop:
        builder = Builder(self._folder)
        return LaneWorkshop(self._loaded, self._library, builder, self._shelf, self._first, self._models)

    def _once(self, grid: Grid) -> None:
        budget = Budget.of(self._h)
        self._least = 0.5 * budget.trial * self._h
        leader, _ = self._run(grid, budget, None, FIRST_LANE, None)
        self.found.force = leader.tuner.force

    def _repeat(self, grid: Grid, passes: int) -> None:
        """Run once as it is, then with one candidate after the other from nearly the start to the end."""
        whole, usual = grid.count, Budget.of(self._h)
        shadow, room = usual.window, usual.lead + usual.window + 4
        budget = replace(usual, record=whole - 20, shadow=shadow, trial=whole - shadow - room - 2, total=10**9)
        self._least = 0.5 * budget.trial * self._h
        takes, self._takes = self._takes, 0.0
        _, before = self._run(grid, budget, None, FIRST_LANE, None)
        todo = [one for one in self._order if one[0] != FIRST_LANE]
        left = passes - 1 - round(takes / (whole * self._h))
        expected = {key: share for key, _, share in todo}
        for one in todo[:left]:
            force = self.found.force
            best = force if self._certain else best_of(self.found.trials, force, self._least)
            if one[0] == force or expected.get(one[0], inf) > _HOPELESS * expected.get(best, inf):
                continue
            leader, before = self._run(grid, budget, [one], force, before)
            self.found.force = leader.tuner.force

    def _run(
        self, grid: Grid, budget: Budget, todo: Listed | None, force: int, before: Tuner | None
    ) -> tuple[Leader, Tuner]:
        """Run once with the lane `force`, and what is `todo` tried beside it; sizes are those of the run `before`."""
        shop = self._shop()
        wiring = shop.couple(LANES, self._timing)
        lanes = shop.lanes
        stock = Prompt(self._shelf, list(lanes), self._h)
        tuner = Tuner(lanes, budget, stock, self._h, limits_of(self._loaded), self._certain)
        if todo is None:
            for one in lanes.values():
                one.fed = []
            plan: Given | Thought = Thought(lambda: self._think(lanes), round(self._takes / self._h))
        else:
            plan = Given(todo)
        leader = Leader(tuner, plan, both=False)
        if before is not None:
            tuner.take_over(before)
            tuner.was_replayed = True
            leader.begin_at_once()
        with start_components(wiring, grid.start) as exchange:
            recorder = Recorder(wiring, exchange, grid)
            if force not in (WIRE_LANE, FIRST_LANE):
                for name, component in self._shelf.start(force, list(lanes), grid.start).items():
                    lanes[name].add(force, component)
            tuner.begin_with(force)
            self._steps(grid, exchange, recorder, leader)
        self.found.trials += leader.trials
        self.found.tuners.append(tuner)
        if self._reference is not None:
            self.found.runs.append(judge_run(self._loaded, wiring, self._reference.values, recorder.recording()))
        return leader, tuner

    def _steps(self, grid: Grid, exchange: Exchange, recorder: Recorder, leader: Leader) -> None:
        for point, _ in enumerate(recorded_steps(grid, exchange, recorder), start=1):
            n, between = divmod(point, grid.micro_steps)
            if between:
                continue
            leader.tuner.hear(Word())
            leader.tick(n - 1)
            if n % 100 == 0:
                self._told(n / grid.count, leader.names.get(leader.tuner.given, ""))
        leader.end_run()

    def _think(self, lanes: Mapping[str, Lanes]) -> Listed:
        ages = [self._age(name) for name in lanes]
        candidates = dict(enumerate(self._propose(ages, self._loss()), start=FIRST_LANE + 1))
        self._shelf.take(candidates)
        order = rank_candidates(candidates, dict.fromkeys(lanes, self._shelf), lanes, self._h)
        self.found.shadow = {name: error for _, name, error in order}
        for one in lanes.values():
            one.fed = None
        self._order = in_order(candidates, order, self._first)
        return self._order

    def _age(self, signal: str) -> Vector:
        network = self._loaded.networks[signal]
        longest = network.longest_steps or latency_in_steps(0.0)
        return np.array([float(longest)])

    def _loss(self) -> float:
        return max((float(network.loss) for network in self._loaded.networks.values()), default=0.0)
