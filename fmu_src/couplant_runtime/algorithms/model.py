"""Model of the prototype that sends y: from its states at the newest value on, stepped with what went from here.

    z <- Phi z + G0 u_j + G1 (u_{j+1} - u_j),    j = n - k .. n - 1;    y_hat = C z + D u_n, a step more gives the slope

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
    RECOVERS,
    RIGHT_FOR,
    SURPRISED,
    WRONG,
    WRONG_FOR,
    WRONG_SHARE,
    WRONG_UNSURPRISED,
)
from ..generated.numbers import RING
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
    slot = s.history.newest - s.latency.early
    (x, _), when = correct(c, s, slot), place(s, slot)
    here = present(c, s, when)
    levels = [0.0, 0.0]
    for ahead in range(s.latency.steps + 2):
        if ahead >= s.latency.steps:
            levels[ahead - s.latency.steps] = output(plant, plant.own, x, here)
        if ahead > s.latency.steps:
            break
        there = present(c, s, when + (ahead + 1))
        x = move(plant, x, here, [b - a for a, b in zip(here, there, strict=True)])
        here = there
    slope, end = levels[1] - levels[0], 0.0 if c.event else 1.0
    _foresee(c, s, bounded(levels[0] + slope * (end - s.latency.fraction), 0.0))
    return levels[0], slope, s.latency.fraction


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
