"""200 random networks of 2 to 6 prototypes: the spectral radius against the growth of a long simulation.

The simulation shares nothing with the macro map: Taylor series in place of the matrix exponential, signal histories in
place of algorithm states, all networks side by side.
"""

import numpy as np
import pytest

from couplant.analysis import GENERIC, generic
from couplant.analysis.macro_map import macro_map
from couplant.analysis.stability import stability
from couplant.analysis.system import Connection, Prototype, System

NETWORKS, STEPS = 200, 20_000
NX, NC, LENGTH = 18, 8, 16


def random_network(rng):
    count = int(rng.integers(2, 7))
    prototypes = []
    for i in range(count):
        nx, nu, ny = (int(rng.integers(low, 4 if low else 2)) for low in (1, 1, 1))
        A = rng.standard_normal((nx, nx)) * 3
        A -= np.eye(nx) * (np.linalg.eigvals(A).real.max() + rng.uniform(0.1, 1.0))
        D = rng.standard_normal((ny, nu)) * 0.2 * (rng.random() < 0.4)
        gain = rng.uniform(0.3, 1.3)
        prototypes.append(Prototype(f"p{i}", A, gain * rng.standard_normal((nx, nu)), rng.standard_normal((ny, nx)), D))
    outputs = [f"{p.name}.{o}" for p in prototypes for o in p.outputs]
    inputs = [f"{p.name}.{u}" for p in prototypes for u in p.inputs]
    chosen = rng.permutation(len(inputs))[: min(NC, len(inputs))]
    connections = [
        Connection(str(rng.choice(outputs)), inputs[i], generic(str(rng.choice(GENERIC)), int(rng.integers(0, 6))))
        for i in chosen
    ]
    return System(
        tuple(prototypes), tuple(connections), float(rng.uniform(0.02, 0.08)), str(rng.choice(["event", "step"]))
    )


def taylor(A, B, step):
    """Return Φ, Γ₀, Γ₁ by their series."""
    power, phi = np.eye(A.shape[0]), np.zeros(A.shape)
    held, ramp, factorial = np.zeros(A.shape), np.zeros(A.shape), 1.0
    for i in range(40):
        phi, held, ramp = (
            phi + power / factorial,
            held + power / factorial / (i + 1),
            ramp + power / factorial / (i + 1) / (i + 2),
        )
        power, factorial = power @ A * step, factorial * (i + 1)
    return phi, held @ B * step, ramp @ B * step


class Fleet:
    """All networks, padded to the same size."""

    def __init__(self, systems):
        n = len(systems)
        self.phi, self.gamma, self.gamma_slope = np.zeros((n, NX, NX)), np.zeros((n, NX, NC)), np.zeros((n, NX, NC))
        self.C, self.D = np.zeros((n, NC, NX)), np.zeros((n, NC, NC))
        self.a, self.A = np.zeros((n, NC, LENGTH)), np.zeros((n, NC, LENGTH))
        self.gain, self.late = np.zeros((n, NC)), np.zeros((n, NC), dtype=int)
        self.observer = np.zeros((n, NC), dtype=bool)
        self.event = np.array([s.timing == "event" for s in systems])[:, None]
        for i, system in enumerate(systems):
            self._fill(i, system)
        self.inverse = np.linalg.inv(np.eye(NC) - self.D * self.a[:, None, :, 0] * self.event[:, :, None])

    def _fill(self, i, system):
        A, B, C, D = system.matrices()
        nx, nc = A.shape[0], len(system.connections)
        parts = taylor(A, B[:, system.targets], system.macro_step)
        self.phi[i, :nx, :nx], self.gamma[i, :nx, :nc], self.gamma_slope[i, :nx, :nc] = parts
        self.C[i, :nc, :nx] = C[system.sources]
        self.D[i, :nc, :nc] = D[np.ix_(system.sources, system.targets)]
        for j, connection in enumerate(system.connections):
            algorithm = connection.algorithm
            if algorithm.name == "smb" and algorithm.k:
                self.observer[i, j], self.late[i, j], self.gain[i, j] = True, algorithm.k, algorithm.lambda_dt
            else:
                linear = generic("foh", 0) if algorithm.name == "smb" else algorithm
                self.a[i, j, linear.k : linear.k + linear.m] = linear.a
                self.A[i, j, linear.k : linear.k + linear.m] = linear.A

    def run(self, steps):
        """Return ln of the size of each network's state after each step, shape (steps, networks)."""
        n = self.phi.shape[0]
        x = np.random.default_rng(5).standard_normal((n, NX))
        y, estimates, coming = np.zeros((n, NC, LENGTH)), np.zeros((n, NC, LENGTH)), np.zeros((n, NC))
        total, levels = np.zeros(n), []
        at = np.maximum(self.late, 1)[:, :, None]
        for _ in range(steps):
            y, estimates = np.roll(y, 1, axis=2), np.roll(estimates, 1, axis=2)
            y[:, :, 0] = 0.0
            known = np.einsum("ncl,ncl->nc", self.a, y)
            old = np.take_along_axis(y, at, 2)[..., 0]
            wrong = np.take_along_axis(estimates, at, 2)[..., 0] - old
            bracket = old - np.take_along_axis(y, at + 1, 2)[..., 0] - self.gain * wrong
            known = np.where(self.observer, estimates[:, :, 1] + bracket, known)
            free = np.einsum("ncx,nx->nc", self.C, x)
            at_once = np.where(self.event, known, coming)
            y[:, :, 0] = np.einsum("ncd,nd->nc", self.inverse, free + np.einsum("ncd,nd->nc", self.D, at_once))
            estimate = known + self.a[:, :, 0] * y[:, :, 0]
            slope = np.where(self.observer, bracket, np.einsum("ncl,ncl->nc", self.A, y))
            estimates[:, :, 0] = estimate
            u, du = np.where(self.event, estimate, coming), np.where(self.event, slope, 0.0)
            x = sum(np.einsum("nxu,nu->nx", m, v) for m, v in ((self.phi, x), (self.gamma, u), (self.gamma_slope, du)))
            coming = estimate + slope
            size = np.sqrt(sum((v**2).sum(axis=tuple(range(1, v.ndim))) for v in (x, y, estimates, coming)))
            x, coming = x / size[:, None], coming / size[:, None]
            y, estimates = y / size[:, None, None], estimates / size[:, None, None]
            total = total + np.log(size)
            levels.append(total)
        return np.array(levels)


@pytest.fixture(scope="module")
def fleet():
    rng = np.random.default_rng(20)
    systems = [random_network(rng) for _ in range(NETWORKS)]
    growth = np.diff(Fleet(systems).run(STEPS)[STEPS // 2 :], axis=0)
    window = np.hanning(growth.shape[0] + 2)[1:-1]
    return systems, np.array([stability(s).radius for s in systems]), window @ growth / window.sum()


def lead(system):
    """Return how much the dominating mode outgrows the next one in a step, as a ratio."""
    modes = np.linalg.eigvals(macro_map(system))
    modes = np.sort(np.abs(modes[modes.imag >= 0]))
    return modes[-1] / modes[-2]


@pytest.mark.night("many networks: 22 s of CPU")
def test_growth_rate(fleet):
    systems, radius, growth = fleet
    # a second mode that decays with the first is still there after the run and hides the rate
    clear = (np.abs(radius - 1) > 1e-3) & (np.array([lead(s) for s in systems]) > 1.0005)
    assert clear.sum() > 190
    assert growth[clear] == pytest.approx(np.log(radius[clear]), abs=1e-5)


@pytest.mark.landing("many random runs")
def test_verdict(fleet):
    _, radius, growth = fleet
    clear = np.abs(radius - 1) > 1e-4
    assert 30 < np.sum(radius[clear] < 1) < 170
    assert np.array_equal(growth[clear] < 0, radius[clear] < 1)
