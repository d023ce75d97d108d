"""A mass on a spring, and an arm that holds it, as functions and as matrices; algorithms in Python."""

import numpy as np

import couplant

A = np.array([[0.0, 1.0], [-100.0, -0.4]])
B = np.array([[0.0], [1.0]])
C, D = np.eye(2), np.zeros((2, 1))
SIGNALS = {"inputs": "f", "outputs": ["x", "v"], "start": [1.0, 0.0]}
ARM = ([[0.0, 1.0], [-20.0, -0.5]], [[0.0, 0.0], [5.0, 1.0]], [[-5.0, 0.0]], [[0.0, 0.0]])


def spring(t, x, u):
    return [x[1], u[0] - 100.0 * x[0] - 0.4 * x[1]]


def states(t, x, u):
    return x


def tuned(t, x, u, p):
    return [x[1], u[0] - p["stiffness"] * x[0] - 0.4 * x[1]]


def through(t, x, u):
    return [x[0], x[1] + u[0]]


def fails_later(t, x, u):
    if t >= 0.05:
        raise ValueError("worn out")
    return spring(t, x, u)


@couplant.algorithm(values=2)
def line(past, k):
    """`foh`, written again."""
    slope = past[0] - past[1]
    return past[0] + k * slope, slope


@couplant.algorithm
class Tracker:
    """One with a state of its own."""

    def __init__(self, macro_step):
        self.slope, self.heard, self.macro_step = 0.0, [], macro_step

    def values(self, k):
        return 2

    def learn(self, past, k):
        self.heard.append(list(past))
        self.slope += 0.3 * (past[0] - past[1] - self.slope)

    def estimate(self, past, k):
        return past[0] + k * self.slope, self.slope


matrices = couplant.Plant((A, B, C, D), **SIGNALS)
function = couplant.Plant(spring, states, **SIGNALS)
arm = couplant.Plant(ARM, inputs=["x", "v"], outputs="f")


def scenario(mass, algorithms=("foh",), timing=("event", "step"), **more):
    """The mass, a plant or the table of a component, and the arm."""
    component = mass if isinstance(mass, dict) else {"plant": mass}
    return {
        "name": "laboratory", "macro_step": 0.01, "duration": 0.6, "timing": list(timing), "wire": False,
        "algorithms": list(algorithms), "network": {"latency_steps": 3},
        "components": {"mass": component, "arm": {"plant": arm}},
        "signals": {
            "x": {"from": "mass.x", "to": ["arm.x"], "unit": "m"},
            "v": {"from": "mass.v", "to": ["arm.v"], "unit": "m/s"},
            "f": {"from": "arm.f", "to": ["mass.f"], "unit": "N"},
        },
        **more,
    }  # fmt: skip


def courses(result):
    """All estimates and references of a result, shape (runs, signals, 2, N)."""
    traces = [[(t.estimate, t.reference) for t in run.traces.values()] for run in result.runs]
    return np.array(traces)
