"""Example 01 in any host, component by component: written from equations and call orders, without couplant.

Two masses, three networks, three coupling FMUs step one after the other with what the host has handed them; the map of
a macro step is what that does to unit states, so that runs are powers of it.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import expm

DT, PUSH_START, PUSH_PERIOD = 0.02, 1.0, 0.5
NOMINAL = {"m1": 1.0, "c1": 1.0, "d1": 0.01, "m2": 0.1, "c2": 10.0, "d2": 0.001, "cc": 2.0, "dc": 0.001}
NODES = (np.polynomial.legendre.leggauss(12)[0] + 1) / 2 * DT
MEANS = np.polynomial.legendre.leggauss(12)[1] / 2 * DT
FORCE = 2
"""Place of the signal f; x1 and v1 are 0 and 1."""


@dataclass(frozen=True, eq=False)
class Case:
    """A run: an algorithm, or weights of the next value for each signal; leads of x1, v1, f in macro steps."""

    algorithm: object
    k: int
    host: str = "reads_again"
    timing: str = "step"
    leads: tuple = (0.0, 0.0, 0.0)
    plant: dict = field(default_factory=dict)
    order: str = "m1 m2 n0 n1 n2 c0 c1 c2"


def weights(name, k):
    """Return (a, A) from the equations of the dissertation."""
    A = np.zeros(k + 4)
    if name == "foh":
        A[:2] = 1.0, -1.0
    for power, place in enumerate((0, 1, 2)):
        c = {"eros3": ((k + 2) / (k + 1), -1.0, 0.0)}
        c["eros4"] = np.array((0.5 * k**2 + 2 * k + 2.5, -(k**2 + 3 * k + 2), 0.5 * k**2 + k + 0.5)) / (k + 1)
        if name in c:
            A[place] += c[name][power]
            A[place + k + 1] -= c[name][power]
    return np.eye(1, k + 4)[0] + k * A, A


class Estimator:
    """A coupling FMU: values newest first, and of the observer its estimates, newest first."""

    def __init__(self, algorithm, k, lead):
        self.ahead = max(0, math.ceil(k + lead - 1e-6))
        self.fraction = self.ahead - k - lead
        self.observes = algorithm == "smb" and self.ahead > 0
        if not isinstance(algorithm, str):
            self.a, self.A = np.asarray(algorithm, dtype=float), np.zeros(len(algorithm))
        else:
            self.a, self.A = weights("foh" if algorithm == "smb" else algorithm, self.ahead)
        self.values, self.estimates = len(self.a), self.ahead if self.observes else 0

    def step(self, values, estimates, y):
        """Take y; return memory, estimate at the macro point and its slope."""
        values = np.vstack([y, values[:-1]])
        slope = self.A @ values
        if not self.observes:
            return values, estimates, self.a @ values - self.fraction * slope, slope
        then = estimates[-1] + self.fraction * slope
        slope = slope - 0.85 * math.pi / 2 / self.ahead * (then - values[0])
        now = estimates[0] + slope
        return values, np.vstack([now, estimates[:-1]]), now, slope


class Mass:
    """Exact motion over a macro step under a force that is linear in time, and under the push."""

    def __init__(self, m, c, d):
        A = np.array([[0.0, 1.0], [-c / m, -d / m]])
        block = np.zeros((4, 4))
        block[:2, :2], block[1, 2], block[2, 3] = A * DT, DT / m, 1.0
        self.phi, self.held, self.ramp = (expm(block)[:2, part] for part in (slice(2), 2, 3))
        self.push = np.array([expm(A * (DT - s))[:, 1] / m for s in NODES]).T * MEANS


class Loop:
    """The coupled system of a case; a state is a column."""

    def __init__(self, case):
        self.case, p = case, NOMINAL | case.plant
        self.cc, self.dc = p["cc"], p["dc"]
        self.masses = [Mass(p["m1"], p["c1"], p["d1"]), Mass(p["m2"], p["c2"] + p["cc"], p["d2"] + p["dc"])]
        one = case.algorithm
        self.fmus = [Estimator(one if isinstance(one, str) else one[i], case.k, case.leads[i]) for i in range(3)]
        self.sizes = {"x": 4, "sent": 3, "received": 3 if case.k else 0, "estimate": 3}
        for i, fmu in enumerate(self.fmus):
            self.sizes |= {f"network{i}": case.k, f"values{i}": fmu.values, f"estimates{i}": fmu.estimates}
        self.size = sum(self.sizes.values())

    def step(self, columns, push=(0.0, 0.0)):
        """Return the states a macro step later, and what was sent and estimated at its start."""
        s = dict(zip(self.sizes, np.split(columns, np.cumsum([*self.sizes.values()])[:-1]), strict=True))
        seen = s if self.case.host == "sequential" else self._at_start(dict(s))
        before, slope = (seen["sent"], seen["estimate"]), seen.pop("slope", np.zeros_like(s["estimate"]))
        for kind, i in ((name[0], int(name[1])) for name in self.case.order.split()):
            if kind == "m":
                self._move(s, i - 1, seen["estimate"], slope, push[i - 1])
            elif kind == "n" and self.case.k:
                s[f"network{i}"] = np.vstack([seen["sent"][i], s[f"network{i}"][:-1]])
                s["received"] = _with(s["received"], i, s[f"network{i}"][-1])
            elif kind == "c":
                memory, (level, rise) = self._estimate(seen, i)
                s |= memory
                s["estimate"] = _with(s["estimate"], i, level + rise)
        return np.vstack([s[name] for name in self.sizes]), *before

    def _at_start(self, seen):
        """Return what the components are handed at the macro point: read again in the order of dependencies."""
        if self.case.host == "jacobi":
            return seen
        if self.case.timing == "step":
            return seen | {"sent": np.vstack([seen["x"][:2], self._force(seen["x"], seen["estimate"])])}
        seen["slope"] = np.zeros_like(seen["estimate"])
        for i in range(3):
            seen["sent"] = np.vstack([seen["x"][:2], self._force(seen["x"], seen["estimate"])])
            level, rise = self._estimate(seen, i)[1]
            seen["estimate"], seen["slope"] = _with(seen["estimate"], i, level), _with(seen["slope"], i, rise)
        return seen

    def _estimate(self, s, i):
        y = s["received"][i] if self.case.k else s["sent"][i]
        values, estimates, *line = self.fmus[i].step(s[f"values{i}"], s[f"estimates{i}"], y)
        return {f"values{i}": values, f"estimates{i}": estimates}, line

    def _move(self, s, i, given, slope, push):
        """Step a mass; the force of mass 2 is then that of the inputs it was handed, continued to the end."""
        u, ramp = ((e[FORCE] if i == 0 else self.cc * e[0] + self.dc * e[1]) for e in (given, slope))
        mass, x = self.masses[i], s["x"][2 * i : 2 * i + 2]
        x = mass.phi @ x + np.outer(mass.held, u) + np.outer(mass.ramp, ramp) + push
        s["x"] = np.vstack([x, s["x"][2:]] if i == 0 else [s["x"][:2], x])
        s["sent"] = np.vstack([x, s["sent"][2:]] if i == 0 else [s["sent"][:2], self._force(s["x"], given + slope)])

    def map(self):
        """Return the map of a macro step, and the rows that give what is sent and estimated."""
        after, sent, estimate = self.step(np.eye(self.size))
        return after, np.vstack([sent, estimate])

    def radius(self):
        """Return the spectral radius."""
        return float(np.abs(np.linalg.eigvals(self.map()[0])).max())

    def run(self, forces, seconds):
        """Return what is sent and estimated at every macro point, shape (N, 6); `forces` push mass 1 and mass 2."""
        after, rows = self.map()
        kicks = [self.step(np.zeros((self.size, NODES.size)), pushes)[0] for pushes in self._pushes()]
        state, found = np.zeros(self.size), []
        for n in range(round(seconds / DT) + 1):
            found.append(rows @ state)
            state = after @ state
            if n * DT < PUSH_START + PUSH_PERIOD:
                state = state + sum(f * kick @ push(n) for f, kick in zip(forces, kicks, strict=True))
        return np.array(found)

    def _pushes(self):
        nothing = np.zeros((2, NODES.size))
        return (self.masses[0].push, nothing), (nothing, self.masses[1].push)

    def _force(self, x, given):
        return self.cc * (x[2] - given[0]) + self.dc * (x[3] - given[1])


def _with(matrix, i, row):
    return np.vstack([matrix[:i], row, matrix[i + 1 :]])


def push(n):
    """Return the push of 1 N at the nodes of macro step n."""
    t = n * DT + NODES - PUSH_START
    return np.where((t >= 0) & (t <= PUSH_PERIOD), 0.5 - 0.5 * np.cos(2 * np.pi * t / PUSH_PERIOD), 0.0)


def growth(found):
    """Return the rms of the last 5 s over that of the 5 s before, the larger one of signals and estimates."""
    window = round(5 / DT)
    parts = found[-2 * window :].reshape(2, window, 2, 3)
    return float(np.sqrt((parts[1] ** 2).sum((0, 2)) / (parts[0] ** 2).sum((0, 2))).max())


def reference(plant, forces, seconds):
    """Return x1, v1, f of the masses coupled without anything between them, shape (N, 3)."""
    p = NOMINAL | plant
    stiffness, damping = (np.array([[p[a] + p[c], -p[c]], [-p[c], p[b] + p[c]]]) for a, b, c in ("c1 c2 cc".split(),
                          "d1 d2 dc".split()))  # fmt: skip
    inverse = np.diag([1 / p["m1"], 1 / p["m2"]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ stiffness, -inverse @ damping]])
    after = expm(A * DT)
    kick = np.array([(expm(A * (DT - s)) @ np.vstack([np.zeros((2, 2)), inverse])) @ forces for s in NODES]).T * MEANS
    x, states = np.zeros(4), []
    for n in range(round(seconds / DT) + 1):
        states.append(x)
        x = after @ x + kick @ push(n)
    x1, x2, v1, v2 = np.array(states).T
    return np.array([x1, v1, p["cc"] * (x2 - x1) + p["dc"] * (v2 - v1)]).T


def mae(found, expected):
    """Return the mean absolute error of the estimates of a run, summed over the signals."""
    return float(np.abs(found[:, 3:] - expected).mean(axis=0).sum())
