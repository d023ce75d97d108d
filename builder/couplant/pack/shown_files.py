"""What an importer shows of an FMU, as files: page, licences, icon and, in FMI 3, terminals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from couplant import paths
from couplant.inline import script_hash
from couplant.pack.shown import LICENCES, PAGE, TERMINALS, Shown, licence_text, page, terminals
from couplant.pack.xml import ModelDescription

ICONS = {
    "2": {"model.png": "importer/icon.png"},
    "3": {f"terminalsAndIcons/icon.{kind}": f"importer/icon.{kind}" for kind in ("png", "svg")},
}
"""Pictures by version of the standard: what they are below ``resources``, by their names in an FMU."""


def shown_files(
    description: ModelDescription, fmi: str, shown: Shown, carried: Iterable[str], licences: Sequence[str]
) -> dict[str, bytes]:
    """Return what an importer of version `fmi` shows of an FMU, by names inside the archive.

    Parameters
    ----------
    shown : Shown
        What the page and the terminals tell besides the variables.
    carried : iterable of str
        Names of the other files of the FMU.
    licences : sequence of str
        Licences of what it has from others.

    Raises
    ------
    CouplantError
        If the installation lacks one of the files that every FMU carries.
    """
    own = paths.licence().read_text(encoding="utf-8")
    files = {
        PAGE: page(description, fmi, shown, sorted(carried), frame()).encode(),
        LICENCES: licence_text([own, *licences]).encode(),
    }
    files |= {name: paths.resource(picture).read_bytes() for name, picture in ICONS[fmi].items()}
    return files | ({TERMINALS: terminals(shown.terminals).encode()} if fmi == "3" else {})


def header_licence(fmi: str) -> str:
    """Return the licence of the headers of the standard of version `fmi`, as they have it."""
    header = paths.resource(f"headers/fmi{fmi}/fmi{fmi}Functions.h").read_text(encoding="utf-8")
    text = header[header.index("Copyright (C)") : header.index("*/")]
    lines = [line.strip() for line in text.strip().splitlines()]
    return f"Headers of FMI {fmi}.0\n\n" + "\n".join(line for line in lines if line.strip("-")) + "\n"


@cache
def frame() -> tuple[str, str]:
    """Return what stands before and behind the data of a page, which allows its own script and no other."""
    text = paths.resource("importer/index.html").read_text(encoding="utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", text, flags=re.DOTALL)
    before, after = text.replace("@HASH@", script_hash(script)).split("@DATA@")
    return before, after
