"""The description from which fmucontainer (FMU Manipulation Toolbox) makes one FMU of a whole system."""

from __future__ import annotations

import json

from couplant.config.hosts import SEQUENTIAL
from couplant.elsewhere.export.ssp import text_of
from couplant.elsewhere.export.system import SETTABLE, System

NAME = "container.json"
"""Of the file."""


def container(system: System, folder: str) -> str:
    """Return the text of the description; the FMUs lie in `folder`, relative to it.

    FMUs are listed in the order in which they step where the container is sequential. Its outputs are those of the
    prototypes and coupling FMUs, named as in a scenario: `mass_1.x1`, `f_coupling.y_hat`.
    """
    files = {part.name: f"{folder}/{part.fmu.name}" for part in system.parts}
    content = {
        "name": f"{system.name}.fmu",
        "step_size": system.step,
        "sequential": system.host == SEQUENTIAL,
        **dict.fromkeys(("auto_link", "auto_input", "auto_output"), False),
        "fmu": [*files.values()],
        "link": [[files[a.part], a.name, files[b.part], b.name] for a, b in system.connections],
        "output": [[files[p.name], v.name, f"{p.name}.{v.name}"] for p in system.parts for v in p.outputs],
        "start": [
            [files[part.name], port.name, text_of(value)]
            for part in system.parts
            for port, value in part.parameters
            if port.kind in SETTABLE
        ],
    }
    return json.dumps(content, indent=2) + "\n"
