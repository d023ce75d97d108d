"""The canonical run of docs/reference.md 3 for any weights: MAE and C of the oscillator at k = 3, ΔT = 0.02 s."""

from pathlib import Path

import numpy as np

from couplant.analysis.macro_map import discretise, recursion
from couplant.analysis.system_file import read_system

OSCILLATOR = read_system(Path(__file__).parent.parent / "analysis" / "oscillator.toml")
STEP, END, MICRO = 0.02, 25.0, 10
ON_FORCE = np.array([[0.0], [1.0], [0.0], [0.0]])


def force(t):
    return np.where((t >= 1) & (t <= 1.5), 0.5 * (1 - np.cos(2 * np.pi * (t - 1) / 0.5)), 0.0)


FORCE = force(np.arange(round(END / STEP) * MICRO + 1) * STEP / MICRO)


def plant():
    A, B, C, D = OSCILLATOR.matrices()
    sources, targets = OSCILLATOR.sources, OSCILLATOR.targets
    return A, B[:, targets], C[sources], D[np.ix_(sources, targets)]


def reference():
    """Return the signals of the coupling without network, shape (1251, 3)."""
    A, B, C, D = plant()
    solve = np.linalg.inv(np.eye(3) - D)
    phi, held, ramp = discretise(A + B @ solve @ C, ON_FORCE, STEP / MICRO)
    x, signals = np.zeros(4), []
    for i, (f, after) in enumerate(zip(FORCE, [*FORCE[1:], 0.0], strict=True)):
        if i % MICRO == 0:
            signals.append(solve @ C @ x)
        x = phi @ x + held[:, 0] * f + ramp[:, 0] * (after - f)
    return np.array(signals)


def run(algorithm, timing="event", noise=None):
    """Return signals sent and estimates, both of shape (1251, 3), with noise of that shape on what is sent."""
    A, B, C, D = plant()
    phi, held, ramp = discretise(A, np.hstack([B, ON_FORCE]), STEP / MICRO)
    part = recursion(algorithm)
    x, z, coming = np.zeros(4), np.zeros((3, part.F.shape[0])), np.zeros(3)
    sent, estimates = [], []
    for n in range(round(END / STEP) + 1):
        at_once = z @ part.h
        u = at_once if timing == "event" else coming
        y = C @ x + D @ u + (0.0 if noise is None else noise[n])
        slope = z @ part.h_slope + part.j_slope * y
        coming = at_once + slope
        slope = slope if timing == "event" else 0 * slope
        z = z @ part.F.T + np.outer(y, part.g)
        sent.append(y)
        estimates.append(u)
        for i in range(n * MICRO, min((n + 1) * MICRO, FORCE.size - 1)):
            now = np.append(u + slope * (i % MICRO) / MICRO, FORCE[i])
            x = phi @ x + held @ now + ramp @ np.append(slope / MICRO, FORCE[i + 1] - FORCE[i])
    return np.array(sent), np.array(estimates)


def mae(estimates):
    return float(np.abs(estimates - reference()).mean(axis=0).sum())


def combined(sent, estimates):
    """Return C of Sprague and Geers, summed over the signals, times 100."""
    a, b, both = np.sum(sent**2, 0), np.sum(estimates**2, 0), np.sum(sent * estimates, 0)
    magnitude = np.abs(np.sqrt(b / a) - 1)
    phase = np.arccos(np.clip(both / np.sqrt(a * b), -1, 1)) / np.pi
    return float(100 * np.hypot(magnitude, phase).sum())
