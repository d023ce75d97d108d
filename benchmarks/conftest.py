"""FMUs to measure, loaded with FMPy."""

from __future__ import annotations

import shutil
from contextlib import contextmanager

from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave


class Stepper:
    """One call is one communication step as an importer makes it: set the input, step, get the output."""

    def __init__(self, fmu, references, names, step):
        self.fmu, self.references, self.step = fmu, references, step
        self.inputs, self.outputs = ([references[name]] for name in names)
        self.n = 0

    def __call__(self, value):
        self.fmu.setReal(self.inputs, [value])
        self.fmu.doStep(self.n * self.step, self.step)
        self.n += 1
        return self.fmu.getReal(self.outputs)[0]


@contextmanager
def stepper(path, source, target, step):
    """Load an FMU, initialise it, yield its `Stepper`, free it."""
    folder = extract(str(path))
    description = read_model_description(folder, validate=False)
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    identifier = description.coSimulation.modelIdentifier
    fmu = FMU2Slave(guid=description.guid, unzipDirectory=folder, modelIdentifier=identifier, instanceName=identifier)
    fmu.instantiate()
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    try:
        yield Stepper(fmu, references, (source, target), step)
    finally:
        fmu.terminate()
        fmu.freeInstance()
        shutil.rmtree(folder, ignore_errors=True)
