"""The members of `auto` that learn the signal while it runs: ridge regression with forgetting.

Foreseen is the change since the newest value. The first weighs what 11 values before it and 4 exponential averages
(factors exp(-1/4), exp(-1/8), exp(-1/16), exp(-1/32)) differ by from it. With x such differences `reach` + 1 slots ago,
and d the change that followed, the weights w minimise the sum of 0.997^age (d - w' x)^2 / |x, d|^2 plus a ridge, 1e-5
of the mean diagonal of the sum of x x': where nothing can be foreseen they shrink to 0, which is zoh. Over their size
all values teach alike, those of a quiet signal too. A second row of weights stands for the change a macro step later.

The second, `deep`, weighs the last 31 changes, with 0.9995, each as it is. Their sums of products differ from those a
value earlier by one product each: those of a change with the ones before it, by distance, and the changes themselves
tell all others.

The sums are those of one reach, the usual one; where the lead is another, the line through both ends goes on.
"""

from math import sqrt

from ..config import Settings
from ..generated.constants import (
    ADAPTIVE_ENOUGH,
    ADAPTIVE_EVERY,
    ADAPTIVE_GAP,
    ADAPTIVE_KEEPS,
    ADAPTIVE_LARGEST,
    ADAPTIVE_LEAST,
    ADAPTIVE_MEMORY,
    ADAPTIVE_MOVED,
    ADAPTIVE_PIVOT,
    ADAPTIVE_RIDGE,
    DEEP_ENOUGH,
    DEEP_EVERY,
    DEEP_MEMORY,
    DEEP_REST,
    DEEP_RIDGE,
)
from ..generated.numbers import ADAPTED, ADAPTED_SUMS, ADAPTED_WEIGHTS, AVERAGES, DEEP, DEEP_WEIGHTS, SLOTS
from ..guard import bounded
from ..state import State

LAGS = ADAPTED - AVERAGES

KEEPS = ADAPTIVE_KEEPS, sqrt(ADAPTIVE_KEEPS), sqrt(sqrt(ADAPTIVE_KEEPS)), sqrt(sqrt(sqrt(ADAPTIVE_KEEPS)))
"""What the averages keep: exp(-1/4), and of each the square root."""


def adaptive_start(s: State) -> None:
    """Forget everything."""
    adaptive_forget(s)
    own = s.adaptive
    own.use[:] = [0.0] * ADAPTED_WEIGHTS
    own.average[:] = own.late[:] = [0.0] * AVERAGES
    own.share = 0.0
    own.taken = 0
    own.reach = -1


def adaptive_forget(s: State) -> None:
    """Forget the sums of both members in `s`, but no values."""
    own, deep = s.adaptive, s.deep
    own.sums[:] = [0.0] * ADAPTED_SUMS
    own.right[:] = [0.0] * ADAPTED_WEIGHTS
    own.samples = own.unused = 0
    deep.sums[:] = deep.changes[:] = [0.0] * DEEP
    deep.right[:] = deep.use[:] = [0.0] * DEEP_WEIGHTS
    deep.samples = deep.unused = 0


def adaptive_take(c: Settings, s: State) -> bool:
    """Take the values that are new into averages and sums; return whether there are any."""
    _fit(c, s)
    own = s.adaptive
    since = s.history.newest - own.taken
    for place in range(since if since < ADAPTIVE_GAP else ADAPTIVE_GAP, 0, -1):
        before = place + own.reach
        _average(s, own.average, place - 1)
        _average(s, own.late, before if before < SLOTS else SLOTS - 1)
        _deep_take(s, before)
    own.taken = s.history.newest
    return since > 0


def adaptive_learn(s: State) -> None:
    """Learn from values that are new; the sums have them where it can be told what they teach."""
    _teach(s)
    if s.deep.unused == DEEP_EVERY:
        _deep_solve(s)


def adaptive_ready(s: State, deep: bool) -> bool:
    """Return whether the first, or the one that is `deep`, has learnt enough, and there are values for its weights."""
    known = s.deep.samples == DEEP_ENOUGH if deep else s.adaptive.samples == ADAPTIVE_ENOUGH
    return known and s.latency.early == 0 and _sees(s, 0, DEEP if deep else LAGS)


def adaptive_line(s: State, deep: bool) -> tuple[float, float, float]:
    """Return the estimate of the first, or of the one that is `deep`.

    It is a level [signal unit], a slope [signal unit per macro step] and a shift [macro steps].
    """
    past, use, n = s.history.past, s.deep.use if deep else s.adaptive.use, DEEP if deep else ADAPTED
    near = far = 0.0
    values = [past[i] - past[i + 1] for i in range(DEEP)] if deep else _values(s, 0, s.adaptive.average)
    for i, x in enumerate(values):
        near = near + use[i] * x
        far = far + use[n + i] * x
    return past[0] + near, far - near, s.adaptive.reach - (s.latency.steps - s.latency.fraction)


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


def _sees(s: State, back: int, lags: int) -> bool:
    """Return whether `lags` values before that of `back` slots ago are known, and on this side of the last jump."""
    return back + lags + ADAPTIVE_GAP < SLOTS and s.history.newest - back - lags >= s.switching.anchor


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


def _teach(s: State) -> None:
    """Learn from the newest value what followed on the values `reach` + 1 slots ago."""
    own, past, back = s.adaptive, s.history.past, s.adaptive.reach + 1
    if not _sees(s, back, LAGS):
        return
    change = past[1] - past[back], past[0] - past[back]
    x = _values(s, back, own.late)
    least = ADAPTIVE_MOVED * (s.bank.high - s.bank.low)
    size = least * least + (change[0] * change[0] + change[1] * change[1])
    for one in x:
        size = size + one * one
    if not (least < max(map(abs, (*x, *change))) < ADAPTIVE_LARGEST and size > ADAPTIVE_LEAST):
        return
    ridge = ADAPTIVE_RIDGE * _add(s, x, change, 1.0 / size) / ADAPTED
    own.samples = own.samples + 1 if own.samples < ADAPTIVE_ENOUGH else ADAPTIVE_ENOUGH
    own.unused = own.unused + 1
    if own.unused == ADAPTIVE_EVERY:
        own.unused = 0
        if ridge * ADAPTIVE_PIVOT > ADAPTIVE_LEAST:
            own.use[:] = _solution(own.sums[:], own.right[:], ADAPTED, ridge)


def _add(s: State, x: list[float], change: tuple[float, float], weight: float) -> float:
    """Take a sample, over its size, into the sums; return their trace."""
    own, trace, at = s.adaptive, 0.0, 0
    for i in range(ADAPTED):
        part = weight * x[i]
        for j in range(i + 1):
            own.sums[at] = ADAPTIVE_MEMORY * own.sums[at] + part * x[j]
            at += 1
        trace = trace + own.sums[at - 1]
        for end in range(2):
            place = end * ADAPTED + i
            own.right[place] = ADAPTIVE_MEMORY * own.right[place] + part * change[end]
    return trace


def _deep_take(s: State, back: int) -> None:
    """Add the change of `back` slots ago, with those that followed, to the sums; jumps and rest teach nothing."""
    deep, past, reach = s.deep, s.history.past, s.adaptive.reach
    if back + 1 >= SLOTS or 0 <= s.switching.anchor - (s.history.newest - back) <= reach + 1:
        return
    now, near, far = past[back] - past[back + 1], past[back - reach] - past[back], past[back - reach - 1] - past[back]
    most = max(abs(now), abs(near), abs(far))
    width = s.bank.high - s.bank.low
    if not most < ADAPTIVE_LARGEST or (most == 0.0 and deep.sums[0] <= DEEP_REST * (width * width)):
        return
    deep.changes[:] = [now, *deep.changes[:-1]]
    for i, change in enumerate(deep.changes):
        deep.sums[i] = DEEP_MEMORY * deep.sums[i] + now * change
        deep.right[i] = DEEP_MEMORY * deep.right[i] + near * change
        deep.right[DEEP + i] = DEEP_MEMORY * deep.right[DEEP + i] + far * change
    deep.samples = deep.samples + 1 if deep.samples < DEEP_ENOUGH else DEEP_ENOUGH
    deep.unused = deep.unused + 1 if deep.unused < DEEP_EVERY else DEEP_EVERY


def _deep_solve(s: State) -> None:
    """Work out weights from sums; those of a change and another lie on a diagonal with those a value earlier."""
    deep, changes, factor = s.deep, s.deep.changes, s.deep.sums[:1]
    trace = factor[0]
    for i in range(1, DEEP):
        factor.append(deep.sums[i])
        for j in range(1, i + 1):
            factor.append((factor[-i - 1] - changes[i - 1] * changes[j - 1]) * (1.0 / DEEP_MEMORY))
        trace = trace + factor[-1]
    ridge = DEEP_RIDGE * trace / DEEP
    deep.unused = 0
    if ridge * ADAPTIVE_PIVOT > ADAPTIVE_LEAST:
        deep.use[:] = _solution(factor, deep.right[:], DEEP, ridge)


def _solution(factor: list[float], use: list[float], n: int, ridge: float) -> list[float]:
    """Return both rows of `n` weights by L D L', with a ridge; `factor` has the sums, `use` their right sides."""
    for i in range(n):
        factor[i * (i + 3) // 2] = factor[i * (i + 3) // 2] + ridge
    for k in range(n):
        _eliminate(factor, use, n, k, ADAPTIVE_PIVOT * ridge)
    for side in (0, n):
        for i in range(n):
            use[side + i] = use[side + i] * factor[i * (i + 3) // 2]
        for i in range(n - 1, -1, -1):
            use[side + i] = bounded(use[side + i], 0.0)
            for k in range(i):
                use[side + k] = use[side + k] - factor[i * (i + 1) // 2 + k] * use[side + i]
    return use


def _eliminate(factor: list[float], sides: list[float], n: int, k: int, least: float) -> None:
    """Take equation k out of those below it: a column of L, and D^-1 on the diagonal."""
    pivot = factor[k * (k + 3) // 2]
    factor[k * (k + 3) // 2] = inverse = 1.0 / (pivot if pivot > least else least)
    below = [factor[i * (i + 1) // 2 + k] for i in range(k + 1, n)]
    for i in range(k + 1, n):
        row = i * (i + 1) // 2
        factor[row + k] = share = below[i - k - 1] * inverse
        for j in range(k + 1, i + 1):
            factor[row + j] = factor[row + j] - share * below[j - k - 1]
        sides[i] = sides[i] - share * sides[k]
        sides[n + i] = sides[n + i] - share * sides[n + k]
