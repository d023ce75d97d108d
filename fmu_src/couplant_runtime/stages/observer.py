"""The states of the prototype that sends y, as the algorithm `model` has them: an observer on its late values.

    e = y_j - C x_j - D u_j,    x_j <- x_j + K e,    x_{j+1} = Phi x_j + G0 u_j + G1 (u_{j+1} - u_j)

u is what the prototype was given in slot j, as its message tells (echo), else what went from here at that time (twin);
of a message that is missing those on both sides tell it.
Where it is given a new estimate at each communication step of a macro step, u is a line to the next slot, half such a
step late. Where the host reads outputs before it sets inputs, D in the error acts on the u of the step before.
Slots whose outputs have not all come are passed without a correction. A value that comes late is taken at its slot, and
what followed is worked out again: predictions are kept for all slots of the history.
"""

from ..config import Settings
from ..generated.constants import EXPECTED, MEMORY
from ..generated.numbers import INPUTS, SLOTS
from ..guard import UNLIMITED, bounded
from ..plant import BETWEEN, Plant, move, output
from ..state import State
from .companions import INPUTS_TOLD, oldest, told_from
from .latency import added_lead


def keep(s: State, plant: Plant) -> None:
    """Keep the signals that go from here at this macro point; over steps that the host left out they stay."""
    own, n = s.plant, s.grid.n
    missed = n - own.step if own.known else INPUTS
    gap = missed if missed < INPUTS else INPUTS
    for i in range(plant.sizes[1]):
        last = own.local[i * INPUTS + own.step % INPUTS] if own.known else 0.0
        for at in range(n - gap + 1, n):
            own.local[i * INPUTS + at % INPUTS] = last
        own.local[i * INPUTS + n % INPUTS] = bounded(own.u[i], last)
    if not own.known:
        own.known = 1
    else:
        own.known = own.known + gap if own.known + gap < INPUTS else INPUTS
    own.step = n


def present(c: Settings, s: State, at: float) -> list[float]:
    """Return the signals that go from here, `at` macro steps after the present macro point.

    Between macro points they are taken for linear, and so after the newest one that is known.
    """
    own = s.plant
    assert c.plant is not None
    back = (own.step - s.grid.n) - at
    whole = int(back) if back > 0.0 else 0
    most = own.known - 2 if own.known > 2 else 0
    if whole > most:
        whole, back = most, most + 1.0
    part = back - whole
    newer, older = (own.step - whole) % INPUTS, (own.step - whole - 1) % INPUTS
    values = []
    for i in range(c.plant.sizes[1]):
        value = own.local[i * INPUTS + newer]
        rise = own.local[i * INPUTS + older] - value if own.known > 1 else 0.0
        values.append(bounded(value + part * rise, value))
    return values


def place(s: State, slot: int) -> float:
    """Return when a `slot` of the sender was sent, in macro steps after the present macro point."""
    age = (s.latency.steps - s.latency.fraction) - added_lead(s)
    return (slot - (s.history.newest - s.latency.early)) - age


def inputs_at(c: Settings, s: State, slot: int) -> tuple[list[float], list[float]]:
    """Return the inputs of the prototype in `slot`, and their change in the macro step that began there."""
    assert c.plant is not None
    told = _message_inputs(c, s, slot)
    if told is not None:
        later = _message_inputs(c, s, slot + 1) if c.plant.micro_step < 1.0 else None
        if later is None:
            return told
        here, there = told[0], later[0]
    else:
        when = place(s, slot)
        here, there = present(c, s, when), present(c, s, when + 1.0)
    return here, [bounded(b - a, 0.0) for a, b in zip(here, there, strict=True)]


def _message_inputs(c: Settings, s: State, slot: int) -> tuple[list[float], list[float]] | None:
    """Return the inputs of the prototype in `slot`, as messages tell them, and their change.

    Of a slot whose message is missing the lines of those on both sides tell it, each by how near it is, where the
    prototype does not come to rest by itself; None where none tells it.
    """
    own, before, after = s.plant, oldest(s) - 1, s.history.newest + 1
    older = told_from(s, slot, -1, before) if slot > before else before
    newer = told_from(s, slot, 1, after) if older > before else after
    assert c.plant is not None
    if newer == after or (newer > older and c.plant.echo != BETWEEN):
        return None
    since, until = float(slot - older), float(newer - slot)
    part, u, change = since / (newer - older) if newer > older else 0.0, [], []
    for i in range(0, c.plant.sizes[1] * SLOTS, SLOTS):
        level, rise = own.level[i + older % SLOTS], own.change[i + older % SLOTS]
        end, fall = own.level[i + newer % SLOTS], own.change[i + newer % SLOTS]
        line = level + since * rise
        u.append(bounded(line + part * ((end - until * fall) - line), level))
        change.append(bounded(rise + part * (fall - rise), rise))
    return u, change


def correct(c: Settings, s: State, slot: int) -> tuple[list[float], float]:
    """Return the states at `slot` once its values count, and the error on y before, 0 without values."""
    own, at, plant, back = s.plant, slot % SLOTS, c.plant, s.history.newest - slot
    assert plant is not None
    n, _, p = plant.sizes
    x = [own.predicted[i * SLOTS + at] for i in range(n)]
    if s.history.marked[back] or not (p == 1 or own.told[at] % INPUTS_TOLD):
        return x, 0.0
    u, change = inputs_at(c, s, slot - plant.stale)
    if plant.stale:
        u = [level + (1.0 - plant.micro_step) * rise for level, rise in zip(u, change, strict=True)]
    errors = [_value(plant, s, i, slot) - output(plant, i, x, u) for i in range(p)]
    for i in range(n):
        more = 0.0
        for error, gain in zip(errors, plant.gain[i], strict=True):
            more = more + gain * error
        x[i] = bounded(x[i] + more, x[i])
    return x, errors[plant.own]


def _value(plant: Plant, s: State, which: int, slot: int) -> float:
    if which == plant.own:
        return s.history.past[s.history.newest - slot]
    return s.plant.outputs[(which - (which > plant.own)) * SLOTS + slot % SLOTS]


def observe(c: Settings, s: State) -> None:
    """Follow the prototype to the newest slot."""
    own, received, plant = s.plant, s.history, c.plant
    assert plant is not None
    if not plant.late:
        keep(s, plant)
    if not received.filled:
        return
    first = oldest(s)
    if not own.begun or own.origin != received.origin or own.next < first or own.next > received.newest:
        _begin(c, s, first)
    while own.next < received.newest:
        (x, error), (u, change) = correct(c, s, own.next), inputs_at(c, s, own.next)
        excess = error * error / plant.variance - EXPECTED
        own.surprise = bounded(MEMORY * own.surprise + (excess if excess > 0.0 else 0.0), UNLIMITED)
        if plant.micro_step < 1.0:
            u = [level - 0.5 * plant.micro_step * rise for level, rise in zip(u, change, strict=True)]
        own.next = own.next + 1
        for i, value in enumerate(move(plant, x, u, change)):
            own.predicted[i * SLOTS + own.next % SLOTS] = value


def _begin(c: Settings, s: State, slot: int) -> None:
    """Begin at rest: the states that leave the outputs of `slot` as they are."""
    own, plant = s.plant, c.plant
    assert plant is not None
    known = [_value(plant, s, i, slot) for i in range(plant.sizes[2])] + inputs_at(c, s, slot - plant.stale)[0]
    for i, row in enumerate(plant.start):
        total = 0.0
        for weight, value in zip(row, known, strict=True):
            total = total + weight * value
        own.predicted[i * SLOTS + slot % SLOTS] = bounded(total, 0.0)
    own.begun = 1
    own.next, own.origin = slot, s.history.origin
