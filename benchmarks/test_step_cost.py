"""Cost of one communication step through FMPy, as a ratio to the least that a PythonFMU FMU can cost."""

from __future__ import annotations

import math
import statistics
import time

import pytest
from pythonfmu.builder import FmuBuilder

from benchmarks.conftest import stepper
from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu

MACRO_STEP = 0.01
STEPS = 4000
ROUNDS = 9
LARGEST_RATIO = 5.0

TRIVIAL = """
from pythonfmu import Fmi2Causality, Fmi2Slave, Real


class Trivial(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.u = 0.0
        self.x = 0.0
        self.register_variable(Real("u", causality=Fmi2Causality.input))
        self.register_variable(Real("x", causality=Fmi2Causality.output))

    def do_step(self, current_time, step_size):
        self.x = self.u
        return True
"""

SETTINGS = {
    "interface": {"name": "bench", "macro_step": MACRO_STEP},
    "signals": {
        "signal": {
            "algorithm": "eros3",
            "latency": {"constant_steps": 6},
            "discontinuity": {"enabled": True},
            "quality": {"action": "warn"},
            "output": {"min": -100.0, "max": 100.0},
        }
    },
}


@pytest.fixture(scope="module")
def trivial(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trivial")
    script = folder / "trivial.py"
    script.write_text(TRIVIAL, encoding="utf-8")
    return FmuBuilder.build_FMU(script, dest=folder)


@pytest.fixture(scope="module")
def coupling(tmp_path_factory):
    return build_coupling_fmu(parse_interface(SETTINGS, "bench"), "signal", tmp_path_factory.mktemp("coupling"))


def seconds_per_step(run):
    values = [math.sin(0.3 * run.step * (run.n + i)) for i in range(STEPS)]
    begin = time.perf_counter()
    for value in values:
        run(value)
    return (time.perf_counter() - begin) / STEPS


def test_a_coupling_step_costs_at_most_five_trivial_ones(trivial, coupling, record_property):
    with stepper(trivial, "u", "x", MACRO_STEP) as least, stepper(coupling, "y", "y_hat", MACRO_STEP) as full:
        seconds_per_step(least), seconds_per_step(full)
        pairs = [(seconds_per_step(least), seconds_per_step(full)) for _ in range(ROUNDS)]
    ratio = statistics.median(b / a for a, b in pairs)
    record_property("ratio", ratio)
    cheap, dear = (1e6 * min(column) for column in zip(*pairs, strict=True))
    print(f"\ntrivial {cheap:.1f} us, coupling {dear:.1f} us, ratio {ratio:.2f}, allowed {LARGEST_RATIO:g}")
    assert ratio <= LARGEST_RATIO
