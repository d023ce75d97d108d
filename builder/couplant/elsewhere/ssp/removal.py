"""Take coupling FMUs out of an SSP again: ours is undone, what others have edited since stays."""

import posixpath
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from couplant.base.archives import Refused
from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.elsewhere.ssp.description import (
    SPACE,
    SSC,
    SSD,
    Description,
    Link,
    Mark,
    Part,
    System,
    drop_signatures,
    mark_of,
)
from couplant.elsewhere.ssp.drafts import ESTIMATE, RECEIVED, turn
from couplant.elsewhere.ssp.fmus import Fmus, entry_of
from couplant.elsewhere.ssp.markup import Edits, Element
from couplant.elsewhere.ssp.package import FOLDER, Package

_ENDS = ("Element", "Connector")
_PLAIN = {f"{side}{what}" for side in ("start", "end") for what in _ENDS}
_KEEPS_UNITS = "suppressUnitConversion"


@dataclass(frozen=True)
class Removed:
    """Result of `remove`: the names of coupling FMUs by system description, their files, the archive."""

    components: dict[str, tuple[str, ...]]
    files: tuple[str, ...]
    content: bytes


def remove(path: str | Path, output: str | Path, *, drop_signatures: bool = False) -> Removed:
    """Take out all coupling FMUs that `insert` has put in, of all system descriptions of an archive.

    With `drop_signatures` signatures are taken out that do not hold any more. Raise `UsageError` if the archive cannot
    be read, has none, or one cannot be undone, others use more of it than its estimate for instance; nothing is written
    then.
    """
    package = Package(Path(path))
    texts, names, used, own = {}, {}, set(), set()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch:
        fmus = Fmus(package, Path(scratch))
        for name in package.descriptions:
            text = package.read(name)
            try:
                description = Description(name, text, fmus.connectors)
                found = [(part, mark) for part in description.components if (mark := mark_of(part)) is not None]
                if found:
                    texts[name] = _check(name, _Removal(description, found, drop_signatures).text(), fmus)
                    names[name] = tuple(part.name for part, _ in found)
            except Refused as refused:
                wrong.append(str(refused).rstrip("."))
                if SPACE.encode() in text:
                    raise UsageError(f"{path}: {wrong[-1]}.") from None
                used |= {file for file in package.names if posixpath.basename(file).encode() in text}
                continue
            ours = {part for part, _ in found}
            own |= {entry_of(part.source) for part in ours if _is_own(part, fmus)}
            used |= {entry_of(part.source) for part in description.components if part not in ours}
    if not names:
        wrong.append("there is no coupling FMU that couplant ssp insert has put in")
        raise UsageError(f"{path}: {wrong[0]}.")
    gone = tuple(file for file in package.names if file in own - used)
    done = Removed(names, gone, package.rebuild(texts, removed=gone))
    write_atomic(Path(output), done.content)
    return done


def _check(name: str, text: bytes, fmus: Fmus) -> bytes:
    """Return a description that can be read again; one with connections to removed parts cannot for instance."""
    try:
        Description(name, text, fmus.connectors)
    except Refused as refused:
        raise Refused(f"without its coupling FMUs {refused}") from None
    return text


def _is_own(part: Part, fmus: Fmus) -> bool:
    """Tell whether the file of a component is a coupling FMU where they are put, not what others have it run since."""
    file = PurePosixPath(entry_of(part.source))
    return str(file.parent) == FOLDER and file.suffix == ".fmu" and fmus.is_coupling(part)


class _Removal:
    """One description, on its way."""

    def __init__(self, description: Description, found: list[tuple[Part, Mark]], drop: bool) -> None:
        self._description, self._found = description, found
        self._edits = Edits(description.text)
        self._gone: list[Element] = []
        self._parts = {part for part, _ in found}
        systems = [part.system for part, _ in found if part.system is not None]
        drop_signatures(self._edits, description, systems, drop)

    def text(self) -> bytes:
        for part, mark in self._found:
            self._gone.append(part.node)
            assert part.system is not None  # only the top system is in none
            self._join(part, mark, part.system)
        self._gone += self._definitions()
        # take out elements, and the tags around them where nothing else is inside
        holders = {id(node.parent): node.parent for node in self._gone if node.parent is not None}
        gone = {id(node) for node in self._gone}
        for node in self._gone:
            self._edits.remove(node)
        for holder in holders.values():
            if all(id(child) in gone for child in holder.children):
                self._edits.remove_tags(holder)
        return self._edits.result()

    def _join(self, part: Part, mark: Mark, system: System) -> None:
        """Make one connection of the two at a coupling FMU; further ones of its estimate get the signal itself."""
        before = [link for link in system.links if link.target.part is part]
        after = [link for link in system.links if link.source.part is part]
        other = [link for link in (*before, *after) if RECEIVED != link.target.connector and link.target.part is part]
        other += [link for link in after if link.source.connector != ESTIMATE]
        if other:
            ends = ", ".join(f"{link.source}->{link.target}" for link in other)
            raise self._refusal(part, f"{ends} is connected to it")
        if not self._parts.isdisjoint([*(link.source.part for link in before), *(link.target.part for link in after)]):
            raise self._refusal(part, "it is connected to a coupling FMU")
        if len(before) > 1:
            raise self._refusal(part, f"{before[0].target} gets {len(before)} signals, allowed is one")
        if not before or not after:
            self._gone += [link.node for link in (*before, *after)]
            return
        first = before[0]
        # without loss ours can go, which was put behind the first one
        plain = [link for link in after if _is_plain(link)]
        second = min(plain, key=lambda link: link.node.begin < first.node.begin, default=None)
        if second is None and not _is_plain(first):
            raise self._refusal(part, "the connections before and behind it both have more than their ends")
        if len(after) > 1 and (first.node.children or _KEEPS_UNITS in first.node.attributes):
            text = f"{first.source} reaches others through it, and what its connection has besides holds for one"
            raise self._refusal(part, text)
        if second is not None:
            # the first connection ends where the second does, and starts there if it did
            lost = self._move(first, _side(first, True), second, _side(second, True))
            if mark.swapped and not first.swapped:
                turn(self._edits, first.node, lost)
        self._gone.append((second or first).node)
        for link in after:
            if link is not second:
                # one that others have put behind the estimate starts where the signal comes from
                self._move(link, _side(link, False), first, _side(first, False))

    def _refusal(self, part: Part, reason: str) -> Refused:
        return Refused(f"{self._description.name}: {part.name} cannot be taken out: {reason}")

    def _move(self, link: Link, here: str, other: Link, there: str) -> str:
        """Let one end of a connection be where another one is; return the attribute that it loses by that, if any."""
        lost = ""
        for what in _ENDS:
            place, value = link.node.attributes.get(f"{here}{what}"), other.node.attributes.get(f"{there}{what}")
            if place is not None and value is not None:
                self._edits.replace(place.of_value, self._edits.original(value.of_value))
            elif place is not None:  # the system's own connector names no element
                self._edits.replace(slice(place.of_name.start - 1, place.of_value.stop + 1), b"")
                lost = place.name
        return lost

    def _definitions(self) -> Iterator[Element]:
        """Yield the units and enumerations that came with coupling FMUs and that nobody else uses."""
        root = self._description.root
        named = {"Unit": "unit", "Enumeration": "name"}
        inside = {id(node) for gone in self._gone for node in gone.walk()}
        left = [node for node in root.walk() if id(node) not in inside]
        for kind, attribute in named.items():
            came = {name for _, mark in self._found for name in (mark.units if kind == "Unit" else mark.enumerations)}
            holder = root.first(SSD, f"{kind}s")
            listed = list(holder.all(SSC, kind)) if holder else []
            used = {
                node.get(attribute)
                for node in left
                if attribute in node.attributes
                and (node.space == SSC if kind == "Unit" else node.local == kind and node not in listed)
            }
            yield from (node for node in listed if node.get("name") in came - used)


def _side(link: Link, target: bool) -> str:
    """Return which end of a connection is at its target, or at its source."""
    return "end" if target != link.swapped else "start"


def _is_plain(link: Link) -> bool:
    more = (name for name in link.node.attributes if name not in _PLAIN and not name.startswith("xmlns"))
    return not link.node.children and next(more, None) is None
