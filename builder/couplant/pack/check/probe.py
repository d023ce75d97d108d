"""``python -m couplant.pack.check.probe``: start values, a short run, the reference result of unpacked FMUs.

In a process of its own, which `couplant.pack.check.child` talks to.
"""

import json
import struct
import sys
from itertools import islice
from pathlib import Path
from typing import Any

from fmpy import read_model_description
from fmpy.fmi1 import FMICallException
from fmpy.model_description import ModelDescription, ScalarVariable
from fmpy.simulation import instantiate_fmu

from couplant.base.isolation import private_pipes
from couplant.pack.reference import INPUTS, OUTPUTS, STEP_SIZE, TIME
from couplant.tables import open_table

Row = dict[str, float]
Variables = dict[str, ScalarVariable]

_MOST = 200
_STEPS = 10
_STEP_SIZE = 0.01
_REALS = ("Real", "Float64")
_FMI2 = {"Real": "Real", "Integer": "Integer", "Enumeration": "Integer", "Boolean": "Boolean"}
_FMI3 = {"Float64": "Float64", "Int32": "Int32", "Enumeration": "Int64", "Boolean": "Boolean"}
"""How values of each type are read and set, by the version of the standard."""

_LARGEST = 2**24  # size of a table of the reference result [byte]

_OF_COUPLINGS = {"y", "y_hat", "macro_step"}


class Instance:
    """An instance of an extracted FMU in Initialization Mode at 0 s; freed at the end of a ``with`` block."""

    def __init__(self, folder: str, description: ModelDescription) -> None:
        self._is_fmi2 = description.fmiVersion == "2.0"
        self._types = _FMI2 if self._is_fmi2 else _FMI3
        self._fmu: Any = instantiate_fmu(folder, description, fmi_type="CoSimulation")
        if self._is_fmi2:
            self._fmu.setupExperiment(startTime=0.0)
        self._fmu.enterInitializationMode()

    def __enter__(self) -> "Instance":
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
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
        call([variable.valueReference], [value if variable.type in _REALS else int(value)])

    def goes_on(self, time: float, size: float, refusal_ends: bool = True) -> bool:
        """Carry out a communication step; return False if the FMU ends the run with it.

        It goes from `time` on, of the length `size` [s]; a refused step counts as the end, as FMI 2 says it, if
        `refusal_ends`. Raise `FMICallException` if the FMU refuses and that is not the end.
        """
        try:
            answer = self._fmu.doStep(currentCommunicationPoint=time, communicationStepSize=size)
        except FMICallException:
            if not refusal_ends:
                raise
            return False
        return self._is_fmi2 or not answer[1]


def probe(folder: str) -> list[str]:
    """Load an unpacked FMU, compare start values, take some steps, compare the reference result."""
    try:
        description = read_model_description(folder, validate=False)
        if description.coSimulation is None:
            return ["it is not for co-simulation."]
        with Instance(folder, description) as instance:
            every = (text for variable in description.modelVariables for text in _difference(instance, variable))
            differences = list(islice(every, _MOST))
            instance.begin()
            experiment = description.defaultExperiment
            size = float(experiment.stepSize or _STEP_SIZE) if experiment is not None else _STEP_SIZE
            for n in range(_STEPS):
                instance.goes_on(n * size, size, refusal_ends=False)
            instance.end()
        return differences or compare_reference(folder, description)
    except Exception as error:  # fmpy raises bare exceptions, and a foreign binary anything
        return [f"a short run failed: {' '.join(str(error).replace(f'{folder}/', '').split())}"]


def _difference(instance: Instance, variable: ScalarVariable) -> list[str]:
    if variable.start is None or variable.initial != "exact" or not instance.knows(variable):
        return []
    got, start = instance.get(variable), variable.start
    if variable.type == "Boolean":
        wanted: float = str(start).lower() in ("true", "1")
    else:
        wanted = float(start) if variable.type in _REALS else int(start)
    return [] if got == wanted else [f"{variable.name} starts with {got}, its model description says {wanted}."]


def compare_reference(folder: str, description: ModelDescription) -> list[str]:
    """Return mistakes in an extracted coupling FMU or its reference result, one sentence at most."""
    variables = {variable.name: variable for variable in description.modelVariables}
    if not (description.generationTool or "").startswith("couplant") or not variables.keys() >= _OF_COUPLINGS:
        return []
    missing = [name for name in (INPUTS, OUTPUTS) if not Path(folder, name).is_file()]
    if missing:
        return [f"its reference result is incomplete: {missing[0]} is missing."]
    try:
        inputs = _read(Path(folder, INPUTS), {TIME, STEP_SIZE}, _names(variables, "input"))
        outputs = _read(Path(folder, OUTPUTS), {TIME} | _names(variables, "output"), set())
    except ValueError as error:
        return [f"its reference result is damaged: {str(error).removesuffix('.')}."]
    with Instance(folder, description) as instance:
        return _compare(instance, variables, inputs, outputs)


def _names(variables: Variables, causality: str) -> set[str]:
    return {name for name, variable in variables.items() if variable.causality == causality}


def _read(path: Path, needed: set[str], allowed: set[str]) -> list[Row]:
    if path.stat().st_size > _LARGEST:
        raise ValueError(f"{path.name} has {path.stat().st_size} bytes, allowed {_LARGEST}")
    table = open_table(path, delimiter=",", origin=path.name)
    columns = set(table.names)
    if not needed <= columns <= needed | allowed:
        odd = sorted((needed - columns) or (columns - needed - allowed))
        raise ValueError(f"{path.name} {'misses' if needed - columns else 'has'} the column {odd[0]}")
    return list(table.records())


def _compare(instance: Instance, variables: Variables, inputs: list[Row], outputs: list[Row]) -> list[str]:
    instance.begin()
    before = bool(outputs) and outputs[0][TIME] == inputs[0][TIME]  # event timing: read before the step
    for n, row in enumerate(inputs):
        time, size = row[TIME], row[STEP_SIZE]
        for name in row.keys() - {TIME, STEP_SIZE}:
            instance.set(variables[name], row[name])
        expected = outputs[n : n + 1]
        different = _differences(instance, variables, expected, time) if before else []
        if not different and not instance.goes_on(time, size):
            ends = n + before == len(outputs)
            return [] if ends else [f"it ends its run at {time!r} s, its reference result goes on."]
        if not expected:
            return [f"its run goes on at {time!r} s, where its reference result ends."]
        different = different if before else _differences(instance, variables, expected, time + size)
        if different:
            return different[:1]
    instance.end()
    return []


def _differences(instance: Instance, variables: Variables, expected: list[Row], time: float) -> list[str]:
    """Return how the FMU differs at `time` [s] from what is expected there: one row, or none."""
    return [text for row in expected for text in _of_row(instance, variables, row, time)]


def _of_row(instance: Instance, variables: Variables, row: Row, time: float) -> list[str]:
    if row[TIME] != time:
        return [f"its reference result is damaged: outputs at {row[TIME]!r} s, inputs for {time!r} s."]
    found = {name: float(instance.get(variables[name])) for name in row if name != TIME}
    return [
        f"{name} = {value!r} at {time!r} s, its reference result says {row[name]!r}."
        for name, value in found.items()
        if struct.pack("<d", value) != struct.pack("<d", row[name])  # bit for bit
    ]


def serve() -> None:
    """Answer a line, the folder of an unpacked FMU, by a line: what is wrong with it, and whether to ask again.

    An FMU whose code stays, as modules of Python do, is the last one of a process.
    """
    requests, answers = private_pipes()
    known = set(sys.modules)
    for line in requests:
        folder = str(json.loads(line))
        problems = probe(folder)
        stays = any(_is_below(folder, name) for name in set(sys.modules) - known)
        said = {"problems": problems, "again": not stays}
        answers.write(json.dumps(said).encode() + b"\n")
        answers.flush()


def _is_below(folder: str, module: str) -> bool:
    return str(getattr(sys.modules[module], "__file__", None) or "").startswith(folder)


if __name__ == "__main__":
    serve()
