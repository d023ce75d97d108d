"""Closed loops of tasks: pairs of linear prototypes as a SYSTEM.toml has them, with numbers drawn by a seed."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from couplant.config.frame.read import Content


@dataclass(frozen=True)
class Loop:
    """A loop of two prototypes."""

    prototypes: Content  # as in a SYSTEM.toml
    excitation: Content
    signals: dict[str, tuple[str, str, str]]  # name: output, input, unit


def _spread(random: np.random.Generator, value: float, share: float = 0.1) -> float:
    """Return a `value` that is off by up to a `share` of it [-], in six digits."""
    return float(f"{value * random.uniform(1.0 - share, 1.0 + share):.6g}")


def _drive(states: list[float], deviation: float, bandwidth: float) -> Content:
    return {"states": states, "deviation": deviation, "bandwidth": bandwidth}


def _two_masses(random: np.random.Generator) -> Loop:
    """Return two masses that a spring and a damper tie: motion goes there, force comes back."""
    m1, m2, c1, c2, c = (_spread(random, value) for value in (1.0, 1.0, 1.0, 4.0, 2.0))
    d = _spread(random, 0.05)
    left = {"A": [[0.0, 1.0], [-c1 / m1, -0.05 / m1]], "B": [[0.0], [1.0 / m1]], "C": [[1.0, 0.0], [0.0, 1.0]],
            "inputs": ["f"], "outputs": ["x", "v"]}  # fmt: skip
    right = {"A": [[0.0, 1.0], [-(c2 + c) / m2, -(0.05 + d) / m2]], "B": [[0.0, 0.0], [c / m2, d / m2]],
             "C": [[c, d]], "D": [[-c, -d]], "inputs": ["x", "v"], "outputs": ["f"]}  # fmt: skip
    signals = {"x": ("left.x", "right.x", "m"), "v": ("left.v", "right.v", "m/s"), "f": ("right.f", "left.f", "N")}
    return Loop({"left": left, "right": right}, {"left": _drive([0.0, 1.0], 1.0, 3.0)}, signals)


def _pendulum(random: np.random.Generator) -> Loop:
    """Return a pendulum that stands on its head: a controller on the other side keeps it there."""
    rate, damping = _spread(random, 9.81 / 0.8), _spread(random, 0.2)
    stiffness, brake, lag = _spread(random, 30.0), _spread(random, 6.0), 0.01
    plant = {"A": [[0.0, 1.0], [rate, -damping]], "B": [[0.0], [1.0]], "C": [[1.0, 0.0], [0.0, 1.0]],
             "inputs": ["torque"], "outputs": ["angle", "speed"]}  # fmt: skip
    control = {"A": [[-1.0 / lag]], "B": [[-stiffness / lag, -brake / lag]], "C": [[1.0]],
               "inputs": ["angle", "speed"], "outputs": ["torque"]}  # fmt: skip
    signals = {"angle": ("plant.angle", "control.angle", "rad"), "speed": ("plant.speed", "control.speed", "rad/s"),
               "torque": ("control.torque", "plant.torque", "N.m")}  # fmt: skip
    return Loop({"plant": plant, "control": control}, {"plant": _drive([0.0, 1.0], 0.5, 5.0)}, signals)


def _motor(random: np.random.Generator) -> Loop:
    """Return a DC motor with a load that varies, and the controller of its speed on the other side."""
    inductance, resistance, constant = _spread(random, 0.01), _spread(random, 1.0), _spread(random, 0.5)
    inertia, gain, integral = _spread(random, 0.05), _spread(random, 0.6), _spread(random, 6.0)
    plant = {"A": [[-resistance / inductance, -constant / inductance], [constant / inertia, -0.1]],
             "B": [[1.0 / inductance], [0.0]], "C": [[0.0, 1.0]], "inputs": ["voltage"],
             "outputs": ["speed"]}  # fmt: skip
    control = {"A": [[0.0]], "B": [[1.0]], "C": [[-integral]], "D": [[-gain]], "inputs": ["speed"],
               "outputs": ["voltage"]}  # fmt: skip
    signals = {"speed": ("plant.speed", "control.speed", "rad/s"), "voltage": ("control.voltage", "plant.voltage", "V")}
    return Loop({"plant": plant, "control": control}, {"plant": _drive([0.0, 1.0], 20.0, 4.0)}, signals)


def _frame(random: np.random.Generator) -> Loop:
    """Return a frame of three storeys in an earthquake, simulated but for a spring that stands on a test bench.

    The latency of the command is the delay of the actuator; the frame has 2 % of damping, and the delay takes from it.
    """
    mass, stiffness, share = 1000.0, _spread(random, 1.2e6), _spread(random, 0.5)
    own = stiffness * np.array([[2.0 - share, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]]) / mass
    whole = stiffness * np.array([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]]) / mass
    first = math.sqrt(float(np.linalg.eigvalsh(whole)[0]))
    damping = 0.02 / first * whole + 0.02 * first * np.eye(3)
    A = np.block([[np.zeros((3, 3)), np.eye(3)], [-own, -damping]]).round(6).tolist()
    numeric = {"A": A, "B": [[0.0]] * 3 + [[-1.0 / mass]] + [[0.0]] * 2, "C": [[1.0, *[0.0] * 5]], "inputs": ["f"],
               "outputs": ["x"]}  # fmt: skip
    # the load cell's filter, a hundred times faster than the frame
    omega = 2.0 * math.pi * 100.0
    spring = round(share * stiffness, 3)
    bench = {"A": [[-omega]], "B": [[omega]], "C": [[spring]], "inputs": ["x"], "outputs": ["f"]}
    signals = {"x": ("frame.x", "bench.x", "m"), "f": ("bench.f", "frame.f", "N")}
    return Loop({"frame": numeric, "bench": bench}, {"frame": _drive([0.0] * 3 + [-1.0] * 3, 1.0, 20.0)}, signals)


LOOPS: dict[str, Callable[[np.random.Generator], Loop]] = {
    "two_masses": _two_masses, "pendulum": _pendulum, "motor": _motor, "frame": _frame,
}  # fmt: skip
"""Loops by name."""
