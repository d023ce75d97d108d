"""The prototypes at the ends of an interface: which of their inputs act on which outputs at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from couplant.base.archives import read_description
from couplant.config.leads import Described

if TYPE_CHECKING:
    from fmpy.model_description import ModelDescription


def describe_fmu(path: Path) -> Described:
    """Return the direct feedthrough of an FMU and all its inputs."""
    description = read_description(path)
    return Described(str(path), direct_feedthrough(description), inputs_of(description))


def direct_feedthrough(description: ModelDescription) -> dict[str, tuple[str, ...]]:
    """Return by output the inputs that act on it at once, as a model description says it; silence means all.

    FMI 1.0 is silent here, and an FMU whose model structure does not list an output.
    """
    inputs = inputs_of(description)
    told = {
        unknown.variable.name: tuple(d.name for d in unknown.dependencies if d.name in inputs)
        for unknown in description.outputs
        if unknown.dependencies is not None
    }
    outputs = [v for v in description.modelVariables if v.causality == "output"]
    return {v.name: told.get(getattr(v.alias, "name", v.name), inputs) for v in outputs}  # FMI 3 lists no aliases


def inputs_of(description: ModelDescription) -> tuple[str, ...]:
    """Return the names of the inputs of a model description."""
    return tuple(v.name for v in description.modelVariables if v.causality == "input")
