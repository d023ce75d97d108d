"""Settings that an FMU reads at instantiation: `settings.txt` in its resources, or the same as C in its sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from couplant.base.written import hexadecimal


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
