"""Finished FMUs of the algorithm `model` against scipy: its Riccati equation, its simulation of linear systems."""

import numpy as np
import pytest
from scipy.linalg import block_diag, expm, solve_discrete_are
from scipy.signal import lsim

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from tests.native import OK, Native

STEP, STEPS, ORDER, LEAK, DRIVE = 0.02, 150, 2, 0.4, 3.0
NOISE = 0.01, 0.03
A = np.array([[0.0, 1.0], [-9.0, -0.3]])
B = np.array([[0.0, 0.2], [1.0, 0.5]])
C = np.array([[1.0, 0.0], [0.5, 1.0]])
D = np.array([[0.0, 0.2], [0.1, 0.0]])
ACTS = np.array([0.0, 1.0])
HEARD = 2 + ORDER
"""Values before the first estimate of the model: one for each state, until then the newest value is held."""


def with_disturbance():
    """Return A and B of the prototype with the two integrators of its disturbance."""
    integrators = np.array([[-LEAK, 1.0], [0.0, -LEAK]])
    whole = block_diag(A, integrators)
    whole[:2, 2] = ACTS
    return whole, np.vstack([B, np.zeros((ORDER, 2))])


WHOLE, DRIVEN = with_disturbance()
SEEN = np.hstack([C, np.zeros((2, ORDER))])
SYSTEM = WHOLE, DRIVEN, SEEN, D


def gain():
    """Return K of the stationary Kalman filter."""
    phi, R = expm(WHOLE * STEP), np.diag(np.square(NOISE))
    acts = np.append(ACTS, [0.0, 0.0])
    Q = DRIVE * STEP * (1e-6 * np.outer(acts, acts) + 1e-12 * np.eye(4) + np.diag([0.0, 0.0, 0.0, 1.0]))
    S = solve_discrete_are(phi.T, SEEN.T, Q, R)
    return S @ SEEN.T @ np.linalg.inv(SEEN @ S @ SEEN.T + R)


def simulated(x, inputs):
    """Return outputs and states at the end of inputs, shape (steps, 2), that are linear between macro points."""
    _, y, states = lsim(SYSTEM, inputs, np.arange(len(inputs)) * STEP, X0=x)
    return y[-1], states[-1]


def signals():
    """Return what goes from here, what the prototype was given, its outputs with noise; shapes (STEPS + 2, 2)."""
    n = np.arange(STEPS + 2)
    u = np.stack([np.sin(0.11 * n), np.cos(0.07 * n) - 1.0], axis=1)
    given = u + 0.1 * np.stack([np.sin(0.3 * n), np.sin(0.2 * n)], axis=1)
    push = np.sin(0.05 * n)[:, None]
    _, y, _ = lsim((A, np.hstack([B, ACTS[:, None]]), C, np.hstack([D, np.zeros((2, 1))])),
                   np.hstack([given, push]), n * STEP)  # fmt: skip
    noise = np.random.default_rng(5).standard_normal(y.shape) * NOISE
    noise[0] = 0.0
    return u, given, y + noise


def expected(k, timing):
    """Return the estimates of the first output, from slot 0 on: observer to what has come, simulation to now."""
    u, given, y = signals()
    x, K, found = np.zeros(4), gain(), []
    for slot in range(STEPS - k):
        x = x + K @ (y[slot] - SEEN @ x - D @ given[slot])
        inputs = u[slot : slot + k + 1]
        before = u[max(slot + k - 1, 0)]
        if timing == "step":
            inputs = np.vstack([inputs, 2.0 * inputs[-1] - before])
        found.append((SEEN @ x + D @ inputs[-1])[0] if len(inputs) == 1 else simulated(x, inputs)[0][0])
        x = simulated(x, given[slot : slot + 2])[1]
    return np.array(found)


def document(k, timing):
    model = {"A": A.tolist(), "B": B.tolist(), "C": C.tolist(), "D": D.tolist(), "disturbance": ACTS.tolist()}
    model |= {"order": ORDER, "leak": LEAK, "drive": DRIVE, "noise": list(NOISE), "inputs": ["a", "b"]}
    signal = {"algorithm": "model", "latency": {"constant_steps": k, "hold_lead": 0.0}}
    head = {"name": "i", "macro_step": STEP, "timing": timing}
    return {"interface": head, "signals": {"y": signal}, "models": {"plant": {**model, "outputs": ["y", "other"]}}}


@pytest.mark.sample(3)
@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("k", [0, 3, 15])
def test_fmus_give_what_scipy_gives(tmp_path, k, timing, fmi):
    path = build_coupling_fmu(parse_interface(document(k, timing), "test"), "y", tmp_path, fmi=fmi)
    fmu, found = Native(path, tmp_path / "unpacked").initialise(), []
    u, given, y = signals()
    for n in range(STEPS):
        at = max(n - k, 0)
        rise = (given[at + 1] - given[at]) / STEP
        values = {"y": y[at, 0], "companion[1]": y[at, 1], "y_valid": n >= k, "u[1]": u[n, 0], "u[2]": u[n, 1]}
        values |= {"given[1]": given[at, 0], "given[2]": given[at, 1]}
        values |= {"given_slope[1]": rise[0], "given_slope[2]": rise[1]}
        assert all(fmu.set(name, value) == OK for name, value in values.items())
        if timing == "event":
            found.append(fmu.get("y_hat"))
        assert fmu.step(n * STEP, STEP) == OK
        if timing == "step":
            found.append(fmu.get("y_hat"))
    fmu.free()
    errors = np.abs(np.array(found[k:]) - expected(k, timing))
    assert errors[HEARD:].max() <= 1e-12
    assert np.abs(found).max() > 0.1
