"""The hybrid vehicle written down a second time, as one system of equations that scipy solves."""

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

GEARS = np.array([9.4886, 6.3954])
TIMES = [0.0, 0.6, 3.0, 5.6, 6.0, 7.9, 9.0, 12.5]
SPEEDS = [8.6, 8.6, 12.1, 12.9, 12.95, 15.2, 15.4, 15.2]


@dataclass(frozen=True)
class Plan:
    """When the vehicle shifts and releases its engine [s], and the phase delay of the filter [s], 0 for none."""

    shift: float = 3.2
    release: float = 8.0
    delay: float = 0.05


def wanted(t):
    """Return the speed that the driver wants [m/s]."""
    return float(np.mean([np.interp(t + shift, TIMES, SPEEDS) for shift in (-0.3, -0.15, 0.0, 0.15, 0.3)]))


def most(speed):
    """Return the largest torque of the engine [N.m]."""
    return float(np.interp(speed, [80, 105, 150, 180, 400, 520, 600], [80, 95, 175, 220, 220, 190, 150]))


def gear(t, plan):
    """Return the largest torque of both clutches [N.m], the share of the demand and that of the engine [-]."""
    a = np.clip((t - plan.shift) / 0.15, 0, 1)
    b = np.clip((t - plan.shift - 0.15) / 0.30, 0, 1)
    o = 1 - np.clip((t - plan.release) / 0.08, 0, 1)
    second = 0.45 * a + 0.55 * max(b - 0.6, 0) / 0.4
    return 230 * np.array([1 - a, o * (second if b < 1 else 1)]), (0.55 if a > 0 and b < 1 else 1.0), o


def resistance(v):
    """Return the torque at the wheels that a speed needs [N.m]."""
    return 0.305 * (1450 * 9.81 * 0.010 + 0.5 * 1.2 * 0.64 * v * v)


REST = resistance(8.6) / (GEARS[0] * 0.96)
VEHICLE = np.array(
    [GEARS[0] * 8.6 / 0.305 + 4 * REST / 230, 8.6 / 0.305, resistance(8.6) / 9000, 8.6 / 0.305, 0.0912, 0.0912, 0, 0]
)


def vehicle(t, x, torque, plan):
    """Return the rates of engine side, gearbox, twist, wheels, integral, pedal, way and energy of the vehicle."""
    clutches, _, o = gear(t, plan)
    e = wanted(t) - 0.305 * x[3]
    u = 0.55 * e + x[4]
    each = clutches * np.clip((x[0] - GEARS * x[1]) / 4, -1, 1)
    shafts = 9000 * x[2] + 140 * (x[1] - x[3])
    coast, machine = 0.0, 0.0
    if o <= 0.5:
        coast, machine = 6 * (x[0] - 90) / 60, np.clip(900 * e + resistance(8.6), -600, 600)
    return [
        (o * torque - each.sum() - coast) / 0.18,
        (0.96 * GEARS @ each - shafts) / 1.2,
        x[1] - x[3],
        (shafts + machine - resistance(0.305 * x[3])) / (1450 * 0.305**2 + 4),
        0.42 * e if 0 < u < 1 else 0.0,
        (np.clip(u, 0, 1) - x[5]) / 0.12,
        0.305 * x[3],
        o * torque * x[0],
    ]


def shaft(x, speed):
    """Return the torque of the shaft [N.m]; `x` are torque inside, speed of the bench, q, q' and energy."""
    return x[0] - 9 - 0.02 * x[1] - 0.09 * (speed - x[1]) / 0.012


def bench(x, speed, demand, delay):
    """Return the rates of torque inside, speed of the bench, q, q' and energy of the shaft."""
    w = np.sqrt(2) / delay if delay else 0.0
    torque = shaft(x, speed)
    filtered = w * w * (torque - x[2]) - 2 * np.sqrt(0.5) * w * x[3]
    return [(demand - x[0]) / 0.18, (speed - x[1]) / 0.012, x[3], filtered, torque * speed]


def demand(t, x, pedal, plan):
    """Return what the control unit asks for [N.m]."""
    _, cut, o = gear(t, plan)
    return pedal * most(x[1]) * cut if o > 0.5 else 9 + 0.02 * x[1] + 3


def at_rest(speed):
    """Return the state of the bench at the start."""
    return np.array([5.714 + 9 + 0.02 * speed, speed, 5.714, 0, 0])


def together(duration, plan):
    """Return the states of vehicle (8) and bench (5) every 10 ms, (N, 13), exchanged all the time."""
    rows = [np.concatenate([VEHICLE, at_rest(VEHICLE[0])])]
    for n in range(round(100 * duration)):
        asked = demand(n * 0.01, rows[-1][8:], rows[-1][5], plan)

        def rates(t, z, asked=asked):
            torque = z[10] if plan.delay else shaft(z[8:], z[0])
            return [*vehicle(t, z[:8], torque, plan), *bench(z[8:], z[0], asked, plan.delay)]

        end = solve_ivp(rates, (n * 0.01, (n + 1) * 0.01), rows[-1], method="LSODA", rtol=1e-7, atol=1e-7)
        rows.append(end.y[:, -1])
    return np.array(rows)
