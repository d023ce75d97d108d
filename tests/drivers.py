"""One interface to everything that can run a coupling: the Python stages, finished FMUs, the C kernel."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from ctypes import byref
from pathlib import Path
from tempfile import TemporaryDirectory

from fmpy import extract, read_model_description
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import (
    FMU2Slave,
    calloc,
    fmi2CallbackAllocateMemoryTYPE,
    fmi2CallbackFreeMemoryTYPE,
    fmi2CallbackFunctions,
    fmi2CallbackLoggerTYPE,
    free,
)
from fmpy.logging import addLoggerProxy

from couplant.config import parse_interface
from couplant.config.interface import Interface
from couplant.pack import build_coupling_fmu
from couplant.pack.archive.identity import SettingsFile
from couplant.pack.settings import runtime_settings
from couplant_runtime.checks import get_value, set_values
from couplant_runtime.errors import ParameterRefused
from couplant_runtime.generated.numbers import ENUMERATIONS
from couplant_runtime.generated.variables import ALL
from couplant_runtime.slave import SETTINGS, CouplingSlave
from couplant_runtime.state import State

from .vectors.reader import Setup, Value

SIGNAL = "s"
BY_NAME = {variable.name: variable for variable in ALL}
BY_KEY = {variable.name: variable for variable in ALL if variable.feature == variable.name}
"""Parameters that only those FMUs have in whose configuration they are."""
BOND = {"energy.kind": 1}
"""What stands for a power bond among the values that an FMU must be built with."""


class Driver(ABC):
    """A running coupling, initialised with a `Setup`."""

    @abstractmethod
    def set(self, name: str, value: Value) -> None:
        """Set an input or a tunable parameter."""

    @abstractmethod
    def step(self, time: float, size: float) -> bool:
        """Step from `time` over `size` [s]; False if the step is refused or ends the run."""

    @abstractmethod
    def get(self, name: str) -> Value:
        """Return the value of a variable."""

    def committed(self, name: str) -> Value:
        """Return the value that the last step left: in event timing a read shows what the inputs mean now instead."""
        return self.get(name)

    @abstractmethod
    def save(self) -> bytes:
        """Return the whole state."""

    @abstractmethod
    def restore(self, state: bytes) -> None:
        """Go back to a saved state."""

    @abstractmethod
    def close(self) -> None:
        """Release everything."""


def set_value(settings, state, variable, value: Value, running: bool) -> None:
    """Set one variable in a call of its own, or say why not."""
    for problem in set_values(settings, state, [(variable, value)], running)[0]:
        raise ParameterRefused(problem)


def needs(setup: Setup) -> Setup:
    """Return what an FMU for a setup must be built with: timing, weights and the parameters that not all FMUs have."""
    values = {name: variable.start for name, variable in BY_KEY.items() if name in setup.values}
    bond = BOND if any(name.startswith("energy.") for name in setup.values) else {}
    return Setup(timing=setup.timing, weights=setup.weights, values=values | bond)


def interface_of(setup: Setup, name: str = "vectors") -> Interface:
    """Return the configuration that a setup needs; all else is set as FMU parameters."""
    signal: dict = {"debug": True}
    values = needs(setup).values
    for parameter, value in values.items():
        if parameter in BOND:
            continue
        section, _, key = parameter.partition(".")
        words = {number: item for item, number in ENUMERATIONS.get(BY_KEY[parameter].items, {}).items()}
        signal.setdefault(section, {})[key] = words.get(value, value)
    if setup.weights:
        rows = [{"steps": k, "a": list(a), "A": list(slopes)} for k, a, slopes in setup.weights]
        signal["algorithm"] = {"selected": "linear", **(rows[0] if len(rows) == 1 else {"table": rows})}
        signal["latency"] = {"constant_steps": rows[0]["steps"]}
    interface = {"name": name, "macro_step": 0.01, "timing": setup.timing}
    bonds = {"bonds": {"shaft": {"effort": SIGNAL}}} if values.keys() & BOND.keys() else {}
    return parse_interface({"interface": interface, "signals": {SIGNAL: signal}, **bonds}, "vectors")


def build(setup: Setup, directory: Path, name: str = "vectors", backend: str = "python") -> Path:
    """Build the FMU that a setup needs, with the outputs of all stages."""
    return build_coupling_fmu(interface_of(setup, name), SIGNAL, directory, backend=backend)


class PythonDriver(Driver):
    """The Python runtime in this process, driven as its FMU is.

    Parameters
    ----------
    setup : Setup
        Its values are set in Initialization Mode.
    interface : Interface, optional
        A configuration with one signal; without it the one that `setup` needs.
    """

    def __init__(self, setup: Setup = Setup(), interface: Interface | None = None) -> None:  # noqa: B008
        self.slave = _slave(interface or interface_of(setup))
        table = self.slave.settings.variables()
        self.references = {variable.name: i for i, variable in enumerate(table, start=1)}
        self.kinds = {variable.name: variable.kind.replace("enumeration", "integer") for variable in table}
        self.slave.setup_experiment(setup.start_time)
        self.slave.enter_initialization_mode()
        for name, value in setup.values.items():
            self.set(name, value)
        self.slave.exit_initialization_mode()

    @property
    def state(self):
        """Return the whole state."""
        return self.slave.state

    def set(self, name: str, value: Value) -> None:
        getattr(self.slave, f"set_{self.kinds[name]}")([self.references[name]], [value])

    def step(self, time: float, size: float) -> bool:
        return self.slave.do_step(time, size)

    def get(self, name: str) -> Value:
        return getattr(self.slave, f"get_{self.kinds[name]}")([self.references[name]])[0]

    def committed(self, name: str) -> Value:
        return get_value(self.state, BY_NAME[name])

    def save(self) -> bytes:
        return self.slave._get_fmu_state()

    def restore(self, state: bytes) -> None:
        self.slave._set_fmu_state(state)

    def close(self) -> None:
        self.slave.terminate()


def _slave(interface: Interface) -> CouplingSlave:
    (signal,) = interface.signals
    settings = runtime_settings(interface, signal)
    with TemporaryDirectory() as folder:
        text = SettingsFile("", "0" * 16, settings.lists()).text()
        Path(folder, SETTINGS).write_text(text, encoding="utf-8")
        return CouplingSlave(instance_name=signal, resources=folder)


class FmuDriver(Driver):
    """A finished FMI 2.0 FMU through FMPy.

    Parameters
    ----------
    path : Path
        The FMU.
    setup : Setup
        Its values are set in Initialization Mode.
    begin : bool
        Whether to initialise at all.

    Attributes
    ----------
    messages : list of (int, str, str)
        Status, category and text of everything logged.
    """

    def __init__(self, path: Path, setup: Setup = Setup(), begin: bool = True) -> None:  # noqa: B008
        description = read_model_description(str(path))
        self.variables = {variable.name: variable for variable in description.modelVariables}
        self.folder = extract(str(path))
        self.messages: list[tuple[int, str, str]] = []
        self.fmu = FMU2Slave(
            guid=description.guid,
            modelIdentifier=description.coSimulation.modelIdentifier,
            unzipDirectory=self.folder,
            instanceName=path.stem,
        )
        self.instantiate()
        if begin:
            self.initialise(setup)

    def instantiate(self) -> None:
        """Make an instance that logs into `messages`."""
        self.fmu.instantiate(loggingOn=True, callbacks=_callbacks(self.messages))

    def initialise(self, setup: Setup) -> None:
        """Set the values of `setup` in Initialization Mode and leave it."""
        self.fmu.setupExperiment(startTime=setup.start_time)
        self.fmu.enterInitializationMode()
        for name, value in setup.values.items():
            self.set(name, value)
        self.fmu.exitInitializationMode()

    def set(self, name: str, value: Value) -> None:
        variable = self.variables[name]
        calls = {"Real": self.fmu.setReal, "Boolean": self.fmu.setBoolean}
        calls.get(variable.type, self.fmu.setInteger)([variable.valueReference], [value])

    def step(self, time: float, size: float) -> bool:
        try:
            self.fmu.doStep(time, size)
        except FMICallException:
            return False
        return True

    def get(self, name: str) -> Value:
        variable = self.variables[name]
        calls = {"Real": self.fmu.getReal, "Boolean": self.fmu.getBoolean}
        return calls.get(variable.type, self.fmu.getInteger)([variable.valueReference])[0]

    def committed(self, name: str) -> Value:
        data = self.save()
        bonded = "energy.kind" in self.variables
        follows = "latency.follow" in self.variables
        state, _ = State.restore(data, int.from_bytes(data[16:24], "little"), bonded=bonded, follows=follows)
        return get_value(state, BY_NAME[name])

    def save(self) -> bytes:
        state = self.fmu.getFMUstate()
        data = self.fmu.serializeFMUstate(state)
        self.fmu.freeFMUstate(state)
        return bytes(data)

    def restore(self, state: bytes) -> None:
        restored = self.fmu.deSerializeFMUstate(state)
        self.fmu.setFMUstate(restored)
        self.fmu.freeFMUstate(restored)

    def close(self) -> None:
        self.fmu.terminate()
        self.release()

    def release(self) -> None:
        """Free the instance without terminating it first."""
        self.fmu.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)


def _callbacks(messages: list[tuple[int, str, str]]) -> fmi2CallbackFunctions:
    def log(_environment, _instance, status, category, message) -> None:
        messages.append((status, (category or b"").decode(), (message or b"").decode()))

    callbacks = fmi2CallbackFunctions()
    callbacks.logger = fmi2CallbackLoggerTYPE(log)
    callbacks.allocateMemory = fmi2CallbackAllocateMemoryTYPE(calloc)
    callbacks.freeMemory = fmi2CallbackFreeMemoryTYPE(free)
    addLoggerProxy(byref(callbacks))
    return callbacks
