"""Coupling FMUs whose algorithm is in Python, in this process: the Python runtime without an FMU around it."""

from collections.abc import Mapping, Sequence
from typing import Any

from couplant.base.errors import CouplantError, UsageError
from couplant.config import Interface
from couplant.config.own import Own
from couplant.cosim.fmu.component import Component, Port, Reader, Writer
from couplant.cosim.fmu.instance import keep_message
from couplant.pack.binaries.python import own_settings
from couplant.pack.describe.coupling import describe
from couplant.pack.describe.xml import Capabilities
from couplant_runtime.checks import get_value
from couplant_runtime.errors import ParameterRefused, StepRefused
from couplant_runtime.own import OwnAlgorithm
from couplant_runtime.slave import CouplingSlave
from couplant_runtime.step import preview
from couplant_runtime.variable import Variable
from couplant_runtime.variables import items

_KINDS = {"Real": "real", "Integer": "integer", "Boolean": "boolean", "Enumeration": "enumeration"}


class _Slave(CouplingSlave):
    """The slave of a Python FMU that is none: its settings are handed over."""

    def __init__(self, own: Own) -> None:
        """Begin with an algorithm and nothing else: `begin` hands over what others read from their files."""
        self._own = own
        self.running = False

    def own_algorithm(self, macro_step: float) -> OwnAlgorithm:
        """Return a new instance for a `macro_step` [s]."""
        return self._own.runtime(macro_step)


class InProcessCoupling(Component):
    """A coupling FMU that runs an algorithm of the user's.

    Its stages, variables and messages are those of the FMU with the Python backend.
    """

    restorable = True

    def __init__(self, name: str, interface: Interface, signal: str, own: Own) -> None:
        self.name, self._own = name, own
        section = interface.signals[signal]
        self._settings = own_settings(interface, signal)
        self._variables = {variable.name: variable for variable in self._settings.variables()}
        needed, step = interface.inputs == "needed", interface.communication_step
        made = describe(self._settings, name, section, Capabilities(), needed_only=needed, step=step)
        names = {variable.reference: variable.name for variable in made.variables}
        self.ports = {
            v.name: Port(
                v.name, _KINDS[v.type], v.causality, _names(names, v.dependencies or ()), v.unit or ""
            )
            for v in made.variables
        }  # fmt: skip
        self._slave = _Slave(own)
        self._kept: Any = None

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Begin at `t_0` [s] with `parameters`.

        Raises UsageError if a parameter is unknown or refused, or the algorithm cannot be made.
        """
        self._slave = _Slave(self._own)
        self._slave.begin(self.name, self._settings)
        for name, value in parameters.items():
            if name not in self.ports or self.ports[name].causality not in ("parameter", "input"):
                known = ", ".join(port.name for port in self.ports.values() if port.causality == "parameter")
                raise UsageError(f"{self.name} has no parameter {name}; allowed are {known}.")
            number: Any = items(self._variables[name].items, 0).get(value, value) if isinstance(value, str) else value
            self._set({name: number})
            if said := self._tell():
                raise UsageError(f"{self.name}.{name} = {value} is refused: {said}.")
        self._slave.setup_experiment(t_0)
        self._slave.enter_initialization_mode()

    def begin(self) -> None:
        """Leave initialisation. Raises CouplantError if a parameter is out of range."""
        try:
            self._slave.exit_initialization_mode()
        except ParameterRefused as problem:
            raise CouplantError(f"{self.name} refuses to start: {problem}.") from None

    def reader(self, names: Sequence[str]) -> Reader:
        """Return a function that reads variables, worked out anew where inputs have been set."""
        chosen = [self._variables[name] for name in names]

        def read() -> list[float]:
            slave = self._slave
            if slave.seen is None:
                try:
                    slave.seen = preview(slave.settings, slave.state, slave.running)
                except StepRefused as problem:
                    raise CouplantError(f"{self.name}: {problem}.") from None
            return [float(get_value(slave.seen, variable)) for variable in chosen]

        return read

    def writer(self, names: Sequence[str]) -> Writer:
        """Return a function that sets inputs."""

        def write(values: Sequence[float]) -> None:
            self._set(dict(zip(names, values, strict=True)))
            self._tell()

        return write

    def step(self, t: float, h: float) -> None:
        """Carry out a step from `t` [s] over `h` [s].

        Raises CouplantError if it is refused, the algorithm fails, or the quality ends the run.
        """
        done = self._slave.do_step(t, h)
        said = self._tell()
        if not done:
            ended = self._slave.state.quality.stopped
            what = f"ended the run at t = {t:g} s" if ended else f"refused the step of {h:g} s at t = {t:g} s"
            raise CouplantError(f"{self.name} {what}{f': {said}' if said else ''}.")

    def save(self) -> None:
        """Copy the state, that of the algorithm included."""
        self._kept = self._slave._get_fmu_state()

    def restore(self) -> None:
        """Take the copy back."""
        self._slave._set_fmu_state(self._kept)

    def free(self) -> None:
        """End the run: what its messages were about is told."""
        if self._slave.running:
            self._slave.terminate()
            self._tell()
            self._slave.running = False

    def _set(self, values: Mapping[str, float]) -> None:
        setters = {"real": self._slave.set_real, "boolean": self._slave.set_boolean}
        for name, value in values.items():
            variable: Variable = self._variables[name]
            call: Any = setters.get(variable.kind, self._slave.set_integer)
            number = value if variable.kind == "real" else int(value)
            call([self._settings.variables().index(variable) + 1], [number])

    def _tell(self) -> str:
        """Pass the messages on and return the last one that is a warning or an error, without its full stop."""
        queue, last = self._slave.log_queue, ""
        for message in queue:
            keep_message(self.name, message.status, message.msg.encode())
            last = message.msg.rstrip(".") if message.status else last
        queue.clear()
        return last


def _names(names: Mapping[int, str], references: Sequence[int]) -> tuple[str, ...]:
    return tuple(names[reference] for reference in references if reference in names)
