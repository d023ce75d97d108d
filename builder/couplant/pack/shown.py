"""What an importer shows of an FMU: a page, licences, an icon and, in FMI 3, terminals.

The page is one fixed file with one JSON text in it, so that it works from an unpacked folder without a network: a
browser lets no page there read its neighbours.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path

from couplant import paths
from couplant.inline import inline_json, script_hash
from couplant.pack.configuration import CONFIGURATION
from couplant.pack.xml import ModelDescription, Value, Variable
from couplant.version import __version__
from couplant_runtime.guard import UNLIMITED

PAGE, LICENCES = "documentation/index.html", "documentation/licenses/license.txt"
TERMINALS = "terminalsAndIcons/terminalsAndIcons.xml"
ICONS = {
    "2": {"model.png": "importer/icon.png"},
    "3": {f"terminalsAndIcons/icon.{kind}": f"importer/icon.{kind}" for kind in ("png", "svg")},
}
"""Pictures by version of the standard: what they are below ``resources``, by their names in an FMU."""

_FEW = 2
"""Entries of a list in succession that have a row each; one row stands for more of them."""
_GROUPS = {
    ("input", ""): "Inputs",
    ("output", ""): "Outputs",
    ("parameter", "tunable"): "Parameters that may change while it runs",
    ("parameter", ""): "Parameters",
}
"""Tables by causality and, where it matters, variability."""
_NONE = "none"
_SQUARE = {"x1": "-100", "y1": "-100", "x2": "100", "y2": "100"}


@dataclass(frozen=True)
class Terminal:
    """Variables that are connected together; terminals fit where members are called the same."""

    name: str
    description: str
    members: Mapping[str, str]  # names of members by variable


@dataclass(frozen=True)
class Shown:
    """What tells the page and the terminals of one FMU from those of others; words between backticks are code."""

    kind: str = ""  # what kind of FMU it is
    what: str = ""  # what it does, in one sentence; empty: the description of the model
    facts: Mapping[str, str] = field(default_factory=dict)
    # what it stands between: boxes, and between two of them what goes from one to the other
    flow: Sequence[str] = ()
    connect: Mapping[str, str] = field(default_factory=dict)  # how to connect it: sentences by what they are about
    terminals: Sequence[Terminal] = ()


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
    rule = "\n" + 78 * "-" + "\n\n"
    files = {
        PAGE: page(description, fmi, shown, sorted(carried)).encode(),
        LICENCES: rule.join([f"couplant {__version__}\n\n{own}", *licences]).encode(),
    }
    files |= {name: paths.resource(picture).read_bytes() for name, picture in ICONS[fmi].items()}
    return files | ({TERMINALS: terminals(shown.terminals).encode()} if fmi == "3" else {})


def header_licence(fmi: str) -> str:
    """Return the licence of the headers of the standard of version `fmi`, as they have it."""
    header = paths.resource(f"headers/fmi{fmi}/fmi{fmi}Functions.h").read_text(encoding="utf-8")
    text = header[header.index("Copyright (C)") : header.index("*/")]
    lines = [line.strip() for line in text.strip().splitlines()]
    return f"Headers of FMI {fmi}.0\n\n" + "\n".join(line for line in lines if line.strip("-")) + "\n"


def page(description: ModelDescription, fmi: str, shown: Shown, carried: Sequence[str]) -> str:
    """Return the page of an FMU with the files `carried`; arguments as for `shown_files`."""
    platforms = ", ".join(dict.fromkeys(name.split("/")[1] for name in carried if name.startswith("binaries/")))
    built = {"platforms": platforms} if platforms else {}
    built |= {"sources": "C99, `sources/all.c`"} if "sources/all.c" in carried else {}
    facts = {**shown.facts, "standard": f"FMI {fmi}.0, co-simulation", **built, "made by": f"couplant {__version__}"}
    settings = [name for name in carried if name == CONFIGURATION]
    data = {
        "name": description.name,
        "kind": shown.kind or f"FMU `{description.name}`",
        "what": shown.what or description.description,
        "facts": list(facts.items()),
        "flow": shown.flow,
        "connect": list(shown.connect.items()),
        "variables": _groups(description.variables),
        "links": [*(("settings that it was built from", f"../{name}") for name in settings), ("licences", _below())],
    }
    before, after = _page()
    return before + inline_json(data) + after


def terminals(list_of: Sequence[Terminal]) -> str:
    """Return the text of `TERMINALS`: where the icon stands, and the terminals of `list_of`."""
    root = ET.Element("fmiTerminalsAndIcons", fmiVersion="3.0")
    picture = ET.SubElement(root, "GraphicalRepresentation")
    ET.SubElement(picture, "CoordinateSystem", _SQUARE, suggestedScalingFactorTo_mm="0.1")
    ET.SubElement(picture, "Icon", _SQUARE)
    parent = ET.SubElement(root, "Terminals") if list_of else root
    for one in list_of:
        entry = ET.SubElement(parent, "Terminal", name=one.name, matchingRule="bus", description=one.description)
        for variable, member in one.members.items():
            names = {"variableName": variable, "memberName": member, "variableKind": "signal"}
            ET.SubElement(entry, "TerminalMemberVariable", names)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _below() -> str:
    return Path(LICENCES).relative_to(Path(PAGE).parent).as_posix()


@cache
def _page() -> tuple[str, str]:
    """Return what stands before and behind the data; the page allows its own script and no other."""
    text = paths.resource("importer/index.html").read_text(encoding="utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", text, flags=re.DOTALL)
    before, after = text.replace("@HASH@", script_hash(script)).split("@DATA@")
    return before, after


def _groups(variables: Sequence[Variable]) -> list[tuple[str, str, list[list[str]]]]:
    """Return title, heading of the values, and rows of each table of variables."""
    groups: dict[str, list[Variable]] = {title: [] for title in _GROUPS.values()}
    for variable in variables:
        title = _GROUPS.get((variable.causality, variable.variability)) or _GROUPS.get((variable.causality, ""))
        if title:
            groups[title].append(variable)
    return [
        (title, "unit" if title == "Outputs" else "start", [_row(run) for run in _runs(members)])
        for title, members in groups.items()
        if members
    ]


def _runs(variables: Sequence[Variable]) -> Iterator[list[Variable]]:
    """Yield variables, each alone but for long lists; the first of a list may go without an index."""
    for _, group in groupby(variables, lambda v: (v.name.partition("[")[0], "[" in v.name)):
        run = list(group)
        yield from [run] if len(run) > _FEW else [[one] for one in run]


def _row(run: Sequence[Variable]) -> list[str]:
    """Return name, words and value of a variable or of a list."""
    first, last = run[0], run[-1]
    name = first.name if first is last else f"{first.name} .. {last.name}"
    words = first.description if first.description == last.description else f"{first.description} .."
    if first.causality == "output":
        return [name, words, first.unit or ""]
    allowed = _allowed(first)
    starts = list(dict.fromkeys(_number(one, one.start) for one in run))
    unit = f" {first.unit}" if first.unit and starts != [_NONE] else ""
    value = starts[0] + ("" if len(starts) == 1 else " ..") + unit
    return [name, f"{words}{'; ' if words else ''}{allowed}" if allowed else words, value]


def _number(variable: Variable, value: Value | None) -> str:
    if value is None or abs(value) >= UNLIMITED:
        return _NONE
    if variable.enum is not None:
        return next(name for name, number, _ in variable.enum.items if number == value)
    if isinstance(value, float):
        return f"{value:.9g}"
    return str(value).lower()


def _allowed(variable: Variable) -> str:
    if variable.enum is not None:
        return ", ".join(name for name, _, _ in variable.enum.items)
    low, high = (_number(variable, one) for one in (variable.min, variable.max))
    if low == high == _NONE:
        return ""
    return f"from {low}" if high == _NONE else f"up to {high}" if low == _NONE else f"{low} to {high}"
