"""The FMUs of an SSP: their model descriptions, as far as they can be read."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from couplant.base.archives import one_line, read_description
from couplant.base.errors import UsageError
from couplant.config.load import direct_feedthrough
from couplant.config.ref import Ref
from couplant.elsewhere.ssp.description import Connector, Part, System
from couplant.elsewhere.ssp.package import Package

if TYPE_CHECKING:
    from fmpy.model_description import ModelDescription, ScalarVariable

_COUPLING = {"y", "y_hat"}
_NETWORK = {"value", "received", "stamp", "valid", "latency.mode"}
_PREFACE = ": not an FMU that can be read: "


class Fmus:
    """Model descriptions by component, of an archive whose FMUs are copied to the folder `scratch` for reading."""

    def __init__(self, package: Package, scratch: Path) -> None:
        self._package, self._scratch = package, scratch
        self._found: dict[str, ModelDescription | None] = {}
        self.unread: dict[str, str] = {}  # why FMUs cannot be read, by source

    def description(self, part: Part) -> ModelDescription | None:
        """Return the model description of a component, None if it has none that can be read."""
        if part.source not in self._found:
            self._found[part.source] = self._read(part.source)
        return self._found[part.source]

    def connectors(self, part: Part) -> Mapping[str, Connector]:
        """Return the variables of a component as connectors."""
        description = self.description(part)
        variables = description.modelVariables if description else ()
        return {v.name: Connector(str(v.causality), str(v.type), unit_of(v), bool(v.dimensions)) for v in variables}

    def feedthrough(self, part: Part) -> dict[Ref, tuple[Ref, ...]]:
        """Return the outputs of a component with the inputs that act on them at once; silence means all."""
        description = self.description(part)
        if description is not None:
            found = direct_feedthrough(description)
        else:
            inputs = tuple(name for name, c in part.connectors.items() if c.kind == "input")
            found = {name: inputs for name, c in part.connectors.items() if c.kind == "output"}
        return {Ref(part.name, o): tuple(Ref(part.name, i) for i in before) for o, before in found.items()}

    def is_network(self, part: Part) -> bool:
        """Tell whether a component is the network that comes with couplant."""
        return not isinstance(part, System) and self._is_of_couplant(part, _NETWORK)

    def is_coupling(self, part: Part) -> bool:
        """Tell whether a component runs a coupling FMU."""
        return self._is_of_couplant(part, _COUPLING)

    def version(self, part: Part) -> str:
        """Return the version of FMI that a coupling FMU for a component has: that of the component."""
        description = self.description(part)
        return "3" if description is not None and description.fmiVersion.startswith("3") else "2"

    def _is_of_couplant(self, part: Part, variables: set[str]) -> bool:
        description = self.description(part)
        names = {v.name for v in description.modelVariables} if description else set()
        return variables <= names and "couplant" in str(description.generationTool if description else "")

    def _read(self, source: str) -> ModelDescription | None:
        name = entry_of(source)
        if name not in self._package.names:
            self.unread[source] = "it is not in the archive" if source else "it is no FMU"
            return None
        path = self._scratch / f"{len(self._found)}.fmu"
        path.write_bytes(self._package.read(name))
        try:
            return read_description(path)
        except UsageError as error:
            self.unread[source] = one_line(str(error).partition(_PREFACE)[2] or str(error)).rstrip(".")
            return None
        finally:
            path.unlink()


def entry_of(source: str) -> str:
    """Return the name in the archive of what the `source` of a component names."""
    return posixpath.normpath(unquote(source).removeprefix("./")) if source else ""


def unit_of(variable: ScalarVariable) -> str | None:
    """Return the unit of a variable, from its type if it says none."""
    declared = variable.declaredType
    return variable.unit or (declared.unit if declared is not None else None) or None
