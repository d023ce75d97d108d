"""Periodic signals, such as voltages and currents of a grid: phasors of the fundamental and of its odd harmonics.

The signal is c + sum re z_i, each z_i turns by phi_i = 2 pi (2 i + 1) f dT in a macro step. A value y corrects what was
foreseen of it:

    e = y - (c + sum re z_i),    c <- c + g e,    z_i <- z_i + g_i e

With zeta_i = exp(j phi_i), c_i and s_i its parts, and m the memory in macro steps, the gains place all poles of the
error at r = m / (m + 1) times those of the signal, 1 and the zeta_i with their conjugates:

    g = (1 - r) prod_j (1 - 2 r c_j + r^2) / (2 - 2 c_j)
    g_i = 2 (zeta_i - r) / (zeta_i - 1)  q_ii / (2 j s_i)  prod_{j != i} q_ij / (2 (c_i - c_j))
    q_ij = (1 + r^2) c_i - 2 r c_j + j (1 - r^2) s_i

The angle by which corrections turn the fundamental moves the frequency, with a time constant T of `settling` times
the latency, a, at least 1.5 periods, and its ramp by a quarter of that in T, so that both settle with 2 T. A
modulation is then foreseen too large by at most 1 + 1.4 / a, so a loop of two such estimates with a gain below 1 / (1
+ 1.4 / a)^2 does not grow: a half with the usual 3.5. An error far above the usual ones is a jump of phase or
amplitude: the frequency goes back to what it was before, stays for two periods without a ramp, and the memory is
short for one. A signal whose errors keep a quarter of its power after that, or whose frequency comes to the end of
its range, is none of these: its newest value is given out. The estimate takes the place of that over ten periods, for
in a loop the other end sees a jump if it does so at once.
"""

from math import sqrt

from ..config import Settings
from ..generated.constants import (
    MOST_COUNTED,
    PHASOR_CALM,
    PHASOR_CLIP,
    PHASOR_EASE,
    PHASOR_FADE,
    PHASOR_FARTHEST,
    PHASOR_GROWTH,
    PHASOR_HIGHEST,
    PHASOR_HOLD,
    PHASOR_INSIDE,
    PHASOR_JUMP,
    PHASOR_LARGEST,
    PHASOR_LEAST,
    PHASOR_LONG,
    PHASOR_PLAUSIBLE,
    PHASOR_QUICK,
    PHASOR_RAMP,
    PHASOR_RANGE,
    PHASOR_SETTLED,
    PHASOR_SHORT,
    PHASOR_SLOW,
    PHASOR_SLOWEST,
    PHASOR_USUAL,
    PI,
    QUARTER,
    QUARTER_REST,
)
from ..generated.numbers import FREQUENCY_FREQUENCY, PHASORS, RATES, SLOTS
from ..guard import between, larger
from ..state import State
from . import NEVER

Number = tuple[float, float]
"""Real and imaginary part."""


def needed(c: Settings, s: State) -> int:
    """Return that one value is enough: before it has seen a period its newest value is given out [slots]."""
    return 1 if c.periodic else NEVER


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Return the line through the estimates at both ends of the macro step, which begins at shift 0."""
    if not s.phasor.followed:
        return s.history.past[s.latency.early], 0.0, 0.0
    newest, trust = s.history.past[s.latency.early], s.phasor.trust
    level, slope = _between_points(s, s.phasor.constant, s.phasor.real, s.phasor.imaginary)
    return newest + trust * (level - newest), trust * slope, 0.0


def _lead(s: State) -> float:
    """Return the time from the newest value to the macro point [macro steps]."""
    return s.latency.steps - s.latency.early - s.latency.fraction


def _between_points(s: State, constant: float, real: list[float], imaginary: list[float]) -> Number:
    """Return the value at the macro point of a signal with these parts, and its change up to the next one."""
    count, lead = _count(s), _lead(s)
    here, there = _turns(_angle(s, lead), count), _turns(_angle(s, lead + 1.0), count)
    now = later = constant
    for i in range(count):
        now = now + _times((real[i], imaginary[i]), here[i])[0]
        later = later + _times((real[i], imaginary[i]), there[i])[0]
    return now, later - now


def phasor_take(c: Settings, s: State) -> None:
    """Take in the newest value of the history, if it is new."""
    own, past = s.phasor, s.history.past
    gap = s.history.newest - own.slot
    if not s.history.filled or (own.samples > 0 and gap == 0):
        return
    count = _count(s)
    if own.samples == 0 or not 0 < gap < SLOTS or count == 0:
        _start(s)
        return
    own.slot = s.history.newest
    own.samples = own.samples + 1 if own.samples < MOST_COUNTED else own.samples
    _remember_frequency(s)
    _turn(s, count, gap)
    _move_frequency(s, gap)
    foreseen = own.constant
    for i in range(count):
        foreseen = foreseen + own.real[i]
    error, signal = past[0] - foreseen, past[0] - own.constant
    _look_for_jump(s, error)
    _correct(s, count, error)
    _rate(s, count, error, signal)


def _start(s: State) -> None:
    own = s.phasor
    own.real[:] = own.imaginary[:] = [0.0] * PHASORS
    own.frequency = own.nominal
    own.earlier[:] = [own.nominal] * RATES
    own.drift = own.ramp = own.usual = own.errors = own.power = own.amplitude = own.trust = 0.0
    own.constant = s.history.past[0]
    own.slot = s.history.newest
    own.held = own.followed = 0
    own.samples = 1 if abs(own.constant) < PHASOR_LARGEST and _count(s) > 0 else 0


def _count(s: State) -> int:
    return count_harmonics(s.phasor.nominal * s.grid.period, s.phasor.harmonics)


def count_harmonics(nominal: float, harmonics: float) -> int:
    """Return how many harmonics up to the order `harmonics` are followed: those that the macro step can tell apart.

    The fundamental turns by `nominal` turns in a macro step.
    """
    count, base = 0, nominal * (1.0 + PHASOR_RANGE)
    if base < PHASOR_SLOW:
        return 0
    while count < PHASORS and 2 * count + 1 <= harmonics and (2 * count + 1) * base < PHASOR_HIGHEST:
        count = count + 1
    return count


def _angle(s: State, steps: float) -> float:
    """Return the angle by which the fundamental turns in the next `steps` macro steps [rad]."""
    turned = s.phasor.frequency * steps + s.phasor.ramp * (0.5 * steps * (steps + 1.0))
    return 2.0 * PI * turned * s.grid.period


def _turning(s: State) -> float:
    """Return the angle by which the fundamental turns in a macro step now [rad]."""
    return 2.0 * PI * s.phasor.frequency * s.grid.period


def _period(s: State) -> float:
    """Return a nominal period [macro steps]."""
    return 1.0 / (s.phasor.nominal * s.grid.period)


def _times(a: Number, b: Number) -> Number:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _over(a: Number, b: Number) -> Number:
    size = b[0] * b[0] + b[1] * b[1]
    return (a[0] * b[0] + a[1] * b[1]) / size, (a[1] * b[0] - a[0] * b[1]) / size


def turn(angle: float) -> Number:
    """Return cosine and sine of an `angle` [rad] in plain arithmetic, so that both runtimes have the same bits."""
    if not abs(angle) < PHASOR_FARTHEST:
        return 1.0, 0.0
    near = angle / QUARTER + 0.5
    quarters = int(near) - 1 if int(near) > near else int(near)
    x = (angle - quarters * QUARTER) - quarters * QUARTER_REST
    square, cosine, sine = x * x, 1.0, 1.0
    for i in range(8, 0, -1):
        cosine = 1.0 - cosine * square / (2 * i * (2 * i - 1))
        sine = 1.0 - sine * square / (2 * i * (2 * i + 1))
    sine = sine * x
    odd = quarters % 2 != 0
    real, imaginary = (sine, cosine) if odd else (cosine, sine)
    real = -real if quarters % 4 in (1, 2) else real
    return real, -imaginary if quarters % 4 in (2, 3) else imaginary


def _turns(angle: float, count: int) -> list[Number]:
    """Return turns by 1, 3, 5 .. times the `angle` [rad], `count` of them."""
    found = [turn(angle)]
    twice = _times(found[0], found[0])
    for _ in range(1, count):
        found.append(_times(found[-1], twice))
    return found


def _remember_frequency(s: State) -> None:
    """Keep the frequency of the value before, and correct it by what that value told."""
    own = s.phasor
    for i in range(RATES - 1, 0, -1):
        own.earlier[i] = own.earlier[i - 1]
    own.earlier[0] = own.frequency
    own.frequency = own.frequency + own.drift
    own.drift = 0.0


def _move_frequency(s: State, gap: int) -> None:
    """Let the frequency go on for `gap` macro steps, not beyond its range."""
    own = s.phasor
    low, high = own.nominal * (1.0 - PHASOR_RANGE), own.nominal * (1.0 + PHASOR_RANGE)
    moved = own.frequency + own.ramp * gap
    own.ramp = own.ramp if low < moved < high else 0.0
    own.frequency = between(moved, low, high)


def _turn(s: State, count: int, gap: int) -> None:
    """Let the phasors turn on by `gap` macro steps."""
    turns = _turns(_angle(s, gap), count)
    for i in range(count):
        s.phasor.real[i], s.phasor.imaginary[i] = _times((s.phasor.real[i], s.phasor.imaginary[i]), turns[i])


def _look_for_jump(s: State, error: float) -> None:
    own, period = s.phasor, _period(s)
    settled = own.samples > PHASOR_SETTLED * period
    least = larger(PHASOR_JUMP * own.usual, PHASOR_LEAST * own.amplitude)
    if own.held > 0:
        own.held = own.held - 1
    elif settled and abs(error) > least:
        own.held = int(between(PHASOR_HOLD * period + 0.5, 0.0, MOST_COUNTED))
        own.frequency, own.ramp = own.earlier[RATES - 1], 0.0
    if own.held == 0:
        size = abs(error)
        grown = PHASOR_GROWTH * own.usual
        size = grown if settled and size > grown else size
        own.usual = own.usual + PHASOR_USUAL * (size - own.usual)


def is_quick(s: State) -> bool:
    """Tell whether the memory is short: in the first period, and in that after a jump."""
    period = _period(s)
    return s.phasor.held > (PHASOR_HOLD - PHASOR_QUICK) * period or s.phasor.samples < period


def gains(s: State, count: int) -> tuple[float, list[Number]]:
    """Return the gains of the constant part and of `count` phasors; quick ones have a short memory."""
    return place_poles(_turning(s), (PHASOR_SHORT if is_quick(s) else PHASOR_LONG) * _period(s), count)


def place_poles(angle: float, memory: float, count: int) -> tuple[float, list[Number]]:
    """Return the gains of the constant part and of `count` phasors, the fundamental of which turns by an `angle` [rad].

    The error has a `memory` [macro steps].
    """
    r = memory / (memory + 1.0)
    turns = _turns(angle, count)
    constant, found = 1.0 - r, []
    for i, (cosine, _) in enumerate(turns):
        constant = constant * ((1.0 - 2.0 * r * cosine + r * r) / (2.0 - 2.0 * cosine))
        found.append(_gain(turns, i, r))
    return constant, found


def _gain(turns: list[Number], i: int, r: float) -> Number:
    """Return the gain of the phasor `i`, with the poles of the error at `r` times those of the signal."""
    cosine, sine = turns[i]
    high = (1.0 - r * r) * sine
    gain = _over((2.0 * (cosine - r), 2.0 * sine), (cosine - 1.0, sine))
    for j, (other, _) in enumerate(turns):
        apart = 2.0 * (cosine - other)
        q = (1.0 + r * r) * cosine - 2.0 * r * other, high
        if i == j:
            gain = _over(_times(gain, q), (0.0, 2.0 * sine))
        else:
            gain = _times(gain, (q[0] / apart, q[1] / apart))
    return gain


def _correct(s: State, count: int, error: float) -> None:
    own, (constant, found) = s.phasor, gains(s, count)
    own.constant = own.constant + constant * error
    for i, gain in enumerate(found):
        own.real[i] = own.real[i] + gain[0] * error
        own.imaginary[i] = own.imaginary[i] + gain[1] * error
    size = own.real[0] * own.real[0] + own.imaginary[0] * own.imaginary[0]
    own.amplitude = sqrt(size)
    follows = own.follow == FREQUENCY_FREQUENCY and own.held == 0 and own.samples > 2.0 * _period(s)
    if follows and size > 0.0:
        turned = error * (found[0][1] * own.real[0] - found[0][0] * own.imaginary[0]) / size
        slow = own.settling * larger(PHASOR_SLOWEST * _period(s), _lead(s))
        own.drift = between(turned, -PHASOR_CLIP, PHASOR_CLIP) / (slow * 2.0 * PI * s.grid.period)
        if own.samples > PHASOR_CALM * slow:
            own.ramp = own.ramp + PHASOR_RAMP * own.drift / slow


def _rate(s: State, count: int, error: float, signal: float) -> None:
    """Tell whether the signal is periodic; begin anew with one that is too large."""
    own, period = s.phasor, _period(s)
    share = 1.0 / (1.0 + PHASOR_FADE * period)
    own.errors = own.errors + share * (error * error - own.errors)
    own.power = own.power + share * (signal * signal - own.power)
    size = abs(own.constant) + own.amplitude + abs(error)
    for i in range(count):
        size = size + abs(own.real[i]) + abs(own.imaginary[i])
    if not size < PHASOR_LARGEST:
        _start(s)
        own.samples = 0
    inside = abs(own.frequency - own.nominal) < PHASOR_INSIDE * own.nominal
    periodic = own.samples > period and own.errors < PHASOR_PLAUSIBLE * own.power
    if periodic and inside:
        own.trust = between(own.trust + 1.0 / (PHASOR_EASE * period), 0.0, 1.0)
    elif own.held == 0:
        own.trust = 0.0
    own.followed = 1 if own.trust > 0.0 else 0
