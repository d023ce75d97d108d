"""Description and settings of an FMU, and the files that follow from them alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from couplant.pack.archive.hashes import sha256
from couplant.pack.archive.identity import identity_text
from couplant.pack.archive.settings_file import SettingsFile
from couplant.pack.archive.stream import Packed
from couplant.pack.describe.shown import Around, Shown, shown_files
from couplant.pack.describe.xml import ModelDescription, write_xml

DESCRIPTION = "modelDescription.xml"
SETTINGS = "resources/settings.txt"
_VARIANT = "89ab"
"""First digits of the fourth part of a UUID (RFC 9562)."""


@dataclass(frozen=True)
class Plan:
    """Plan of an FMU: all that it does not share with others of its backend."""

    description: ModelDescription  # without token and sources
    lists: Mapping[str, Sequence[float]]  # its settings
    # what it carries besides by name, such as its reference result; no part of its identity
    files: Mapping[str, bytes] = field(default_factory=dict)
    shown: Shown = field(default_factory=Shown)  # what importers show of it besides; no part of its identity either


def identified(plan: Plan, fmi: str, digest: str) -> SettingsFile:
    """Return the settings of an FMU of version `fmi` with what tells it from all others.

    What runs in it has the hash `digest`. Its token is a UUID of version 5.
    """
    found = sha256(identity_text(plan.description, fmi, plan.lists, digest))
    variant = _VARIANT[int(found[16], 16) % 4]
    parts = (found[:8], found[8:12], "5" + found[13:16], variant + found[17:20], found[20:32])
    return SettingsFile("{" + "-".join(parts) + "}", found[:16], plan.lists)


def whole(
    plan: Plan,
    fmi: str,
    settings: SettingsFile,
    runs: Mapping[str, bytes | Packed],
    around: Around,
    source_files: tuple[str, ...] = (),
) -> dict[str, bytes | Packed]:
    """Return all files of an FMU of version `fmi` by their names in the archive.

    Parameters
    ----------
    settings : SettingsFile
        Those of `identified`.
    runs : mapping of str to bytes or Packed
        What runs in it.
    around : Around
        What other FMUs show, too.
    source_files : tuple of str
        What an importer may compile.
    """
    description = replace(plan.description, token=settings.token, source_files=source_files)
    files: dict[str, bytes | Packed] = {
        DESCRIPTION: write_xml(description, fmi).encode(),
        SETTINGS: settings.text().encode(),
        **runs,
        **plan.files,
    }
    return {**files, **shown_files(description, fmi, plan.shown, list(files), around)}
