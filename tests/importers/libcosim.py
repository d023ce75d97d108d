"""Run FMUs in libcosim: ``python -m tests.importers.libcosim FOLDER`` prints what happened as JSON."""

import json
import sys
from pathlib import Path

from fmpy import read_model_description
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

from tests.importers import oscillator
from tests.importers.oscillator import INPUTS, MACRO_STEP, OUTPUTS, STEPS, TYPES

NANOSECONDS = 1_000_000_000
STEP = round(MACRO_STEP * NANOSECONDS)


def references(path):
    """Return the value references of an FMU by name."""
    return {v.name: v.valueReference for v in read_model_description(str(path)).modelVariables}


class Osp:
    """FMUs and their connections in libcosim, stepped with its fixed-step algorithm."""

    def __init__(self, models, connections, step=STEP):
        log_output_level(CosimLogLevel.ERROR)
        self.execution = CosimExecution.from_step_size(step)
        self.observer = CosimObserver.create_last_value()
        self.execution.add_observer(self.observer)
        self.slaves = {name: CosimLocalSlave(str(path), name) for name, path in models.items()}
        self.indices = {name: self.execution.add_local_slave(slave) for name, slave in self.slaves.items()}
        self.references = {name: references(path) for name, path in models.items()}
        for connection in connections:
            self._connect(connection)

    def _connect(self, connection):
        calls = {
            "real": self.execution.connect_real_variables,
            "int": self.execution.connect_integer_variables,
            "bool": self.execution.connect_boolean_variables,
        }
        ends = [self._place(*end) for end in (connection.source, connection.target)]
        assert calls[connection.kind](*ends[0], *ends[1]) == 0

    def _place(self, instance, variable):
        return self.indices[instance], self.references[instance][variable]

    def read(self, instance, names):
        """Return the values of some variables after the last step; inputs are those the step was carried out with."""
        calls = {"bool": self.observer.last_boolean_values, "int": self.observer.last_integer_values}
        found = {}
        for name in names:
            index, reference = self._place(instance, name)
            found[name] = calls.get(TYPES.get(name), self.observer.last_real_values)(index, [reference])[0]
        return found

    def step(self):
        """Take one step."""
        assert self.execution.step()


def run(folder):
    """Return the records of every coupling FMU and the signals that the prototypes send after each step."""
    tool = Osp(oscillator.build(folder, "2"), oscillator.connections())
    records = {signal: [] for signal in oscillator.PATHS}
    sent = {signal: [] for signal in oscillator.PATHS}
    time = 0.0
    for _ in range(STEPS):
        tool.step()
        for signal, (sender, receiver) in oscillator.PATHS.items():
            now = tool.read(f"coupling_{signal}", ["time", *INPUTS, *OUTPUTS])
            records[signal].append(oscillator.plain(time, now, tool.read(receiver, [signal])[signal]))
            sent[signal].append(tool.read(sender, [signal])[signal])
        time = now["time"]
    return {"records": records, "sent": sent}


if __name__ == "__main__":
    place = Path(sys.argv[1])
    print(json.dumps(run(place)))
