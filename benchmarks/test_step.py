"""Cost of a communication step through FMPy: set, doStep, get; against a trivial FMU of PythonFMU in the same run."""

import math
import statistics
import time
from pathlib import Path

import pytest
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave
from pythonfmu.builder import FmuBuilder

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu

STEP = 0.01
STEPS = 500
ROUNDS = 30
LARGEST_RATIO = 5.0
TRIVIAL = """
from pythonfmu import Fmi2Causality, Fmi2Slave, Real


class Trivial(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.y = 0.0
        self.y_hat = 0.0
        self.register_variable(Real("y", causality=Fmi2Causality.input))
        self.register_variable(Real("y_hat", causality=Fmi2Causality.output))

    def do_step(self, current_time, step_size):
        self.y_hat = self.y
        return True
"""


class Stepper:
    """An FMU that is stepped `STEPS` times a call, on and on."""

    def __init__(self, path: Path) -> None:
        description = read_model_description(str(path), validate=False)
        self.references = {v.name: [v.valueReference] for v in description.modelVariables}
        identifier = description.coSimulation.modelIdentifier
        self.fmu = FMU2Slave(
            guid=description.guid, modelIdentifier=identifier, unzipDirectory=extract(str(path)), instanceName="bench"
        )
        self.fmu.instantiate()
        self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        self.n = 0

    def __call__(self) -> None:
        fmu, y, y_hat = self.fmu, self.references["y"], self.references["y_hat"]
        for n in range(self.n, self.n + STEPS):
            fmu.setReal(y, [math.sin(0.02 * n)])
            fmu.doStep(n * STEP, STEP)
            fmu.getReal(y_hat)
        self.n = self.n + STEPS

    def close(self) -> None:
        self.fmu.terminate()
        self.fmu.freeInstance()


def coupling(folder: Path, backend: str) -> Path:
    """Build the FMU with EROS3, detection and quality on."""
    signal = {
        "algorithm": "eros3",
        "latency": {"constant_steps": 6},
        "discontinuity": {"enabled": True},
        "quality": {"action": "warn"},
        "output": {"min": -2.0, "max": 2.0, "rate_max": 1e3},
    }
    document = {"interface": {"name": backend, "macro_step": STEP, "timing": "step"}, "signals": {"s": signal}}
    return build_coupling_fmu(parse_interface(document, "bench"), "s", folder, backend=backend)


def trivial(folder: Path) -> Path:
    """Build an FMU that passes its input on, with PythonFMU's own builder."""
    script = folder / "trivial.py"
    script.write_text(TRIVIAL, encoding="utf-8")
    return Path(FmuBuilder.build_FMU(str(script), dest=str(folder)))


@pytest.fixture
def steppers(tmp_path):
    """Return the coupling and the trivial FMU, warmed up."""
    found = Stepper(coupling(tmp_path, "python")), Stepper(trivial(tmp_path))
    for stepper in found:
        stepper()
    yield found
    for stepper in found:
        stepper.close()


def timed(call) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def test_a_step_costs_at_most_five_times_a_trivial_one(benchmark, steppers):
    """The two FMUs take turns, so that a busy machine slows both; the ratio is the median of the pairs."""
    ratios = [timed(steppers[0]) / timed(steppers[1]) for _ in range(ROUNDS)]
    benchmark.extra_info["ratio"] = statistics.median(ratios)
    benchmark.pedantic(steppers[0], rounds=5)
    assert statistics.median(ratios) <= LARGEST_RATIO
