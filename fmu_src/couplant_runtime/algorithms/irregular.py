"""Spectral least squares on values of any age: the estimate is right where the ages are irregular.

Estimated is the change since the newest value, from the changes between it and the m - 1 values before it. With their
times t_i and the time t of the estimate, counted in macro steps from the newest value, the weights h minimise
h' C h - 2 h' c subject to sum h_i t_i^p = t^p for p = 1 .. degree, where C and c are the covariances of the changes:
C_ij = r(t_i - t_j) - r(t_i) - r(t_j) + r(0) + noise (1 + [i = j]) and
c_i = r(t - t_i) - r(t_i) - r(t) + r(0) + noise, r the autocorrelation of a signal with the given band.

The noise is that of the steps which estimates usually reach ahead, or that of the signal where it is more. Weights
whose sizes total more than the noise allows, or in step timing, where the receiver holds what it gets and a loop
bears less, more than LARGEST_TOTAL, are solved again with more noise, noisy ones at last with a lower degree. No
fixed total fits every loop: where the errors are far larger than those of ZOH would be, as in a loop that the gain of
the estimates makes unstable, degree 1 and a total of CAREFUL_TOTAL are in force for some time, degree 0 and
LEAST_TOTAL when that happens again.

Times are whole numbers of ticks, TICKS of them a macro step, so that equal patterns of ages are recognised.
"""

from ..config import Settings, Spectrum
from ..generated.algorithms import IRREGULAR
from ..generated.constants import (
    CAREFUL,
    CAREFUL_TOTAL,
    ENOUGH,
    LARGEST_TOTAL,
    LEAST_NOISE,
    LEAST_TOTAL,
    MORE_AT_LEVEL,
    MORE_NOISE,
    MOST_CAREFUL,
    MOST_NOISE,
    PAUSE,
    RUINOUS,
    TICKS,
    TOTAL_AT_LEVEL,
    TRIES,
    WIDE,
)
from ..generated.numbers import HORIZONS, MAX_DEGREE, PATTERN, PATTERNS, REACH, TERMS
from ..generated.state import Irregular
from ..guard import UNLIMITED
from ..stages.history import view
from ..stages.noise import assume_noise
from ..state import State
from . import NEVER

Row = tuple[float, ...]
Matrix = list[list[float]]


def spectrum_of(c: Settings) -> Spectrum:
    """Return what an FMU that was built for it knows about the signal."""
    assert c.spectrum is not None
    return c.spectrum


def needed(c: Settings, s: State) -> int:
    """Return the number of received values used [slots]."""
    return c.spectrum.values if c.spectrum else NEVER


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Apply the weights for the present ages to the received values; as differences, so that constants stay."""
    _heed(s)
    slots, pattern = _received(c, s)
    if pattern[1] == 0:
        return view(s)[0], 0.0, 0.0
    assume_noise(s, slots, pattern[0] > (s.latency.usual_lead + WIDE) * TICKS)
    pattern[3] = s.noise.assumed
    place = _find(c, s.irregular, pattern) * TERMS
    past, levels, slopes = s.history.past, s.irregular.term_level, s.irregular.term_slope
    first = past[slots[0]]
    level = 0.0
    slope = 0.0
    for i in range(1, pattern[1]):
        change = past[slots[i]] - first
        level = level + levels[place + i] * change
        slope = slope + slopes[place + i] * change
    return first + level, slope, 0.0


def _heed(s: State) -> None:
    """Be careful after a ruinous skill, longer each time: so a loop shows that it does not bear the weights."""
    own, judged, left = s.irregular, s.quality, s.irregular.careful
    own.careful = left - 1 if left > 0 else 0
    if left > 0 and own.patience - left == PAUSE:  # what the larger weights did is known by now and counts no more
        judged.error_power = judged.hold_power = 0.0
        judged.measured = 0
    if s.parameter.selected != IRREGULAR or judged.measured < ENOUGH or judged.skill >= RUINOUS:
        return
    if left == 0 or own.patience - left >= PAUSE:
        longer = 4 * own.patience if own.patience > 0 else CAREFUL
        own.patience = own.careful = longer if longer < MOST_CAREFUL else MOST_CAREFUL


def _received(c: Settings, s: State) -> tuple[list[int], list[int]]:
    """Return the slots of the newest received values; lead, number, usual reach, noise and ages [ticks]."""
    most, early, stamps = spectrum_of(c).values, s.latency.early, s.history.stamps
    end = s.history.newest - s.switching.anchor + 1
    if end > REACH + early:
        end = REACH + early
    slots = [slot for slot in range(early, end) if not s.history.marked[slot]][:most]
    pattern = [0] * PATTERN
    if not slots:
        return slots, pattern
    newest = stamps[slots[0]]
    steps = s.latency.steps - s.latency.fraction - early + (stamps[0] - newest)
    if steps < -REACH:
        steps = -REACH
    pattern[0] = int(steps * TICKS + (0.5 if steps > 0.0 else -0.5))
    pattern[1] = len(slots)
    pattern[2] = s.latency.usual_reach
    if s.irregular.careful > 0:
        pattern[2] = HORIZONS + (s.irregular.patience > CAREFUL)
    pattern[3] = s.noise.assumed
    for i in range(1, len(slots)):
        pattern[3 + i] = int((newest - stamps[slots[i]]) * TICKS + 0.5)
    return slots, pattern


def _find(c: Settings, own: Irregular, pattern: list[int]) -> int:
    """Return the place of the weights for this pattern of ages; new ones replace the oldest."""
    for place in range(PATTERNS):
        if own.pattern[place * PATTERN : (place + 1) * PATTERN] == pattern:
            return place
    place = own.next_pattern
    own.next_pattern = place + 1 if place + 1 < PATTERNS else 0
    own.pattern[place * PATTERN : (place + 1) * PATTERN] = pattern
    count = pattern[1]
    level, slope = _bounded(c, pattern)
    own.term_level[place * TERMS + 1 : place * TERMS + count] = level
    own.term_slope[place * TERMS + 1 : place * TERMS + count] = slope
    return place


def _bounded(c: Settings, pattern: list[int]) -> tuple[list[float], list[float]]:
    """Return the weights for this pattern of ages, with as much noise as keeps their sizes small."""
    known, ages, level = spectrum_of(c), [0, *pattern[4:]], pattern[3]
    care = pattern[2] - HORIZONS + 1  # 0 or less: none
    allowed = 2 - care if care > 0 else MAX_DEGREE
    usual = UNLIMITED if c.event else LARGEST_TOTAL
    enough = UNLIMITED if care > 0 else MOST_NOISE
    most = LEAST_TOTAL if care > 1 else CAREFUL_TOTAL if care > 0 else usual
    noise = known.noise[HORIZONS - 1 if care > 1 else 0 if care > 0 else pattern[2]]
    if level > 0:
        followed, total = LEAST_NOISE, TOTAL_AT_LEVEL
        for _ in range(level):
            followed = MORE_AT_LEVEL * followed
            total = 0.5 * total
        noise = followed if followed > noise else noise
        most = total if total < most else most
    degree = known.degree if known.degree < allowed else allowed
    matrix, x, values = _system(ages, pattern[1], pattern[0], degree, known.correlation, known.gradient)
    order = len(matrix)
    for _ in range(TRIES):
        found = _solved(matrix, x, values, order, noise)
        total, last = _total(*found), noise >= enough
        if total <= most or (last and (level == 0 or order <= values + 1)):
            break
        order = order - 1 if last else order
        noise = noise if last else _more(noise, total / most, enough)
    return found


def _more(noise: float, excess: float, most: float) -> float:
    """Return more noise: the total of sizes falls with about the fifth root of it."""
    square = excess * excess
    more = noise * (square * square) if square * square > MORE_NOISE else noise * MORE_NOISE
    return more if more < most else most


def _total(level: list[float], slope: list[float]) -> float:
    """Return the sizes of all weights at the end of the step in total, that of the newest value included."""
    total, newest = 0.0, 1.0
    for now, change in zip(level, slope, strict=True):
        weight = now + change
        total = total + abs(weight)
        newest = newest - weight
    return total + abs(newest)


def weights(
    ages: list[int],
    count: int,
    lead: int,
    degree: int,
    noise: float,
    correlation: tuple[float, ...],
    gradient: tuple[float, ...],
) -> tuple[list[float], list[float]]:
    """Return the weights of the estimate at the macro point and of its change until the next one.

    Parameters
    ----------
    ages : list of int
        Ages relative to the newest value [ticks], ascending, the first 0; at least `count` of them.
    count : int
        Number of values used, at least 1.
    lead : int
        Time from the newest value to the macro point [ticks].
    degree : int
        Degree of the polynomials that are continued exactly; few values lower it.
    noise : float
        Variance of the noise as a share of the signal's.
    correlation, gradient : tuple of float
        r and its derivative at multiples of a fixed part of a macro step.

    Returns
    -------
    tuple of list of float
        Weights of the differences to the newest value, `count` - 1 each, newest first, -.
    """
    matrix, x, values = _system(ages, count, lead, degree, correlation, gradient)
    return _solved(matrix, x, values, len(matrix), noise)


def _system(
    ages: list[int], count: int, lead: int, degree: int, correlation: Row, gradient: Row
) -> tuple[Matrix, Matrix, int]:
    """Return matrix and right sides without noise, and the number of weights."""
    values = count - 1
    # a degree needs twice as many values, so that noise is damped
    order = values + (degree if degree < values // 2 else values // 2)
    matrix = [[0.0] * order for _ in range(order)]
    x = [[0.0, 0.0] for _ in range(order)]
    _changes(matrix, x, values, ages, lead, correlation, gradient)
    _powers(matrix, x, values, ages, lead)
    return matrix, x, values


def _solved(
    system: Matrix, sides: Matrix, values: int, order: int, noise: float
) -> tuple[list[float], list[float]]:
    """Return the weights of the first `order` equations with this noise."""
    matrix, x = [row[:] for row in system[:order]], [row[:] for row in sides[:order]]
    for i in range(values):
        for j in range(i):
            matrix[i][j] = matrix[i][j] + noise
        matrix[i][i] = matrix[i][i] + 2.0 * noise
        x[i][0] = x[i][0] + noise
        x[i][1] = x[i][1] + noise
    for k in range(order):
        _eliminate(matrix, x, k, k < values, 0.5 * noise)
    for i in range(order - 1, -1, -1):
        _substitute(matrix, x, i)
    return [x[i][0] for i in range(values)], [x[i][1] - x[i][0] for i in range(values)]


def covariance(ticks: int, correlation: tuple[float, ...], gradient: tuple[float, ...]) -> float:
    """Return r at a distance of `ticks`, either sign, a cubic between the knots; beyond the table its last value.

    `correlation` and `gradient` are r and its derivative at multiples of a fixed part of a macro step.
    """
    if ticks < 0:
        ticks = -ticks
    width = TICKS // 4
    cell = ticks // width
    if cell >= len(correlation) - 1:
        return correlation[-1]
    x = (ticks - cell * width) / width
    left = correlation[cell]
    step = correlation[cell + 1] - left
    start = gradient[cell] * 0.25 - step
    end = step - gradient[cell + 1] * 0.25
    return left + x * (step + (1.0 - x) * (start + x * (end - start)))


def _changes(
    matrix: Matrix, x: Matrix, values: int, ages: list[int], lead: int, correlation: Row, gradient: Row
) -> None:
    """Fill in the covariances of the changes since the newest value, without noise: lower triangle and right sides."""
    whole = correlation[0]
    now = whole - covariance(lead, correlation, gradient)
    then = whole - covariance(lead + TICKS, correlation, gradient)
    past = [covariance(ages[i + 1], correlation, gradient) for i in range(values)]
    for i in range(values):
        age = ages[i + 1]
        for j in range(i):
            matrix[i][j] = covariance(age - ages[j + 1], correlation, gradient) - past[i] + (whole - past[j])
        matrix[i][i] = 2.0 * (whole - past[i])
        x[i][0] = covariance(lead + age, correlation, gradient) - past[i] + now
        x[i][1] = covariance(lead + TICKS + age, correlation, gradient) - past[i] + then


def _powers(matrix: Matrix, x: Matrix, values: int, ages: list[int], lead: int) -> None:
    """Fill in powers 1 .. degree of the times, in units of the span of the values, so that they stay near 1."""
    span = ages[values]
    unit = 1.0 / (span if span > 0 else TICKS)
    now = lead * unit
    then = (lead + TICKS) * unit
    for row in range(values, len(matrix)):
        first = row == values
        for i in range(values):
            matrix[row][i] = (1.0 if first else matrix[row - 1][i]) * (-ages[i + 1] * unit)
        x[row][0] = (1.0 if first else x[row - 1][0]) * now
        x[row][1] = (1.0 if first else x[row - 1][1]) * then


def _eliminate(matrix: Matrix, x: Matrix, k: int, positive: bool, least: float) -> None:
    """Take equation k out of those below it; L' comes above the diagonal, the reciprocal of D on it.

    Pivots of weights are `positive`, at least `least`; those of Lagrange multipliers are negative.
    """
    pivot = matrix[k][k]
    if positive:
        pivot = pivot if pivot > least else least
    else:
        pivot = pivot if pivot < -1e-30 else -1e-30
    inverse = 1.0 / pivot
    matrix[k][k] = inverse
    for i in range(k + 1, len(matrix)):
        factor = matrix[i][k] * inverse
        matrix[k][i] = factor
        for j in range(k + 1, i + 1):
            matrix[i][j] = matrix[i][j] - factor * matrix[j][k]
        x[i][0] = x[i][0] - factor * x[k][0]
        x[i][1] = x[i][1] - factor * x[k][1]


def _substitute(matrix: Matrix, x: Matrix, i: int) -> None:
    """Solve equation i, those below it being solved."""
    now = x[i][0] * matrix[i][i]
    then = x[i][1] * matrix[i][i]
    for k in range(i + 1, len(matrix)):
        now = now - matrix[i][k] * x[k][0]
        then = then - matrix[i][k] * x[k][1]
    x[i][0] = now
    x[i][1] = then
