"""``python -m couplant.check.probe FMU``: start values and a short run, in a process that may crash.

The last line of the output is a JSON list of sentences.
"""

from __future__ import annotations

import json
import shutil
import sys
from typing import Any

from fmpy import extract, read_model_description
from fmpy.model_description import ModelDescription, ScalarVariable
from fmpy.simulation import instantiate_fmu

_STEPS = 10
_STEP_SIZE = 0.01
_REALS = ("Real", "Float64")
_INTEGERS = ("Integer", "Int32", "Enumeration")


def probe(path: str) -> list[str]:
    """Load an FMU, compare the start values with the model description, take some steps.

    Parameters
    ----------
    path : str
        The FMU file.
    """
    folder = extract(path)
    try:
        description = read_model_description(folder, validate=False)
        if description.coSimulation is None:
            return ["it is not for co-simulation."]
        return _exercise(description, folder)
    except Exception as error:  # fmpy raises bare exceptions, and a foreign binary anything
        return [f"a short run failed: {' '.join(str(error).replace(f'{folder}/', '').split())}"]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _exercise(description: ModelDescription, folder: str) -> list[str]:
    fmu = instantiate_fmu(folder, description, fmi_type="CoSimulation")
    try:
        if description.fmiVersion == "2.0":
            fmu.setupExperiment(startTime=0.0)
        fmu.enterInitializationMode()
        differences = [text for variable in description.modelVariables for text in _difference(fmu, variable)]
        fmu.exitInitializationMode()
        experiment = description.defaultExperiment
        _step(fmu, float(experiment.stepSize or _STEP_SIZE) if experiment is not None else _STEP_SIZE)
        fmu.terminate()
    finally:
        fmu.freeInstance()
    return differences


def _step(fmu: Any, size: float) -> None:
    for n in range(_STEPS):
        fmu.doStep(currentCommunicationPoint=n * size, communicationStepSize=size)


def _difference(fmu: Any, variable: ScalarVariable) -> list[str]:
    if variable.start is None or variable.initial != "exact" or variable.dimensions:
        return []
    if variable.type in _REALS:
        got, wanted = _get(fmu, variable, "getReal", "getFloat64"), float(variable.start)
    elif variable.type in _INTEGERS:
        got, wanted = _get(fmu, variable, "getInteger", "getInt32"), int(variable.start)
    elif variable.type == "Boolean":
        got, wanted = bool(_get(fmu, variable, "getBoolean", "getBoolean")), _truth(variable.start)
    else:
        return []
    return [] if got == wanted else [f"{variable.name} starts with {got}, its model description says {wanted}."]


def _get(fmu: Any, variable: ScalarVariable, fmi2: str, fmi3: str) -> Any:
    if variable.type == "Enumeration" and not hasattr(fmu, fmi2):
        fmi3 = "getInt64"
    return getattr(fmu, fmi2 if hasattr(fmu, fmi2) else fmi3)([variable.valueReference])[0]


def _truth(start: Any) -> bool:
    return str(start).lower() in ("true", "1")


if __name__ == "__main__":
    print(json.dumps(probe(sys.argv[1])))
