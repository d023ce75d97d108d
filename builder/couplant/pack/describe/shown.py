"""Files of an FMU that an importer shows: the data of its page and, in FMI 3, terminals.

The page is one fixed file with one JSON text in it, so that it works from an unpacked folder without a network: a
browser lets no page there read its neighbours.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from couplant.base.written_json import quote_text
from couplant.pack.archive.origin import CONFIGURATION
from couplant.pack.describe.xml import Element, ModelDescription, Value, Variable, document
from couplant.version import __version__
from couplant_runtime.guard import UNLIMITED

PAGE, LICENCES = "documentation/index.html", "documentation/licenses/license.txt"
TERMINALS = "terminalsAndIcons/terminalsAndIcons.xml"
LICENCES_FROM_PAGE = "licenses/license.txt"  # `LICENCES` as the page links it
_FEW = 2  # entries of a list in succession that have a row each; one row stands for more of them
_GROUPS = {
    ("input", ""): "Inputs",
    ("output", ""): "Outputs",
    ("parameter", "tunable"): "Parameters that may change while it runs",
    ("parameter", ""): "Parameters",
}
"""Tables by causality and, where it matters, variability."""
_NONE = "none"
_SPECIAL = "<>&\u2028\u2029"
_SQUARE = {"x1": "-100", "y1": "-100", "x2": "100", "y2": "100"}


@dataclass(frozen=True)
class Terminal:
    """Variables that are connected together; terminals fit where members are called the same."""

    name: str
    description: str
    members: Mapping[str, str]  # names of members by variable


@dataclass(frozen=True)
class Shown:
    """Words and members for the page and the terminals of one FMU; words between backticks are code."""

    kind: str = ""  # what kind of FMU it is
    what: str = ""  # what it does, in one sentence; empty: the description of the model
    facts: Mapping[str, str] = field(default_factory=dict)
    # what it stands between: boxes, and between two of them what goes from one to the other
    flow: Sequence[str] = ()
    connect: Mapping[str, str] = field(default_factory=dict)  # how to connect it: sentences by what they are about
    terminals: Sequence[Terminal] = ()


@dataclass(frozen=True)
class Around:
    """Files that all FMUs with the same backend share."""

    frame: tuple[str, str]  # what stands before and behind the data of the page
    licences: Sequence[str]  # our own, then those of others
    icons: Mapping[str, bytes]  # pictures by names inside the archive


def shown_files(
    description: ModelDescription, fmi: str, shown: Shown, carried: Sequence[str], around: Around
) -> dict[str, bytes]:
    """Return the files that an importer of version `fmi` shows of an FMU, by names inside the archive.

    Page and terminals tell what is `shown` besides the variables; `carried` are the names of the other files.
    """
    own, *others = around.licences
    files = {
        PAGE: page(description, fmi, shown, sorted(carried), around.frame).encode(),
        LICENCES: ("\n" + 78 * "-" + "\n\n").join([f"couplant {__version__}\n\n{own}", *others]).encode(),
        **around.icons,
    }
    if fmi == "3":
        files[TERMINALS] = terminals(shown.terminals).encode()
    return files


def page(description: ModelDescription, fmi: str, shown: Shown, carried: Sequence[str], frame: tuple[str, str]) -> str:
    """Return the page of an FMU with the files `carried`, its data inside of a `frame`."""
    platforms = ", ".join(dict.fromkeys([name.split("/")[1] for name in carried if name.startswith("binaries/")]))
    built = {"platforms": platforms} if platforms else {}
    built |= {"sources": "C99, `sources/all.c`"} if "sources/all.c" in carried else {}
    facts = {**shown.facts, "standard": f"FMI {fmi}.0, co-simulation", **built, "made by": f"couplant {__version__}"}
    settings = [name for name in carried if name == CONFIGURATION]
    # title, heading of the values, and rows of each table of variables
    groups: dict[str, list[Variable]] = {title: [] for title in _GROUPS.values()}
    for variable in description.variables:
        title = _GROUPS.get((variable.causality, variable.variability)) or _GROUPS.get((variable.causality, ""))
        if title:
            groups[title].append(variable)
    data: dict[str, Any] = {
        "name": description.name,
        "kind": shown.kind or f"FMU `{description.name}`",
        "what": shown.what or description.description,
        "facts": list(facts.items()),
        "flow": list(shown.flow),
        "connect": list(shown.connect.items()),
        "variables": [
            (title, "unit" if title == "Outputs" else "start", [_row(run) for run in _runs(members)])
            for title, members in groups.items()
            if members
        ],
        "links": [("settings that it was built from", f"../{name}") for name in settings],
    }
    data["links"].append(("licences", LICENCES_FROM_PAGE))
    before, after = frame
    text = _json(data)
    # no text in the page ends a script or begins a comment
    for sign in _SPECIAL:
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return before + text + after


def _json(value: Any) -> str:
    """Return texts, lists and objects as JSON, the keys in their order."""
    if isinstance(value, str):
        return quote_text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([_json(one) for one in value]) + "]"
    return "{" + ",".join([quote_text(key) + ":" + _json(value[key]) for key in value]) + "}"


def terminals(list_of: Sequence[Terminal]) -> str:
    """Return the text of `TERMINALS`: where the icon stands, and the terminals of `list_of`."""
    root = Element("fmiTerminalsAndIcons", {"fmiVersion": "3.0"})
    picture = root.add("GraphicalRepresentation", {})
    picture.add("CoordinateSystem", {**_SQUARE, "suggestedScalingFactorTo_mm": "0.1"})
    picture.add("Icon", _SQUARE)
    parent = root.add("Terminals", {}) if list_of else root
    for one in list_of:
        entry = parent.add("Terminal", {"name": one.name, "matchingRule": "bus", "description": one.description})
        for variable, member in one.members.items():
            names = {"variableName": variable, "memberName": member, "variableKind": "signal"}
            entry.add("TerminalMemberVariable", names)
    return document(root)


def _runs(variables: Sequence[Variable]) -> Iterator[list[Variable]]:
    """Yield variables, each alone but for long lists; the first of a list may go without an index."""
    for _, group in groupby(variables, lambda v: (v.name.partition("[")[0], "[" in v.name)):
        run = list(group)
        yield from [run] if len(run) > _FEW else [[one] for one in run]


def _row(run: Sequence[Variable]) -> list[str]:
    first, last = run[0], run[-1]
    name = first.name if first is last else f"{first.name} .. {last.name}"
    words = first.description if first.description == last.description else f"{first.description} .."
    if first.causality == "output":
        return [name, words, first.unit or ""]
    allowed = _allowed_range(first)
    starts = list(dict.fromkeys([_number(one, one.start) for one in run]))
    unit = f" {first.unit}" if first.unit and starts != [_NONE] else ""
    value = starts[0] + ("" if len(starts) == 1 else " ..") + unit
    return [name, f"{words}{'; ' if words else ''}{allowed}" if allowed else words, value]


def _number(variable: Variable, value: Value | None) -> str:
    if value is None or abs(value) >= UNLIMITED:
        return _NONE
    if variable.enum is not None:
        return next(name for name, number, _ in variable.enum.items if number == value)
    if variable.type == "Real":
        return f"{value:.9g}"
    return ("true" if value else "false") if variable.type == "Boolean" else str(int(value))


def _allowed_range(variable: Variable) -> str:
    if variable.enum is not None:
        return ", ".join(item[0] for item in variable.enum.items)
    low, high = (_number(variable, one) for one in (variable.min, variable.max))
    if low == high == _NONE:
        return ""
    return f"from {low}" if high == _NONE else f"up to {high}" if low == _NONE else f"{low} to {high}"
