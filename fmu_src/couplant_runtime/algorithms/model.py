"""Model of the prototype that sends y: from its states at the newest value on, stepped with what went from here.

    z <- Phi z + G0 u_j + G1 (u_{j+1} - u_j),    j = n - k .. n - 1;    y_hat = C z + D u_n, a step more gives the slope

As long as the latency stays the states of the present move on by one step, and by Phi^k times the error at the slot.
What the receiver sends is known here without any delay, so the latency costs only what nobody can know: what excites
the prototype besides. `observer` has the states. A model that is far worse than ZOH for long, or whose loop grows, is
wrong: what it falls back to runs in its place, and the model beside it, until that is right again.
"""

from ..config import Settings
from ..events import once
from ..generated import events
from ..generated.algorithms import MODEL
from ..generated.constants import (
    DIVERGED,
    DIVERGED_SHARE,
    GAP,
    GROWS,
    GROWS_APART,
    GROWS_FOR,
    GROWS_SHARE,
    GROWS_WITHIN,
    LEAST_STAMP,
    MEMORY,
    PLANT_NEAR,
    PLANT_OLDER,
    RECOVERS,
    RIGHT_FOR,
    SURPRISED,
    WRONG,
    WRONG_FOR,
    WRONG_SHARE,
    WRONG_UNSURPRISED,
)
from ..generated.numbers import PLANT_STATES, RING
from ..guard import NO_STAMP, UNLIMITED, bounded
from ..plant import move, output
from ..stages.observer import correct, place, present
from ..state import State
from . import NEVER
from .auto import bank_start


def needed(c: Settings, s: State) -> int:
    """Return a value for each state and one more [slots]."""
    return c.plant.sizes[0] + 1 if c.plant else NEVER


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Return level [signal unit], slope [signal unit per macro step] and shift [macro steps] of the estimate."""
    plant = c.plant
    assert plant is not None
    slot, steps = s.history.newest - s.latency.early, s.latency.steps
    when = place(s, slot)
    known = _count_known(s, when)
    x, u = _reach(c, s, when, known, correct(c, s, slot)[0])
    for i in range(known, steps):
        x, u = _move(c, s, when, i, u, x)
    level = output(plant, plant.own, x, u)
    x, u = _move(c, s, when, steps, u, x)
    slope, end = output(plant, plant.own, x, u) - level, 0.0 if c.event else 1.0
    _foresee(c, s, bounded(level + slope * (end - s.latency.fraction), 0.0))
    return level, slope, s.latency.fraction


def _count_known(s: State, when: float) -> int:
    """Return how many macro steps after `when` all that went from here is known, 0 if what the first needs is not."""
    known = (s.plant.step - s.grid.n) - when
    if not (0.0 <= known and known + PLANT_OLDER <= s.plant.known):
        return 0
    return int(known) if known < s.latency.steps else s.latency.steps


def _reach(c: Settings, s: State, when: float, ahead: int, x: list[float]) -> tuple[list[float], list[float]]:
    """Return the states `ahead` steps after the slot, where they are `x`, and the inputs there.

    At a constant latency this costs the same at any: rounding errors of what goes on from step to step grow as the
    states do, so after `ahead` steps all is worked out from the slot on.
    """
    own, n = s.plant, len(x)
    same = s.grid.n == own.at + 1 and when == own.begins and ahead == own.ahead
    own.at, own.begins, own.ahead = s.grid.n, when, ahead
    if same and ahead > PLANT_NEAR and own.power != ahead:
        _raise(c, s)
    elif same and ahead > PLANT_NEAR and own.moved < ahead:
        u = _go_on(c, s, when, x)
        own.corrected[:n] = x
        return own.reached[:n], u
    own.moved = 0
    own.corrected[:n] = x
    u = present(c, s, when)
    for i in range(ahead):
        x, u = _move(c, s, when, i, u, x)
    own.reached[:n] = x
    return x, u


def _move(
    c: Settings, s: State, when: float, i: int, u: list[float], x: list[float]
) -> tuple[list[float], list[float]]:
    """Return states and inputs a step later than `i` macro steps after `when`, where they are `x` and `u`."""
    assert c.plant is not None
    there = present(c, s, when + (i + 1))
    return move(c.plant, x, u, [b - a for a, b in zip(u, there, strict=True)]), there


def _raise(c: Settings, s: State) -> None:
    """Take the next power of Phi, one a step: so none has much to do."""
    own, plant = s.plant, c.plant
    assert plant is not None
    (n, m, _), first = plant.sizes, own.power == 0 or own.power >= own.ahead
    own.power = 1 if first else own.power + 1
    for i in range(n):
        at = i * PLANT_STATES
        column = [1.0 if i == j else 0.0 for j in range(n)] if first else own.powers[at : at + n]
        own.powers[at : at + n] = move(plant, column, [0.0] * m, [0.0] * m)


def _go_on(c: Settings, s: State, when: float, x: list[float]) -> list[float]:
    """Move the states on that the last step reached, as far as what was foreseen of the slot, `x`, was wrong.

    Returns the inputs there.
    """
    own, n = s.plant, len(x)
    wrong, _ = _move(c, s, when, -1, present(c, s, when - 1.0), own.corrected[:n])
    reached, u = _move(c, s, when, own.ahead - 1, present(c, s, when + (own.ahead - 1)), own.reached[:n])
    for i in range(n):
        off = x[i] - wrong[i]
        for j in range(n):
            reached[j] = bounded(reached[j] + own.powers[i * PLANT_STATES + j] * off, reached[j])
    own.reached[:n] = reached
    own.moved = own.moved + 1
    return u


def _foresee(c: Settings, s: State, estimate: float) -> None:
    """Keep the `estimate` to see how right it was.

    None where a gap in the news is what it tells of, or nothing is late: then holding makes no error at all.
    """
    own, missing = s.plant, s.grid.n - s.history.news
    if missing > GAP:
        own.recovers = RECOVERS
    elif missing == 0 and own.recovers > 0:
        own.recovers = own.recovers - 1
    late = s.latency.steps > 0 or not c.event
    tells = missing == 0 and own.recovers == 0 and late
    own.foreseen[(s.grid.n + 1 - c.event) % RING] = estimate if tells else NO_STAMP


def models(c: Settings, s: State) -> bool:
    """Return whether a model is selected, right or wrong."""
    return c.plant is not None and s.parameter.selected == MODEL


def choose(c: Settings, s: State) -> int:
    """Return the algorithm that is to run: the selected one, in the place of a wrong model what it falls back to."""
    return c.plant.fallback if c.plant and models(c, s) and s.plant.wrong else s.parameter.selected


def judge(s: State, at: int, true: float) -> None:
    """Tell by the error of the estimate at ring place `at`, whose value `true` is now known, if the model is wrong."""
    own = s.plant
    if not own.foreseen[at] >= LEAST_STAMP:
        return
    if not own.held > 0.0:
        own.low = own.high = true
    own.low = true if true < own.low else own.low
    own.high = true if true > own.high else own.high
    error, of_hold, width = own.foreseen[at] - true, s.quality.held_then[at] - true, own.high - own.low
    own.errors = bounded(MEMORY * own.errors + error * error, UNLIMITED)
    own.held = bounded(MEMORY * own.held + of_hold * of_hold, UNLIMITED)
    share = WRONG_SHARE if own.surprise > SURPRISED else WRONG_UNSURPRISED
    far = own.errors > WRONG * own.held and own.errors > share * (width * width)
    diverges = own.surprise > DIVERGED and own.errors > DIVERGED_SHARE * own.held
    right = own.errors < own.held and own.surprise <= SURPRISED
    doubt = right if own.wrong else far or diverges
    own.doubt = own.doubt + 1 if doubt else 0
    grows = not own.wrong and _grows(s)
    if grows or own.doubt >= (RIGHT_FOR if own.wrong else WRONG_FOR):
        own.peak = 0.0
        own.doubt = own.grown = own.since = 0
        own.wrong = 0 if own.wrong else 1
        s.quality.judgeable[:] = [0] * RING
        bank_start(s)
        once(s, events.WRONG_MODEL)


def _grows(s: State) -> bool:
    """Return whether the errors of the observer grow on and on: a loop may, though its model foresees well."""
    own = s.plant
    own.since = own.since + 1 if own.since < GROWS_WITHIN else GROWS_WITHIN
    if own.since == GROWS_WITHIN:
        own.grown = 0
    if own.surprise > SURPRISED and own.surprise > GROWS * own.peak:
        own.peak = own.surprise
        if own.since >= GROWS_APART:
            own.grown = own.grown + 1 if own.grown < GROWS_FOR else GROWS_FOR
            own.since = 0
    return own.grown == GROWS_FOR and own.errors > GROWS_SHARE * own.held
