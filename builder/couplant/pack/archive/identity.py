"""Settings that an FMU reads, and its identity as canonical JSON: token and fingerprint are taken from its hash.

`settings.txt` in its resources, or the same as C in its sources, is read at instantiation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from couplant.base.written import hexadecimal, real
from couplant.base.written_json import canonical
from couplant.pack.describe.xml import EnumType, ModelDescription, Value, Variable, written_real
from couplant.version import __version__


@dataclass(frozen=True)
class SettingsFile:
    """Numbers by key, written exactly, and what tells this FMU from others."""

    token: str  # GUID or instantiation token
    fingerprint: str  # 64 bits in hexadecimal, 16 digits; states of FMUs that differ in it do not fit each other
    lists: Mapping[str, Sequence[float]]

    def text(self) -> str:
        """Return `settings.txt`."""
        lines = ["couplant settings 1", f"token {self.token}", f"hash {self.fingerprint}"]
        lines += [" ".join([key, str(len(values)), *map(hexadecimal, values)]) for key, values in self.lists.items()]
        return "\n".join(lines) + "\n"

    def header(self) -> str:
        """Return a C header that defines `cp_built_in`."""
        numbers = [", ".join(map(hexadecimal, values)) for values in self.lists.values()]
        arrays = [f"static const double cp_list_{i}[] = {{{text}}};" for i, text in enumerate(numbers)]
        rows = [f'    {{"{key}", cp_list_{i}, {len(values)}}},' for i, (key, values) in enumerate(self.lists.items())]
        whole = f'{{"{self.token}", 0x{self.fingerprint}u, cp_built_in_lists, {len(rows)}}}'
        lines = [
            "/* Settings of this FMU, as resources/settings.txt has them. */",
            *arrays,
            "static const cp_numbers cp_built_in_lists[] = {",
            *rows,
            "};",
            f"static const cp_settings cp_built_in = {whole};",
        ]
        return "\n".join(lines) + "\n"


def identity_text(
    description: ModelDescription, fmi: str, lists: Mapping[str, Sequence[float]], digest: str
) -> str:
    """Return all that an FMU of version `fmi` is and does, as canonical JSON.

    Of its description token and sources do not count; `lists` are its settings, `digest` is the hash of what runs in
    it. Reals are texts: `couplant.base.written.real` for those of the description, hexadecimal for settings.
    """
    document: dict[str, Any] = {
        "couplant": __version__,
        "description": _of_description(description),
        "digest": digest,
        "fmi": fmi,
        "settings": [[key, [hexadecimal(value) for value in lists[key]]] for key in lists],
    }
    return canonical(document)


def _of_description(description: ModelDescription) -> dict[str, Any]:
    return {
        "name": description.name,
        "variables": [_of_variable(variable) for variable in description.variables],
        "description": description.description,
        "stop_time": written_real(description.stop_time),
        "step_size": written_real(description.step_size),
        "log_categories": [[name, text] for name, text in description.log_categories],
        "capabilities": {
            "needs_execution_tool": description.capabilities.needs_execution_tool,
            "directional_derivatives": description.capabilities.directional_derivatives,
            "max_output_derivative_order": description.capabilities.max_output_derivative_order,
            "event_mode": description.capabilities.event_mode,
        },
    }


def _of_variable(variable: Variable) -> dict[str, Any]:
    return {
        "name": variable.name,
        "reference": variable.reference,
        "type": variable.type,
        "causality": variable.causality,
        "variability": variable.variability,
        "description": variable.description,
        "initial": variable.initial,
        "start": _of_value(variable, variable.start),
        "unit": variable.unit,
        "min": _of_value(variable, variable.min),
        "max": _of_value(variable, variable.max),
        "relative": variable.relative,
        "enum": _of_enumeration(variable.enum),
        "dependencies": variable.dependencies,
        "initial_dependencies": variable.initial_dependencies,
    }


def _of_enumeration(enum: EnumType | None) -> dict[str, Any] | None:
    if enum is None:
        return None
    return {"name": enum.name, "items": [[name, value, text] for name, value, text in enum.items]}


def _of_value(variable: Variable, value: Value | None) -> str | int | bool | None:
    """Return a value by the type of its variable."""
    if value is None:
        return None
    if variable.type == "Real":
        return real(value)
    return bool(value) if variable.type == "Boolean" else int(value)
