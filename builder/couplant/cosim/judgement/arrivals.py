"""How many messages a network lost, delayed and reordered in a run: read from the coupling FMUs that count them."""

from __future__ import annotations

from collections.abc import Mapping

from couplant.base.arrays import Vector
from couplant.config.ref import Ref
from couplant.cosim.fmu.component import Component

COUNTS = ("lost", "late", "reordered")


def count_outputs(coupling: Component) -> list[Ref]:
    """Return the outputs that count messages; none where the coupling FMU has no stamps to count by."""
    return [Ref(coupling.name, f"messages.{name}") for name in COUNTS if f"messages.{name}" in coupling.ports]


def last_counts(coupling: str, watched: Mapping[Ref, Vector]) -> dict[str, int]:
    """Return the counts at the end of a run; `coupling` is the FMU, `watched` are outputs, shape (N,)."""
    refs = {name: Ref(coupling, f"messages.{name}") for name in COUNTS}
    return {name: int(watched[ref][-1]) for name, ref in refs.items() if ref in watched}
