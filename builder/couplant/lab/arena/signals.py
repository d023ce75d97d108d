"""Signals of open-loop tasks, made by seeds: what machines, roads, grids and hands send.

Each generator takes what draws its parameters too, the number of values and the time between them [s]; it returns
shape (count,) in the unit that `GENERATORS` names.
"""

import math
from collections.abc import Callable

import numpy as np

from couplant.analysis.macro_map import discretise
from couplant.base.arrays import Matrix, Vector

Generator = Callable[[np.random.Generator, int, float], Vector]


def _time(count: int, step: float) -> Vector:
    return step * np.arange(float(count))


def _phase(frequency: Vector, step: float) -> Vector:
    """Return the phase of an oscillation whose `frequency` changes [Hz], [rad]."""
    return 2.0 * math.pi * step * np.concatenate([[0.0], np.cumsum(frequency[:-1])])


def _lag(values: Vector, corner: float, step: float, order: int = 2) -> Vector:
    """Return `values` behind so many lags of first order with a `corner` frequency [Hz]."""
    keep = math.exp(-2.0 * math.pi * corner * step)
    for _ in range(order):
        state, found = float(values[0]), []
        for value in values.tolist():
            state += (1.0 - keep) * (value - state)
            found.append(state)
        values = np.array(found)
    return values


def _noise(random: np.random.Generator, count: int, corner: float, step: float, order: int = 2) -> Vector:
    """Return noise below a `corner` frequency [Hz], with the deviation 1."""
    found = _lag(random.standard_normal(count), corner, step, order)
    return np.asarray((found - found.mean()) / found.std(), dtype=float)


def _levels(random: np.random.Generator, count: int, step: float, every: float) -> Vector:
    """Return levels of deviation 1 that jump `every` so many seconds on the mean."""
    jumps = np.cumsum(random.uniform(size=count) < step / every)
    return random.standard_normal(int(jumps[-1]) + 1)[jumps]


def _response(A: Matrix, b: Matrix, c: Matrix, force: Vector, step: float) -> Vector:
    """Return c x of x' = A x + b u with the `force` as u, held in each step."""
    phi, gamma, _ = discretise(A, b, step)
    x, found = np.zeros(len(A)), np.empty(force.size)
    for n, u in enumerate(force.tolist()):
        found[n] = c @ x
        x = phi @ x + gamma[:, 0] * u
    return found


def _engine(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the torque of a four-cylinder engine whose speed changes: its firing orders, no two cycles alike [N.m]."""
    speed = 800.0 + 250.0 * _noise(random, count, 0.15, step).clip(-2.0, 2.0)  # 1/min
    turn = _phase(speed / 60.0, step)
    load = 80.0 + 25.0 * _noise(random, count, 0.4, step)
    orders = ((0.5, 0.04), (1.0, 0.05), (2.0, 0.45), (4.0, 0.18), (6.0, 0.06))
    ripple = sum(share * np.cos(order * turn + random.uniform(0.0, 6.28)) for order, share in orders)
    return load * (1.0 + ripple * (1.0 + 0.1 * _noise(random, count, 5.0, step)))


def _road(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the force of a suspension on a road whose profile has the waviness 2 [N]."""
    body, wheel, spring, tyre = 300.0, 40.0, random.uniform(1.5e4, 2.5e4), 1.8e5
    damper = random.uniform(900.0, 1500.0)
    A = np.array([[0, 1, 0, -1], [-spring / body, -damper / body, 0, damper / body], [0, 0, 0, 1],
                  [spring / wheel, damper / wheel, -tyre / wheel, -damper / wheel]], dtype=float)  # fmt: skip
    b = np.array([[0.0], [0.0], [-1.0], [0.0]])
    # the profile's slope is white: its velocity under the wheel too
    ground = 0.3 * random.standard_normal(count) * math.sqrt(0.01 / step)
    return _response(A, b, np.array([spring, damper, 0.0, -damper]), ground, step)


def _chirp(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return a sine whose frequency rises to a tenth of the sampling frequency [1]."""
    first, last = random.uniform(0.004, 0.01) / step, random.uniform(0.06, 0.1) / step
    return np.sin(_phase(np.linspace(first, last, count), step))


def _steps(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return set points that jump, behind a lag, with measurement noise [1]."""
    level = _lag(_levels(random, count, step, 40.0 * step), 0.05 / step, step, 1)
    return level + 0.01 * random.standard_normal(count)


def _stick_slip(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the force of a spring that pulls a body over dry ground at constant speed: it sticks and slips [N]."""
    mass, spring, pace = 1.0, random.uniform(80.0, 150.0), random.uniform(0.15, 0.3)
    static, sliding, x, v, at = 6.0, 3.0, 0.0, 0.0, 0.0
    found, parts = np.empty(count), 20
    h = step / parts
    for n in range(count):
        found[n] = spring * (at - x)
        for _ in range(parts):
            at += pace * h
            pull = spring * (at - x)
            if v == 0.0 and abs(pull) <= static:
                continue
            moving = v if v != 0.0 else pull
            after = v + h * (pull - math.copysign(sliding, moving)) / mass
            v = 0.0 if v * after < 0.0 else after
            x += h * v
    return found


def _pedal(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the position of a pedal: a foot that goes from one position to the next [%]."""
    return 50.0 + 25.0 * _lag(_levels(random, count, step, 1.2), 1.5, step, 3)


def _multisine(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the sum of seven sines up to a fifteenth of the sampling frequency [1]."""
    frequency = random.uniform(0.005, 0.065, 7) / step
    phase = random.uniform(0.0, 2.0 * math.pi, 7)
    return np.asarray(np.sin(2.0 * math.pi * np.outer(_time(count, step), frequency) + phase).sum(axis=1), dtype=float)


def _band_noise(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return noise below a corner frequency [1]."""
    return _noise(random, count, random.uniform(0.02, 0.04) / step, step, 4)


def _noisy_sine(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return a sine with measurement noise of 3 % [1]."""
    omega = 2.0 * math.pi * random.uniform(0.015, 0.025) / step
    return np.sin(omega * _time(count, step)) + 0.03 * random.standard_normal(count)


def _ringing(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the ringing of a bell that is struck now and then [m/s²]."""
    omega, damping = 2.0 * math.pi * random.uniform(0.03, 0.05) / step, random.uniform(0.01, 0.03)
    A = np.array([[0.0, 1.0], [-omega * omega, -2.0 * damping * omega]])
    blows = (random.uniform(size=count) < 0.01) * random.uniform(0.5, 1.0, count) / step
    return _response(A, np.array([[0.0], [1.0]]), A[1] / omega, blows, step)


def _encoder(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the angle by an encoder of 200 lines of a shaft that swings [rad]."""
    angle = 1.5 * _noise(random, count, 0.01 / step, step, 3)
    line = 2.0 * math.pi / 200.0
    return line * np.round(angle / line)


def _grid_drift(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the voltage of the grid whose frequency drifts by up to a hertz [V]."""
    return 325.0 * np.sin(_phase(50.0 + 0.5 * _noise(random, count, 0.5, step), step))


def _grid_harmonics(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the current of a rectifier on the grid: orders 5, 7, 11 and 13 [A]."""
    turn = _phase(50.0 + 0.1 * _noise(random, count, 0.5, step), step)
    orders = ((1, 1.0), (5, 0.2), (7, 0.14), (11, 0.05), (13, 0.03))
    drawn = [share * np.sin(n * turn + random.uniform(0.0, 6.28)) for n, share in orders]
    return 20.0 * (1.0 + 0.1 * _noise(random, count, 1.0, step)) * sum(drawn)


def _grid_sag(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the voltage of the grid that sags to 40 to 80 % for some periods, now and then [V]."""
    depth, time = np.ones(count), _time(count, step)
    for begin in np.cumsum(random.uniform(0.2, 0.5, int(count * step / 0.2) + 1)):
        depth[(time >= begin) & (time < begin + random.uniform(0.06, 0.16))] = random.uniform(0.4, 0.8)
    return 325.0 * depth * np.sin(2.0 * math.pi * 50.0 * time)


def _grid_phase(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the voltage of the grid whose phase jumps by up to 40 degrees, now and then [V]."""
    jumps = (random.uniform(size=count) < step / 0.25) * random.uniform(-0.7, 0.7, count)
    return 325.0 * np.sin(2.0 * math.pi * 50.0 * _time(count, step) + np.cumsum(jumps))


def _wall(random: np.random.Generator, count: int, step: float, frequency: float) -> Vector:
    """Return the force of a stiff wall that a hand hits at a `frequency` [Hz], [N]."""
    swing = np.sin(_phase(frequency * (1.0 + 0.1 * _noise(random, count, 1.0, step)), step))
    depth = 0.01 * (swing - 0.5) + 0.0005 * _noise(random, count, 10.0, step)
    speed = np.gradient(depth, step)
    return np.where(depth > 0.0, np.maximum(2000.0 * depth + 4.0 * speed, 0.0), 0.0)


def _tapping(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the force of a wall that a hand taps at 3 to 5 Hz [N]."""
    return _wall(random, count, step, random.uniform(3.0, 5.0))


def _rubbing(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the force of a wall that a tool chatters on at 15 to 25 Hz [N]."""
    return _wall(random, count, step, random.uniform(15.0, 25.0))


def _hand(random: np.random.Generator, count: int, step: float) -> Vector:
    """Return the position of a hand that moves freely and stops at a wall [m]."""
    return np.minimum(0.05 * _lag(_levels(random, count, step, 0.6), 2.0, step, 3), 0.02)


GENERATORS: dict[str, tuple[Generator, str]] = {
    "engine": (_engine, "N.m"), "road": (_road, "N"), "chirp": (_chirp, "1"), "steps": (_steps, "1"),
    "stick_slip": (_stick_slip, "N"), "pedal": (_pedal, "%"), "multisine": (_multisine, "1"),
    "band_noise": (_band_noise, "1"), "noisy_sine": (_noisy_sine, "1"), "ringing": (_ringing, "m/s2"),
    "encoder": (_encoder, "rad"), "grid_drift": (_grid_drift, "V"), "grid_harmonics": (_grid_harmonics, "A"),
    "grid_sag": (_grid_sag, "V"), "grid_phase": (_grid_phase, "V"), "tapping": (_tapping, "N"),
    "rubbing": (_rubbing, "N"), "hand": (_hand, "m"),
}  # fmt: skip
"""Generators and units by name."""
