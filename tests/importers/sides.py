"""Run FMUs, some of them containers, in a host: ``python -m tests.importers.sides HOST FOLDER STEPS STEP_SIZE``.

The folder has FMUs and `system.json` with connections and what is watched. Prints the values after every step as JSON.
"""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave

ROUNDS = 8
"""Of the exchange while all is initialised."""


class Slave:
    """An FMU of FMI 2.0 in FMPy."""

    def __init__(self, path):
        description, unpacked = read_model_description(str(path), validate=False), extract(str(path))
        self.variables = {v.name: (v.type, v.valueReference) for v in description.modelVariables}
        self.fmu = FMU2Slave(
            guid=description.guid,
            unzipDirectory=unpacked,
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName=path.stem,
        )

    def get(self, name):
        kind, reference = self.variables[name]
        return getattr(self.fmu, f"get{kind}")([reference])[0]

    def set(self, name, value):
        kind, reference = self.variables[name]
        getattr(self.fmu, f"set{kind}")([reference], [value])


def fmpy(folder, system, steps, step_size):
    """Set all inputs, step everything, read all outputs."""
    slaves = {path.stem: Slave(path) for path in sorted(folder.glob("*.fmu"))}
    sources = {(a, name) for a, name, _, _ in system["links"]}

    def read():
        return {(a, name): slaves[a].get(name) for a, name in sources}

    def write(values):
        for a, name, b, target in system["links"]:
            slaves[b].set(target, values[a, name])

    for slave in slaves.values():
        slave.fmu.instantiate()
        slave.fmu.setupExperiment(startTime=0.0)
        slave.fmu.enterInitializationMode()
    for _ in range(ROUNDS):
        write(read())
    for slave in slaves.values():
        slave.fmu.exitInitializationMode()
    values = read()
    for n in range(steps):
        write(values)
        for slave in slaves.values():
            slave.fmu.doStep(n * step_size, step_size)
        values = read()
        yield [slaves[a].get(name) for a, name in system["watched"].values()]


def connected(folder, system):
    """Return the FMUs by name, and the connections with the kinds of their values."""
    models = {path.stem: path for path in sorted(folder.glob("*.fmu"))}
    kinds = {"Real": "real", "Integer": "int", "Enumeration": "int", "Boolean": "bool"}
    types = {
        (model, v.name): kinds[v.type]
        for model, path in models.items()
        for v in read_model_description(str(path), validate=False).modelVariables
        if v.type in kinds
    }
    links = [
        SimpleNamespace(kind=types[a, name], source=(a, name), target=(b, target))
        for a, name, b, target in system["links"]
    ]
    return models, links


def libcosim(folder, system, steps, step_size):
    from tests.importers.libcosim import NANOSECONDS, Osp

    tool = Osp(*connected(folder, system), round(step_size * NANOSECONDS))
    for _ in range(steps):
        tool.step()
        yield [tool.read(a, [name])[name] for a, name in system["watched"].values()]


def ecos(folder, system, steps, step_size):
    """Read what receivers are given: outputs are read once more after the next inputs were set, for display only."""
    from tests.importers.ecos import Ecos

    given = {(a, name): (b, target) for a, name, b, target in system["links"]}
    tool = Ecos(*connected(folder, system), step_size)
    places = [given[a, name] for a, name in system["watched"].values()]
    for _ in range(steps):
        tool.step()
        yield [tool.read(b, [target])[target] for b, target in places]
    tool.close()


HOSTS = {"fmpy": fmpy, "libcosim": libcosim, "ecos": ecos}

if __name__ == "__main__":
    host, place, count, size = sys.argv[1:]
    system = json.loads((Path(place) / "system.json").read_text(encoding="utf-8"))
    rows = list(HOSTS[host](Path(place), system, int(count), float(size)))
    print(json.dumps(dict(zip(system["watched"], zip(*rows, strict=True), strict=True))))
