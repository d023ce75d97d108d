"""Stage 7: what the estimate does to the energy of its power bond.

`bond.py` books E, the energy given out at this end. The coupling has created G = E + E_far. At this end alone its own
share is known k steps late, from the errors of the estimates. `budget.py` acts on both.
"""

from math import sqrt

from ..config import Settings
from ..events import once
from ..generated import events
from ..generated.constants import (
    ANSWERED,
    CREATED,
    ENERGY_ENOUGH,
    ENERGY_MEMORY,
    HIDDEN,
    REACH_MEMORY,
    RESPONSE_MEMORY,
    STIFFER,
    STRAYS,
)
from ..generated.numbers import (
    BOND_DISPLACEMENT,
    BOND_EFFORT,
    BOND_NONE,
    CONJUGATE_DISPLACEMENT,
    ENERGY_CREATES,
    ENERGY_LOSES,
    ENERGY_NEUTRAL,
    LOSS_SAFE,
    LOST,
    QUALITY_WARN,
    RING,
)
from ..grid import point_time
from ..guard import NO_STAMP, UNLIMITED, between, bounded, larger
from ..state import State
from .bond import late, shift, sign
from .budget import budget


def energy(c: Settings, s: State) -> None:
    """Take created energy back and keep the estimate within the budget, for a signal of a power bond."""
    own, given = s.energy, s.bond
    if given.end == BOND_NONE:
        return
    _follow(c, s)
    _respond(c, s)
    _settle(c, s)
    _receive(s)
    _grade(s)
    own.correction, own.limited = 0.0, 0
    if s.parameter.bypass or (s.switching.mode == LOST and s.parameter.on_loss == LOSS_SAFE) or not s.history.filled:
        own.last = own.reached = s.algorithm.level
        own.change[0] = 0.0
        return
    budget(c, s)


def energy_start(s: State) -> None:
    """Begin the books at the start time."""
    s.energy.step, s.energy.judged = -1, -2
    s.energy.time = s.energy.booked = s.grid.time


def energy_judge(s: State, n: int, true: float) -> None:
    """Take the `true` value at macro step `n` into the share of the created energy that this end's estimates made."""
    own, given = s.energy, s.bond
    if given.end == BOND_NONE:
        return
    if own.judged == n - 1:
        before, moved = (n - 1) % RING, own.moved[(n - 1) % RING]
        if given.end == BOND_DISPLACEMENT:
            made = -moved * ((own.raw[n % RING] - own.raw[before]) - (true - own.true_value))
        else:
            made = moved * (own.raw[before] - 0.5 * (own.true_value + true))
        own.own = bounded(own.own + made, own.own)
    own.judged, own.true_value = n, true


def creates(s: State) -> bool:
    """Return whether the coupling creates energy, as far as that is known."""
    return s.energy.grade == ENERGY_CREATES


def _follow(c: Settings, s: State) -> None:
    """Take in a macro point: the conjugate, what has been given out, and the largest sizes received."""
    own, received, n = s.energy, s.history, s.grid.n
    if n != own.step + 1:
        own.counted = 0
    own.step = n
    if own.heard > 0:
        if own.counted == 0:
            own.points[:] = [own.conjugate[0]] * 3
        shift(own.points, own.conjugate[0])
        own.counted = own.counted + 1 if own.counted < 3 else 3
    shift(own.levels, own.start[0])
    shift(own.means, bounded(own.impulse / s.grid.period, 0.0))
    own.impulse = 0.0
    own.moved[(n - 2 if late(c, s) else n - 1) % RING] = _energy_factor(s) if own.counted >= 2 else 0.0
    newest = received.past[s.latency.early]
    own.size = larger(abs(newest), REACH_MEMORY * own.size)
    if received.newest - s.latency.early > received.origin:
        change, before = bounded(abs(newest - received.past[s.latency.early + 1]), 0.0), own.swing
        own.swing = larger(change, REACH_MEMORY * before)
        own.growth = larger(own.swing - before, 0.0)


def _energy_factor(s: State) -> float:
    """Return the factor from an estimate held over the last macro step to its energy."""
    points, given = s.energy.points, s.bond
    if given.end == BOND_EFFORT and given.conjugate_is == CONJUGATE_DISPLACEMENT:
        return bounded(sign(s) * (points[0] - points[1]), 0.0)
    mean = sign(s) * 0.5 * (points[0] + points[1])
    if given.end == BOND_DISPLACEMENT:
        return bounded(mean, 0.0)
    return bounded((mean if given.end == BOND_EFFORT else -mean) * s.grid.period, 0.0)


def _respond(c: Settings, s: State) -> None:
    """Follow how much the receiver gives way: the rms change of the conjugate over that of what made it.

    At the end of the flow the budget pays for what a bend of the effort may hide, where a stiffness is given.
    """
    own, given, period = s.energy, s.bond, s.grid.period
    if own.counted < 3:
        return
    points, means = own.points, own.means
    half, change = 0.5, points[0] - points[1]
    if given.end == BOND_EFFORT:
        half, cause, least = 0.5 * period, means[0], ANSWERED * own.size
        if given.conjugate_is == CONJUGATE_DISPLACEMENT:
            change, cause = (points[0] - 2.0 * points[1] + points[2]) / period, 0.5 * (means[0] + means[1])
    elif given.end == BOND_DISPLACEMENT:
        half, seen = 0.5 * STIFFER, 1 if given.stale else 0
        cause, least = own.levels[seen] - own.levels[seen + 1], ANSWERED * own.swing
    else:
        cause, least = (means[1] if late(c, s) else means[0]) * period, ANSWERED * own.size * period
    if given.end != BOND_EFFORT and given.stiffness > 0.0:
        bend = points[0] - 2.0 * points[1] + points[2]
        own.left = bounded(own.left - HIDDEN * abs(bend * cause), own.left)
    own.above = bounded(RESPONSE_MEMORY * own.above + change * change, UNLIMITED)
    own.below = bounded(RESPONSE_MEMORY * own.below + cause * cause, UNLIMITED)
    below = larger(own.below, bounded(least * least, 0.0))
    own.response = bounded(half * sqrt(own.above / below), 0.0) if below > 0.0 else 0.0
    if given.end != BOND_EFFORT and given.stiffness > 0.0:
        own.response = half * given.stiffness


def _settle(c: Settings, s: State) -> None:
    """Keep the books of this macro point and pass on what exceeds the budget."""
    own, given, n = s.energy, s.bond, s.grid.n
    at = (n - 1 if late(c, s) else n) % RING
    own.known[at], own.worked[at] = own.given, own.work
    own.taken = -own.work
    own.left = bounded(own.left + (given.budget - own.granted), own.left) if given.budget > 0.0 else 0.0
    own.granted = given.budget
    if own.left > given.budget:
        own.passed = bounded(own.passed + (own.left - given.budget), own.passed)
        own.left = given.budget


def _receive(s: State) -> None:
    """Take in the far end's message; inputs that nobody has set are none."""
    own, said, n = s.energy, s.bond, s.grid.n
    stamped = said.far_time > NO_STAMP
    if not (own.far or stamped or said.far_given != 0.0 or said.far_passed != 0.0):
        return
    for number in (said.far_given, said.far_passed, said.far_time):
        if not -UNLIMITED <= number <= UNLIMITED:
            return
    if not _is_news(s, stamped):
        return
    own.far = 1
    own.far_time, own.far_given = said.far_time, said.far_given
    _credit(s)
    behind = float(s.parameter.constant_steps)
    if stamped:
        behind = (point_time(s.grid, n) - (said.far_time + s.clock.offset)) / s.grid.period
    if -0.5 < behind < RING - 1.5:
        _compare(s, (n - int(behind + 0.5)) % RING)


def _is_news(s: State, stamped: bool) -> bool:
    """Return whether a message is newer than the last one, or of a far end that has begun anew.

    That is what many say that advance from an older time.
    """
    own, stamp = s.energy, s.bond.far_time
    if not stamped or not own.far or stamp > own.far_time:
        own.strays = 0
        return True
    if stamp == own.far_time or (own.strays > 0 and stamp == own.stray):
        return False
    own.strays = own.strays + 1 if own.strays > 0 and stamp > own.stray else 1
    own.stray = stamp
    if own.strays < STRAYS:
        return False
    own.said = own.far_passed = s.bond.far_passed
    own.strays = 0
    return True


def _credit(s: State) -> None:
    """Add energy that the far end has passed on to the budget, as far as it fits and two messages in succession say so.

    A far end that has begun anew starts from less, and from nothing that is added here.
    """
    own, said = s.energy, s.bond.far_passed
    sure = said if said < own.said else own.said
    own.said = said
    own.fallen = own.fallen + 1 if sure < own.far_passed else 0
    if sure > own.far_passed and s.bond.budget > 0.0:
        room = own.left + (sure - own.far_passed)
        own.left = room if room < s.bond.budget else s.bond.budget
    if sure > own.far_passed or own.fallen >= STRAYS:
        own.far_passed, own.fallen = sure, 0


def _compare(s: State, at: int) -> None:
    """Take in the energy that the far end has given out; what is owed is what two messages in succession say."""
    own = s.energy
    own.residual = bounded(own.known[at] + own.far_given, own.residual)
    claimed = bounded(own.residual - own.worked[at], own.claimed)
    own.owed = claimed if abs(claimed) < abs(own.claimed) else own.claimed
    own.claimed = claimed


def _grade(s: State) -> None:
    own = s.energy
    now = own.residual if own.far else own.own
    made = between(now - own.before, -own.transmitted, own.transmitted)
    own.created = bounded(ENERGY_MEMORY * own.created + made, 0.0)
    own.transmitted = ENERGY_MEMORY * own.transmitted
    own.before = now
    if own.graded < ENERGY_ENOUGH:
        own.graded = own.graded + 1
        return
    limit = CREATED * own.transmitted
    own.grade = ENERGY_NEUTRAL
    if own.created > limit:
        own.grade = ENERGY_CREATES
        once(s, events.CREATES_ENERGY)
    elif own.created < -limit:
        own.grade = ENERGY_LOSES
        if s.parameter.action == QUALITY_WARN:  # a warning is told each time it begins
            s.log.told = s.log.told & ~events.CREATES_ENERGY
