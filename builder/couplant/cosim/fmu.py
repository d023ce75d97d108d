"""FMUs as components, through FMPy's low-level functions (FMI 2.0 co-simulation)."""

from __future__ import annotations

import ctypes
import logging
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import fmpy
from fmpy import fmi2
from fmpy.fmi1 import FMICallException
from fmpy.model_description import ModelDescription, ScalarVariable

from couplant.cosim.component import Component, Port, Reader, Writer
from couplant.errors import CouplantError, UsageError

_log = logging.getLogger(__name__)
_STATUS = ("ok", "warning", "discard", "error", "fatal", "pending")
_LEVEL = (logging.DEBUG, logging.WARNING, logging.WARNING, logging.ERROR, logging.ERROR, logging.DEBUG)
_C_TYPE = {"Real": ctypes.c_double, "Integer": ctypes.c_int, "Enumeration": ctypes.c_int, "Boolean": ctypes.c_int}
_ACCESS = {"Real": "Real", "Integer": "Integer", "Enumeration": "Integer", "Boolean": "Boolean"}
_STARTING = ("fmi2SetupExperiment", "fmi2EnterInitializationMode", "fmi2ExitInitializationMode")
_last_message: dict[str, str] = {}


class FmuLibrary:
    """Unpacks each FMU once; a context manager that removes what it unpacked.

    Attributes
    ----------
    root : Path
        Temporary folder.
    """

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="couplant-"))
        self._unpacked: dict[Path, tuple[ModelDescription, Path]] = {}

    def __enter__(self) -> FmuLibrary:
        """Return the library."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the temporary folder."""
        shutil.rmtree(self.root, ignore_errors=True)

    def open(self, path: Path, name: str) -> FmuComponent:
        """Return a new instance of an FMU, not yet started.

        Parameters
        ----------
        path : Path
            The FMU.
        name : str
            Name of the component in the scenario.

        Raises
        ------
        UsageError
            If the file is not an FMU for co-simulation that runs here.
        """
        if path not in self._unpacked:
            self._unpacked[path] = self._unpack(path)
        return FmuComponent(name, *self._unpacked[path])

    def _unpack(self, path: Path) -> tuple[ModelDescription, Path]:
        folder = self.root / str(len(self._unpacked))
        try:
            fmpy.extract(path, unzipdir=folder)
            description = fmpy.read_model_description(folder, validate=False)
        except Exception as error:  # FMPy lets whatever zipfile and lxml raise through
            raise UsageError(f"{path}: not an FMU that can be read: {_sentence(error)}") from None
        if description.fmiVersion != "2.0" or description.coSimulation is None:
            raise UsageError(f"{path}: allowed are FMUs for co-simulation with FMI 2.0.")
        return description, folder


class FmuComponent(Component):
    """One instance of an FMU.

    Parameters
    ----------
    name : str
        Name in the scenario.
    description : ModelDescription
        Its model description.
    folder : Path
        Where it is unpacked.
    """

    def __init__(self, name: str, description: ModelDescription, folder: Path) -> None:
        self.name = name
        self.ports = _ports(description)
        self.restorable = bool(description.coSimulation.canGetAndSetFMUstate)
        self._variables = {v.name: v for v in description.modelVariables}
        self._description, self.folder = description, folder
        self._fmu: fmi2.FMU2Slave | None = None
        self._state = fmi2.fmi2FMUstate()
        self._running = False

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Instantiate, set parameters and enter initialisation at t_0 [s].

        Raises
        ------
        UsageError
            If a parameter is unknown or refused.
        CouplantError
            If the FMU cannot be loaded or refuses to start.
        """
        self._instantiate()
        for name, value in parameters.items():
            self._set_parameter(name, value)
        self._call("fmi2SetupExperiment", 0, 0.0, t_0, 0, 0.0)
        self._call("fmi2EnterInitializationMode")

    def begin(self) -> None:
        """Leave initialisation."""
        self._call("fmi2ExitInitializationMode")
        self._running = True

    def reader(self, names: Sequence[str]) -> Reader:
        """Return a function that reads the variables with one call for each type."""
        groups = [_Group(self, "Get", kind, chosen) for kind, chosen in self._by_type(names)]
        if len(groups) == 1:
            return groups[0].get
        order = _order([group.names for group in groups], names)
        return lambda: _pick([value for group in groups for value in group.get()], order)

    def writer(self, names: Sequence[str]) -> Writer:
        """Return a function that sets the variables with one call for each type."""
        groups = [_Group(self, "Set", kind, chosen) for kind, chosen in self._by_type(names)]
        if len(groups) == 1:
            return groups[0].set
        places = [[names.index(name) for name in group.names] for group in groups]
        return lambda values: _spread(groups, places, values)

    def step(self, t: float, h: float) -> None:
        """Go from time t to t + h [s].

        Raises
        ------
        CouplantError
            If the FMU refuses or ends the run.
        """
        try:
            self._loaded.fmi2DoStep(self._loaded.component, t, h, not self.restorable)
        except FMICallException as error:
            what = "ended the run" if self._terminated(error) else f"refused the step of {h:g} s"
            raise CouplantError(f"{self.name} {what} at t = {t:g} s{self._reason()}") from None

    def save(self) -> None:
        """Keep the present state in place of the one kept before."""
        self._call("fmi2GetFMUstate", ctypes.byref(self._state))

    def restore(self) -> None:
        """Go back to the state kept last."""
        self._call("fmi2SetFMUstate", self._state)

    def free(self) -> None:
        """Terminate and free the instance, also after an error."""
        if self._fmu is None:
            return
        if self._state.value is not None:
            self._attempt(self._fmu.freeFMUstate, self._state)
        if self._running:
            self._attempt(self._fmu.terminate)
        self._attempt(self._fmu.freeInstance)
        self._fmu, self._running, self._state = None, False, fmi2.fmi2FMUstate()

    def function(self, name: str) -> Callable[..., int]:
        """Return the FMI function `name` of the loaded library, bound to this instance."""
        function, component = getattr(self._loaded, name), self._loaded.component
        return lambda *arguments: function(component, *arguments)

    def reference_of(self, name: str) -> int:
        """Return the value reference of the variable `name`."""
        return self._variables[name].valueReference

    @property
    def _loaded(self) -> fmi2.FMU2Slave:
        if self._fmu is None:
            raise CouplantError(f"{self.name} was used before it was started or after it was freed.")
        return self._fmu

    def _attempt(self, call: Callable[..., Any], *arguments: Any) -> None:
        try:
            call(*arguments)
        except FMICallException as error:
            _log.debug("%s: %s", self.name, error)

    def _instantiate(self) -> None:
        _last_message.pop(self.name, None)
        identifier = self._description.coSimulation.modelIdentifier
        try:
            fmu = fmi2.FMU2Slave(
                guid=self._description.guid,
                modelIdentifier=identifier,
                unzipDirectory=str(self.folder),
                instanceName=self.name,
                requireFunctions=False,
            )
            fmu.instantiate(callbacks=_callbacks())
        except Exception as error:  # FMPy raises bare Exception
            raise CouplantError(f"{self.name} cannot be loaded: {_sentence(error)}") from None
        self._fmu = fmu

    def _set_parameter(self, name: str, value: Any) -> None:
        variable = self._variables.get(name)
        if variable is None or variable.causality not in ("parameter", "input"):
            raise UsageError(f"{self.name} has no parameter {name}; allowed are {self._parameters()}.")
        set_one = getattr(self._loaded, f"set{_ACCESS.get(variable.type, 'String')}")
        try:
            set_one([variable.valueReference], [_parameter_value(variable, value)])
        except (FMICallException, ctypes.ArgumentError, TypeError, AttributeError):
            raise UsageError(f"{self.name}.{name} = {value} is refused{self._reason()}") from None

    def _parameters(self) -> str:
        return ", ".join(p.name for p in self.ports.values() if p.causality == "parameter") or "none"

    def _by_type(self, names: Sequence[str]) -> list[tuple[str, list[str]]]:
        kinds: dict[str, list[str]] = {}
        for name in names:
            kinds.setdefault(self._variables[name].type, []).append(name)
        return list(kinds.items())

    def _call(self, name: str, *arguments: Any) -> None:
        try:
            self.function(name)(*arguments)
        except FMICallException as error:
            what = "refuses to start" if name in _STARTING else f"answers {name} with {_STATUS[error.status]}"
            raise CouplantError(f"{self.name} {what}{self._reason()}") from None

    def _reason(self) -> str:
        message = _last_message.get(self.name)
        return f": {message.rstrip('.')}." if message else "."

    def _terminated(self, error: FMICallException) -> bool:
        if error.status != fmi2.fmi2Discard:
            return False
        try:
            return bool(self._loaded.getBooleanStatus(fmi2.fmi2Terminated))
        except FMICallException:
            return False


class _Group:
    """Variables of one type of one FMU, in arrays that are allocated once."""

    def __init__(self, component: FmuComponent, verb: str, kind: str, names: list[str]) -> None:
        self.names, self._size, self._kind = names, len(names), kind
        if kind not in _C_TYPE:
            raise UsageError(f"{component.name}.{names[0]} is a {kind}, which cannot be connected.")
        self._references = (ctypes.c_uint * self._size)(*map(component.reference_of, names))
        self._values = (_C_TYPE[kind] * self._size)()
        self._call = component.function(f"fmi2{verb}{_ACCESS[kind]}")
        self._owner = component

    def get(self) -> list[float]:
        try:
            self._call(self._references, self._size, self._values)
        except FMICallException:
            raise CouplantError(f"{self._owner.name} does not give {', '.join(self.names)}.") from None
        return self._values[:]

    def set(self, values: Sequence[float]) -> None:
        self._values[:] = values if self._kind == "Real" else [int(value) for value in values]
        try:
            self._call(self._references, self._size, self._values)
        except FMICallException:
            raise CouplantError(f"{self._owner.name} refuses {', '.join(self.names)} = {list(values)}.") from None


def _ports(description: ModelDescription) -> dict[str, Port]:
    known = {
        unknown.variable.name: None if unknown.dependencies is None else tuple(d.name for d in unknown.dependencies)
        for unknown in description.outputs
    }
    return {
        v.name: Port(v.name, v.type.lower(), v.causality or "local", _inputs_only(known.get(v.name), description))
        for v in description.modelVariables
    }


def _inputs_only(names: tuple[str, ...] | None, description: ModelDescription) -> tuple[str, ...] | None:
    inputs = {v.name for v in description.modelVariables if v.causality == "input"}
    return None if names is None else tuple(name for name in names if name in inputs)


def _parameter_value(variable: ScalarVariable, value: Any) -> Any:
    """Return the value for FMPy; an item of an enumeration may be given by its name."""
    if variable.type == "Enumeration" and isinstance(value, str):
        return next((int(item.value) for item in variable.declaredType.items if item.name == value), value)
    return value


def _order(groups: Sequence[Sequence[str]], names: Sequence[str]) -> list[int]:
    flat = [name for group in groups for name in group]
    return [flat.index(name) for name in names]


def _pick(values: Sequence[float], order: Sequence[int]) -> list[float]:
    return [values[i] for i in order]


def _spread(groups: Sequence[_Group], places: Sequence[Sequence[int]], values: Sequence[float]) -> None:
    for group, chosen in zip(groups, places, strict=True):
        group.set([values[i] for i in chosen])


def _sentence(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text.rstrip(".") + "."


def _message(_: Any, instance: bytes | None, status: int, category: bytes | None, message: bytes | None) -> None:
    name = (instance or b"").decode("utf-8", "replace")
    text = (message or b"").decode("utf-8", "replace").strip()
    if status != fmi2.fmi2OK and text:
        _last_message[name] = text
    _log.log(_LEVEL[status], "%s: %s", name, text)


_shared: fmi2.fmi2CallbackFunctions | None = None


def _callbacks() -> fmi2.fmi2CallbackFunctions:
    """Return callbacks that log instead of printing; made once, because FMUs keep pointers to them."""
    global _shared
    if _shared is None:
        _shared = fmi2.fmi2CallbackFunctions()
        _shared.logger = fmi2.fmi2CallbackLoggerTYPE(_message)
        _shared.allocateMemory = fmi2.defaultCallbacks.allocateMemory
        _shared.freeMemory = fmi2.defaultCallbacks.freeMemory
        _install_proxy(_shared)
    return _shared


def _install_proxy(callbacks: fmi2.fmi2CallbackFunctions) -> None:
    """Let FMPy's proxy fill in the printf arguments that ctypes cannot take."""
    try:
        from fmpy.logging import addLoggerProxy
    except (ImportError, OSError):
        _log.debug("FMPy has no logger proxy on this platform")
    else:
        addLoggerProxy(ctypes.byref(callbacks))
