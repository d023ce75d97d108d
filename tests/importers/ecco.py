"""The quarter car in libcosim with its ECCO: ``python -m tests.importers.ecco FOLDER`` prints steps and energies."""

import json
import sys
from pathlib import Path

from libcosimpy.CosimAlgorithm import CosimAlgorithm, EccoParams
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

from couplant.pack.models import build_model_fmu
from tests.importers.libcosim import NANOSECONDS, references
from tests.prototypes import PUBLISHED

SCALE = 750.0
"""E0, energy of the wheel's spring at the start [J]."""
CHASSIS = {"m1": 400.0, "c1": 0.0, "d1": 0.0, "force.amplitude": 0.0}
CASES = {
    "linear, fine": (2.8e-6, 4.0, {}),
    "linear, coarse": (3.1e-5, 4.0, {}),
    "root, fine": (7.5e-6, 2.0, {"suspension.damping": 900.0, "suspension.root": True}),
    "root, coarse": (1e-4, 2.0, {"suspension.damping": 900.0, "suspension.root": True}),
}
"""Tolerance r [-], duration [s], parameters of the wheel."""


class QuarterCar:
    """Chassis and wheel in libcosim, tied by a power bond."""

    def __init__(self, chassis, wheel, tolerance):
        log_output_level(CosimLogLevel.ERROR)
        # safety, first, min, max, rates, absolute tolerance (r E0), r, gains
        algorithm = CosimAlgorithm.create_ecco_algorithm(
            EccoParams(0.8, 1e-4, 1e-4, 1e-2, 0.2, 1.5, SCALE * tolerance, tolerance, 0.2, 0.15)
        )
        self.execution = CosimExecution.from_algorithm(algorithm)
        self.observer = CosimObserver.create_last_value()
        self.execution.add_observer(self.observer)
        paths = {"chassis": chassis, "wheel": wheel}
        self._slaves = [CosimLocalSlave(str(path), name) for name, path in paths.items()]
        self._body, self._tyre = (self.execution.add_local_slave(slave) for slave in self._slaves)
        body, tyre = (references(path) for path in paths.values())
        self._v, self._f = body["v1"], tyre["f"]
        bond = (self._body, self._v, body["f"], self._tyre, self._f, tyre["velocity"])
        assert algorithm.add_power_bond(*bond) == 0
        assert self.execution.connect_real_variables(self._tyre, self._f, self._body, body["f"]) == 0
        assert self.execution.connect_real_variables(self._body, self._v, self._tyre, tyre["velocity"]) == 0

    def values(self):
        """Return force on the chassis and its velocity."""
        force = self.observer.last_real_values(self._tyre, [self._f])[0]
        return force, self.observer.last_real_values(self._body, [self._v])[0]

    def run(self, duration):
        """Return the number of steps to the end and the energy created [J].

        libcosim counts the step that comes next as the one that it has taken: its clock tells the length of the coming
        step, and is ahead by that less the first one.
        """
        steps, created, taken, h, time = 0, 0.0, 0.0, 1e-4, 0.0
        before = (0.0, 0.0)
        while taken < duration - 1e-9:
            assert self.execution.step()
            after = self.values()
            created += (before[0] * after[1] - after[0] * before[1]) * h
            steps, taken, before = steps + 1, taken + h, after
            now = self.execution.status().current_time / NANOSECONDS
            h, time = now - time, now
        return steps, created


def run(folder):
    """Return steps and energy of each case."""
    chassis = build_model_fmu("mass_1", folder, file_name="chassis", **CHASSIS)
    found = {}
    for i, (name, (tolerance, duration, starts)) in enumerate(CASES.items()):
        wheel = build_model_fmu(PUBLISHED / "quarter_car", folder, file_name=f"wheel_{i}", **starts)
        found[name] = QuarterCar(chassis, wheel, tolerance).run(duration)
    return {"records": {}, "found": found}


if __name__ == "__main__":
    print(json.dumps(run(Path(sys.argv[1]))))
