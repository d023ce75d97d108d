"""Run FMUs in Ecos: ``python -m tests.importers.ecos FOLDER FMI`` prints what happened as JSON."""

import json
import sys
from pathlib import Path

from ecospy.EcosSimulation import EcosSimulation
from ecospy.EcosSimulationStructure import EcosSimulationStructure

from tests.importers import oscillator
from tests.importers.oscillator import INPUTS, MACRO_STEP, OUTPUTS, STEPS, TYPES


class Ecos:
    """FMUs and their connections in Ecos."""

    def __init__(self, models, connections, step_size=MACRO_STEP):
        structure = EcosSimulationStructure()
        for name, path in models.items():
            structure.add_model(name, str(path))
        for connection in connections:
            connect = getattr(structure, f"make_{connection.kind}_connection")
            connect(*("::".join(end) for end in (connection.source, connection.target)))
        self.simulation = EcosSimulation(structure=structure, step_size=step_size)
        structure.free()
        assert self.simulation.init()

    def read(self, instance, names):
        """Return the values of some variables."""
        calls = {"bool": self.simulation.get_bool, "int": self.simulation.get_integer}
        return {name: calls.get(TYPES.get(name), self.simulation.get_real)(f"{instance}::{name}") for name in names}

    def step(self):
        """Take one step."""
        self.simulation.step()

    def close(self):
        """End the simulation."""
        self.simulation.terminate()
        self.simulation.free()


def run(folder, fmi):
    """Return the records of every coupling FMU and the signals that the prototypes send after each step."""
    tool = Ecos(oscillator.build(folder, fmi), oscillator.connections())
    records = {signal: [] for signal in oscillator.PATHS}
    sent = {signal: [] for signal in oscillator.PATHS}
    before = {signal: tool.read(f"coupling_{signal}", ["time", *INPUTS]) for signal in records}
    for _ in range(STEPS):
        tool.step()
        for signal, (sender, receiver) in oscillator.PATHS.items():
            now = tool.read(f"coupling_{signal}", ["time", *INPUTS, *OUTPUTS])
            records[signal].append(oscillator.refreshed(before[signal], now, tool.read(receiver, [signal])[signal]))
            sent[signal].append(tool.read(sender, [signal])[signal])
            before[signal] = now
    tool.close()
    return {"records": records, "sent": sent}


if __name__ == "__main__":
    place, version = Path(sys.argv[1]), sys.argv[2]
    print(json.dumps(run(place, version)))
