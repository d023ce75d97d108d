"""``python -m couplant.pack.check.probe FMU``: start values, a short run, the reference result, in its own process.

The last line of the output is a JSON list of sentences.
"""

from __future__ import annotations

import json
import shutil
import sys
from typing import Any

from fmpy import extract, read_model_description
from fmpy.model_description import ModelDescription, ScalarVariable

from couplant.pack.check.instance import Instance
from couplant.pack.check.reference import compare_reference

_STEPS = 10
_STEP_SIZE = 0.01
_REALS = ("Real", "Float64")


def probe(path: str) -> list[str]:
    """Load an FMU, compare start values, take some steps, compare the reference result."""
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
    with Instance(folder, description) as instance:
        differences = [text for variable in description.modelVariables for text in _difference(instance, variable)]
        instance.begin()
        experiment = description.defaultExperiment
        size = float(experiment.stepSize or _STEP_SIZE) if experiment is not None else _STEP_SIZE
        for n in range(_STEPS):
            instance.step(n * size, size)
        instance.end()
    return differences or compare_reference(folder, description)


def _difference(instance: Instance, variable: ScalarVariable) -> list[str]:
    if variable.start is None or variable.initial != "exact" or not instance.knows(variable):
        return []
    got, wanted = instance.get(variable), _wanted(variable)
    return [] if got == wanted else [f"{variable.name} starts with {got}, its model description says {wanted}."]


def _wanted(variable: ScalarVariable) -> float | int | bool:
    if variable.type == "Boolean":
        return _truth(variable.start)
    return float(variable.start) if variable.type in _REALS else int(variable.start)


def _truth(start: Any) -> bool:
    return str(start).lower() in ("true", "1")


if __name__ == "__main__":
    print(json.dumps(probe(sys.argv[1])))
