"""The two-mass oscillator with a network and a coupling FMU for every signal, as other importers get it.

One signal arrives after a constant latency, one with stamps, random latency and losses, one with a discontinuity
detector, so that every kind of input of a coupling FMU is in use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from couplant.config import parse_interface
from couplant.config.interface import Interface
from couplant.pack import build_coupling_fmu
from couplant.pack.models import build_model_fmu
from tests.drivers import PythonDriver

MACRO_STEP = 0.02
STEPS = 300
LATENCY_STEPS = 3

PATHS = {"x1": ("mass_1", "mass_2"), "v1": ("mass_1", "mass_2"), "f": ("mass_2", "mass_1")}
"""Sender and receiver of each signal."""
COUPLINGS = {
    "x1": {"algorithm": "eros3", "latency": {"constant_steps": LATENCY_STEPS}},
    "v1": {"algorithm": "foh", "latency": {"mode": "stamps"}},
    "f": {
        "algorithm": "eros4",
        "latency": {"constant_steps": LATENCY_STEPS},
        "discontinuity": {"enabled": True},
        "output": {"max": 0.25},
    },
}
NETWORKS = {"x1": {}, "v1": {"latency.mode": "uniform", "latency.jitter_steps": 2, "loss": 0.1, "seed": 7}, "f": {}}
INPUTS = ("y", "y_time", "y_valid")
OUTPUTS = ("y_hat", "latency.steps", "latency.seconds", "discontinuity.detected", "quality.error", "output.limited")
"""Without enumerations, which neither Ecos nor libcosim can read."""
TYPES = {"latency.steps": "int", **dict.fromkeys(("y_valid", "discontinuity.detected", "output.limited"), "bool")}
"""Of all variables that are not real."""


class Connection(NamedTuple):
    """From an output to an input, each as (instance, variable)."""

    source: tuple[str, str]
    target: tuple[str, str]

    @property
    def kind(self) -> str:
        """Return real, int or bool."""
        return TYPES.get(self.target[1], "real")


class Record(NamedTuple):
    """One communication step of one coupling FMU.

    Attributes
    ----------
    t, end : float
        The FMU's time before and after the step [s].
    inputs : mapping of str to float
        What the step was carried out with.
    after : mapping of str to float
        What was set before the outputs were read.
    outputs : mapping of str to float
        What was read.
    received : float
        What the receiver was given in the end [signal unit].
    """

    t: float
    end: float
    inputs: Mapping[str, float]
    after: Mapping[str, float]
    outputs: Mapping[str, float]
    received: float


def plain(t: float, now: Mapping[str, float], received: float) -> Record:
    """Return the record of an importer that shows inputs as the step used them and outputs as they were after it.

    Parameters
    ----------
    t : float
        The FMU's time before the step [s].
    now : mapping of str to float
        The FMU's variables after the step.
    received : float
        Input of the receiver in this step [signal unit].
    """
    return Record(t, now["time"], _some(now, INPUTS), {}, _some(now, OUTPUTS), received)


def refreshed(before: Mapping[str, float], now: Mapping[str, float], received: float) -> Record:
    """Return the record of an importer that sets the inputs of the next step at once and reads after that.

    Parameters
    ----------
    before, now : mapping of str to float
        The FMU's variables before and after the step.
    received : float
        Input of the receiver after the step [signal unit].
    """
    inputs, after = _some(before, INPUTS), _some(now, INPUTS)
    return Record(before["time"], now["time"], inputs, after, _some(now, OUTPUTS), received)


def _some(values: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    return {name: values[name] for name in names}


def interface(timing: str = "step") -> Interface:
    """Return the configuration of the coupling FMUs."""
    section = {"name": "oscillator", "macro_step": MACRO_STEP, "timing": timing}
    return parse_interface({"interface": section, "signals": COUPLINGS}, "oscillator")


def build(folder: Path, fmi: str) -> dict[str, Path]:
    """Build all FMUs and return them by the names of their instances."""
    models = {name: build_model_fmu(name, folder, fmi=fmi, macro_step=MACRO_STEP) for name in ("mass_1", "mass_2")}
    for signal, changes in NETWORKS.items():
        starts = {"latency.seconds": LATENCY_STEPS * MACRO_STEP, **changes}
        file = f"network_{signal}"
        models[file] = build_model_fmu("network", folder, fmi=fmi, macro_step=MACRO_STEP, file_name=file, **starts)
        models[f"coupling_{signal}"] = build_coupling_fmu(interface(), signal, folder, fmi=fmi)
    return models


def connections() -> list[Connection]:
    """Return all connections."""
    found = []
    for signal, (sender, receiver) in PATHS.items():
        network, coupling = f"network_{signal}", f"coupling_{signal}"
        found.append(Connection((sender, signal), (network, "value")))
        for output, target in zip(("received", "stamp", "valid"), INPUTS, strict=True):
            found.append(Connection((network, output), (coupling, target)))
        found.append(Connection((coupling, "y_hat"), (receiver, signal)))
    return found


class Step(NamedTuple):
    """What the Python runtime gives in one step: the estimate before the next inputs are set, outputs after that."""

    estimate: float
    outputs: Mapping[str, float]


def replay(signal: str, records: Sequence[Record]) -> list[Step]:
    """Return what the Python runtime gives for the inputs of a coupling FMU."""
    section = interface()
    driver = PythonDriver(interface=section.model_copy(update={"signals": {signal: section.signals[signal]}}))
    found = []
    for record in records:
        _set(driver, record.inputs)
        assert driver.step(record.t, MACRO_STEP)
        estimate = driver.get("y_hat")
        _set(driver, record.after)
        found.append(Step(estimate, {name: driver.get(name) for name in OUTPUTS}))
    driver.close()
    return found


def differences(records: Sequence[Record], expected: Sequence[Step]) -> list[str]:
    """Return where outputs are not the expected ones, bit for bit."""
    return [
        f"t = {record.t:g} s, {name}: {value!r}, expected {step.outputs[name]!r}"
        for record, step in zip(records, expected, strict=True)
        for name, value in record.outputs.items()
        if float(step.outputs[name]).hex() != float(value).hex()
    ]


def _set(driver: PythonDriver, inputs: Mapping[str, float]) -> None:
    for name, value in inputs.items():
        driver.set(name, bool(value) if name == "y_valid" else value)


def mean_error(values: Sequence[float], reference: Sequence[float]) -> float:
    """Return the mean absolute difference."""
    return sum(abs(a - b) for a, b in zip(values, reference, strict=True)) / len(values)
