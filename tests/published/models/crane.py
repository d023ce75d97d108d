"""The crane of Rodríguez et al. 2022, section 4.4, written down a second time."""

import math

import numpy as np
from scipy.integrate import solve_ivp

BASE = math.sqrt(3) / 2
GAMMA = 0.4543456
PISTON = 0.0065


def length_and_rate(angles, rates):
    """Return length of the cylinder [m] and its rate [m/s]: from the base to the middle of link 1."""
    middle = 0.5 * np.array([math.cos(angles[0]), math.sin(angles[0])])
    moving = 0.5 * rates[0] * np.array([-math.sin(angles[0]), math.cos(angles[0])])
    rod = middle - [BASE, 0.0]
    return [math.hypot(*rod), float(rod @ moving) / math.hypot(*rod)]


def accelerations(angles, rates, force):
    """Return the angular accelerations of both links [rad/s²], from virtual work on the three masses."""
    (a, b), (wa, wb) = angles, rates
    tip, end = [-math.sin(a), math.cos(a)], [-0.5 * math.sin(b), 0.5 * math.cos(b)]  # d position/d angle
    jacobian = np.array([[tip, [0.0, 0.0]], [tip, end]])  # masses at tip and end, by angle
    turning = -wa * wa * np.array([math.cos(a), math.sin(a)])
    bias = [turning, turning - 0.5 * wb * wb * np.array([math.cos(b), math.sin(b)])]
    inertia, torque = np.diag([200.0 / 3.0, 0.0]), np.array([-100.0 * 9.81 * math.cos(a), 0.0])
    for mass, lever, drift in zip((250.0, 100.0), jacobian, bias, strict=True):
        inertia += mass * lever @ lever.T
        torque += lever @ (mass * (np.array([0.0, -9.81]) - drift))
    torque[0] += force * length_and_rate(angles, [1.0, 0.0])[1]
    return np.linalg.solve(inertia, torque)


def spool(t):
    """Return the position of the spool [-], (33)."""
    share = np.interp(t, [0.0, 1.0, 8.0, 9.0], [0.0, 0.1, 0.1, 0.0])
    return GAMMA * (1.0 - share * math.sin(4.0 * math.pi * t))


def bulk(p):
    """Return the bulk modulus of the fluid [Pa], (28)."""
    return (1.0 + 6.53e-10 * p - 1.19e-18 * p * p) / (6.53e-10 - 2 * 1.19e-18 * p)


def flows(p, s, v, gamma):
    """Return the rise of both pressures [Pa/s], (26) and (27)."""
    inward, outward = (0.67 * 5e-4 * share for share in (gamma, 1.0 - gamma))
    through = [math.sqrt(max(2.0 * difference / 850.0, 0.0)) for q in p for difference in (7.6e6 - q, q - 1e5)]
    first = PISTON * v + inward * through[0] - outward * through[1]
    second = -PISTON * v + outward * through[2] - inward * through[3]
    lengths = 0.221 + 0.5 - s, 0.221 + s - 0.5
    return [bulk(q) / (PISTON * length) * flow for q, length, flow in zip(p, lengths, (first, second), strict=True)]


def cylinder(p, v):
    """Return the force of the cylinder [N], (25)."""
    return PISTON * (p[1] - p[0]) - 1e5 * v


def motion(times):
    """Return the length of the cylinder at `times` [m], everything solved as one system."""
    ratio = (GAMMA / (1.0 - GAMMA)) ** 2
    low = (ratio * 7.6e6 + 1e5) / (1.0 + ratio)

    def rates(t, z):
        s, v = length_and_rate(z[:2], z[2:4])
        p = 1e6 * z[4:]
        rise = flows(p, s, v, spool(t))
        return [*z[2:4], *accelerations(z[:2], z[2:4], cylinder(p, v)), *(1e-6 * one for one in rise)]

    start = [math.pi / 6, 1.5 * math.pi, 0.0, 0.0, 1e-6 * low, 1e-6 * (7.7e6 - low)]
    how = {"method": "LSODA", "rtol": 1e-8, "atol": 1e-10, "max_step": 0.05}
    found = solve_ivp(rates, (0.0, times[-1]), start, t_eval=times, **how)
    return np.array([length_and_rate(z[:2], z[2:4])[0] for z in found.y.T])
