"""How hosts exchange values, in the fewest lines: an exported system, stepped by FMPy in the order of a host.

Written from the sources of the hosts and from what they were seen to do; nothing of couplant's own master is used.
"""

import json
import shutil
from contextlib import contextmanager
from pathlib import Path

from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave

from tests.importers.closed_loop import WATCHED


class Part:
    """One FMU with the ends of its connections; `inputs` are (variable, source), `outputs` variables."""

    def __init__(self, path, inputs, outputs):
        description, self.folder = read_model_description(str(path)), extract(str(path))
        self.variables = {v.name: v for v in description.modelVariables}
        self.inputs, self.outputs = inputs, outputs
        identifier = description.coSimulation.modelIdentifier
        self.fmu = FMU2Slave(
            guid=description.guid, unzipDirectory=self.folder, modelIdentifier=identifier, instanceName=path.stem
        )
        self.fmu.instantiate()
        self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()

    def put(self, values):
        for name, source in self.inputs:
            kind, value = self.variables[name].type, values[source]
            getattr(self.fmu, f"set{kind}")([self.variables[name].valueReference], [value])

    def get(self):
        for name in self.outputs:
            get = getattr(self.fmu, f"get{self.variables[name].type}")
            yield name, get([self.variables[name].valueReference])[0]


@contextmanager
def opened(folder):
    content = json.loads((folder / "container.json").read_text(encoding="utf-8"))
    links = [((Path(a).stem, b), (Path(c).stem, d)) for a, b, c, d in content["link"]]
    ends = [*(source for source, _ in links), *WATCHED.values()]
    parts = {}
    for file in content["fmu"]:
        name = Path(file).stem
        inputs = [(target[1], source) for source, target in links if target[0] == name]
        parts[name] = Part(folder / file, inputs, sorted({end[1] for end in ends if end[0] == name}))
    yield parts
    for part in parts.values():
        part.fmu.terminate()
        part.fmu.freeInstance()
        shutil.rmtree(part.folder)


def stepped(folder, steps, h, host):
    """Yield what was passed on after every step.

    jacobi: exchange while initialising, then set all, step all, read all. sequential: the same start, then one part
    after the other. zeros: as jacobi, but nothing is exchanged before the first step: connected inputs are 0 in it.
    """
    with opened(folder) as parts:
        values = {source: 0 for part in parts.values() for _, source in part.inputs}

        def get(names=parts):
            values.update({(name, variable): value for name in names for variable, value in parts[name].get()})

        if host != "zeros":
            for _ in parts:
                get()
                for part in parts.values():
                    part.put(values)
        for part in parts.values():
            part.fmu.exitInitializationMode()
        if host != "zeros":
            get()
        for n in range(steps):
            for turn in [[name] for name in parts] if host == "sequential" else [list(parts)]:
                for name in turn:
                    parts[name].put(values)
                for name in turn:
                    parts[name].fmu.doStep(n * h, h)
                get(turn)
            yield [values[end] for end in WATCHED.values()]
