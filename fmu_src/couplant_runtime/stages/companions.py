"""Companions of y in messages: other outputs of the sender, and its inputs.

The algorithm `model` needs these; for `linear` with weights of the derivative that is the only companion.
Below LEAST_STAMP, and where nothing is connected, they tell nothing.
"""

from ..config import Settings
from ..generated.constants import LEAST_STAMP
from ..generated.numbers import SLOTS
from ..guard import NO_STAMP, UNLIMITED, bounded
from ..plant import BETWEEN
from ..state import State

COMPANIONS_TOLD = 1
"""Bit of a slot whose message told all other outputs."""

INPUTS_TOLD = 2
"""Bit of a slot whose message told what the sender was given."""


def take(c: Settings, s: State, slot: int) -> None:
    """Keep the companions in the message, for the sender's `slot`."""
    _take(c, s, slot, s.plant.companion, s.plant.given, s.plant.given_slope)


def take_earlier(c: Settings, s: State, slot: int, place: int) -> None:
    """Keep the companions of the repeated value number `place` in the message, for the sender's `slot`."""
    own, inputs = s.plant, c.plant.sizes[1] if c.plant else 0
    _take(
        c, s, slot, _part(own.earlier_companion, place, c.companions),
        _part(own.earlier_given, place, inputs), _part(own.earlier_slope, place, inputs),
    )  # fmt: skip


def _part(numbers: list[float], place: int, width: int) -> list[float]:
    """Return the `width` numbers of a repeated value, such that tell nothing where there is no place for them."""
    fits = (place + 1) * width <= len(numbers)
    return numbers[place * width : (place + 1) * width] if fits else [NO_STAMP] * width


def _take(c: Settings, s: State, slot: int, companion: list[float], given: list[float], slope: list[float]) -> None:
    """Keep the companions and the inputs of the sender for its `slot`."""
    own, plant = s.plant, c.plant
    if not c.hears:
        return
    at, told = slot % SLOTS, COMPANIONS_TOLD
    for i in range(c.companions):
        told = told if LEAST_STAMP <= companion[i] <= UNLIMITED else 0
        own.outputs[i * SLOTS + at] = bounded(companion[i], 0.0)
    known = plant is not None and plant.echo
    for i in range(plant.sizes[1] if plant else 0):
        known = known and LEAST_STAMP <= given[i] <= UNLIMITED and -UNLIMITED <= slope[i] <= UNLIMITED
        own.level[i * SLOTS + at] = bounded(given[i], 0.0)
        own.change[i * SLOTS + at] = bounded(slope[i] * s.grid.period, 0.0)
    own.told[at] = told + (INPUTS_TOLD if known else 0)
    _rework(c, s, slot)


def _rework(c: Settings, s: State, slot: int) -> None:
    """Let the states be worked out again from `slot` on, whose value has just come."""
    if c.plant is None:
        return
    # what was given since the message before that told it is a line to this slot
    before = oldest(s) - 1
    older = slot - 1 if slot > before else before
    if c.plant.echo == BETWEEN:
        older = told_from(s, older, -1, before)
    first = older + (c.plant.micro_step >= 1.0) if older > before else slot
    if first < s.plant.next:
        s.plant.next = first


def oldest(s: State) -> int:
    """Return the oldest slot of the history that has been the sender's."""
    first = s.history.newest - SLOTS + 1
    return first if first > s.history.origin else s.history.origin


def told_from(s: State, slot: int, step: int, end: int) -> int:
    """Return the first slot from `slot` on whose message told what the sender was given, `end` if there is none.

    Slots are looked at in steps of `step`, 1 or -1; `end` lies on the way.
    """
    while slot != end and s.plant.told[slot % SLOTS] < INPUTS_TOLD:
        slot = slot + step
    return slot


def forget(c: Settings, s: State, slots: int) -> None:
    """Forget the companions of the newest `slots`, at most all."""
    if c.hears:
        for i in range(slots if slots < SLOTS else SLOTS):
            s.plant.told[(s.history.newest - i) % SLOTS] = 0


def derivative_told(s: State, back: int) -> bool:
    """Tell whether the message of the slot `back` before the newest told the derivative."""
    return bool(s.plant.told[(s.history.newest - back) % SLOTS] & COMPANIONS_TOLD) and not s.history.marked[back]


def course(s: State, count: int) -> tuple[list[float], list[float]]:
    """Return the values [signal unit] and derivatives [per macro step] of `count` slots, newest first.

    Lost ones lie on the cubic through those beside them, their derivatives included; `algorithms/linear` sees to it
    that the newest has come. None from before a jump is used.
    """
    first = s.latency.early
    usable = s.history.newest - s.switching.anchor + 1
    end = usable if usable < SLOTS else SLOTS
    values, rates = s.history.past[first : first + count], [0.0] * count
    newer = 0
    for i in range(count):
        if derivative_told(s, first + i):
            rates[i] = _derivative(s, first + i)
            newer = i
            continue
        older = i + 1
        while first + older < end and not derivative_told(s, first + older):
            older = older + 1
        if first + older >= end:
            rates[i] = values[i - 1] - values[i]
            continue
        gap, t, before = older - newer, (older - i) / (older - newer), _derivative(s, first + older)
        origin, left = s.history.past[first + older], 1.0 - t
        rise = values[newer] - origin
        rates[i] = 6.0 * t * left * (rise / gap) + left * (1.0 - 3.0 * t) * before + t * (3.0 * t - 2.0) * rates[newer]
        if s.history.marked[first + i]:
            bend = gap * t * left * (left * before - t * rates[newer])
            values[i] = origin + rise * (t * t * (3.0 - 2.0 * t)) + bend
    return values, rates


def _derivative(s: State, back: int) -> float:
    return s.plant.outputs[(s.history.newest - back) % SLOTS] * s.grid.period
