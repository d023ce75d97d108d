"""The bank of the algorithm `auto`: several algorithms side by side, blended by how well they did.

Each member has its own ladder after a jump. With L_i the faded sum of its squared errors, known k steps late, member i
gets a share in proportion to ((L_min + eps) / (L_i + eps))^4, eps = 1e-12 times the squared range of the signal. Until
a first error is known ZOH has the whole, until 20 are known it shares with FOH; among equals `irregular` is favoured,
in step timing more; with the guard not where it does worse than ZOH. The guard acts on what is blended, not on what is
judged: a member that it keeps near the signal would look better than it is.

Two members learn the signal (`adaptive`). They have shares where they do better than the best of the others: where one
of those is exact nearly right is not enough.

Errors are clipped, so that a jump, which no member foresees, does not decide for long. Through a small break, such as
the kink that a hit makes in a position, EROS3 runs alone where the bank foresees well, and errors made until its
values lie behind it say nothing. A signal that rested while its noise was learnt and begins to move is another one:
errors begin anew, those of zoh tell it, three in succession.
"""

from importlib import import_module

from ..config import Settings
from ..generated.algorithms import AUTO, EROS3, IRREGULAR
from ..generated.algorithms import MEMBERS as NAMES
from ..generated.constants import (
    ADAPTIVE_ENOUGH,
    BANK_BENT,
    BANK_FLOOR,
    BANK_KNOWN,
    BANK_LARGE,
    BANK_MEMORY,
    BANK_MOVES,
    BANK_ONSET,
    BANK_SCALE,
    BANK_SETTLES,
    BANK_SURE,
    BANK_USUAL,
    ENOUGH,
    FAVOUR,
    FAVOUR_IN_STEPS,
    MANY,
)
from ..generated.numbers import BANK, RING, SLOTS
from ..generated.state import Bank
from ..guard import UNLIMITED, bounded
from ..stages.guarding import guard_line
from ..state import State
from . import BY_NAME, NEVER, ROWS, foh, zoh
from .adaptive import adaptive_forget, adaptive_learn, adaptive_line, adaptive_ready, adaptive_start, adaptive_take

ADAPTIVE, AT_DEPTH = BANK - 2, BANK - 1
"""Places of the members that learn the signal, the last ones."""

MEMBERS = (*(ROWS[BY_NAME[name].number] for name in NAMES), ROWS[AUTO], ROWS[AUTO])
MODULES = (*(import_module(f".{BY_NAME[name].module or name}", __package__) for name in NAMES), zoh, zoh)


def bank_start(s: State) -> None:
    """Forget all errors."""
    s.bank.loss[:] = [0.0] * BANK
    s.bank.compared = s.bank.sure = 0
    s.bank.bent = s.bank.moves = 0
    s.bank.usual = 0.0
    adaptive_start(s)


def bank_learn(s: State, at: int, true: float, position: float) -> None:
    """Take in the errors of the estimates at ring place `at`.

    Their value `true` [signal unit], which lies at `position` [slots], is now known.
    """
    own = s.bank
    hold = own.estimated[at] - true
    if own.compared == 0:
        own.low = own.high = true
    own.low = true if true < own.low else own.low
    own.high = true if true > own.high else own.high
    if _since(s) >= 0 and position < own.bent + s.latency.steps + BANK_SETTLES:
        return
    _heed_onset(s, hold)
    known = own.compared + 1 if own.compared < BANK_USUAL else BANK_USUAL
    own.usual = bounded(own.usual + (hold * hold - own.usual) / known, UNLIMITED)
    for i in range(BANK):
        error, most = own.estimated[i * RING + at] - true, _most(own, i)
        counts = error * error if error * error < most else most
        own.loss[i] = bounded(BANK_MEMORY * own.loss[i] + counts, UNLIMITED)
    own.compared = own.compared + 1 if own.compared < MANY else MANY


def _heed_onset(s: State, hold: float) -> None:
    """Begin anew where a signal moves that rested while its noise was learnt, by errors of zoh in succession."""
    own, learnt = s.bank, s.bank.compared > BANK_KNOWN and s.adaptive.samples == ADAPTIVE_ENOUGH
    own.moves = own.moves + 1 if learnt and hold * hold > BANK_ONSET * own.usual else 0
    if own.moves == BANK_MOVES:
        adaptive_forget(s)
        own.loss[:] = [0.0] * BANK
        own.usual = 0.0
        own.compared = ENOUGH
        own.moves = 0


def _since(s: State) -> int:
    """Return the slots since a small break that is still the last one: kinks, and what they do in a loop; -1: none."""
    own = s.bank
    return s.history.newest - own.bent if own.bent > 0 and own.bent == s.switching.anchor else -1


def _passes(s: State) -> bool:
    """Return whether EROS3 runs through a break: in a loop no other makes up for the impulse that it missed."""
    return 0 <= _since(s) < BANK_BENT and bool(s.bank.sure)


def _most(own: Bank, i: int) -> float:
    """Return the most that a squared error of member `i` counts [signal unit squared]."""
    usual = BANK_SCALE * own.usual
    large = BANK_LARGE * (1.0 - BANK_MEMORY) * own.loss[i]
    if own.compared <= BANK_KNOWN:
        return UNLIMITED
    return usual if usual > large else large


def needed(c: Settings, s: State) -> int:
    """Return 1: each member has its own stand-in [slots]."""
    return 1


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Return level [signal unit], slope [signal unit per macro step] and shift, 0, of the blended estimate."""
    news = adaptive_take(c, s)
    _weigh(c, s)
    estimated, weight = s.bank.estimated, s.bank.weight
    ahead = 0.0 if c.event else 1.0
    at = (s.grid.n + 1 - c.event) % RING
    level = 0.0
    slope = 0.0
    for i in range(BANK):
        here, change = _member(c, s, i)
        estimated[i * RING + at] = bounded(here + change * ahead, here)
        if weight[i] > 0.0:
            here, change, _ = guard_line(s, here, change, 0.0, weight[i])
            level = level + weight[i] * here
            slope = slope + weight[i] * change
    s.adaptive.share = weight[ADAPTIVE] + weight[AT_DEPTH]
    if news:
        adaptive_learn(s)
    return level, slope, 0.0


def _weigh(c: Settings, s: State) -> None:
    own = s.bank
    loss, weight, heard, passes = own.loss, own.weight, _last_heard(own), _passes(s)
    offered = [c.has(one.needs) for one in MEMBERS]
    best = others = loss[0]
    for i in range(BANK):
        others = best if i <= ADAPTIVE else others
        if i >= ADAPTIVE:
            offered[i] = loss[i] < others and adaptive_ready(s, i == AT_DEPTH)
        if offered[i] and loss[i] < best:
            best = loss[i]
    width = own.high - own.low
    floor = bounded(BANK_FLOOR * width * width, UNLIMITED)
    total = 0.0
    for i in range(BANK):
        present = MEMBERS[i].number == EROS3 if passes else offered[i] and i <= heard
        weight[i] = _favour(c, s, i) * _share(loss[i] + floor, best + floor) if present else 0.0
        total = total + weight[i]
    if not total > 0.0:
        weight[0] = total = 1.0
    lead = 0
    for i in range(BANK):
        weight[i] = weight[i] / total
        if weight[i] > weight[lead]:
            lead = i
    own.leading = MEMBERS[lead].number
    own.sure = int(own.compared > BANK_KNOWN and best < BANK_SURE * loss[0])


def _favour(c: Settings, s: State, i: int) -> float:
    if MEMBERS[i].number != IRREGULAR or (s.parameter.guard > 0.0 and s.bank.loss[i] > s.bank.loss[0]):
        return 1.0
    return FAVOUR if c.event else FAVOUR_IN_STEPS


def _last_heard(own: Bank) -> int:
    """Return the last member that may have a share: ZOH before any error is known, then FOH too, then all."""
    if own.compared < ENOUGH:
        return 0 if own.compared == 0 else 1
    return BANK - 1


def _share(loss: float, best: float) -> float:
    ratio = best / loss if loss > best else 1.0
    ratio = ratio * ratio
    return ratio * ratio


def _member(c: Settings, s: State, i: int) -> tuple[float, float]:
    """Return level and slope at the macro point of member `i`, or of its stand-in on the ladder."""
    if i >= ADAPTIVE and adaptive_ready(s, i == AT_DEPTH):
        return _finite(s, *adaptive_line(s, i == AT_DEPTH))
    early, runs = s.latency.early, MODULES[i]
    through = MEMBERS[i].number == EROS3 and _passes(s)
    usable = s.history.newest - early - (s.history.origin if through else s.switching.anchor) + 1
    need = NEVER if i >= ADAPTIVE else runs.needed(c, s)
    if usable < need or need > SLOTS - early:
        runs = zoh if usable <= 1 or (s.discontinuity.flagged and s.parameter.hold_after_flag) else foh
    return _finite(s, *runs.line(c, s))


def _finite(s: State, level: float, slope: float, shift: float) -> tuple[float, float]:
    here = level - slope * shift
    if -UNLIMITED <= here <= UNLIMITED and -UNLIMITED <= slope <= UNLIMITED:
        return here, slope
    return s.history.past[s.latency.early], 0.0
