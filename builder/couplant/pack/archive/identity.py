"""Settings that an FMU reads, and its identity as canonical JSON: token and fingerprint are taken from its hash.

`settings.txt` in its resources, or the same as C in its sources, is read at instantiation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from couplant.base.written import hexadecimal, real
from couplant.base.written_json import canonical
from couplant.pack.describe.xml import ModelDescription, Value, Variable, written_real
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


def identity_text(description: ModelDescription, fmi: str, lists: Mapping[str, Sequence[float]], digest: str) -> str:
    """Return all that an FMU of version `fmi` is and does, as canonical JSON.

    Of its description token and sources do not count; `lists` are its settings, `digest` is the hash of what runs in
    it. Reals are texts: `couplant.base.written.real` for those of the description, hexadecimal for settings.
    """
    # all of a description but token and sources
    found = {key: value for key, value in vars(description).items() if key not in ("token", "source_files")}
    found["variables"] = [_of_variable(variable) for variable in description.variables]
    found["stop_time"], found["step_size"] = written_real(description.stop_time), written_real(description.step_size)
    # as all have them that can hand their states over
    capabilities = vars(description.capabilities)
    found["capabilities"] = {key: capabilities[key] for key in capabilities if capabilities[key] != "serialised"}
    document: dict[str, Any] = {
        "couplant": __version__,
        "description": found,
        "digest": digest,
        "fmi": fmi,
        "settings": [[key, [hexadecimal(value) for value in lists[key]]] for key in lists],
    }
    return canonical(document)


def _of_variable(variable: Variable) -> dict[str, Any]:
    found = dict(vars(variable))
    found["enum"] = None if variable.enum is None else vars(variable.enum)
    for key, value in (("start", variable.start), ("min", variable.min), ("max", variable.max)):
        found[key] = _of_value(variable, value)
    return found


def _of_value(variable: Variable, value: Value | None) -> str | int | bool | None:
    if value is None:
        return None
    if variable.type == "Real":
        return real(value)
    return bool(value) if variable.type == "Boolean" else int(value)
