"""One side while settings are found: it records, prepares candidates, gives them, and takes back what is worse.

The left side leads: it says which candidate is tried and when; the right one follows and tells what it found. Taking
back is decided by each side alone, from its own estimates and the values that arrive later. What they say to each other
are three bytes of each message.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, log2
from typing import NamedTuple, Protocol

from couplant.bench.tune.lanes import FADE, FIRST_LANE, WIRE_LANE, Lanes
from couplant.bench.tune.meter import GROWN, Meter
from couplant.cosim.fmu.component import Component

WORSE, FAR_WORSE = 1.1, 1.5  # errors over those of the plain wire, and of what is in force, that count as worse [-]
OUT_OF_BOUNDS = 10.0  # the same in the shadow where theory is sure: there is a mistake in the model [-]
FAR_GROWN = 5.0  # `GROWN` where it errs less than the wire [-]
SMALL = 0.01  # error over the size of a signal below which nothing is worse than anything [-]
BETTER = 0.97  # error over that of what is in force up to which a candidate takes its place [-]
NEAR = 0.05  # part of the range of a signal before its limits that it is kept out of [-]

SECONDS, STEPS = 60.0, 1200  # longest time of the bench: so long, or so many macro steps where that is longer
NOTHING = 255  # in the place of a lane: there is no candidate
_LOOKS = 4  # at windows that end a quarter of a window apart, after which something is taken back
_GROWS = "the signals grow"
_LEVEL = 32.0  # bytes of a score for a factor of two


class Word(NamedTuple):
    """Three bytes that a side says."""

    key: int = NOTHING  # lane of the candidate
    phase: int = 0
    score: int = 0  # of a ratio of errors, 128 is 1


@dataclass(frozen=True)
class Budget:
    """Times of finding settings [macro steps]."""

    record: int  # of the settings that were there
    shadow: int  # that a candidate runs beside them
    trial: int  # that it is given to the prototypes
    window: int  # by which it is judged
    lead: int  # between the wish for a candidate and its first step
    silent: int  # without a message, after which the other side is gone
    total: int

    @classmethod
    def of(cls, macro_step: float, longest: float = SECONDS, lead: float = 0.0) -> "Budget":
        """Return the times for macro steps of `macro_step` [s], `longest` and `lead` [s]."""
        total = max(round(longest / macro_step), STEPS)
        unit = max(round(1.0 / macro_step), 150)
        window = min(max(round(0.25 / macro_step), 10), 50)
        lead = max(round(lead / macro_step), 2)
        return cls(2 * unit, max(unit // 2, 60), 2 * unit, window, lead, max(round(0.5 / macro_step), 20), total)


@dataclass(frozen=True)
class Window:
    """Errors in a window, rms over the size of each signal, mean of the signals of a side."""

    time: float  # end [s]
    given: int  # lane of the estimates that the prototype had
    error: float  # of them [-]
    wire: float  # of the plain wire on the same arrivals [-]
    force: float  # of what was in force [-]


class Stock(Protocol):
    """Where a side gets coupling FMUs from, outside of its steps."""

    def order(self, key: int, n: int) -> None:
        """Let the FMUs of the lane `key` begin at macro point `n`."""

    def deliver(self, key: int, n: int) -> Mapping[str, Component] | None:
        """Return the FMUs of the lane `key` by signal at macro point `n`; None if they are not ready."""


class Tuner:
    """One side; `lanes` by signal, `limits` by signal are the least and the largest value allowed [signal unit].

    Where the errors of candidates are `certain` to be known for this loop they need not show in the shadow, where the
    other side has other settings. A macro step is `macro_step` [s].
    """

    def __init__(
        self, lanes: Mapping[str, Lanes], budget: Budget, stock: Stock, macro_step: float,
        limits: Mapping[str, tuple[float, float]], certain: bool = False,
    ) -> None:  # fmt: skip
        self.meter, self.budget, self.h = Meter(lanes), budget, macro_step
        self._stock, self._limits, self._lanes, self.certain = stock, limits, lanes, certain
        self.force, self.key, self.word, self.heard = FIRST_LANE, NOTHING, Word(), Word()
        self.windows: list[Window] = []
        self.n, self.heard_at = 0, 0
        self.taken_back: list[tuple[float, int, str]] = []  # when [s], lane, why
        self._given_at, self._warm_at, self._bad, self._ready, self._ordered = -1, -1, 0, False, 0
        self._usual, self._peaks = 0.0, dict.fromkeys(lanes, 0.0)
        self.refused, self.fell, self.moved_at = "", False, -1
        self.measured: tuple[float, float] | None = None
        # whether candidates were compared on all of a run before, which is repeated, or both sides were identified
        self.was_replayed = self.was_identified = False
        # errors of the plain wire in the recording and of what is in force while it was given [-]; when lanes changed
        self._level, self._force_level, self.changed_at = 0.0, 0.0, 0
        self._pieces: dict[int, float] = {}  # errors of the plain wire in the windows of the first run [-]

    @property
    def given(self) -> int:
        """Return the lane that the prototype of this side has."""
        return next(iter(self._lanes.values())).given if self._lanes else self.force

    def take_over(self, before: "Tuner") -> None:
        """Know the sizes and the errors that were known in a run `before`."""
        self.meter.sizes = before.meter.sizes
        self._level, self._usual, self._peaks = before._level, before._usual, before._peaks
        self._pieces = before._pieces or before.meter.course(WIRE_LANE, self.budget.window)
        self._force_level = before._force_level

    def begin_with(self, key: int) -> None:
        """Begin with the lane `key` in force."""
        self.force = key
        self._hand(key, fade=False)

    def hear(self, word: Word) -> None:
        """Take the word of the other side."""
        self.heard, self.heard_at = word, self.n

    def tick(self, n: int) -> None:
        """Act after the step that begins at macro point `n`."""
        self.n = n
        for one in self._lanes.values():
            one.advance()
        if self.moved_at < 0 and any(one.first_arrival not in (None, one.newest) for one in self._lanes.values()):
            self.moved_at = n
        if 0 <= self.moved_at <= n - self.budget.record:
            self.fix()
        self._take_delivery(n)
        self._observe(n)
        if self.is_alone and self.given != FIRST_LANE:
            self._back(FIRST_LANE, "the other side is silent")

    @property
    def knows(self) -> bool:
        """Return whether theory knows the loop, given or identified."""
        return self.certain or self.was_identified

    @property
    def is_alone(self) -> bool:
        """Return whether nothing was heard of the other side for too long."""
        return self.n - self.heard_at > self.budget.silent

    def fix(self) -> None:
        """Take sizes of signals, and errors of what was there before, from all that has arrived."""
        if self.meter.sizes:
            return
        self.meter.fix()
        level = self.meter.figure((WIRE_LANE,), self.moved_at)
        self._level = 0.0 if level is None else level[WIRE_LANE]
        own = self.meter.figure((FIRST_LANE,), self.moved_at)
        self._force_level = 0.0 if own is None else own[FIRST_LANE]
        self._usual = max(self.meter.course(FIRST_LANE, self.budget.window).values(), default=0.0)

    def prepare(self, key: int) -> None:
        """Order a candidate, the lane `key`, to run beside the lane that is given."""
        self.fix()
        if self.key != self.force:  # what this side took back
            self._free(self.key)
        self.key, self.refused, self.fell, self._ready = key, "", False, False
        self._warm_at, self._given_at, self.measured = -1, -1, None
        if key == WIRE_LANE:
            self._warm_at = self.n
        else:
            self._ordered = self.n + self.budget.lead
            self._stock.order(key, self._ordered)

    @property
    def is_ready(self) -> bool:
        """Return whether the candidate has run beside what is given long enough, and is no worse there."""
        if self._ready or self._warm_at < 0 or self.n < self._warm_at + self.budget.shadow or self.refused:
            return self._ready
        found = self.meter.figure((self.key, self.force, WIRE_LANE), self._warm_at + self.budget.shadow // 2)
        allowed = OUT_OF_BOUNDS if self.knows or self.was_replayed else FAR_WORSE
        if found is not None and found[self.key] > max(allowed * min(found[self.force], found[WIRE_LANE]), SMALL):
            self.refused = f"in the shadow its error is {found[self.key] / max(found[self.force], 1e-300):.2g} times"
        self._ready = not self.refused
        return self._ready

    @property
    def is_given(self) -> bool:
        """Return whether the candidate has been given to the prototype."""
        return self._given_at >= 0

    def give(self) -> None:
        """Give the candidate to the prototype."""
        if not self.refused and self._given_at < 0:
            self._given_at, self._bad = self.n, 0
            self._hand(self.key)

    def settle(self, adopt: bool) -> None:
        """End the trial: to `adopt` a candidate it takes the place of what was in force; else that comes back."""
        if adopt and not self.refused:
            old, self.force = self.force, self.key
            own = self.meter.figure((self.key,), self._given_at + FADE, self.key)
            self._force_level = self._force_level if own is None else own[self.key]
            self._hand(self.force)
            self._free(old)
        else:
            self._hand(self.force)
            self._free(self.key)
        self.key, self._given_at, self._warm_at = NOTHING, -1, -1

    def return_to_first(self) -> None:
        """Go back to what was there before, at once."""
        left = {self.force, self.key}
        self.force = FIRST_LANE
        self._hand(FIRST_LANE, fade=False)
        self.key, self._given_at, self._warm_at = NOTHING, -1, -1
        self.fell, self.refused = False, ""
        for key in left:
            self._free(key)

    def measure(self) -> None:
        """Measure the error of the candidate while it is given over that of what is in force, and over the wire."""
        found = self.meter.figure((self.key, self.force, WIRE_LANE), self._given_at + FADE, self.key)
        if found is not None:
            ours, force, wire = (found[key] + 1e-9 for key in (self.key, self.force, WIRE_LANE))
            self.measured = ours / force, ours / wire

    def _take_delivery(self, n: int) -> None:
        if self.key in (NOTHING, WIRE_LANE) or self._warm_at >= 0 or self.refused or n + 1 < self._ordered:
            return
        found = self._stock.deliver(self.key, n + 1) if n + 1 == self._ordered else None
        if found is None:
            self._ordered = n + 1 + self.budget.lead
            self._stock.order(self.key, self._ordered)
            return
        for name, component in found.items():
            self._lanes[name].add(self.key, component)
        self._warm_at = n

    def _observe(self, n: int) -> None:
        """Look at limits at each point, at errors several times in a window."""
        if text := self._beyond_limits():
            if self.given != FIRST_LANE:
                self._back(FIRST_LANE, text)
            elif not self.refused:
                self.refused = text
                self.fell = True
        if self.given == FIRST_LANE:
            for name, one in self._lanes.items():
                self._peaks[name] = max(self._peaks[name], abs(one.newest))
        if n % max(self.budget.window // 4, 1):
            return
        if self.is_given:
            self.measure()
        given, window = self.given, self.budget.window
        since = max(n - window, self.changed_at + FADE + 2 * self.meter.age)
        found = self.meter.figure((given, WIRE_LANE, self.force, FIRST_LANE), since)
        if found is None or not self.meter.sizes or n < since + window // 4:
            return
        if self.is_given and given != self.key and not self.refused:
            self._resume()
        if n % self.budget.window < max(self.budget.window // 4, 1):
            self.windows.append(Window(n * self.h, given, found[given], found[WIRE_LANE], found[self.force]))
        if given == self.force == FIRST_LANE:
            self._usual = max(self._usual, found[given])
        else:
            self._judge(found, given)

    def _judge(self, found: Mapping[int, float], given: int) -> None:
        """Take back what has been worse in several looks, in fewer of them if it is far worse."""
        other = self.force if given != self.force else FIRST_LANE
        since = self.n - (1 if self.was_replayed else 4) * self.budget.window
        longer = self.meter.figure((WIRE_LANE, other), since) or found
        error, reason, level = found[given], "", self._wire_level()
        wire, rival = (max(found[key], longer[key]) for key in (WIRE_LANE, other))
        far = error > 2.0 * wire and error > 0.5 * level
        if error > SMALL and (far or error > WORSE * max(wire, level)):
            reason = f"its error is {error / max(wire, 1e-300):.3g} times that of the plain wire"
        elif error > SMALL and error > FAR_WORSE * max(rival, self._force_level):
            reason = f"its error is {error / max(rival, 1e-300):.3g} times that of what was in force"
        elif error > GROWN * max(self._usual, SMALL) and self._has_grown(GROWN) and error > 0.5 * wire:
            reason = _GROWS
        elif error > FAR_GROWN * max(self._usual, SMALL) and self._has_grown(FAR_GROWN):
            reason = _GROWS
        at_once = error > 2.0 * max(wire, level)
        self._bad = 0 if not reason else self._bad + 1 + at_once
        if self._bad >= _LOOKS:
            # in one piece of a run that is repeated, of a candidate that does better on the whole
            is_piece = self.was_replayed and given == self.key and reason != _GROWS
            for_good = not is_piece or self.measured is None or self.measured[1] >= BETTER
            self._back(self.force if given != self.force else FIRST_LANE, reason, for_good)

    def _wire_level(self) -> float:
        """Return the error of the plain wire before: in the same piece of a run that is repeated, else as recorded."""
        if not self.was_replayed:
            return self._level
        place = self.n // self.budget.window
        return max((self._pieces[i] for i in range(place - 1, place + 2) if i in self._pieces), default=self._level)

    def _has_grown(self, times: float) -> bool:
        return any(abs(one.newest) > times * self._peaks[name] for name, one in self._lanes.items())

    def _beyond_limits(self) -> str:
        for name, (low, high) in self._limits.items():
            value, room = self._lanes[name].newest, NEAR * (high - low) if isfinite(high - low) else 0.0
            if not low + room <= value <= high - room:
                return f"{name} = {value:.4g} is near its limits, {low:g} to {high:g}"
        return ""

    def _resume(self) -> None:
        """Give the candidate again that errs less than the wire beside it for four windows after it was taken back."""
        since = self.n - 4 * self.budget.window
        found = self.meter.figure((self.key, WIRE_LANE), since)
        if since >= self.changed_at and found is not None and found[self.key] < BETTER * found[WIRE_LANE]:
            self._hand(self.key)

    def _back(self, key: int, reason: str, for_good: bool = True) -> None:
        """Give the lane `key` in the next step, in place of one that was worse by a `reason`: `for_good` or a while."""
        self.taken_back.append((self.n * self.h, self.given, reason))
        self._bad = 0
        if not for_good:
            self._hand(key, fade=False)
            return
        self.refused = reason
        self.fell = self.fell or (key == FIRST_LANE and (self.given != self.key or self.force != FIRST_LANE))
        if key == FIRST_LANE and self.force not in (FIRST_LANE, self.key):
            self._free(self.force)
        self.force = FIRST_LANE if key == FIRST_LANE else self.force
        self._hand(key, fade=False)

    def _hand(self, key: int, fade: bool = True) -> None:
        self.changed_at = self.n
        for one in self._lanes.values():
            if one.given != key:
                one.give(key, fade)

    def _free(self, key: int) -> None:
        """Let the lane `key` leave; who runs the steps frees it outside of them."""
        if key not in (NOTHING, WIRE_LANE, FIRST_LANE):
            for one in self._lanes.values():
                one.leave(key)


def as_byte(ratio: float | None) -> int:
    """Return a `ratio` of errors as a byte; 0: there is none."""
    if ratio is None or not ratio > 0.0:
        return 0
    return min(max(round(128.0 + _LEVEL * log2(ratio)), 1), 255)


def from_byte(score: int) -> float:
    """Return the ratio of errors that a byte, the `score`, stands for."""
    return float(2.0 ** ((score - 128.0) / _LEVEL))
