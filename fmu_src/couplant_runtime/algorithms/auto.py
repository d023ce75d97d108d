"""The bank of the algorithm `auto`: several algorithms side by side, blended by how well they did.

Each member has its own ladder after a jump. With L_i the faded sum of its squared errors, known k steps late, member i
gets a share in proportion to ((L_min + eps) / (L_i + eps))^4, eps = 1e-12 times the squared range of the signal. Until
a first error is known ZOH has the whole, until 20 are known it shares with FOH; among equals `irregular` is favoured,
in step timing more; with the guard not where it does worse than ZOH. The guard acts on what is blended, not on what is
judged: a member that it keeps near the signal would look better than it is.
"""

from importlib import import_module

from ..config import Settings
from ..generated.algorithms import IRREGULAR
from ..generated.algorithms import MEMBERS as NAMES
from ..generated.constants import BANK_FLOOR, BANK_MEMORY, ENOUGH, FAVOUR, FAVOUR_IN_STEPS, MANY
from ..generated.numbers import BANK, RING, SLOTS
from ..generated.state import Bank
from ..guard import UNLIMITED, bounded
from ..stages.guarding import guarded
from ..state import State
from . import BY_NAME, ROWS, foh, zoh

MEMBERS = tuple(ROWS[BY_NAME[name].number] for name in NAMES)
MODULES = tuple(import_module(f".{BY_NAME[name].module or name}", __package__) for name in NAMES)


def bank_start(s: State) -> None:
    """Forget all errors."""
    s.bank.loss[:] = [0.0] * BANK
    s.bank.compared = 0


def bank_learn(s: State, at: int, true: float) -> None:
    """Take in the errors of the estimates at ring place `at`, whose value `true` [signal unit] is now known."""
    own = s.bank
    if own.compared == 0:
        own.low = own.high = true
    own.low = true if true < own.low else own.low
    own.high = true if true > own.high else own.high
    for i in range(BANK):
        error = own.estimated[i * RING + at] - true
        own.loss[i] = bounded(BANK_MEMORY * own.loss[i] + error * error, UNLIMITED)
    own.compared = own.compared + 1 if own.compared < MANY else MANY


def needed(c: Settings, s: State) -> int:
    """Return 1: each member has its own stand-in [slots]."""
    return 1


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Return level [signal unit], slope [signal unit per macro step] and shift, 0, of the blended estimate."""
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
            here, change, _ = guarded(s, here, change, 0.0, weight[i])
            level = level + weight[i] * here
            slope = slope + weight[i] * change
    return level, slope, 0.0


def _weigh(c: Settings, s: State) -> None:
    own = s.bank
    loss, weight, heard = own.loss, own.weight, _heard(own)
    best = loss[0]
    for i in range(1, BANK):
        if loss[i] < best and c.has(MEMBERS[i].needs):
            best = loss[i]
    width = own.high - own.low
    floor = bounded(BANK_FLOOR * width * width, UNLIMITED)
    total = 0.0
    for i in range(BANK):
        present = i <= heard and c.has(MEMBERS[i].needs)
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


def _favour(c: Settings, s: State, i: int) -> float:
    if MEMBERS[i].number != IRREGULAR or (s.parameter.guard > 0.0 and s.bank.loss[i] > s.bank.loss[0]):
        return 1.0
    return FAVOUR if c.event else FAVOUR_IN_STEPS


def _heard(own: Bank) -> int:
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
    early, runs = s.latency.early, MODULES[i]
    usable = s.history.newest - early - s.switching.anchor + 1
    need = runs.needed(c, s)
    if usable < need or need > SLOTS - early:
        runs = zoh if usable <= 1 or (s.discontinuity.flagged and s.parameter.hold_after_flag) else foh
    level, slope, shift = runs.line(c, s)
    here = level - slope * shift
    if -UNLIMITED <= here <= UNLIMITED and -UNLIMITED <= slope <= UNLIMITED:
        return here, slope
    return s.history.past[early], 0.0
