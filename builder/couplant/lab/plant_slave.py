"""A plant as PythonFMU runs it; this file goes into its FMU, with the names of its imports changed to those there."""

import json
from pathlib import Path
from typing import Any

from couplant.lab.dynamics import Dynamics, Linear, Nonlinear, PlantFailure
from couplant_runtime.loader import leave_once, retain
from couplant_runtime.stand_in import run

_DISCARD, _ERROR = 2, 3
_SLOPE = ".slope"
_modules: dict[str, Any] = {}


class Fmi2Slave:
    """Marks a class as a slave for the loader."""


class Message:
    """One message as the loader reads it.

    Attributes
    ----------
    status : int
        2 discard, 3 error.
    category, msg : str
        Log category and one sentence.
    """

    def __init__(self, status: int, category: str, msg: str) -> None:
        self.status, self.category, self.msg = status, category, msg


class PlantSlave(Fmi2Slave):
    """One plant; the FMU's own module derives its class from this one.

    Parameters
    ----------
    **kwargs
        instance_name and resources (the folder with the settings), as the loader gives them.
    """

    def __init__(self, **kwargs: str) -> None:
        resources = Path(kwargs["resources"])
        leave_once(resources)
        self.log_queue: list[Message] = []
        settings = json.loads((resources / "plant.json").read_text(encoding="utf-8"))
        self._name = kwargs["instance_name"]
        self.dynamics = _dynamics(settings, resources)
        # what each reference means, from 1: the kind of variable, and its name or place
        self._variables: list[tuple[str, Any]] = [("", ""), *map(tuple, settings["variables"])]
        self._start_time = 0.0

    def setup_experiment(self, start_time: float, stop_time: Any = None, tolerance: Any = None) -> None:
        """Remember the `start_time` [s]; `stop_time` and `tolerance` do not matter here."""
        self._start_time = start_time

    def enter_initialization_mode(self) -> None:
        """Go to the start; inputs stay as they were set."""
        u, slope = self.dynamics.u, self.dynamics.slope
        self.dynamics.reset(self._start_time)
        self.dynamics.u, self.dynamics.slope = u, slope

    def exit_initialization_mode(self) -> None:
        """Do nothing: the plant is at its start."""

    def do_step(self, current_time: float, step_size: float) -> bool:
        """Carry out a step from `current_time` [s] over `step_size` [s]; False where a function fails."""
        try:
            self.dynamics.step(current_time, step_size)
        except PlantFailure as failure:
            self.log_queue.append(Message(_DISCARD, "logStatusDiscard", f"plant {self._name} {failure}"))
            return False
        return True

    def terminate(self) -> None:
        """Do nothing: nothing is held."""

    def get_real(self, references: list[int]) -> list[float]:
        """Return the values of variables by their value `references`."""
        outputs = None
        found = []
        for reference in references:
            kind, place = self._variable(reference)
            if kind == "output":
                outputs = self._outputs() if outputs is None else outputs
                found.append(float(outputs[place]))
            elif kind == "parameter":
                found.append(float(self.dynamics.parameters[place]))
            else:
                found.append(float((self.dynamics.slope if kind == "slope" else self.dynamics.u)[place]))
        return found

    def set_real(self, references: list[int], values: list[float]) -> None:
        """Set inputs and parameters, by their value `references`, to `values`."""
        for reference, value in zip(references, values, strict=True):
            kind, place = self._variable(reference)
            if kind == "parameter":
                self.dynamics.parameters[place] = value
            elif kind in ("input", "slope"):
                (self.dynamics.slope if kind == "slope" else self.dynamics.u)[place] = value

    def get_integer(self, references: list[int]) -> list[int]:
        """Return nothing: all variables are real, so no value `references` fit."""
        return [self._refuse(reference) for reference in references]

    get_boolean = get_string = get_integer

    def set_integer(self, references: list[int], values: list[Any]) -> None:
        """Set nothing: all variables are real, so no value `references` and `values` fit."""
        for reference in references:
            self._refuse(reference)

    set_boolean = set_string = set_integer

    def _outputs(self) -> Any:
        try:
            return self.dynamics.outputs()
        except PlantFailure as failure:
            self.log_queue.append(Message(_ERROR, "logStatusError", f"plant {self._name} {failure}"))
            self._retain()
            raise

    def _variable(self, reference: int) -> tuple[str, Any]:
        if not 0 < reference < len(self._variables):
            self._refuse(reference)
        return self._variables[reference]

    def _refuse(self, reference: int) -> Any:
        self._retain()
        raise TypeError(f"value reference {reference} is no variable of this kind")

    def _retain(self) -> None:
        """Survive an exception: the loader releases these when it sees one, and again when the instance is freed."""
        retain(self, type(self), self.log_queue)

    def _get_log_queue(self) -> list[Message]:
        return self.log_queue

    def _get_fmu_state(self) -> Any:
        return self._start_time, dict(self.dynamics.parameters), self.dynamics.state()

    def _set_fmu_state(self, kept: Any) -> None:
        self._start_time, self.dynamics.parameters = kept[0], dict(kept[1])
        self.dynamics.set_state(kept[2])


def _dynamics(settings: dict[str, Any], resources: Path) -> Dynamics:
    """Return the plant that the settings of the FMU describe."""
    if "matrices" in settings:
        return Linear(settings["matrices"], settings["start"], settings["dt"])
    file = settings["file"]
    if settings["module"] not in _modules:
        _modules[settings["module"]] = run(resources / file, settings["module"])[0]
    module = _modules[settings["module"]]
    g = None if settings["g"] is None else getattr(module, settings["g"])
    made = Nonlinear(getattr(module, settings["f"]), g, settings["start"], tuple(settings["counts"]), settings)
    made.parameters = dict(settings["parameters"])
    return made
