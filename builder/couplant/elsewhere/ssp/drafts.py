"""Elements for a description: components, connections, units and enumerations, as the file writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from couplant.elsewhere.ssp.description import FMU, SPACE, SSC, SSD, Description, Link, Mark, Part, mark_draft
from couplant.elsewhere.ssp.fmus import unit_of
from couplant.elsewhere.ssp.markup import Draft, Edits, Element, write

if TYPE_CHECKING:
    from fmpy.model_description import ModelDescription, ScalarVariable, SimpleType

RECEIVED, ESTIMATE = "y", "y_hat"  # connectors of a coupling FMU that the two connections are at
TIME = "time"  # output of a coupling FMU that no connector shows

_PREFIXES = {SSD: "ssd", SSC: "ssc", SPACE: "couplant"}
_TYPES = {"Real": "Real", "Float64": "Real", "Integer": "Integer", "Int32": "Integer", "Boolean": "Boolean"}
_BASE = ("kg", "m", "s", "A", "K", "mol", "cd", "rad", "factor", "offset")
_SHARE, _APART = 0.5, 1.2


@dataclass(frozen=True)
class Box:
    """Where an element is drawn: its middle, width and height, in the coordinates of its system."""

    x: float
    y: float
    width: float
    height: float

    def corners(self) -> dict[str, str]:
        """Return the attributes of two opposite corners."""
        x, y = self.width / 2.0, self.height / 2.0
        ends = {"x1": self.x - x, "y1": self.y - y, "x2": self.x + x, "y2": self.y + y}
        return {key: f"{value:.12g}" for key, value in ends.items()}


class Definitions:
    """Units and enumerations of a description, with those that coupling FMUs need besides."""

    def __init__(self, description: Description) -> None:
        self._description = description
        root = description.root
        units, enumerations = root.first(SSD, "Units"), root.first(SSD, "Enumerations")
        self._units = {u.get("name") for u in units.children} if units else set()
        self._units |= {node.get("unit") for node in root.walk() if node.space == SSC and "unit" in node.attributes}
        listed = enumerations.all(SSC, "Enumeration") if enumerations else ()
        self._enumerations = {
            e.get("name"): {item.get("name"): item.get("value") for item in e.all(SSC, "Item")} for e in listed
        }
        self._new: dict[str, dict[str, Draft]] = {"Unit": {}, "Enumeration": {}}

    def unit(self, name: str | None, fmu: ModelDescription) -> str | None:
        """Return a unit if it is defined or can be, as the model description of an FMU does.

        A unit that the description names and does not define stays so: with a definition its other connectors would
        be converted too.
        """
        base = next((unit.baseUnit for unit in fmu.unitDefinitions if unit.name == name), None)
        if name is None or name in self._units or name in self._new["Unit"]:
            return name
        if base is None:
            return None
        told = {key: getattr(base, key) for key in _BASE}
        parts = {key: _number(value) for key, value in told.items() if value and not (key == "factor" and value == 1)}
        self._new["Unit"][name] = Draft(SSC, "Unit", {"name": name}, (Draft(SSC, "BaseUnit", parts),))
        return name

    def enumeration(self, kind: SimpleType) -> str:
        """Return the name of an enumeration, which is defined if it is not yet."""
        items = {item.name: str(item.value) for item in kind.items or ()}
        name, n = str(kind.name), 1
        while self._enumerations.get(name, items) != items:
            n += 1
            name = f"{kind.name}_{n}"
        if name not in self._enumerations:
            self._enumerations[name] = items
            entries = tuple(Draft(SSC, "Item", {"name": key, "value": value}) for key, value in items.items())
            self._new["Enumeration"][name] = Draft(SSC, "Enumeration", {"name": name}, entries)
        return name

    def new(self, kind: str, used: Sequence[str]) -> tuple[str, ...]:
        """Return which of the names `used` are defined for coupling FMUs; `kind` is Unit or Enumeration."""
        return tuple(name for name in dict.fromkeys(used) if name in self._new[kind])

    def put(self, edits: Edits) -> None:
        """Write all that is defined."""
        root = self._description.root
        top = self._description.top.node
        for kind, place in (("Enumeration", top), ("Unit", root.first(SSD, "Enumerations") or top)):
            drafts, holder = tuple(self._new[kind].values()), root.first(SSD, f"{kind}s")
            if not drafts:
                continue
            if holder is not None and holder.children:
                last = holder.children[-1]
                for one in drafts:
                    put_after(edits, last, last.end, one)
            else:
                put_after(edits, place, place.end, Draft(SSD, f"{kind}s", {}, drafts))


def put_after(edits: Edits, sibling: Element, place: int, new: Draft) -> None:
    """Write an element at the byte `place`, with the line end and the indentation that a sibling has."""
    before, end, after = edits.space_before(sibling).rpartition(b"\n")
    line = b"" if not end else (b"\r\n" if before.endswith(b"\r") else b"\n") + after
    scope = sibling.parent.scope if sibling.parent else sibling.scope
    prefix = sibling.name.rpartition(":")[0]
    # where a namespace has several prefixes, the last one is taken: that of the sibling
    known = dict(sorted(scope.items(), key=lambda entry: entry[0] == prefix))
    edits.insert(place, line + write(new, known, _PREFIXES, line))


def component(
    name: str,
    source: str,
    fmu: ModelDescription,
    unit: str | None,
    own: Definitions,
    box: Box | None,
    swapped: bool,
    status: bool,
) -> Draft:
    """Return the component of a coupling FMU, with connectors for all outputs if `status`.

    Without a `unit` of the signal its connectors have none either, so that importers convert nothing. The connection
    that it stands in starts where the signal ends if it is `swapped`.
    """
    connectors, units, enumerations = [], [], []
    for variable in fmu.modelVariables:
        more = status and variable.causality == "output" and variable.name != TIME
        if variable.name in (RECEIVED, ESTIMATE) or more:
            kind = _type(variable, unit if variable.name in (RECEIVED, ESTIMATE) else unit_of(variable), fmu, own)
            units += [kind.attributes["unit"]] if "unit" in kind.attributes else []
            enumerations += [kind.attributes["name"]] if kind.name == "Enumeration" else []
            given = {"name": variable.name, "kind": variable.causality}
            connectors.append(Draft(SSD, "Connector", given, (kind,)))
    mark = mark_draft(Mark(swapped, own.new("Unit", units), own.new("Enumeration", enumerations)))
    drawn = () if box is None else (Draft(SSD, "ElementGeometry", box.corners()),)
    inside = (Draft(SSD, "Connectors", {}, tuple(connectors)), *drawn, mark)
    return Draft(SSD, "Component", {"name": name, "type": FMU, "source": source}, inside)


def _type(variable: ScalarVariable, name: str | None, fmu: ModelDescription, own: Definitions) -> Draft:
    if variable.type == "Enumeration":
        return Draft(SSC, "Enumeration", {"name": own.enumeration(variable.declaredType)})
    unit = own.unit(name, fmu) if _TYPES[variable.type] == "Real" else None
    return Draft(SSC, _TYPES[variable.type], {} if unit is None else {"unit": unit})


def divide(edits: Edits, link: Link, name: str) -> None:
    """Let a connection end at the coupling FMU `name` and write a second one from there to where it ended."""
    node, side = link.node, "start" if link.swapped else "end"
    ends = [node.attributes[f"{side}{what}"] for what in ("Element", "Connector")]
    raw = [edits.original(slice(one.of_value.start - 1, one.of_value.stop + 1)) for one in ends]
    if link.swapped:
        turn(edits, node)
    for one, text in zip(ends, (name, RECEIVED), strict=True):
        edits.replace(one.of_value, text.encode())
    start = {"startElement": name, "startConnector": ESTIMATE}
    second = Draft(SSD, "Connection", start, (), {"endElement": raw[0], "endConnector": raw[1]})
    put_after(edits, node, node.end, second)


def turn(edits: Edits, node: Element, lost: str = "") -> None:
    """Let a connection start where it ended, its points included; done twice, all is as before.

    The attribute that is `lost` goes and is not renamed.
    """
    for name, attribute in node.attributes.items():
        if name == lost:
            continue
        for here, there in (("start", "end"), ("end", "start")):
            if name.startswith(here) and name != here:
                edits.replace(attribute.of_name, (there + name.removeprefix(here)).encode())
    for geometry in node.all(SSD, "ConnectionGeometry"):
        for attribute in (geometry.attributes[key] for key in ("pointsX", "pointsY") if key in geometry.attributes):
            edits.replace(attribute.of_value, b"".join(_words_from_last(edits.original(attribute.of_value))))


def _words_from_last(text: bytes) -> Iterator[bytes]:
    """Yield words and the white space between them from the last to the first."""
    words = text.split()
    for word in reversed(words):
        head, _, after = text.rpartition(word)
        yield from (after, word)
        text = head
    yield text


def boxes(links: Sequence[Link]) -> list[Box | None]:
    """Return where coupling FMUs are drawn, halfway between their neighbours and beside one another."""
    pairs = [(link.source.part, link.target.part) for link in links]
    found = []
    for i, pair in enumerate(pairs):
        box = _between(*(None if part is links[i].system else _box(part) for part in pair))
        row = pairs[:i].count(pair) - (pairs.count(pair) - 1) / 2
        found.append(None if box is None else Box(box.x, box.y + _APART * row * box.height, box.width, box.height))
    return found


def _between(source: Box | None, target: Box | None) -> Box | None:
    if target is None:
        return None
    if source is None:
        return Box(target.x - target.width, target.y, _SHARE * target.width, _SHARE * target.height)
    size = min(source.width, target.width), min(source.height, target.height)
    return Box((source.x + target.x) / 2.0, (source.y + target.y) / 2.0, _SHARE * size[0], _SHARE * size[1])


def _box(part: Part) -> Box | None:
    geometry = part.node.first(SSD, "ElementGeometry")
    try:
        x1, y1, x2, y2 = (float(geometry.get(key)) for key in ("x1", "y1", "x2", "y2")) if geometry else [0.0] * 4
    except ValueError:
        return None
    finite = all(map(isfinite, (x2 - x1, y2 - y1, x1 + x2, y1 + y2)))
    return Box((x1 + x2) / 2.0, (y1 + y2) / 2.0, abs(x2 - x1), abs(y2 - y1)) if geometry and finite else None


def _number(value: float) -> str:
    return repr(int(value)) if float(value).is_integer() else repr(float(value))
