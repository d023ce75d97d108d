"""The coupling FMU as PythonFMU runs it: FMI 2.0 calls onto the life cycle of `step.py`.

PythonFMU's loader calls these methods from C, looks for an ancestor called `Fmi2Slave`, and turns an exception
into a fatal error that destroys the instance; so a refused value is logged and ignored, and a refused step
answers False (Discard) with a logged reason.
"""

from pathlib import Path

from .checks import get_value, set_value
from .config import Settings
from .errors import ParameterRefused, SettingsError, StateRefused, StepRefused
from .events import MESSAGES, QUALITY_STOP
from .state import Clock, State
from .step import init, preview, reset, step

SETTINGS = "settings.txt"
OK, WARNING, DISCARD, ERROR = range(4)


class Fmi2Slave:
    """Marks a class as a slave for the loader."""


class LogMessage:
    """One message as the loader reads it.

    Attributes
    ----------
    status : int
        0 ok, 1 warning, 2 discard, 3 error.
    category, msg : str
        Log category and one sentence.
    """

    def __init__(self, status: int, category: str, msg: str) -> None:
        self.status = status
        self.category = category
        self.msg = msg


class CouplingSlave(Fmi2Slave):
    """One coupling FMU; the FMU's own module derives its class from this one.

    Parameters
    ----------
    **kwargs
        instance_name and resources (the folder with the settings), as the loader gives them.

    Raises
    ------
    SettingsError
        If the settings are missing or damaged: instantiation fails.
    """

    def __init__(self, **kwargs) -> None:
        self.instance_name = kwargs["instance_name"]
        self.log_queue = []
        text = _read(Path(kwargs["resources"]) / SETTINGS)
        self.settings = Settings.from_text(text)
        self.variables = (None, *self.settings.variables())
        self.state = reset(self.settings)
        self.seen = None
        self.start_time = 0.0
        self.running = False

    def setup_experiment(
        self, start_time: float, stop_time: float | None = None, tolerance: float | None = None
    ) -> None:
        """Remember the start time [s]; stop time and tolerance do not matter here."""
        self.start_time = start_time
        self.state.time = start_time

    def enter_initialization_mode(self) -> None:
        """Do nothing: outputs are worked out when they are read."""

    def exit_initialization_mode(self) -> None:
        """Check the parameters and start the clock; a wrong parameter ends the initialisation."""
        try:
            init(self.settings, self.state, self.start_time)
        except ParameterRefused as problem:
            self._log(ERROR, "parameter", str(problem))
            raise
        self.running = True
        self.seen = None

    def do_step(self, current_time: float, step_size: float) -> bool:
        """Carry out a step from `current_time` [s] over `step_size` [s]; False ends the run."""
        try:
            step(self.settings, self.state, current_time, step_size)
        except StepRefused as problem:
            self._log(DISCARD, "timing", str(problem))
            return False
        self.seen = self.state
        if self.state.events:
            self._tell(current_time)
        return not self.state.stopped

    def terminate(self) -> None:
        """Do nothing: there is nothing to release."""

    def get_real(self, references: list[int]) -> list[float]:
        """Return the values of real variables."""
        return self._get(references, "real", float)

    def get_integer(self, references: list[int]) -> list[int]:
        """Return the values of integer and enumeration variables."""
        return self._get(references, "integer", int)

    def get_boolean(self, references: list[int]) -> list[bool]:
        """Return the values of Boolean variables."""
        return self._get(references, "boolean", bool)

    def get_string(self, references: list[int]) -> list[str]:
        """Return nothing: there are no string variables.

        Raises
        ------
        TypeError
            If a reference is given.
        """
        return self._get(references, "string", str)

    def set_real(self, references: list[int], values: list[float]) -> None:
        """Set real inputs and parameters."""
        self._set(references, values, "real")

    def set_integer(self, references: list[int], values: list[int]) -> None:
        """Set integer and enumeration parameters."""
        self._set(references, values, "integer")

    def set_boolean(self, references: list[int], values: list[bool]) -> None:
        """Set Boolean inputs and parameters."""
        self._set(references, [1 if value else 0 for value in values], "boolean")

    def set_string(self, references: list[int], values: list[str]) -> None:
        """Set nothing: there are no string variables.

        Raises
        ------
        TypeError
            If a reference is given.
        """
        self._set(references, values, "string")

    def _get(self, references, kind, as_type) -> list:
        if self.seen is None:
            self.seen = preview(self.settings, self.state, self.running)
        values = []
        for reference in references:
            values.append(as_type(get_value(self.seen, self._variable(reference, kind))))
        return values

    def _set(self, references, values, kind) -> None:
        for reference, value in zip(references, values, strict=True):
            try:
                set_value(self.settings, self.state, self._variable(reference, kind), value, self.running)
            except ParameterRefused as problem:
                self._log(WARNING, "parameter", str(problem))
        self.seen = None

    def _variable(self, reference: int, kind: str):
        variable = self.variables[reference] if 0 < reference < len(self.variables) else None
        if variable is None or ("integer" if variable.kind == "enumeration" else variable.kind) != kind:
            raise TypeError(f"value reference {reference} is no {kind} variable")
        return variable

    def _tell(self, time: float) -> None:
        for event, (category, text) in MESSAGES.items():
            if self.state.events & event:
                self._log(DISCARD if event == QUALITY_STOP else WARNING, category, f"t = {time:.9g} s: {text}")

    def _log(self, status: int, category: str, text: str) -> None:
        self.log_queue.append(LogMessage(status, category, text))

    def _get_log_queue(self) -> list[LogMessage]:
        return self.log_queue

    def _get_fmu_state(self) -> bytes:
        clock = Clock(self.start_time, int(self.running), int(self.seen is not self.state))
        return self.state.serialise(self.settings.fingerprint, clock)

    def _set_fmu_state(self, data: bytes) -> None:
        try:
            self.state, clock = State.restore(data, self.settings.fingerprint)
        except StateRefused as problem:
            self._log(WARNING, "state", str(problem))
            return
        self.start_time, self.running = clock.start, bool(clock.running)
        self.seen = None if clock.stale else self.state

    @staticmethod
    def _fmu_state_to_bytes(data: bytes) -> bytes:
        return data

    @staticmethod
    def _fmu_state_from_bytes(data: bytes) -> bytes:
        return data


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as problem:
        raise SettingsError(f"the settings of this FMU cannot be read: {problem}") from problem
