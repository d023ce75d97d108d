"""The crane of example 10 with an FMU that watches its bond: ``python -m tests.importers.crane FOLDER TOOL FMI``."""

import json
import sys
from pathlib import Path

from couplant.pack.models import build_model_fmu
from tests.importers.oscillator import Connection
from tests.prototypes import model

H, STEPS = 0.01, 1000
LINES = {
    ("cylinder", "f"): (("arm", "f"), ("bond", "u1[1]"), ("bond", "y2[1]")),
    ("arm", "v"): (("cylinder", "v"), ("bond", "y1[1]"), ("bond", "u2[1]")),
    ("arm", "s"): (("cylinder", "s"),),
}


def build(folder, fmi):
    """Return the FMUs by instance, in a folder."""
    names = {"arm": "crane_arm", "cylinder": "crane_cylinder", "bond": "power_bonds"}
    return {instance: build_model_fmu(model(name), folder, fmi=fmi) for instance, name in names.items()}


def tool_of(name, models):
    """Return the system in a tool, ``"ecos"`` or ``"libcosim"``."""
    lines = [Connection(source, target) for source, targets in LINES.items() for target in targets]
    if name == "ecos":
        from tests.importers.ecos import Ecos

        return Ecos(models, lines, H)
    from tests.importers.libcosim import NANOSECONDS, Osp

    return Osp(models, lines, round(H * NANOSECONDS))


def run(folder, name, fmi):
    """Return the length of the cylinder and the residual energy that is told after each step."""
    tool, lengths, energies = tool_of(name, build(folder, fmi)), [], []
    for _ in range(STEPS):
        tool.step()
        lengths.append(tool.read("arm", ["s"])["s"])
        energies.append(tool.read("bond", ["energy_residual[1]"])["energy_residual[1]"])
    return {"lengths": lengths, "energies": energies}


if __name__ == "__main__":
    print(json.dumps(run(Path(sys.argv[1]), *sys.argv[2:])))
