"""Book the energy that leaves the network at one end of a power bond, at every communication point.

What is given out over a step of length h is a line; m is its mean, d its change, in step timing it is held. At the end
that receives the effort, with the displacement x or the velocity v that it sends,

    W = m (x' - x) + d m r (h/dT)^2 / 6        W = (m (v + v')/2 + d (v' - v)/12) h

where the last terms are what a change within the step adds; r is the `response` of the receiver. At the end that
receives the flow, with the effort e that it sends, and a displacement that moves by d over a step and jumps by j at its
end, or a velocity,

    W = -(e + e')/2 (d + j)                    W = -((e + e')/2 m + d (e' - e)/12) h

The effort before a jump is not seen; where `energy.stiffness` is known it is e' + stiffness j, and rise and jump are
booked each with the mean of the efforts at its ends; the budget pays for the dearer of both, for a contact may be open.
The energies are those at the ports: no delay is assumed.
"""

from ..config import Settings
from ..events import once
from ..generated import events
from ..generated.numbers import BOND_DISPLACEMENT, BOND_EFFORT, BOND_NONE, CONJUGATE_DISPLACEMENT
from ..guard import UNLIMITED, bounded, larger
from ..state import State


def shift(list: list[float], newest: float) -> None:
    """Put `newest` before the numbers of a `list`, whose last one falls out."""
    list[1:] = list[:-1]
    list[0] = newest


def sign(s: State) -> float:
    """Return 1 where effort times flow is power into the receiver of the effort, else -1."""
    return -1.0 if s.bond.reversed else 1.0


def late(c: Settings, s: State) -> bool:
    """Return whether the conjugate of a communication point is known only after the estimate for it."""
    return c.event and s.bond.end != BOND_EFFORT


def book(c: Settings, s: State) -> None:
    """Book the step that ends at this communication point, or where the conjugate is late the step before it."""
    own = s.energy
    if s.bond.end == BOND_NONE or (own.heard > 0 and not s.grid.time > own.time):
        return
    shift(own.lasted, s.grid.time - own.time)
    own.booked = own.time if late(c, s) else s.grid.time
    own.time = s.grid.time
    if not late(c, s):
        _hear(s)
    energy = _energy(c, s)
    own.given = bounded(own.given + energy, own.given)
    own.left = bounded(own.left - energy, own.left)
    own.transmitted = bounded(own.transmitted + abs(energy), own.transmitted)
    own.power = bounded(energy / own.lasted[0], 0.0) if own.lasted[0] > 0.0 else 0.0
    mean = 0.5 * (own.start[0] + own.end[0])
    own.impulse = bounded(own.impulse + mean * own.lasted[0], own.impulse)
    if not c.event:
        _give(s, s.reconstruction.given, s.reconstruction.given)


def note(c: Settings, s: State) -> None:
    """Keep the output over the step that begins, and a conjugate that came late."""
    if s.bond.end == BOND_NONE or not c.event:
        return
    given, end = s.reconstruction.given, s.reconstruction.ends
    _give(s, given, end)
    if late(c, s):
        _hear(s)


def _give(s: State, start: float, end: float) -> None:
    own = s.energy
    shift(own.start, start)
    shift(own.end, end)
    own.change[1] = own.change[0]


def _hear(s: State) -> None:
    own = s.energy
    if not -UNLIMITED <= s.bond.conjugate <= UNLIMITED:
        once(s, events.BAD_CONJUGATE)
        own.heard = own.counted = 0
        return
    shift(own.conjugate, s.bond.conjugate)
    own.heard = own.heard + 1 if own.heard < 3 else 3


def _energy(c: Settings, s: State) -> float:
    """Return the energy of the step that is booked; 0 where its conjugate is not known at both ends [J]."""
    own, given = s.energy, s.bond
    if own.heard < 2:
        return 0.0
    new, old = sign(s) * own.conjugate[0], sign(s) * own.conjugate[1]
    if given.end == BOND_DISPLACEMENT:
        return bounded(_displacement_energy(c, s, new, old), 0.0)
    at = 1 if late(c, s) else 0
    mean, rise, h = 0.5 * (own.start[at] + own.end[at]), own.end[at] - own.start[at], own.lasted[at]
    if given.end == BOND_EFFORT:
        return bounded(_effort(c, s, new, old, h), 0.0)
    return bounded(-(0.5 * (old + new) * mean + rise * (new - old) / 12.0) * h, 0.0)


def _effort(c: Settings, s: State, new: float, old: float, h: float) -> float:
    """Return the energy of an effort given out [J]; what the corrections had of it is booked as their work."""
    own = s.energy
    mean, rise = 0.5 * (own.start[0] + own.end[0]), own.end[0] - own.start[0]
    moved, within = 0.5 * (old + new) * h, rise * (new - old) * h / 12.0
    if s.bond.conjugate_is == CONJUGATE_DISPLACEMENT:
        part = h / s.grid.period
        moved, within = new - old, rise * mean * own.response * part * part / 6.0 if c.event else 0.0
    own.work = bounded(own.work + own.change[1] * moved, own.work)
    return mean * moved + within


def _displacement_energy(c: Settings, s: State, new: float, old: float) -> float:
    """Return the energy of a displacement given out, with the efforts `new` and `old` [J].

    The budget pays for what it would be more were the contact open.
    """
    own, stiffness = s.energy, s.bond.stiffness
    rise, jump = own.end[1] - own.start[1], own.start[0] - own.end[1]
    if not c.event:
        rise, jump = 0.0, s.reconstruction.given - own.start[0]
    if stiffness > 0.0:
        then = new if s.bond.stale else new + stiffness * jump
        after = then - stiffness * jump
        closed = -(0.5 * (old + then) * rise + 0.5 * (then + after) * jump)
        if not s.bond.stale:
            more = -0.5 * (old + new) * (rise + jump) - closed
            own.left = bounded(own.left - larger(more, 0.0), own.left)
        return closed
    if s.bond.stale and not c.event:
        jump = own.start[0] - own.start[1]
    return -0.5 * (old + new) * (rise + jump)
