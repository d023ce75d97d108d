"""An importer to look at from outside: `python -m tests.learning.traced FMU STEPS` marks doStep in the system calls.

Prints the number of new weights that were taken. The marks are questions for files that do not exist.
"""

import math
import os
import sys
import time

from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave

BEGIN, END = "/couplant-step-begins", "/couplant-step-ends"
STEP = 0.02
PAUSE = 0.001
"""Real time for the server between two steps [s]."""


def main(path: str, steps: int) -> None:
    """Step the FMU at `path` through a tone."""
    description = read_model_description(path)
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    name = description.coSimulation.modelIdentifier
    fmu = FMU2Slave(guid=description.guid, unzipDirectory=extract(path), modelIdentifier=name, instanceName=name)
    fmu.instantiate()
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    for n in range(steps):
        fmu.setReal([references["y"]], [math.sin(0.11 * n) + 0.3 * math.sin(0.3 * n + 1.0)])
        os.access(BEGIN, os.F_OK)
        fmu.doStep(n * STEP, STEP)
        os.access(END, os.F_OK)
        time.sleep(PAUSE)
    print(fmu.getInteger([references["learning.accepted"]])[0])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
