"""Runs of a scenario as the publications have them: there is none without a coupling algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from couplant import cosim
from couplant.cosim import Result


def simulate(scenario: Path, assignments: Sequence[str] = ()) -> Result:
    """Simulate a scenario, changed by `assignments`, without the plain wire.

    Raises
    ------
    CouplantError
        If it cannot run.
    """
    return cosim.simulate(scenario, ["wire=false", *assignments])
