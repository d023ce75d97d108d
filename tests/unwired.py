"""Simulation without the plain wire, for tests of what is run besides it."""

from __future__ import annotations

from typing import Any

from couplant import cosim

ALONE = "wire=false"
"""Assignment that leaves the plain wire out; "wire=true" after it has it again."""


def simulate(path: Any, assignments: Any = (), **more: Any) -> cosim.Result:
    """Simulate what a scenario names and nothing else; the parameters are those of `couplant.cosim.simulate`."""
    return cosim.simulate(path, [ALONE, *assignments], **more)
