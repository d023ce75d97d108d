"""Base of the instances of FMUs of all versions: ports, parameters, reading, setting, refusals."""

import logging
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import ArgumentError, byref, c_void_p, cast
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from fmpy.fmi1 import FMICallException
from fmpy.model_description import ModelDescription, ScalarVariable

from couplant.base.errors import CouplantError, UsageError
from couplant.base.files import in_words
from couplant.base.isolation import note_call
from couplant.config.load import direct_feedthrough
from couplant.cosim.fmu.access import Access, Group
from couplant.cosim.fmu.component import Component, Port, Reader, Writer

_log = logging.getLogger(__name__)
_STATUS = ("ok", "warning", "discard", "error", "fatal", "pending")
_LEVEL = (logging.DEBUG, logging.WARNING, logging.WARNING, logging.ERROR, logging.ERROR, logging.DEBUG)
_STARTING = ("SetupExperiment", "EnterInitializationMode", "ExitInitializationMode")
_LONGEST_MESSAGE = 4096
_MOST_LINES = 200
_last_message: dict[str, str] = {}


class FmuComponent(Component):
    """One instance of an FMU."""

    PREFIX: ClassVar[str]  # of the functions: fmi2 or fmi3
    TYPES: ClassVar[Mapping[str, Access]]  # types that can be connected
    STATE: ClassVar[str]  # what functions call the state: FMUstate or FMUState
    COUNTS_VALUES: ClassVar[bool]  # whether getting and setting take the number of values besides that of references

    def __init__(self, name: str, description: ModelDescription, folder: Path, digest: str | None = None) -> None:
        self.name = name
        known = direct_feedthrough(description)
        self.ports = {
            v.name: Port(v.name, self._kind(v), v.causality or "local", known.get(v.name), _unit(v))
            for v in description.modelVariables
        }
        self.restorable = bool(description.coSimulation.canGetAndSetFMUstate)
        self.variable_steps = bool(description.coSimulation.canHandleVariableCommunicationStepSize)
        self.folder, self._digest = folder, digest
        self._variables = {v.name: v for v in description.modelVariables}
        self._description = description
        self._fmu: Any = None
        self._stepping: Callable[..., int] = self._not_started
        self._running = False
        self._state = c_void_p()

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Instantiate, set parameters and enter initialisation at t_0 [s].

        Raises UsageError if a parameter is unknown or refused; CouplantError if the FMU cannot be loaded or refuses to
        start.
        """
        _last_message.pop(self.name, None)
        try:
            self._fmu = self._note_call(self._instantiate, "Instantiate")()
        except Exception as error:  # FMPy raises bare Exception
            why = sentence(error).replace(str(self.folder), "FMU")  # unpacked, and soon removed
            raise CouplantError(f"{self.name} cannot be loaded: {why}") from None
        self._stepping = self.function("DoStep")
        for name, value in parameters.items():
            variable = self._variables.get(name)
            if variable is None or variable.causality not in ("parameter", "input"):
                raise UsageError(f"{self.name} has no parameter {name}; allowed are {self._parameters()}.")
            function = self.TYPES[variable.type].function if variable.type in self.TYPES else "String"
            try:
                setting = self._note_call(getattr(self._loaded, f"set{function}"), f"Set{function}")
                setting([variable.valueReference], [parameter_value(variable, value)])
            except (FMICallException, ArgumentError, TypeError, AttributeError):
                raise UsageError(f"{self.name}.{name} = {value} is refused{self._reason()}") from None
        self._initialise(t_0)

    def identity(self) -> str | None:
        """Return the hash of the file if this process built it."""
        return self._digest

    @property
    def unpacked(self) -> tuple[ModelDescription, Path, str | None]:
        """Return description, folder and hash that it was made of."""
        return self._description, self.folder, self._digest

    def begin(self) -> None:
        """Leave initialisation."""
        self._call("ExitInitializationMode")
        self._running = True

    def reader(self, names: Sequence[str]) -> Reader:
        """Return a function that reads the variables with one call for each type."""
        groups = self.groups("Get", names)
        if len(groups) == 1:
            return groups[0].get
        flat = [name for group in groups for name in group.names]
        order = [flat.index(name) for name in names]

        def read() -> list[float]:
            values = [value for group in groups for value in group.get()]
            return [values[i] for i in order]

        return read

    def writer(self, names: Sequence[str]) -> Writer:
        """Return a function that sets the variables with one call for each type."""
        groups = self.groups("Set", names)
        if len(groups) == 1:
            return groups[0].set
        places = [[names.index(name) for name in group.names] for group in groups]

        def write(values: Sequence[float]) -> None:
            for group, chosen in zip(groups, places, strict=True):
                group.set([values[i] for i in chosen])

        return write

    def groups(self, verb: str, names: Sequence[str]) -> list[Group]:
        """Return the variables `names` by type, to be read (`verb` Get) or set (Set)."""
        kinds: dict[str, list[str]] = {}
        for name in names:
            variable = self._variables[name]
            if variable.type not in self.TYPES:
                raise UsageError(f"{self.name}.{name} is a {variable.type}, which cannot be connected.")
            if variable.dimensions:
                raise UsageError(f"{self.name}.{name} is an array, which cannot be connected.")
            kinds.setdefault(variable.type, []).append(name)
        return [Group(self, verb, kind, chosen) for kind, chosen in kinds.items()]

    def save(self) -> None:
        """Keep the present state in place of the one kept before."""
        self._call(f"Get{self.STATE}", byref(self._state))

    def restore(self) -> None:
        """Go back to the state kept last."""
        self._call(f"Set{self.STATE}", self._state)

    def free(self) -> None:
        """Terminate and free the instance, also after an error."""
        if self._fmu is None:
            return
        if self._state.value is not None:
            self._attempt(f"Free{self.STATE}", getattr(self._fmu, f"free{self.STATE}"), self._state)
        self._state = c_void_p()
        if self._running:
            self._attempt("Terminate", self._fmu.terminate)
        self._attempt("FreeInstance", self._fmu.freeInstance)
        self._fmu, self._running, self._stepping = None, False, self._not_started

    def function(self, name: str) -> Callable[..., int]:
        """Return the FMI function `name`, without its prefix, of the loaded library, bound to this instance."""
        function: Callable[..., int] = getattr(self._loaded, f"{self.PREFIX}{name}")
        return self._note_call(partial(function, self._loaded.component), name, timed=name == "DoStep")

    @property
    def default_step(self) -> float | None:
        """Communication step of the default experiment [s], if the FMU tells one."""
        experiment = self._description.defaultExperiment
        return None if experiment is None or not experiment.stepSize else float(experiment.stepSize)

    @property
    def has_partials(self) -> bool:
        """True if the FMU gives directional derivatives."""
        return bool(self._description.coSimulation.providesDirectionalDerivative)

    @property
    def states(self) -> list[tuple[str, str]]:
        """Continuous states that the FMU lists, each with the name of its derivative."""
        rates = [unknown.variable for unknown in self._description.derivatives]
        return [(rate.derivative.name, rate.name) for rate in rates if rate is not None and rate.derivative is not None]

    def partial(self, unknowns: Sequence[str], known: str) -> list[float]:
        """Return the derivatives of variables by one that is `known`.

        Raises CouplantError if the FMU does not give them.
        """
        call = self._note_call(self._loaded.getDirectionalDerivative, "GetDirectionalDerivative")
        try:
            return list(call([self.reference_of(name) for name in unknowns], [self.reference_of(known)], [1.0]))
        except FMICallException:
            raise CouplantError(f"{self.name} does not give derivatives by {known}{self._reason()}") from None

    def reference_of(self, name: str) -> int:
        """Return the value reference of the variable `name`."""
        reference: int = self._variables[name].valueReference
        return reference

    def start_of(self, name: str) -> float | None:
        """Return the start value of the variable `name`, None if the FMU tells none [unit of the variable]."""
        text = self._variables[name].start
        return None if text is None else float(text)

    @property
    def address(self) -> int:
        """Where the instance lies in memory."""
        address: int = self._loaded.component
        return address

    def address_of(self, name: str) -> int:
        """Return where the FMI function `name`, without its prefix, lies in memory."""
        return cast(getattr(self._loaded.dll, f"{self.PREFIX}{name}"), c_void_p).value or 0

    def marks(self, name: str) -> tuple[str, str]:
        """Return this FMU and its FMI function `name` in the words of an error."""
        return f"{self.name} (FMU {self._description.coSimulation.modelIdentifier})", f"{self.PREFIX}{name}"

    @abstractmethod
    def _instantiate(self) -> Any:
        """Load the library, make an instance and return it."""

    @abstractmethod
    def _initialise(self, t_0: float) -> None:
        """Enter Initialization Mode at t_0 [s]."""

    @property
    def _loaded(self) -> Any:
        return self._not_started() if self._fmu is None else self._fmu

    def _not_started(self, *_: Any) -> NoReturn:
        raise CouplantError(f"{self.name} was used before it was started or after it was freed.")

    def _library(self) -> dict[str, Any]:
        """Return the arguments with which FMPy loads the library of the FMU."""
        return {
            "guid": self._description.guid,
            "modelIdentifier": self._description.coSimulation.modelIdentifier,
            "unzipDirectory": str(self.folder),
            "instanceName": self.name,
            "requireFunctions": False,
        }

    def _note_call(self, call: Callable[..., Any], name: str, timed: bool = False) -> Callable[..., Any]:
        """Return `call`, so that a process that ends in it is known to have ended in the FMI function `name`."""
        return note_call(call, *self.marks(name), timed)

    def _attempt(self, name: str, call: Callable[..., Any], *arguments: Any) -> None:
        try:
            self._note_call(call, name)(*arguments)
        except FMICallException as error:
            _log.debug("%s: %s", self.name, error)

    def _parameters(self) -> str:
        return ", ".join(p.name for p in self.ports.values() if p.causality == "parameter") or "none"

    def _call(self, name: str, *arguments: Any) -> None:
        try:
            self.function(name)(*arguments)
        except FMICallException as error:
            raise self.bad_answer(name, error.status) from None

    def _reason(self) -> str:
        message = _last_message.get(self.name)
        return f": {message.rstrip('.')}." if message else "."

    def bad_answer(self, name: str, status: int) -> CouplantError:
        """Return the error of a function `name` that answers with a bad `status`."""
        what = f"answers {self.PREFIX}{name} with {_STATUS[status]}"
        return CouplantError(f"{self.name} {'refuses to start' if name in _STARTING else what}{self._reason()}")

    def refusal(self, t: float, h: float, status: int) -> CouplantError:
        """Return the error of a step from `t` by `h` [s] that is refused with a `status`."""
        return CouplantError(f"{self.name} refused the step of {h:g} s at t = {t:g} s{self._reason()}")

    def ending(self, t: float) -> CouplantError:
        """Return the error of an FMU that ends the run at `t` [s]."""
        return CouplantError(f"{self.name} ended the run at t = {t:g} s{self._reason()}")

    def standstill(self, t: float) -> CouplantError:
        """Return the error of an FMU that does not come further than `t` [s]."""
        return CouplantError(f"{self.name} stays at t = {t:g} s.")

    def event_refusal(self, t: float) -> CouplantError:
        """Return the error of an event at `t` [s] that is refused."""
        return CouplantError(f"{self.name} refuses the event at t = {t:g} s{self._reason()}")

    def endless_event(self, t: float) -> CouplantError:
        """Return the error of an event at `t` [s] whose discrete states do not settle."""
        return CouplantError(f"{self.name}: the event at t = {t:g} s does not end.")

    def _kind(self, variable: ScalarVariable) -> str:
        scalar = variable.type in self.TYPES and not variable.dimensions
        return self.TYPES[variable.type].kind if scalar else "string"


def keep_message(name: str, status: int, message: bytes | None) -> None:
    """Log a message of an FMU (`status` 0: all is well), and keep it as the reason of a refusal that may follow."""
    text = (message or b"")[:_LONGEST_MESSAGE].decode("utf-8", "replace").strip()
    if status != 0 and text:
        _last_message[name] = text
    _log.log(_LEVEL[status], "%s: %s", name, text)


def sentence(error: Exception) -> str:
    """Return the message of `error` in one line that ends with a full stop."""
    return f"{in_words(error)}."


def parameter_value(variable: ScalarVariable, value: Any) -> Any:
    """Return the `value` of a parameter, in its unit, for FMPy; an item of an enumeration may be given by its name."""
    if variable.type == "Enumeration" and isinstance(value, str):
        return next((int(item.value) for item in variable.declaredType.items if item.name == value), value)
    return value


def _unit(variable: ScalarVariable) -> str:
    """Return the unit of a variable or of its type; empty: none."""
    return variable.unit or getattr(variable.declaredType, "unit", None) or ""


class Messages(logging.Handler):
    """Warnings and errors of FMUs: the first 200 as `lines`, and the `count` of all."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message."""
        self.count += 1
        if len(self.lines) < _MOST_LINES:
            self.lines.append(record.getMessage())

    @property
    def summary(self) -> str:
        """Return the first message and how many there are, nothing if there is none."""
        if not self.lines:
            return ""
        return self.lines[0] + (f" (the first of {self.count} messages, see the report)" if self.count > 1 else "")


@contextmanager
def kept_messages() -> Iterator[Messages]:
    """Give a keeper of the warnings of FMUs in place of the log: printing them would delay a step and bury the rest."""
    logger, handler = _log, Messages()
    before = logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield handler
    finally:
        logger.removeHandler(handler)
        logger.propagate = before
