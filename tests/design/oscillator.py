"""The oscillator of example 14, and how loops with models of it are judged, by numpy."""

from functools import cache

import numpy as np
from scipy.linalg import expm

from couplant.analysis.model_map import macro_step
from couplant.cosim.wiring.loops import loop_of
from tests.cosim.conftest import EXAMPLES

SCENARIO = EXAMPLES / "14_long_latency" / "scenario.toml"
EXCITED = {"mass_1": 1.0, "mass_2": 0.1}
STEP, STEPS = 0.02, 1251
B = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 10.0]])
"""How forces on the masses act on x1, v1, x2, v2: m1 = 1 kg, m2 = 0.1 kg."""
IDEAL = np.array([[0, 1, 0, 0], [-3, -0.011, 2, 0.001], [0, 0, 0, 1], [20, 0.01, -120, -0.02]])


def oscillator(k, timing="event", *assignments):
    return loop_of(SCENARIO, assignments, timing, k).system


def push(t, start):
    return np.where((t >= start) & (t <= start + 0.5), 0.5 * (1 - np.cos(4 * np.pi * (t - start))), 0.0)


@cache
def forces(name):
    t = np.arange(STEPS + 1) * STEP
    if name in ("rc1", "both", "rc2"):
        return np.array([push(t, 1.0) * (name != "rc2"), -0.5 * push(t, 2.0) * (name != "rc1")]).T
    rng, kept, found = np.random.default_rng(int(name[3:] or 0)), np.exp(-10.0 * STEP), []
    for rms in (0.3, 0.1):
        lags, course = np.zeros(2), np.zeros(STEPS + 1)
        for n, white in enumerate(rng.standard_normal(STEPS + 1)):
            lags[0] += (1.0 - kept) * (white - lags[0])
            lags[1] += (1.0 - kept) * (lags[0] - lags[1])
            course[n] = lags[1]
        found.append(course / course.std() * rms)
    return np.array(found).T


@cache
def truth(name):
    """Return x1, v1, x2, v2 without delay, shape (STEPS, 4)."""
    block = np.zeros((8, 8))
    block[:4, :4], block[:4, 4:6], block[4:6, 6:] = IDEAL * STEP, B * STEP, np.eye(2)
    phi, level, change = np.split(expm(block)[:4], [4, 6], axis=1)
    w, x, found = forces(name), np.zeros(4), []
    for n in range(STEPS):
        found.append(x)
        x = phi @ x + level @ w[n] + change @ (w[n + 1] - w[n])
    return np.array(found)


def run(system, name, noise=0.0, seed=1):
    """Return states of the masses and estimates of x1, v1 and f; the noise is a share of the rms of each signal."""
    step, w = macro_step(system, B), forces(name)
    n, rows = step.split[0], np.vstack([step.state, step.estimates])
    sigma = noise * np.sqrt(np.mean(signals(truth(name)) ** 2, axis=0))
    v, x, found = sigma * np.random.default_rng(seed).standard_normal((STEPS, 3)), np.zeros(n), []
    for i in range(STEPS):
        after = rows @ np.concatenate([x, w[i], w[i + 1], v[i]])
        found.append(np.concatenate([x[:4], after[n:]]))
        x = after[:n]
    return np.split(np.array(found), [4], axis=1)


def signals(states):
    """Return x1, v1 and f = 2 (x2 - x1) + .001 (v2 - v1)."""
    x1, v1, x2, v2 = states.T
    return np.array([x1, v1, 2.0 * (x2 - x1) + 0.001 * (v2 - v1)]).T


def nrmse(found, true):
    """Return the mean over signals of rms(found - true) / std(true)."""
    return float(np.mean(np.sqrt(np.mean((found - true) ** 2, axis=0)) / true.std(axis=0)))


def error(system, name, noise=0.0):
    """Return nrmse of the estimates, with noise the median of five seeds."""
    seeds = range(1, 6) if noise else (1,)
    return float(np.median([nrmse(run(system, name, noise, s)[1], signals(truth(name))) for s in seeds]))


def motion(system, name):
    """Return nrmse of what the masses do."""
    return nrmse(run(system, name)[0], truth(name))


def held_error(system, name):
    """Return nrmse of estimates that are held for a step, against the middle of what they stand for."""
    true = signals(truth(name))
    return nrmse(run(system, name)[1][:-1], 0.5 * (true[1:] + true[:-1]))
