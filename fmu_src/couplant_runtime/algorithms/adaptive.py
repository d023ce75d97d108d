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
    ADAPTIVE_MEMORY,
    ADAPTIVE_MOVED,
    ADAPTIVE_PIVOT,
    ADAPTIVE_RIDGE,
)
from ..generated.numbers import ADAPTED, ADAPTED_SUMS, ADAPTED_WEIGHTS, AVERAGES, SLOTS
from ..guard import bounded
from ..state import State

LAGS = ADAPTED - AVERAGES


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
    if ridge * ADAPTIVE_PIVOT > 0.0:
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
    keeps = ADAPTIVE_KEEPS
    for i in range(AVERAGES):
        averages[i] = value if first else bounded(value + keeps * (averages[i] - value), value)
        keeps = sqrt(keeps)


def _values(s: State, back: int, averages: list[float]) -> list[float]:
    """Return the values that are weighed, as they were `back` slots ago [signal unit]."""
    past = s.history.past
    newest = past[back]
    return [value - newest for value in (*past[back + 1 : back + 1 + LAGS], *averages)]


def _solve(s: State, ridge: float) -> None:
    """Solve for both rows of weights by L L'."""
    own, factor = s.adaptive, _factor(s.adaptive.sums, ridge)
    for side in (0, ADAPTED):
        x = own.right[side : side + ADAPTED]
        for i in range(ADAPTED):
            row, left = factor[i], x[i]
            for k in range(i):
                left = left - row[k] * x[k]
            x[i] = left / row[i]
        for i in range(ADAPTED - 1, -1, -1):
            left = x[i]
            for k in range(i + 1, ADAPTED):
                left = left - factor[k][i] * x[k]
            x[i] = bounded(left / factor[i][i], 0.0)
        own.use[side : side + ADAPTED] = x


def _factor(sums: list[float], ridge: float) -> list[list[float]]:
    factor: list[list[float]] = []
    at = 0
    for i in range(ADAPTED):
        row: list[float] = []
        factor.append(row)
        for j in range(i + 1):
            other = factor[j]
            left = sums[at] + (ridge if i == j else 0.0)
            for k in range(j):
                left = left - row[k] * other[k]
            least = ADAPTIVE_PIVOT * ridge
            row.append((sqrt(left if left > least else least)) if i == j else left / other[j])
            at += 1
    return factor
