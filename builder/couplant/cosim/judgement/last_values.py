"""Last values of a run's coupling FMUs: counts of messages, weights that networks have learnt."""

from __future__ import annotations

from collections.abc import Mapping

import tomlkit

from couplant.base.arrays import Vector
from couplant.config.ref import Ref
from couplant.cosim.fmu.component import Component

COUNTS = ("lost", "late", "reordered")

Weights = tuple[float, ...]


def count_outputs(coupling: Component) -> list[Ref]:
    """Return the outputs that count messages; none where the coupling FMU has no stamps to count by."""
    return [Ref(coupling.name, f"messages.{name}") for name in COUNTS if f"messages.{name}" in coupling.ports]


def last_counts(coupling: str, watched: Mapping[Ref, Vector]) -> dict[str, int]:
    """Return the counts at the end of a run; `coupling` is the FMU, `watched` are outputs, shape (N,)."""
    refs = {name: Ref(coupling, f"messages.{name}") for name in COUNTS}
    return {name: int(watched[ref][-1]) for name, ref in refs.items() if ref in watched}


def weight_outputs(coupling: Component) -> list[Ref]:
    """Return the outputs with the weights in use; none where the coupling FMU has no network."""
    names = [name for name in coupling.ports if name.startswith("learning.weights[")]
    return [Ref(coupling.name, name) for name in names]


def last_weights(coupling: str, watched: Mapping[Ref, Vector]) -> Weights:
    """Return the weights in use at the end of a run; `coupling` is the FMU, `watched` are outputs, shape (N,)."""
    found = [ref for ref in watched if ref.component == coupling and ref.variable.startswith("learning.weights[")]
    return tuple(float(watched[ref][-1]) for ref in found)


def learnt_text(learnt: Mapping[str, Weights]) -> str:
    """Return weights by signal as the TOML file that the key `network.learnt` names."""
    signals = {name: {"network": {"weights": list(weights)}} for name, weights in learnt.items()}
    return tomlkit.dumps({"signals": signals})
