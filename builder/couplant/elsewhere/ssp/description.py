"""System descriptions: systems in systems, their parts, and from where to where signals flow.

Start and end of a connection do not tell its direction, the kinds of its connectors do.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from couplant.base.archives import Refused, one_line
from couplant.elsewhere.ssp.markup import Draft, Edits, Element, parse
from couplant.version import __version__

SSD = "http://ssp-standard.org/SSP1/SystemStructureDescription"  # namespace of descriptions, the same in 1.0 and 2.0
SSC = "http://ssp-standard.org/SSP1/SystemStructureCommon"  # namespace of what all files of the standard share
VERSIONS = ("1.0", "2.0")  # of the standard
FMU = "application/x-fmu-sharedlibrary"  # type of a component that is an FMU, and of one that does not say what it is
REALS = ("Real", "Float64")  # types of connectors that a coupling FMU can be at

SPACE = "urn:couplant:ssp:1"
"""Namespace of the annotation by which couplant knows its own components again, also after others have edited them."""

_TYPE = "couplant"

_TRUTH = {"true": True, "false": False}
_ELEMENTS = ("Component", "SignalDictionaryReference", "System")
_ENDS = ("start", "end")

Path = tuple[str, ...]
"""Names of systems from below the top one, and of an element in the last; of the top system: nothing."""


@dataclass(frozen=True)
class Connector:
    """A connector of an element."""

    kind: str  # input, output, ..
    type: str  # Real, .., empty where it is not said
    unit: str | None
    is_array: bool = False


@dataclass(eq=False)
class Part:
    """An element of a system, or a system."""

    path: Path
    node: Element
    connectors: dict[str, Connector]
    source: str = ""  # of an FMU
    system: "System | None" = None  # that it is in

    @property
    def name(self) -> str:
        """Return the name as settings and tables write it."""
        return printable_name(".".join(self.path))


@dataclass(eq=False)
class System(Part):
    """A system with what is inside."""

    parts: dict[str, Part] = field(default_factory=dict)
    links: list["Link"] = field(default_factory=list)


@dataclass(frozen=True)
class Place:
    """A connector of a part."""

    part: Part
    connector: str

    def __str__(self) -> str:
        """Return the name as settings and tables write it."""
        return printable_name(".".join((*self.part.path, self.connector)))


@dataclass(eq=False)
class Link:
    """A connection in one system, in the direction of its signal."""

    system: System
    node: Element
    source: Place
    target: Place
    swapped: bool  # starts where the signal ends


@dataclass(frozen=True)
class Flow:
    """A signal from an output to the input of a component, through the connections on its way."""

    links: tuple[Link, ...]  # the last one first

    @property
    def source(self) -> Place:
        """Return the output of a component, or a connector of the top system that is an input."""
        return self.links[-1].source

    @property
    def target(self) -> Place:
        """Return the input."""
        return self.links[0].target

    @property
    def name(self) -> str:
        """Return the name of the connection, as `parse_signals` reads it."""
        return f"{self.source}->{self.target}"


def printable_name(name: str) -> str:
    """Return a name as it is printed and as users give it: in one line, nothing that a terminal would obey."""
    return "".join(sign if sign.isprintable() else "?" for sign in name)


Kinds = Callable[[Part], Mapping[str, Connector]]  # connectors of a component that its description does not list


class Description:
    """The system description in the file `name` of an archive, whose content is `text`.

    `unlisted` returns connectors of a component that are not listed. Raise `Refused` if it cannot be read, or is no
    description.
    """

    def __init__(self, name: str, text: bytes, unlisted: Kinds) -> None:
        self.name, self.text = name, text
        self.root = parse(name, text)
        self._unlisted = unlisted
        self.unclear: list[tuple[Place, Place]] = []  # connections of which the connectors tell no direction
        if (self.root.space, self.root.local) != (SSD, "SystemStructureDescription"):
            found = f"<{one_line(self.root.name, 40)}> of the namespace {one_line(self.root.space, 100) or 'none'}"
            raise Refused(f"{name} begins with {found}, allowed SystemStructureDescription of {SSD}")
        version = self.root.get("version")
        if version not in VERSIONS:
            raise Refused(f'{name} has version = "{one_line(version, 40)}", allowed {", ".join(VERSIONS)}')
        top = self.root.first(SSD, "System")
        if top is None:
            raise Refused(f"{name} holds no System")
        self.top = self._system(top, (), None)
        self._inside = list(_systems(self.top))  # all systems, the top one first
        for system in self._inside:
            nodes = system.node.first(SSD, "Connections")
            for node in nodes.all(SSD, "Connection") if nodes else ():
                places = [self._end(system, node, side) for side in _ENDS]
                gives = [self._gives(system, place) for place in places]
                if gives == [True, False]:
                    system.links.append(Link(system, node, places[0], places[1], False))
                elif gives == [False, True]:
                    system.links.append(Link(system, node, places[1], places[0], True))
                else:
                    self.unclear.append((places[0], places[1]))

    @property
    def components(self) -> Iterator[Part]:
        """Return the components of all systems, which are no systems themselves."""
        return (part for system in self._inside for part in system.parts.values() if not isinstance(part, System))

    def connector(self, place: Place) -> Connector | None:
        """Return the record of a connector."""
        found = place.part.connectors.get(place.connector)
        if isinstance(place.part, System) or (found is not None and found.type and found.unit is not None):
            return found
        own = self.own(place)
        if found is None or own is None:
            return found or own
        unit = own.unit if found.unit is None else found.unit
        return Connector(found.kind, found.type or own.type, unit, found.is_array or own.is_array)

    def own(self, place: Place) -> Connector | None:
        """Return the record of a connector in the FMU of a component."""
        return None if isinstance(place.part, System) else self._unlisted(place.part).get(place.connector)

    def flows(self) -> list[Flow]:
        """Return the signals that end at components, in the order of the file."""
        into = {link.target: link for system in self._inside for link in system.links}
        ends = [link for s in self._inside for link in s.links if not isinstance(link.target.part, System)]
        return [Flow(tuple(_upstream(link, into))) for link in ends]

    def _system(self, node: Element, path: Path, outer: System | None) -> System:
        system = System(path, node, _connectors(node), system=outer)
        elements = node.first(SSD, "Elements")
        for child in elements.all(SSD, *_ELEMENTS) if elements else ():
            name = child.get("name")
            if name in system.parts:
                raise Refused(f"{self.name} has the element {one_line('.'.join((*path, name)), 100)} twice")
            inner = (*path, name)
            if child.local == "System":
                system.parts[name] = self._system(child, inner, system)
            else:
                is_fmu = child.local == "Component" and child.get("type", FMU) == FMU
                source = child.get("source") if is_fmu else ""
                system.parts[name] = Part(inner, child, _connectors(child), source, system)
        return system

    def _end(self, system: System, node: Element, side: str) -> Place:
        name, connector = node.get(f"{side}Element"), node.get(f"{side}Connector")
        # OMSimulator writes an empty name for connectors of the system itself
        if not name:
            return Place(system, connector)
        if name not in system.parts:
            where = f" of {system.name}" if system.path else ""
            raise Refused(f"{self.name} has a connection{where} with {one_line(name, 100)}, which is not there")
        return Place(system.parts[name], connector)

    def _gives(self, system: System, place: Place) -> bool | None:
        """Tell whether a connector gives a signal to others in a system, or takes one; None: neither is known."""
        found = self.connector(place)
        kind = found.kind if found else ""
        if kind not in ("input", "output"):
            return None
        return (kind == "output") != (place.part is system)


def _systems(system: System) -> Iterator[System]:
    yield system
    for part in system.parts.values():
        if isinstance(part, System):
            yield from _systems(part)


def _connectors(node: Element) -> dict[str, Connector]:
    listed = node.first(SSD, "Connectors")
    return {c.get("name"): _connector(c) for c in listed.all(SSD, "Connector")} if listed else {}


def _connector(node: Element) -> Connector:
    types = [child for child in node.children if child.space == SSC]
    sized = any(child.local == "Dimension" for child in types)
    kind = next((child for child in types if child.local != "Dimension"), None)
    unit = kind.attributes.get("unit") if kind else None
    return Connector(node.get("kind"), kind.local if kind else "", unit.text if unit else None, sized)


def _upstream(link: Link, into: Mapping[Place, Link]) -> Iterator[Link]:
    """Yield a connection and those before it, up to an output of a component."""
    seen = {id(link)}
    yield link
    while isinstance(link.source.part, System):
        before = into.get(link.source)
        if before is None or id(before) in seen:
            return
        seen.add(id(before))
        link = before
        yield link


@dataclass(frozen=True)
class Mark:
    """Mark of a component, from its annotation."""

    swapped: bool  # the connection started where the signal ends
    units: tuple[str, ...] = ()  # definitions that came with it
    enumerations: tuple[str, ...] = ()


def mark_draft(mark: Mark) -> Draft:
    """Return the element ``Annotations`` of a component."""
    names = [*(("Unit", name) for name in mark.units), *(("Enumeration", name) for name in mark.enumerations)]
    added = tuple(Draft(SPACE, kind, {"name": name}) for kind, name in names)
    own = Draft(SPACE, "Coupling", {"version": __version__, "swapped": str(mark.swapped).lower()}, added)
    return Draft(SSD, "Annotations", {}, (Draft(SSC, "Annotation", {"type": _TYPE}, (own,)),))


def mark_of(part: Part) -> Mark | None:
    """Return the mark of a component that couplant has inserted, None of any other."""
    for holder in part.node.all(SSD, "Annotations"):
        for annotation in holder.all(SSC, "Annotation"):
            own = annotation.first(SPACE, "Coupling") if annotation.get("type") == _TYPE else None
            if own is not None:
                units, enumerations = (
                    tuple(child.get("name") for child in own.all(SPACE, kind)) for kind in ("Unit", "Enumeration")
                )
                return Mark(_TRUTH.get(own.get("swapped"), False), units, enumerations)
    return None


def drop_signatures(edits: Edits, description: Description, changed: Sequence[System], wanted: bool) -> None:
    """Take out the signatures of a description and of systems that are `changed`, with those that they are in.

    Raise `Refused` if there are any and it is not `wanted`.
    """
    found = dict(_signatures(description, changed))
    if found and not wanted:
        names = ", ".join(sorted(set(found.values())))
        text = f"signatures of {names} would not hold any more; drop_signatures = true takes them out"
        raise Refused(f"{description.name}: {text}")
    for signature in found:
        edits.remove(signature)


def _signatures(description: Description, changed: Sequence[System]) -> Iterator[tuple[Element, str]]:
    for signature in description.root.all(SSC, "Signature"):
        yield signature, "the description"
    for one in changed:
        system: System | None = one
        while system is not None:
            for signature in system.node.all(SSC, "Signature"):
                yield signature, f"the system {printable_name(system.node.get('name')) or system.name}"
            system = system.system
