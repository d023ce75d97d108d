"""Weights that networks have learnt in a run: read from their FMUs, written as a file that the next run starts from."""

from __future__ import annotations

from collections.abc import Mapping

import tomlkit

from couplant.base.arrays import Vector
from couplant.config.ref import Ref
from couplant.cosim.fmu.component import Component

Weights = tuple[float, ...]


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
