"""The noise of a signal, as `irregular` has to assume it.

With weights w_i = 1 / prod_j (t_i - t_j) the six newest values give their fifth difference, in which a smooth signal
leaves next to nothing; (sum w_i y_i)^2 / sum w_i^2 then is a sample of the variance of the noise. The median of the
last 21 of them counts, so that jumps do not, over the mean square of the change over eight slots: `irregular` thinks
of a signal that changes as its band says. Where `signal.noise` is given it is the least: a loop may make more of it.

Levels of noise are a factor of 4 apart, and one holds until the noise is 3 times more or less than its own.
"""

from ..generated.algorithms import IRREGULAR
from ..generated.constants import (
    CHANGE,
    CHANGE_SPAN,
    ENOUGH,
    MEDIAN,
    MORE_AT_LEVEL,
    OFF_LEVEL,
    ONSET,
    POOR,
    POOR_LEVEL,
    POORER,
    SHARE_OF_CHANGE,
    WIDE_SPAN,
)
from ..generated.numbers import NOISE_LEVELS, RESIDUALS, ROUGH
from ..guard import UNLIMITED, bounded
from ..state import State


def assume_noise(s: State, slots: list[int], late: bool) -> None:
    """Settle the noise to assume at the values in `slots`, the newest of which may be unusually `late`.

    Where that has been so and the errors are not small, a loop bears larger weights least.
    """
    own, judged = s.noise, s.quality
    if len(slots) >= ROUGH and (own.known == 0 or own.newest != s.history.newest):
        _follow(s, slots)
    own.wide = WIDE_SPAN if late else own.wide - (own.wide > 0)
    own.assumed = own.level
    if _doubts(s):
        poor = POOR_LEVEL + (judged.skill_zoh < POORER)
        own.assumed = own.level if own.level > poor else poor


def _doubts(s: State) -> bool:
    """Return whether weights are doubted; not by errors of another scene: doubt would keep itself up."""
    own, judged = s.noise, s.quality
    known = judged.measured >= ENOUGH
    if not (own.wide > 0 and s.parameter.selected == IRREGULAR and known and judged.skill_zoh < POOR):
        own.scale = 0.0 if known else own.scale
        return False
    if own.scale > 0.0 and is_elsewhere(s, own.scale):
        judge_anew(s)
        own.scale = 0.0
        return False
    own.scale = own.scale if own.scale > 0.0 else judged.hold_power
    return True


def judge_anew(s: State) -> None:
    """Let the errors so far, those of other weights, count no more."""
    s.quality.error_power = s.quality.hold_power = s.quality.wire_power = 0.0
    s.quality.measured = 0


def is_elsewhere(s: State, scale: float) -> bool:
    """Return whether the signal moves far more, or less, than where the faded squared errors of zoh were `scale`."""
    power = s.quality.hold_power
    return s.quality.measured >= ENOUGH and (power > ONSET * scale or ONSET * power < scale)


def _follow(s: State, slots: list[int]) -> None:
    """Take in the newest values, in `slots`; at once as many levels up as the noise has, one down."""
    own, past = s.noise, s.history.past
    change = past[0] - past[CHANGE]
    own.newest = s.history.newest
    own.known = own.known + 1 if own.known < CHANGE_SPAN else CHANGE_SPAN
    own.told[own.next] = _sample(s, slots)
    own.next = own.next + 1 if own.next + 1 < RESIDUALS else 0
    own.change = bounded(own.change + (change * change - own.change) / own.known, UNLIMITED)
    limit = MEDIAN * SHARE_OF_CHANGE * own.change
    for _ in range(own.level):
        limit = MORE_AT_LEVEL * limit
    if own.level > 0 and not _exceeds(s, limit / OFF_LEVEL):
        own.level = own.level - 1
        return
    while own.level < NOISE_LEVELS - 1 and _exceeds(s, OFF_LEVEL * limit):
        limit = MORE_AT_LEVEL * limit
        own.level = own.level + 1


def _exceeds(s: State, limit: float) -> bool:
    """Return whether the noise that is given or more than half of the samples exceed `limit` [signal unit squared]."""
    own, given = s.noise, s.parameter.noise
    known = own.known if own.known < RESIDUALS else RESIDUALS
    above = 0
    for told in own.told[:known]:
        above = above + (told > limit)
    return 2 * above > known or MEDIAN * given * given > limit


def _sample(s: State, slots: list[int]) -> float:
    times, values = ([kept[slot] for slot in slots[:ROUGH]] for kept in (s.history.stamps, s.history.past))
    apart = [1.0] * ROUGH
    for i in range(ROUGH):
        for j in range(i):
            time = times[j] - times[i]
            apart[i] = apart[i] * -time
            apart[j] = apart[j] * time
    behind = [1.0] * (ROUGH + 1)
    for i in range(ROUGH - 1, -1, -1):
        behind[i] = behind[i + 1] * apart[i]
    before = 1.0
    total = square = 0.0
    for i in range(ROUGH):
        weight = before * behind[i + 1]  # the product of all over that of i
        before = before * apart[i]
        total = total + weight * (values[i] - values[0])
        square = square + weight * weight
    return bounded(total * total / square, 0.0) if square > 0.0 else 0.0
