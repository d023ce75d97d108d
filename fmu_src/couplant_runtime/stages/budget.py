"""Take created energy back, and keep the estimate within the budget of energy.

Take back: the effort gets a damper against U, the energy created less the work of the corrections K up to the newest
time that both ends know, and all of K, beyond a share of what is transmitted,

    c = -nu U v / (dT (v^2 + mean v^2)/2),  |c| <= cap |estimate|,  c = 0 where U <= 0

Budget: T starts at B at both ends, every step takes its energy from it. What exceeds B is passed on, and added to the
far end's T as far as it fits. An estimate is scaled down until its energy a v dT + r a^2 fits into T, at the end of a
displacement the position waits and catches up. So the energy created stays within two budgets, whatever latency,
loss, order and algorithm: T_e + T_f = 2 B - E_e - E_f - (under way) - (dropped), hence
G = E_e + E_f <= 2 B - T_e - T_f <= 2 B + (what a single step overdraws): an end that is overdrawn gives out only what
brings energy back. The response r is the energy that a step costs because the receiver gives way, from the rms change
of the conjugate over the rms of what made it. Of what the far end says it has passed on only what two messages in
succession say is added, so that no single wild one adds anything.
"""

from math import sqrt

from ..config import Settings
from ..events import once
from ..generated import events
from ..generated.constants import FADES, GIVES_WAY, GOES_ON, SPEED_MEMORY, TOLERATED
from ..generated.numbers import (
    BOND_DISPLACEMENT,
    BOND_EFFORT,
    CONJUGATE_DISPLACEMENT,
    RING,
    SOURCE_OWN,
)
from ..grid import point_time
from ..guard import UNLIMITED, between, bounded, larger
from ..state import State
from .bond import sign


def budget(c: Settings, s: State) -> None:
    """Change the line that is given out; `part` of a macro step is over where it takes effect."""
    own, given, line, n = s.energy, s.bond, s.algorithm, s.grid.n
    part = 0.0 if c.event else _part(s)
    level, slope = line.level + line.slope * (part - line.shift), line.slope
    wanted, rise, half = level, slope, 0.5 * (1.0 - part)
    raw = level if given.end == BOND_DISPLACEMENT else bounded(level + half * slope, level)
    own.raw[n % RING if c.event else (n + 1) % RING] = raw
    if given.budget > 0.0 and own.left < _enough(s, raw):
        level, slope = _plausible(c, s, level, slope)
        own.limited = 1 if level != wanted or slope != rise else 0
    before = level + half * slope
    if given.end == BOND_EFFORT:
        level, slope = _effort(c, s, level, slope, part)
    elif given.budget > 0.0:
        level, slope = _flow(c, s, level, slope, part)
    own.change[0] = bounded(level + half * slope - before, 0.0)
    if not (level == wanted and slope == rise):
        line.level, line.slope = bounded(level - slope * (part - line.shift), own.reached), bounded(slope, 0.0)
    own.last, own.reached = bounded(level, 0.0), bounded(level + 2.0 * half * slope, 0.0)


def _part(s: State) -> float:
    """Return where in the macro step the estimate takes effect in step timing: where the communication step ends."""
    length = s.grid.target - point_time(s.grid, s.grid.n)
    return bounded(length / s.grid.period, 0.0) if length < s.grid.period else 1.0


def _enough(s: State, mean: float) -> float:
    """Return the part of the budget below which an estimate of this mean must be plausible [J].

    It is the alert, more where a step is foreseen less well, and at least what an effort costs if its receiver turns
    round within the step.
    """
    own, given, points = s.energy, s.bond, s.energy.points
    effort = given.end == BOND_EFFORT
    if _coarse(s):
        size = mean if effort else mean * s.grid.period
        passing = GIVES_WAY * own.response * size * size + abs(points[0] * mean) * s.grid.period
        return given.alert * (given.budget + passing)
    worst = abs(mean) * (abs(points[0] - points[1]) + own.response * abs(mean))
    return given.alert * larger(worst if effort else 0.0, given.budget)


def _plausible(c: Settings, s: State, level: float, slope: float) -> tuple[float, float]:
    """Keep size and change of an estimate to multiples of the largest ones received.

    The way to it counts as a ramp, the less the more of the budget is used up.
    """
    own, given = s.energy, s.bond
    ahead = s.latency.steps + 1
    newest = s.history.past[s.latency.early]
    rate, pace = given.rate * own.swing, own.swing + 0.5 * ahead * own.growth
    way, size = abs(newest) + ahead * (pace if pace < rate else rate), given.peak * own.size
    alert = given.alert * given.budget
    room = FADES * alert
    ramp = larger(1.0 - (alert - own.left) / room, 0.0) if room > 0.0 else 0.0
    most = size + ramp * larger(way - size, 0.0)
    level = between(level, -most, most)
    return between(level, own.last - rate, own.last + rate), between(slope, -rate, rate)


def _effort(c: Settings, s: State, level: float, slope: float, part: float) -> tuple[float, float]:
    """Return the effort with its correction and within the budget."""
    own, given, period = s.energy, s.bond, s.grid.period
    force, rate = own.start[0], 0.5 / period
    here = _speed(s, rate)
    then = here if c.event else here + 4.0 * own.response * force * part * rate
    mean = level + 0.5 * (1.0 - part) * slope
    own.square = bounded(SPEED_MEMORY * own.square + (1.0 - SPEED_MEMORY) * (then * then), UNLIMITED)
    if given.take_back > 0.0:
        own.correction = _correction(s, then, given.cap * abs(mean))
        level, mean = level + own.correction, mean + own.correction
    if not given.budget > 0.0:
        return level, slope
    due = 0.0 if c.event else force * here * period * part + own.response * force * force * (part * part)
    share = _share(s, own.response * mean * mean, mean * then * period, due, mean * period)
    return level * share, slope * share


def _speed(s: State, rate: float) -> float:
    """Return the flow at the macro point, as power into the receiver of the effort counts it; `rate` is 1/(2 dT).

    From displacements by the backward difference of second order, which takes the two last efforts for equal.
    """
    own = s.energy
    newest, second, third = own.points
    if s.bond.conjugate_is != CONJUGATE_DISPLACEMENT:
        return sign(s) * newest
    way = sign(s) * (3.0 * newest - 4.0 * second + third)
    return bounded((way + own.response * (own.means[0] - own.means[1])) * rate, 0.0)


def _correction(s: State, speed: float, most: float) -> float:
    """Return the effort of a damper that takes out the share `take_back` of the energy owed, at `most` that size."""
    own, given = s.energy, s.bond
    all = (own.own if given.source == SOURCE_OWN else own.owed) + own.work
    tolerated = TOLERATED * own.transmitted
    owed = all - between(all, -tolerated, tolerated)
    damped = s.grid.period * (0.5 * (speed * speed + own.square))
    if not (damped > 0.0 and (owed > 0.0 or given.give_back)):
        return 0.0
    return between(bounded(-given.take_back * owed * speed / damped, 0.0), -most, most)


def _coarse(s: State) -> bool:
    return s.bond.conjugate_is != CONJUGATE_DISPLACEMENT


def _share(s: State, square: float, linear: float, due: float, size: float) -> float:
    """Return the largest q in 0 .. 1 whose energy `square` q^2 + `linear` q fits into the budget less what is `due`.

    That adds nothing to a whole budget, for it is passed on. Where none does, because the budget is overdrawn, it is
    the one that brings back most. What velocities of stiff shafts do in a step is foreseen less well: the response,
    and what the conjugate has changed by, count more for the given `size`.
    """
    left = s.energy.left - due
    left = left if left < s.bond.budget else s.bond.budget
    if _coarse(s):
        square = GIVES_WAY * square
        linear = linear + GOES_ON * abs(size * (s.energy.points[0] - s.energy.points[1]))
    if square + linear <= left:
        return 1.0
    s.energy.limited = 1
    once(s, events.OVERDRAWN)
    root = sqrt(larger(linear * linear + 4.0 * square * left, 0.0))
    if linear > 0.0:
        return between(bounded(2.0 * left / (linear + root), 0.0), 0.0, 1.0)
    return between(bounded((root - linear) / (2.0 * square), 1.0), 0.0, 1.0) if square > 0.0 else 1.0


def _flow(c: Settings, s: State, level: float, slope: float, part: float) -> tuple[float, float]:
    """Return the flow within the budget.

    A displacement jumps to where its line begins: that has to fit too, for what the line brings back comes later.
    """
    own, given, period = s.energy, s.bond, s.grid.period
    along = (1.0 - part) * slope
    if given.end != BOND_DISPLACEMENT:
        way = (own.means[0] if c.event else own.start[0] * part) * period
        share = _fitting_share(s, (level + 0.5 * along) * period, 0.0, way)
        return level * share, slope * share
    way = own.levels[0] - own.levels[1] if given.stale else 0.0
    if c.event:
        way = own.reached - own.last
    jump = _fitting_share(s, level - own.reached, 0.0, way)
    whole = _fitting_share(s, level + along - own.reached, along, way)
    share = jump if jump < whole else whole
    return own.reached + share * (level - own.reached), slope * share


def _fitting_share(s: State, wanted: float, along: float, way: float) -> float:
    """Return the largest share of what is `wanted`, after the `way` that is under way, that fits into the budget.

    The effort that it will meet counts as it was, as it goes on, and as it gives way: the worst. Where
    displacements are wanted, what they have moved by is no part of how the effort goes on, and the part `along` the
    step meets it half a step later.
    """
    own, twice = s.energy, 2.0 * s.energy.response
    effort = sign(s) * own.points[0]
    change = effort - sign(s) * own.points[1]
    due, then = own.response * way * way - effort * way, effort - twice * way
    linear = larger(-effort * wanted, -(effort + change) * wanted)
    linear = larger(linear, -then * wanted)
    if s.bond.end == BOND_DISPLACEMENT:
        at = 1 if s.bond.stale else 0
        free = change + twice * (own.levels[at] - own.levels[at + 1])
        linear = larger(linear, -((then + free) * wanted + 0.5 * free * along))
    return _share(s, own.response * wanted * wanted, linear, larger(due, 0.0), wanted)
