"""The two sides while settings are found: the left one says what is tried, the right one follows and answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, sqrt
from typing import Protocol

from couplant.bench.tune.lanes import FIRST_LANE, WIRE_LANE
from couplant.bench.tune.meter import is_growing
from couplant.bench.tune.tuner import BETTER, FAR_GROWN, NOTHING, Tuner, Word, as_byte, from_byte
from couplant.config.models import AUTO

LISTEN, PREPARE, GIVE, ADOPT, DROP, END, RETURN = range(7)  # what the left side says
BUSY, READY, REFUSED, FELL = 1, 2, 3, 4  # what the right side says of the candidate that it was told
HOPELESS = 1.3  # expected error over that of the best so far from which a candidate is not tried [-]
DOUBTFUL = 4.0  # the same of what blends algorithms by how they do, where the loop is identified: it needs no model
MEASURED, CERTAIN = 0.8, 0.5  # weight of what is measured beside what is expected in an identified loop, in a known one
FALLS = 0.7  # size of what rings over that of half a trial before, up to which its end is waited for [-]
IN_FORCE = "in force"
_RINGS = "signals are still five times as large as recorded: what is in force was held against little, tune again"


@dataclass
class Trial:
    """One candidate and what became of it."""

    key: int
    name: str
    begun: float  # when it was prepared [s]
    given: float | None = None  # when the prototypes got it [s]
    ended: float | None = None  # [s]
    ratio: float | None = None  # error over that of what was in force, on the same arrivals [-]
    wire: float | None = None  # the same over the plain wire [-]
    verdict: str = "tried"


class Plan(Protocol):
    """Where the leading side learns what to try."""

    def ask(self, n: int) -> None:
        """Begin to think at macro point `n`: the recording is there."""

    def answer(self, n: int) -> Sequence[tuple[int, str, float]] | None:
        """Return lanes, names and expected errors [-], the first to try first; None while it thinks at point `n`."""


class Follower:
    """The right side."""

    def __init__(self, tuner: Tuner) -> None:
        self.tuner, self._seen = tuner, Word()

    def tick(self, n: int) -> None:
        """Follow the word of the left side at macro point `n`."""
        one = self.tuner
        one.tick(n)
        told, seen = one.heard, self._seen
        if told.phase == PREPARE and told.key != one.key and told[:2] != seen[:2]:
            one.prepare(told.key)
        elif told.phase == GIVE and told.key == one.key:
            one.give()
        elif told.phase in (ADOPT, DROP) and told.key == one.key != NOTHING:
            one.settle(told.phase == ADOPT)
        elif told.phase == RETURN and (one.given != FIRST_LANE or one.key != NOTHING or one.fell):
            one.return_to_first()
        self._seen = told
        one.word = self._answer(told)

    def _answer(self, told: Word) -> Word:
        one = self.tuner
        if one.fell:
            return Word(told.key, FELL)
        if not one.is_given and not one.refused and told.key == one.key:
            state = READY if one.is_ready else BUSY
        else:
            state = READY
        return Word(told.key, REFUSED if one.refused else state, as_byte(one.measured[0] if one.measured else None))


class Leader:
    """The left side, which says what is done; `both` tells whether there is another one.

    `plan` says what to try.
    """

    def __init__(self, tuner: Tuner, plan: Plan, both: bool = True) -> None:
        self.tuner, self._plan, self._both = tuner, plan, both
        self.trials: list[Trial] = []
        self.names = {WIRE_LANE: "wire", FIRST_LANE: "before"}
        self._expected: dict[int, float] = {}
        self._todo: list[int] | None = None
        self._since, self._now, self.phase, self.reason = 0, NOTHING, LISTEN, ""
        self._asked, self._grew, self.over_at = False, False, 0

    @property
    def is_over(self) -> bool:
        """Return whether there is nothing left to try."""
        return self.phase == END

    @property
    def best(self) -> int:
        """Return the lane in force where theory knows the loop; else the one that measured best, as `best_of`."""
        one = self.tuner
        return one.force if one.knows else best_of(self.trials, one.force, 0.5 * one.budget.trial * one.h)

    def begin_at_once(self) -> None:
        """Begin to try candidates of the plan, without a recording."""
        self._asked = True

    def end_run(self) -> None:
        """End a trial with the run."""
        if self.phase in (PREPARE, GIVE) and self.trials[-1].ended is None:
            self._close(self.tuner.n, False, "the run ended before")

    def stop(self, reason: str = "stopped") -> None:
        """Go back to what was there before, on both sides, for good."""
        self.tuner.return_to_first()
        self._todo, self._asked = [], True
        self.phase, self.reason, self._since = RETURN, reason, self.tuner.n
        self.tuner.word = Word(self._now, RETURN)

    def tick(self, n: int) -> None:
        """Go on at macro point `n`."""
        one = self.tuner
        one.tick(n)
        if self.phase != RETURN and (one.fell or self._says(FELL)):
            self._fall(n, one.refused or "taken back by the other side")
        if self.phase == RETURN:
            if n >= self._since + one.budget.silent:
                self.phase, self._since = DROP, n
                one.fell, one.refused = False, ""
        elif self._todo is None:
            self._record(n)
        elif self.phase in (LISTEN, ADOPT, DROP) and n >= self._since + one.budget.window:
            self._next(n)
        elif self.phase == PREPARE:
            self._prepare(n)
        elif self.phase == GIVE:
            self._try(n)
        one.word = Word(self._now, self.phase)

    def _fall(self, n: int, reason: str) -> None:
        """Let both sides go back to what was there before, and go on from there; it ends where that itself fell."""
        one = self.tuner
        tried, ended = self.phase in (PREPARE, GIVE), self._todo == []
        if tried:
            self.trials[-1].ended, self.trials[-1].verdict = n * one.h, reason
        elif not any(trial.verdict == IN_FORCE for trial in self.trials):
            self._asked, self._todo = True, []
            if ended:
                self._end(n)
                return
        for trial in self.trials:
            if trial.key == one.force or (trial.verdict == IN_FORCE and one.force == FIRST_LANE):
                trial.verdict, trial.ended = f"taken back: {reason}", n * one.h
        one.return_to_first()
        self.reason = reason
        self.phase, self._since = RETURN, n

    def _record(self, n: int) -> None:
        one = self.tuner
        if not self._asked and 0 <= one.moved_at <= n - one.budget.record:
            self._asked = True
            one.fix()
            self._plan.ask(n)
        elif self._asked and (answer := self._plan.answer(n)) is not None:
            self._todo = [key for key, *_ in answer]
            self._grew = is_growing(one.meter.lanes.values())
            self.names |= {key: name for key, name, _ in answer if key > FIRST_LANE}
            self._expected = {key: expected for key, _, expected in answer}
            self._since = n

    def _next(self, n: int) -> None:
        one, best = self.tuner, self._expected.get(self.tuner.force, inf)
        need = one.budget.lead + one.budget.shadow + one.budget.trial + one.budget.window
        while self._todo:
            key = self._todo.pop(0)
            is_check = one.was_identified and self.names.get(key) == AUTO
            hopeless = DOUBTFUL if is_check else HOPELESS
            if key in (one.force, FIRST_LANE) or self._expected.get(key, inf) > hopeless * best:
                continue
            if self._both and one.is_alone:
                self.reason = "the other side is silent"
                break
            if n + need > one.budget.total:
                break
            if (ring := self._ring()) is not None:
                if ring > FALLS and one.force != FIRST_LANE:
                    # it rings for longer than the search, and what would be measured is how it does
                    break
                self._todo.insert(0, key)
                self._since = n
                return
            self._now = key
            self.trials.append(Trial(key, self.names.get(key, str(key)), n * one.h))
            one.prepare(key)
            self.phase, self._since = PREPARE, n
            return
        self._end(n)

    def _ring(self) -> float | None:
        """Return how what is left of a loop dies away that has grown before, by theory or a trial, as `Meter.ring`."""
        one = self.tuner
        ring = one.meter.ring(one.budget.trial)
        grew = self._grew or (one.certain and self._expected.get(FIRST_LANE, inf) == inf)
        if one.force != FIRST_LANE:
            return ring if grew and one.certain else None
        # what grows by itself is not waited for, only another candidate ends it; what a trial left grows for a while
        fresh = one.n < one.changed_at + one.budget.trial
        return ring if ring is not None and not grew and (fresh or ring < 1.0) else None

    def _end(self, n: int) -> None:
        one = self.tuner
        self.phase, self.over_at = END, self.over_at or n
        rings = one.meter.ring(one.budget.trial, FAR_GROWN) is not None
        if rings and not one.certain and one.force != FIRST_LANE:
            self.reason = self.reason or _RINGS

    def _prepare(self, n: int) -> None:
        one = self.tuner
        waited = n - self._since > 10 * (one.budget.shadow + one.budget.lead)
        if self._says(REFUSED) or one.refused or waited:
            self._close(n, False, one.refused or ("never ready" if waited else "refused by the other side"))
        elif one.is_ready and (not self._both or self._says(READY)):
            one.give()
            self.trials[-1].given = n * one.h
            self.phase, self._since = GIVE, n

    def _try(self, n: int) -> None:
        one = self.tuner
        if one.refused or self._says(REFUSED):
            self._close(n, False, f"taken back: {one.refused or 'by the other side'}")
        elif n >= self._since + one.budget.trial:
            adopt = self._weigh(self._ratio()) < BETTER
            self._close(n, adopt, IN_FORCE if adopt else "not better")

    def _ratio(self) -> float:
        """Return the error of the candidate over that of what is in force, as both sides measured it [-]."""
        ratio = (self.tuner.measured or (inf, inf))[0]
        if self._both and self._says(READY) and self.tuner.heard.score:
            ratio = sqrt(ratio * from_byte(self.tuner.heard.score))
        return ratio

    def _weigh(self, ratio: float) -> float:
        """Return the `ratio` of measured errors, with as much weight for that of the expected ones as they have [-]."""
        weight = CERTAIN if self.tuner.certain else MEASURED
        ours, theirs = (self._expected.get(key) for key in (self.tuner.key, self.tuner.force))
        if not self.tuner.knows or ours is None or theirs is None or not ours > 0.0:
            return ratio
        if not isfinite(theirs):
            return 0.5 * ratio
        return float(ratio**weight * min(ours / theirs, 10.0) ** (1.0 - weight))

    def _close(self, n: int, adopt: bool, verdict: str) -> None:
        trial = self.trials[-1]
        if self.tuner.measured is not None:
            trial.ratio, trial.wire = self._ratio(), self.tuner.measured[1]
        self.tuner.settle(adopt)
        self.tuner.refused = ""
        trial.ended, trial.verdict = n * self.tuner.h, verdict
        if adopt:
            for other in self.trials[:-1]:
                other.verdict = "in force for a while" if other.verdict == IN_FORCE else other.verdict
        self.phase, self._since = ADOPT if adopt else DROP, n

    def _says(self, state: int) -> bool:
        return self._both and self.tuner.heard.phase == state and self.tuner.heard.key == self._now


def best_of(trials: Sequence[Trial], force: int, least: float) -> int:
    """Return the lane that measured best, `force` where nothing does better.

    One of the `trials` that was taken back counts where it was given for `least` [s] at least, and erred less than the
    plain wire on the whole.
    """
    held = next((one for one in reversed(trials) if one.key == force and one.verdict == IN_FORCE), None)
    best = BETTER if held is None or held.wire is None else held.wire
    for one in trials:
        if one.given is None or one.ended is None or one.wire is None or one.ended - one.given < least:
            continue
        if one.wire < best:
            force, best = one.key, one.wire
    return force
