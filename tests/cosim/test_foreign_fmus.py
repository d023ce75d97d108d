"""Prototypes of other makers: FMUs that say nothing about dependencies, keep no states and take no slopes."""

import numpy as np
import pytest
from pythonfmu import FmuBuilder

from couplant.base.errors import UsageError
from tests.unwired import simulate

SLAVE = """
from pythonfmu import Fmi2Causality, Fmi2Slave, Real

class {name}(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.u = 0.0
        self.y = {start}
        self.register_variable(Real("u", causality=Fmi2Causality.input))
        self.register_variable(Real("y", causality=Fmi2Causality.output))

    def do_step(self, current_time, step_size):
        self.y += step_size * {gain} * self.u
        return True
"""
SCENARIO = """
name = "foreign"
macro_step = 0.02
duration = 6.0
timing = ["step"]
algorithms = ["zoh", "foh"]
[components]
x = { fmu = "ForeignX.fmu" }
v = { fmu = "ForeignV.fmu" }
[network]
latency_steps = 2
[signals.x]
from = "x.y"
to = ["v.u"]
[signals.v]
from = "v.y"
to = ["x.u"]
"""
"""x' = v, v' = -x with x = 1, v = 0 at the start."""


@pytest.fixture
def path(tmp_path, scenario):
    for name, start, gain in (("ForeignX", 1.0, 1.0), ("ForeignV", 0.0, -1.0)):
        (tmp_path / f"{name}.py").write_text(SLAVE.format(name=name, start=start, gain=gain), encoding="utf-8")
        FmuBuilder.build_FMU(tmp_path / f"{name}.py", dest=tmp_path)
    return scenario(SCENARIO)


def test_without_dependencies_the_reference_has_a_false_loop_and_the_message_says_what_to_do(path):
    with pytest.raises(UsageError, match=r"Algebraic loop: .*feedthrough = "):
        simulate(path)


def test_with_their_feedthrough_stated_they_are_simulated(path):
    zoh, foh = simulate(path, ["components.x.feedthrough.y=[]", "components.v.feedthrough.y=[]"]).runs
    time = zoh.traces["x"].time
    assert np.allclose(zoh.traces["x"].reference, np.cos(time), rtol=0, atol=1e-3)
    assert foh.metrics["mae"] < 0.5 * zoh.metrics["mae"]
