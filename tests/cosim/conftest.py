"""Results of the examples, simulated once; components without FMUs."""

import functools
from contextlib import contextmanager
from pathlib import Path

import pytest

from couplant.cosim.fmu.component import LocalComponent, Port
from couplant.cosim.run import reference
from tests.unwired import simulate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@functools.cache
def simulated(name, *assignments):
    return simulate(EXAMPLES / name / "scenario.toml", assignments)


@contextmanager
def guessed(most=1):
    """Let a guess of the reference do, with at most so many micro steps: for figures that need no better one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "_MOST_MICRO_STEPS", most)
        yield


@pytest.fixture
def rough():
    """Let the first guess of the reference do."""
    with guessed():
        yield


@pytest.fixture(scope="session")
def example():
    """Return the result of an example by its folder, with changes; "wire=true" has the plain wire too."""
    return simulated


@pytest.fixture(scope="session")
def oscillator():
    """Return the scenario file of example 01."""
    return EXAMPLES / "01_two_mass_oscillator" / "scenario.toml"


class Gain(LocalComponent):
    """y = gain u + offset: direct feedthrough."""

    def __init__(self, name, gain=1.0, offset=0.0):
        super().__init__(name, [Port("u", causality="input"), Port("y", dependencies=("u",))])
        self.gain, self.offset = gain, offset

    def reader(self, names):
        return lambda: [self.gain * self.values["u"] + self.offset for _ in names]


class Integrator(LocalComponent):
    """x' = u, with u linear over a step; no direct feedthrough. `calls` lists what happened to all instances."""

    def __init__(self, name, start=0.0, sloped=True, calls=None, fails_at=None):
        slope = [Port("u.slope", causality="input")] if sloped else []
        super().__init__(name, [Port("u", causality="input"), *slope, Port("x")])
        self.values.update({"x": start, "u.slope": 0.0})
        self.calls, self.fails_at = [] if calls is None else calls, fails_at

    def start(self, t_0, parameters):
        super().start(t_0, parameters)
        self.calls.append((self.name, "start"))

    def step(self, t, h):
        if self.fails_at is not None and t >= self.fails_at:
            raise ArithmeticError(f"{self.name} fails")
        self.calls.append((self.name, "step", t, h))
        self.values["x"] += h * self.values["u"] + h * h / 2 * self.values["u.slope"]

    def free(self):
        self.calls.append((self.name, "free"))


@pytest.fixture
def components():
    """Return the classes of components that need no FMU."""
    return {"Gain": Gain, "Integrator": Integrator}
