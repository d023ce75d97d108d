"""The member of `auto` that learns the signal while it runs: ridge regression with forgetting.

Foreseen is the change since the newest value, from what 7 values before it and 4 exponential averages (factors
exp(-1/4), exp(-1/8), exp(-1/16), exp(-1/32)) differ by from it. With x such differences `reach` + 1 slots ago, and d
the change that followed, the weights w minimise the sum of 0.997^age (d - w' x)^2 plus a ridge, a thousandth of the
mean diagonal of the sum of x x': where nothing can be foreseen they shrink to 0, which is zoh. A second row of weights
stands for the change a macro step later.

The sums are those of one reach, the usual one; where the lead is another, the line through both ends goes on.
"""

from math import sqrt

from ..config import Settings
from ..generated.constants import (
    ADAPTIVE_ENOUGH,
    ADAPTIVE_FROM,
    ADAPTIVE_GAP,
    ADAPTIVE_KEEPS,
    ADAPTIVE_LARGEST,
    ADAPTIVE_LEAST,
    ADAPTIVE_MEMORY,
    ADAPTIVE_MOVED,
    ADAPTIVE_PIVOT,
    ADAPTIVE_RIDGE,
)
from ..generated.numbers import ADAPTED, ADAPTED_SUMS, ADAPTED_WEIGHTS, AVERAGES, SLOTS
from ..guard import bounded
from ..state import State

LAGS = ADAPTED - AVERAGES

KEEPS = ADAPTIVE_KEEPS, sqrt(ADAPTIVE_KEEPS), sqrt(sqrt(ADAPTIVE_KEEPS)), sqrt(sqrt(sqrt(ADAPTIVE_KEEPS)))
"""What the averages keep: exp(-1/4), and of each the square root."""


def adaptive_start(s: State) -> None:
    """Forget everything."""
    own = s.adaptive
    own.sums[:] = [0.0] * ADAPTED_SUMS
    own.right[:] = [0.0] * ADAPTED_WEIGHTS
    own.use[:] = [0.0] * ADAPTED_WEIGHTS
    own.average[:] = own.late[:] = [0.0] * AVERAGES
    own.share = 0.0
    own.taken = own.samples = 0
    own.reach = -1


def adaptive_take(c: Settings, s: State) -> bool:
    """Take the values that are new into the averages; return whether there are any."""
    _fit(c, s)
    own = s.adaptive
    since = s.history.newest - own.taken
    for place in range(since if since < ADAPTIVE_GAP else ADAPTIVE_GAP, 0, -1):
        before = place + own.reach
        _average(s, own.average, place - 1)
        _average(s, own.late, before if before < SLOTS else SLOTS - 1)
    own.taken = s.history.newest
    return since > 0


def adaptive_learn(s: State) -> None:
    """Learn from the newest value what followed on the values `reach` + 1 slots ago."""
    own, past, back = s.adaptive, s.history.past, s.adaptive.reach + 1
    if not _sees(s, back):
        return
    change = past[1] - past[back], past[0] - past[back]
    x = _values(s, back, own.late)
    moved = max(map(abs, (*x, *change)))
    if not ADAPTIVE_MOVED * (s.bank.high - s.bank.low) < moved < ADAPTIVE_LARGEST:
        return
    trace, at = 0.0, 0
    for i in range(ADAPTED):
        for j in range(i + 1):
            own.sums[at] = ADAPTIVE_MEMORY * own.sums[at] + x[i] * x[j]
            at += 1
        trace = trace + own.sums[at - 1]
        for end in range(2):
            place = end * ADAPTED + i
            own.right[place] = ADAPTIVE_MEMORY * own.right[place] + x[i] * change[end]
    own.samples = own.samples + 1 if own.samples < ADAPTIVE_ENOUGH else ADAPTIVE_ENOUGH
    ridge = ADAPTIVE_RIDGE * trace / ADAPTED
    if ridge * ADAPTIVE_PIVOT > ADAPTIVE_LEAST:
        _solve(s, ridge)


def adaptive_ready(s: State) -> bool:
    """Return whether the algorithm has learnt enough, and there are values for its weights."""
    return s.adaptive.samples == ADAPTIVE_ENOUGH and s.latency.early == 0 and _sees(s, 0)


def adaptive_line(s: State) -> tuple[float, float, float]:
    """Return level [signal unit], slope [signal unit per macro step] and shift [macro steps] of its estimate."""
    own = s.adaptive
    near = far = 0.0
    for i, x in enumerate(_values(s, 0, own.average)):
        near = near + own.use[i] * x
        far = far + own.use[ADAPTED + i] * x
    return s.history.past[0] + near, far - near, own.reach - (s.latency.steps - s.latency.fraction)


def room(best: float, hold: float) -> bool:
    """Return whether the loss of the `best` of the others, against that of zoh, `hold`, leaves room for it."""
    return best > ADAPTIVE_FROM * hold


def _fit(c: Settings, s: State) -> None:
    """Begin anew where nothing is known that fits to the history or to the usual lead."""
    own = s.adaptive
    usual = s.latency.usual_reach - (0 if c.event else 1)
    reach = usual if usual > 0 else 0
    if reach == own.reach and own.taken <= s.history.newest:
        return
    adaptive_start(s)
    own.reach = reach
    own.taken = s.history.newest
    own.average[:] = own.late[:] = [s.history.past[0]] * AVERAGES


def _sees(s: State, back: int) -> bool:
    """Return whether the values weighed `back` slots ago are in the history and on this side of the last jump."""
    return back + LAGS + ADAPTIVE_GAP < SLOTS and s.history.newest - back - LAGS >= s.switching.anchor


def _average(s: State, averages: list[float], place: int) -> None:
    value = s.history.past[place]
    first = s.history.newest - place <= s.switching.anchor
    for i in range(AVERAGES):
        averages[i] = value if first else bounded(value + KEEPS[i] * (averages[i] - value), value)


def _values(s: State, back: int, averages: list[float]) -> list[float]:
    """Return the values that are weighed, as they were `back` slots ago [signal unit]."""
    past = s.history.past
    newest = past[back]
    return [value - newest for value in (*past[back + 1 : back + 1 + LAGS], *averages)]


def _solve(s: State, ridge: float) -> None:
    """Solve for both rows of weights by L D L'."""
    own, factor = s.adaptive, s.adaptive.sums[:]
    use = own.right[:]
    for i in range(ADAPTED):
        factor[i * (i + 3) // 2] = factor[i * (i + 3) // 2] + ridge
    for k in range(ADAPTED):
        _eliminate(factor, use, k, ADAPTIVE_PIVOT * ridge)
    for side in (0, ADAPTED):
        for i in range(ADAPTED):
            use[side + i] = use[side + i] * factor[i * (i + 3) // 2]
        for i in range(ADAPTED - 1, -1, -1):
            use[side + i] = bounded(use[side + i], 0.0)
            for k in range(i):
                use[side + k] = use[side + k] - factor[i * (i + 1) // 2 + k] * use[side + i]
    own.use[:] = use


def _eliminate(factor: list[float], sides: list[float], k: int, least: float) -> None:
    """Take equation k out of those below it: a column of L, and D^-1 on the diagonal."""
    pivot = factor[k * (k + 3) // 2]
    factor[k * (k + 3) // 2] = inverse = 1.0 / (pivot if pivot > least else least)
    below = [factor[i * (i + 1) // 2 + k] for i in range(k + 1, ADAPTED)]
    for i in range(k + 1, ADAPTED):
        row = i * (i + 1) // 2
        factor[row + k] = share = below[i - k - 1] * inverse
        for j in range(k + 1, i + 1):
            factor[row + j] = factor[row + j] - share * below[j - k - 1]
        sides[i] = sides[i] - share * sides[k]
        sides[ADAPTED + i] = sides[ADAPTED + i] - share * sides[ADAPTED + k]
