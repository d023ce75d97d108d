"""The coupling FMU as PythonFMU runs it: FMI 2.0 calls onto the life cycle of `step.py`.

PythonFMU's loader calls these methods from C, looks for an ancestor called `Fmi2Slave`, and turns an exception
into a fatal error; so a refused value is logged and ignored, and a refused step answers False (Discard) with a logged
reason. Only a call in a wrong order, a wrong parameter at the end of initialisation and an unknown value reference
raise, after retaining what the loader then releases twice.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from .checks import get_value, set_values
from .config import Settings
from .errors import CallRefused, ParameterRefused, SettingsError, StateRefused, StepRefused
from .events import sentence
from .generated.events import DISCONTINUITY, MESSAGES, QUALITY_ENDS
from .learning.client import FILE, Client
from .loader import leave_once, retain
from .own import OwnAlgorithm
from .sound import restore
from .stages.quality import closing
from .state import Clock, State
from .step import init, preview, reset, step
from .variable import Variable

Kind = TypeVar("Kind")
SETTINGS = "settings.txt"
OK, WARNING, DISCARD, ERROR = range(4)
STATUS = {QUALITY_ENDS: DISCARD, DISCONTINUITY: OK}
NO_TOKEN = "learning: COUPLANT_TOKEN is not set where the FMU runs, and the FMU carries no token: no new weights"
WRONG_ORDER = "{} is not allowed now: nothing happens"


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

    debug = False  # as the loader of FMI 3 reads it

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

    def __init__(self, **kwargs: str) -> None:
        resources = Path(kwargs["resources"])
        leave_once(resources)
        settings = Settings.from_text(_read(resources / SETTINGS))
        self.begin(kwargs["instance_name"], settings, _client(settings, resources))

    def begin(self, name: str, settings: Settings, client: Client | None = None) -> None:
        """Begin as the instance `name` with `settings` and a `client` that asks for weights."""
        self.instance_name = name
        self.log_queue: list[LogMessage] = []
        self.settings = settings
        self.variables = (None, *settings.variables())
        self.client = client
        if self.client is not None and not self.client.token:
            self._log(WARNING, "learning", NO_TOKEN)
            self.client = None
        self.state = reset(settings)
        self.seen: State | None = None
        self.start_time = 0.0
        self.initialising = False
        self.running = False
        self.terminated = False

    def setup_experiment(
        self, start_time: float, stop_time: float | None = None, tolerance: float | None = None
    ) -> None:
        """Remember the `start_time` [s]; `stop_time` and `tolerance` do not matter here.

        Raises
        ------
        CallRefused
            If the FMU runs already.
        """
        self._require(not self.running, "fmi2SetupExperiment")
        self.start_time = start_time
        self.state.grid.time = start_time
        self.seen = None

    def enter_initialization_mode(self) -> None:
        """Allow the end of initialisation; outputs are worked out when they are read.

        Raises
        ------
        CallRefused
            If the FMU runs already.
        """
        self._require(not self.running, "fmi2EnterInitializationMode")
        self.initialising = True

    def exit_initialization_mode(self) -> None:
        """Check the parameters and start the clock.

        Raises
        ------
        CallRefused
            If the FMU is not in Initialization Mode.
        ParameterRefused
            If a parameter is wrong: the initialisation has failed.
        """
        self._require(self.initialising, "fmi2ExitInitializationMode")
        try:
            self.state.own = self.own_algorithm(self.state.parameter.macro_step)
            init(self.settings, self.state, self.start_time)
        except ParameterRefused as problem:
            self._log(ERROR, "parameter", str(problem))
            self._retain()
            raise
        self.initialising = False
        self.running = True
        self.seen = None

    def own_algorithm(self, macro_step: float) -> OwnAlgorithm | None:
        """Return a new instance of the algorithm of the user's, made for a `macro_step` [s]; None in FMUs without one.

        Raises
        ------
        ParameterRefused
            If it cannot be made.
        """
        return None

    def do_step(self, current_time: float, step_size: float) -> bool:
        """Carry out a step from `current_time` [s] over `step_size` [s]; False ends the run."""
        if not self.running or self.terminated:
            self._log(ERROR, "timing", WRONG_ORDER.format("fmi2DoStep"))
            return False
        if step_size == 0.0:  # some hosts begin with one
            return True
        try:
            step(self.settings, self.state, current_time, step_size)
        except StepRefused as problem:
            self._log(DISCARD, "timing", str(problem))
            return False
        self.seen = None if self.settings.event else self.state
        if self.client is not None:
            self.client.step(self.settings, self.state)
        if self.state.log.events:
            self._tell(self.state.log.events, current_time)
        return not self.state.quality.stopped

    def terminate(self) -> None:
        """Allow no more steps; values can still be read."""
        if self.running and not self.terminated:
            self._tell(closing(self.state), self.state.grid.time)
        self.terminated = True
        if self.client is not None:
            self.client.close()

    def get_real(self, references: list[int]) -> list[float]:
        """Return the values of real variables by their value `references`."""
        return self._get(references, "real", float)

    def get_integer(self, references: list[int]) -> list[int]:
        """Return the values of integer and enumeration variables by their value `references`."""
        return self._get(references, "integer", int)

    def get_boolean(self, references: list[int]) -> list[bool]:
        """Return the values of Boolean variables by their value `references`."""
        return self._get(references, "boolean", bool)

    def get_string(self, references: list[int]) -> list[str]:
        """Return nothing: there are no string variables, so no value `references`.

        Raises
        ------
        TypeError
            If a reference is given.
        """
        return self._get(references, "string", str)

    def set_real(self, references: list[int], values: list[float]) -> None:
        """Set real inputs and parameters, by their value `references`, to `values`."""
        self._set(references, values, "real")

    def set_integer(self, references: list[int], values: list[int]) -> None:
        """Set integer and enumeration parameters, by their value `references`, to `values`."""
        self._set(references, values, "integer")

    def set_boolean(self, references: list[int], values: list[bool]) -> None:
        """Set Boolean inputs and parameters, by their value `references`, to `values`."""
        self._set(references, [1 if value else 0 for value in values], "boolean")

    def set_string(self, references: list[int], values: list[str]) -> None:
        """Set nothing: there are no string variables, so no value `references` and `values`.

        Raises
        ------
        TypeError
            If a reference is given.
        """
        for reference in references:
            self._variable(reference, "string")

    def _get(self, references: list[int], kind: str, as_type: Callable[[float], Kind]) -> list[Kind]:
        if self.seen is None:
            self.seen = preview(self.settings, self.state, self.running)
        values = []
        for reference in references:
            values.append(as_type(get_value(self.seen, self._variable(reference, kind))))
        return values

    def _set(self, references: list[int], values: Sequence[float], kind: str) -> None:
        pairs = [(self._variable(reference, kind), value) for reference, value in zip(references, values, strict=True)]
        refused, changed = set_values(self.settings, self.state, pairs, self.running)
        for problem in refused:
            self._log(WARNING, "parameter", problem)
        if changed:
            self.seen = None

    def _variable(self, reference: int, kind: str) -> Variable:
        variable = self.variables[reference] if 0 < reference < len(self.variables) else None
        if variable is None or ("integer" if variable.kind == "enumeration" else variable.kind) != kind:
            self._retain()
            raise TypeError(f"value reference {reference} is no {kind} variable")
        return variable

    def _require(self, allowed: bool, call: str) -> None:
        if not allowed:
            self._log(ERROR, "timing", WRONG_ORDER.format(call))
            self._retain()
            raise CallRefused(WRONG_ORDER.format(call))

    def _retain(self) -> None:
        """Survive an exception: the loader releases these when it sees one, and again when the instance is freed."""
        retain(self, type(self), self.log_queue)

    def _tell(self, events: int, time: float) -> None:
        for event, (category, _) in MESSAGES.items():
            if events & event:
                words = f"t = {time:.14g} s: {sentence(self.state, event)}"
                self._log(STATUS.get(event, WARNING), category, words)

    def _log(self, status: int, category: str, text: str) -> None:
        self.log_queue.append(LogMessage(status, category, text))

    def _get_log_queue(self) -> list[LogMessage]:
        return self.log_queue

    def _get_fmu_state(self) -> bytes | tuple[State, Clock]:
        clock = Clock(self.start_time, int(self.running), int(self.seen is not self.state))
        if self.state.own is not None:
            return self.state.copy(), clock
        return self.state.serialise(self.settings.fingerprint, clock)

    def _set_fmu_state(self, data: bytes | tuple[State, Clock]) -> None:
        try:
            if isinstance(data, bytes):
                self.state, clock = restore(self.settings, data)
            else:  # that of an algorithm of the user's stays in this process
                self.state, clock = data[0].copy(), data[1]
        except StateRefused as problem:
            self._log(WARNING, "state", str(problem))
            return
        if self.client is not None:
            self.client.restart()
        self.start_time, self.running = clock.start, bool(clock.running)
        self.initialising = not self.running
        self.terminated = False
        self.seen = None if clock.stale else self.state

    @staticmethod
    def _fmu_state_to_bytes(data: bytes) -> bytes:
        return data

    @staticmethod
    def _fmu_state_from_bytes(data: bytes) -> bytes:
        return data


def _client(settings: Settings, resources: Path) -> Client | None:
    if settings.neural is None or not settings.neural.server:
        return None
    try:
        return Client.from_file(resources / FILE)
    except (OSError, ValueError, IndexError) as problem:
        raise SettingsError(f"the address of the learning server cannot be used: {problem}") from problem


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as problem:
        raise SettingsError(f"the settings of this FMU cannot be read: {problem}") from problem
