"""The line of each algorithm at this macro step: level + slope * (theta - shift)."""

from .algorithms import (
    COUPLING_ELEMENT,
    EROS3,
    EROS4,
    FOH,
    IRREGULAR,
    LINEAR,
    NETWORK,
    RECURSIVE_FIR,
    SMB,
    ZOH,
    eros3,
    eros4,
    foh,
    irregular,
    linear,
    network,
    smb,
    zoh,
)
from .comparison.identification import continued, order
from .config import REACH, Settings, Weights
from .learning.embedded import span
from .state import PATTERN, PATTERNS, RING, SLOTS, TERMS, State

NEVER = SLOTS + 1


def needed(c: Settings, s: State, which: int) -> int:
    """Return m(k), the slots that the algorithm `which` needs; more than there are if it has no weights for k."""
    k = s.latency_steps
    if which == EROS3:
        return eros3.taps(k)
    if which == EROS4:
        return eros4.taps(k)
    if which == SMB:
        return smb.taps(k)
    if which == LINEAR:
        return len(c.by_steps[k].a) if k in c.by_steps else NEVER
    if which == IRREGULAR:
        return c.spectrum.values if c.spectrum else NEVER
    if which == NETWORK:
        return c.network.inputs + 1 if k == c.network.steps else NEVER
    if which in (RECURSIVE_FIR, COUPLING_ELEMENT):
        return order(which)
    return 2 if which == FOH else 1


def view(s: State) -> list[float]:
    """Return the history as the algorithms see it: from the slot on that makes the latency constant."""
    return s.past[s.early :] if s.early else s.past


def line(c: Settings, s: State, which: int) -> tuple[float, float, float]:
    """Return level [signal unit], slope [signal unit per macro step] and shift [-] of the estimate of `which`."""
    k = s.latency_steps
    past = view(s)
    if which == EROS4:
        return *eros4.line(past, k), s.fraction
    if which == EROS3:
        return *eros3.line(past, k), s.fraction
    if which == FOH:
        return *foh.line(past, k), s.fraction
    if which == ZOH:
        return *zoh.line(past, k), s.fraction
    if which == LINEAR:
        return *_linear(c, s, past, k), s.fraction
    if which == IRREGULAR:
        return *_irregular(c, s), 0.0
    if which == NETWORK:
        return *network.line(c.network, s.network.use, past, span(s.network), not c.event), s.fraction
    if which == SMB:
        return _observer(s, past, k)
    return *continued(c, s), 0.0


def _linear(c: Settings, s: State, past: list[float], k: int) -> tuple[float, float]:
    entry: Weights = c.by_steps[k]
    if c.shown_taps:
        return linear.line(past, s.a, s.slopes, c.shown_taps)
    return linear.line(past, entry.a, entry.slopes, len(entry.a))


def _observer(s: State, past: list[float], k: int) -> tuple[float, float, float]:
    """Advance the sliding-mode observer; it tracks the macro point itself, so no fraction moves it.

    The newest value lies `fraction` of a step after the estimate it is compared with; the received slope bridges
    that. Bridging with the estimated slope makes the observer diverge at latencies below a macro step.
    """
    if k == 0:
        return *foh.line(past, k), s.fraction
    then = s.observed[(s.n - k) % RING]
    if s.fraction != 0.0:
        then = then + s.fraction * (past[0] - past[1])
    slope = smb.bracket(past, then, smb.gain_per_step(s.observer_gain, s.period, k))
    return s.observed[(s.n - 1) % RING] + slope, slope, 0.0


def _irregular(c: Settings, s: State) -> tuple[float, float]:
    """Apply the weights for the present ages to the received values; as differences, so that constants stay."""
    slots, pattern = _received(c, s)
    if pattern[1] == 0:
        return view(s)[0], 0.0
    place = _find(c, s, pattern) * TERMS
    first = s.past[slots[0]]
    level = 0.0
    slope = 0.0
    for i in range(1, pattern[1]):
        change = s.past[slots[i]] - first
        level = level + s.term_level[place + i] * change
        slope = slope + s.term_slope[place + i] * change
    return first + level, slope


def _received(c: Settings, s: State) -> tuple[list[int], list[int]]:
    """Return the slots of the newest received values; lead, number, usual lead [macro steps] and ages [ticks]."""
    end = s.newest - s.anchor + 1
    if end > REACH + s.early:
        end = REACH + s.early
    slots = []
    pattern = [0] * PATTERN
    for slot in range(s.early, end):
        if not s.marked[slot] and len(slots) < c.spectrum.values:
            slots.append(slot)
    if not slots:
        return slots, pattern
    newest = s.stamps[slots[0]]
    steps = s.latency_steps - s.fraction - s.early + (s.stamps[0] - newest)
    if steps < -REACH:
        steps = -REACH
    pattern[0] = int(steps * irregular.TICKS + 0.5)
    pattern[1] = len(slots)
    pattern[2] = s.usual_steps
    for i in range(1, len(slots)):
        pattern[2 + i] = int((newest - s.stamps[slots[i]]) * irregular.TICKS + 0.5)
    return slots, pattern


def _find(c: Settings, s: State, pattern: list[int]) -> int:
    """Return the place of the weights for this pattern of ages; new ones replace the oldest."""
    for place in range(PATTERNS):
        if s.pattern[place * PATTERN : (place + 1) * PATTERN] == pattern:
            return place
    place = s.next_pattern
    s.next_pattern = place + 1 if place + 1 < PATTERNS else 0
    s.pattern[place * PATTERN : (place + 1) * PATTERN] = pattern
    known = c.spectrum
    count = pattern[1]
    noise = known.noise[pattern[2]]
    level, slope = irregular.weights(
        [0, *pattern[3:]], count, pattern[0], known.degree, noise, known.correlation, known.gradient
    )
    s.term_level[place * TERMS + 1 : place * TERMS + count] = level
    s.term_slope[place * TERMS + 1 : place * TERMS + count] = slope
    return place
