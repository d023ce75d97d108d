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
    ONSET,
    PAUSE,
    QUIET_GROWTH,
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
from ..stages.noise import assume_noise, is_elsewhere, judge_anew
from ..state import State
from . import NEVER
from .least_squares import solve, system


def spectrum_of(c: Settings) -> Spectrum:
    """Return the spectrum of the signal that an FMU was built for."""
    assert c.spectrum is not None
    return c.spectrum


def needed(c: Settings, s: State) -> int:
    """Return the number of received values used [slots]."""
    return c.spectrum.values if c.spectrum else NEVER


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Apply the weights for the present ages to the received values; as differences, so that constants stay."""
    _heed(s)
    slots, pattern = _newest_slots(c, s)
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
    own, power = s.irregular, s.quality.hold_power
    patience, left = own.patience, own.careful
    moves = left > 0 and is_elsewhere(s, own.scale)  # what was there says nothing here
    if _sets_out(s) or moves or (left > 0 and patience - left == PAUSE):
        judge_anew(s)
    own.careful = left - 1 if left > 0 and not moves else 0
    own.patience = patience - 1 if left == 0 and patience > 0 else patience
    if _ruins(s):
        own.scale = power if patience == 0 or power > own.scale else own.scale
        if left == 0 or patience - left >= PAUSE:
            longer = 4 * patience if patience > CAREFUL // 4 else CAREFUL
            own.patience = own.careful = longer if longer < MOST_CAREFUL else MOST_CAREFUL


def _sets_out(s: State) -> bool:
    """Return whether the signal sets out after it was quiet: no weights foresee that."""
    own, power, measured = s.irregular, s.quality.hold_power, s.quality.measured
    moves, grown = measured >= PAUSE and power > ONSET * own.quiet, QUIET_GROWTH * own.quiet
    if measured >= ENOUGH:
        own.quiet = power if moves or power < grown else grown
    return moves


def _ruins(s: State) -> bool:
    """Return whether weights are ruinous; where the signal moves far less than when they were, nothing is said."""
    own, judged = s.irregular, s.quality
    if s.parameter.selected != IRREGULAR or judged.measured < ENOUGH or judged.skill_zoh >= RUINOUS:
        return False
    return not (own.patience > 0 and ONSET * judged.hold_power < own.scale)


def _newest_slots(c: Settings, s: State) -> tuple[list[int], list[int]]:
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
    level, slope = _tame_weights(c, pattern)
    own.term_level[place * TERMS + 1 : place * TERMS + count] = level
    own.term_slope[place * TERMS + 1 : place * TERMS + count] = slope
    return place


def _tame_weights(c: Settings, pattern: list[int]) -> tuple[list[float], list[float]]:
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
    matrix, x, values = system(ages, pattern[1], pattern[0], degree, known.correlation, known.gradient)
    order = len(matrix)
    for _ in range(TRIES):
        found = solve(matrix, x, values, order, noise)
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
