"""``python -m couplant.pack.check.probe FOLDER FILE``: start values, a short run, the reference result of an FMU.

In a process of its own, on an unpacked FMU; what is wrong is written to the file, as a JSON list of sentences.
"""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path
from typing import Any

from fmpy import read_model_description
from fmpy.model_description import ModelDescription, ScalarVariable

from couplant.pack.check.instance import Instance
from couplant.pack.check.reference import compare_reference

_MOST = 200
_STEPS = 10
_STEP_SIZE = 0.01
_REALS = ("Real", "Float64")


def probe(folder: str) -> list[str]:
    """Load an unpacked FMU, compare start values, take some steps, compare the reference result."""
    try:
        description = read_model_description(folder, validate=False)
        if description.coSimulation is None:
            return ["it is not for co-simulation."]
        return _exercise(description, folder)
    except Exception as error:  # fmpy raises bare exceptions, and a foreign binary anything
        return [f"a short run failed: {' '.join(str(error).replace(f'{folder}/', '').split())}"]


def _exercise(description: ModelDescription, folder: str) -> list[str]:
    with Instance(folder, description) as instance:
        every = (text for variable in description.modelVariables for text in _difference(instance, variable))
        differences = list(islice(every, _MOST))
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
    got, wanted = instance.get(variable), _wanted_value(variable)
    return [] if got == wanted else [f"{variable.name} starts with {got}, its model description says {wanted}."]


def _wanted_value(variable: ScalarVariable) -> float | int | bool:
    if variable.type == "Boolean":
        return _truth(variable.start)
    return float(variable.start) if variable.type in _REALS else int(variable.start)


def _truth(start: Any) -> bool:
    return str(start).lower() in ("true", "1")


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(probe(sys.argv[1])), encoding="utf-8")
