"""Files that FMUs show alike, from those of the installation: frame of the page, icons, licences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from couplant.base import paths
from couplant.base.inline import script_hash
from couplant.pack.describe.shown import Around

ICONS = {
    "2": {"model.png": "importer/icon.png"},
    "3": {f"terminalsAndIcons/icon.{kind}": f"importer/icon.{kind}" for kind in ("png", "svg")},
}
"""Pictures by version of the standard: what they are below ``resources``, by their names in an FMU."""


def around(fmi: str, licences: Sequence[str]) -> Around:
    """Return the frame for version `fmi` of the standard; `licences` are those of the backend's parts from others.

    Raises
    ------
    CouplantError
        If the installation lacks one of the files that every FMU carries.
    """
    own = paths.licence().read_text(encoding="utf-8")
    icons = {name: paths.resource(picture).read_bytes() for name, picture in ICONS[fmi].items()}
    return Around(frame(), [own, *licences], icons)


def header_licence(fmi: str) -> str:
    """Return the licence of the headers of the standard of version `fmi`, as they have it."""
    header = paths.resource(f"headers/fmi{fmi}/fmi{fmi}Functions.h").read_text(encoding="utf-8")
    text = header[header.index("Copyright (C)") : header.index("*/")]
    lines = [line.strip() for line in text.strip().splitlines()]
    return f"Headers of FMI {fmi}.0\n\n" + "\n".join(line for line in lines if line.strip("-")) + "\n"


@cache
def frame() -> tuple[str, str]:
    """Return the text before and behind the data of a page, which allows its own script and no other."""
    text = paths.resource("importer/index.html").read_text(encoding="utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", text, flags=re.DOTALL)
    before, after = text.replace("@HASH@", script_hash(script)).split("@DATA@")
    return before, after
