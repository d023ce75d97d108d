"""The quarter car in Ecos, steps of 1 ms: ``python -m tests.importers.quarter_car_ecos FOLDER FMI`` prints energy."""

import json
import sys
from pathlib import Path

from ecospy.EcosSimulation import EcosSimulation
from ecospy.EcosSimulationStructure import EcosSimulationStructure

from couplant.pack.models import build_model_fmu
from tests.prototypes import PUBLISHED

H, STEPS = 1e-3, 4000


def run(folder, fmi):
    """Return the energy that holding inputs creates [J]."""
    starts = {"m1": 400.0, "c1": 0.0, "d1": 0.0, "force.amplitude": 0.0}
    structure = EcosSimulationStructure()
    structure.add_model("chassis", str(build_model_fmu("mass_1", folder, fmi=fmi, file_name="chassis", **starts)))
    structure.add_model("wheel", str(build_model_fmu(PUBLISHED / "quarter_car", folder, fmi=fmi)))
    structure.make_real_connection("wheel::f", "chassis::f")
    structure.make_real_connection("chassis::v1", "wheel::velocity")
    simulation = EcosSimulation(structure=structure, step_size=H)
    structure.free()
    assert simulation.init()
    created, before = 0.0, (0.0, 0.0)
    for _ in range(STEPS):
        simulation.step()
        after = simulation.get_real("wheel::f"), simulation.get_real("chassis::v1")
        created += (before[0] * after[1] - after[0] * before[1]) * H
        before = after
    simulation.terminate()
    simulation.free()
    return created


if __name__ == "__main__":
    print(json.dumps(run(Path(sys.argv[1]), sys.argv[2])))
