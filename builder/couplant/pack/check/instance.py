"""One interface to FMUs of both versions, for the checks that run them."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from fmpy.fmi1 import FMICallException
from fmpy.model_description import ModelDescription, ScalarVariable
from fmpy.simulation import instantiate_fmu

_FMI2 = {"Real": "Real", "Integer": "Integer", "Enumeration": "Integer", "Boolean": "Boolean"}
_FMI3 = {"Float64": "Float64", "Int32": "Int32", "Enumeration": "Int64", "Boolean": "Boolean"}


class Instance:
    """An instance of an extracted FMU in Initialization Mode at 0 s; freed at the end of a ``with`` block."""

    def __init__(self, folder: str, description: ModelDescription) -> None:
        self._is_fmi2 = description.fmiVersion == "2.0"
        self._types = _FMI2 if self._is_fmi2 else _FMI3
        self._fmu: Any = instantiate_fmu(folder, description, fmi_type="CoSimulation")
        if self._is_fmi2:
            self._fmu.setupExperiment(startTime=0.0)
        self._fmu.enterInitializationMode()

    def __enter__(self) -> Instance:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Free the instance, whatever happened."""
        self._fmu.freeInstance()

    def begin(self) -> None:
        """Leave Initialization Mode."""
        self._fmu.exitInitializationMode()

    def end(self) -> None:
        """Terminate the run."""
        self._fmu.terminate()

    def knows(self, variable: ScalarVariable) -> bool:
        """Return whether values of this type can be read here."""
        return variable.type in self._types and not variable.dimensions

    def get(self, variable: ScalarVariable) -> Any:
        """Return the value of a variable that `knows` accepts: float, int or bool."""
        value = getattr(self._fmu, f"get{self._types[variable.type]}")([variable.valueReference])[0]
        return bool(value) if variable.type == "Boolean" else value

    def set(self, variable: ScalarVariable, value: float) -> None:
        """Set a variable that `knows` accepts to `value`; integers, items and Booleans are whole numbers."""
        call = getattr(self._fmu, f"set{self._types[variable.type]}")
        call([variable.valueReference], [value if variable.type in ("Real", "Float64") else int(value)])

    def step(self, time: float, size: float) -> None:
        """Carry out a communication step of `size` from the communication point `time`, both in s.

        Raises
        ------
        FMICallException
            If the FMU refuses.
        """
        self.goes_on(time, size, refusal_ends=False)

    def goes_on(self, time: float, size: float, refusal_ends: bool = True) -> bool:
        """Carry out a communication step; return False if the FMU ends the run with it.

        It goes from `time` on, of the length `size` [s]; a refused step counts as the end, as FMI 2 says it, if
        `refusal_ends`.

        Raises
        ------
        FMICallException
            If the FMU refuses and that is not the end.
        """
        try:
            answer = self._fmu.doStep(currentCommunicationPoint=time, communicationStepSize=size)
        except FMICallException:
            if not refusal_ends:
                raise
            return False
        return self._is_fmi2 or not answer[1]
