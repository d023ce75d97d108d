"""XML with the place of everything in its bytes, so that a text is edited where it must be and nowhere else."""

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape

from couplant.base.archives import Refused, check_description

DEEPEST = 100  # elements inside one another [-]
XML = "http://www.w3.org/XML/1998/namespace"  # namespace of the prefix xml, which nobody declares

_SPACE, _FARTHEST = b" \t\r\n", 4096
_ATTRIBUTE = re.compile(rb"\s+(?P<name>[^\s=<>/]+)\s*=\s*(?P<quote>[\"'])(?P<value>.*?)(?P=quote)", flags=re.DOTALL)
_ENCODINGS = ("utf-8", "us-ascii")


@dataclass(frozen=True)
class Attribute:
    """An attribute: what it says, and the bytes of its name and of its value without quotation marks."""

    name: str
    text: str
    of_name: slice
    of_value: slice


@dataclass(eq=False)
class Element:
    """An element, with the bytes at which its tags begin and end."""

    name: str  # as it is written, prefix included
    space: str  # namespace
    begin: int
    attributes: dict[str, Attribute]
    scope: ChainMap[str, str]  # namespaces by prefix, those that it declares included
    parent: "Element | None"
    opened: int = 0  # behind the start tag
    closing: int = 0  # begin of the end tag; behind the start tag where there is none
    end: int = 0  # behind all of it
    children: list["Element"] = field(default_factory=list)

    @property
    def local(self) -> str:
        """Return the name without prefix."""
        return self.name.rpartition(":")[2]

    def get(self, name: str, default: str = "") -> str:
        """Return the text of an attribute."""
        found = self.attributes.get(name)
        return default if found is None else found.text

    def all(self, space: str, *names: str) -> Iterator["Element"]:
        """Yield the children of these names in a namespace."""
        return (child for child in self.children if child.space == space and child.local in names)

    def first(self, space: str, name: str) -> "Element | None":
        """Return the first child of this name in a namespace."""
        return next(self.all(space, name), None)

    def walk(self) -> Iterator["Element"]:
        """Yield the element and all that is inside."""
        yield self
        for child in self.children:
            yield from child.walk()


def parse(name: str, text: bytes) -> Element:
    """Return the root of the XML file `name`, whose content is `text`.

    Raise `Refused` if it is not well-formed, declares a document type, is nested too deeply or is not UTF-8.
    """
    check_description(name, text)
    return _Reader(name, text).root()


class _Reader:
    """Turns events of the parser of the standard library into elements."""

    def __init__(self, name: str, text: bytes) -> None:
        self._name, self._text = name, text
        self._open: list[Element] = []
        self._root: Element | None = None
        self._parser = parser = expat.ParserCreate()
        parser.ordered_attributes = True
        parser.XmlDeclHandler = self._take_declaration
        parser.StartElementHandler = self._start_element
        parser.EndElementHandler = self._end_element

    def root(self) -> Element:
        try:
            self._text.decode("utf-8")
            zero = self._text.find(b"\0")  # what is UTF-16 without saying so is UTF-8 with zeros
        except UnicodeDecodeError as error:
            zero = error.start
        if zero >= 0:
            raise Refused(f"{self._name} is not UTF-8 at byte {zero}, as SSP has it.")
        self._parser.Parse(self._text, True)
        assert self._root is not None  # a well-formed text has one
        return self._root

    def _take_declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            raise Refused(f"{self._name} has the encoding {encoding}, allowed UTF-8, as SSP has it.")

    def _start_element(self, name: str, pairs: list[str]) -> None:
        begin, parent = self._parser.CurrentByteIndex, self._open[-1] if self._open else None
        if len(self._open) >= DEEPEST:
            raise Refused(f"{self._name} has more than {DEEPEST} elements inside one another.")
        found = _attributes(self._text, begin + 1 + len(name.encode()), dict(zip(pairs[::2], pairs[1::2], strict=True)))
        outer = parent.scope if parent else ChainMap({"": "", "xml": XML})
        # not copied, for there may be many of both
        own = {name: a.text for name, a in found.items() if name == "xmlns" or name.startswith("xmlns:")}
        scope = outer.new_child({name.partition(":")[2]: text for name, text in own.items()}) if own else outer
        prefix = name.rpartition(":")[0]
        # foreign annotations need not be understood, nor are they always right
        if prefix not in scope and not any(one.local == "Annotation" for one in self._open):
            raise Refused(f"{self._name}: the prefix of <{name}> is not declared.")
        element = Element(name, scope.get(prefix, prefix), begin, found, scope, parent)
        # inside values there may be signs that look like the end of the tag
        last = max((a.of_value.stop + 1 for a in found.values()), default=begin)
        element.opened = self._text.index(b">", last) + 1
        if parent is None:
            self._root = element
        else:
            parent.children.append(element)
        self._open.append(element)

    def _end_element(self, name: str) -> None:
        element, here = self._open.pop(), self._parser.CurrentByteIndex
        if self._text[element.opened - 2 : element.opened] == b"/>":
            element.closing = element.end = element.opened
        else:
            element.closing, element.end = here, self._text.index(b">", here) + 1


def _attributes(text: bytes, place: int, values: Mapping[str, str]) -> dict[str, Attribute]:
    """Return the attributes of a start tag; `place` is behind the name of its element."""
    found = {}
    for _ in values:
        match = _ATTRIBUTE.match(text, place)
        assert match is not None  # the parser has found it too
        name = match["name"].decode()
        found[name] = Attribute(name, values[name], slice(*match.span("name")), slice(*match.span("value")))
        place = match.end()
    return found


class Edits:
    """Changes of a text at places of its own: collected, then made at once."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._made: list[tuple[int, int, bytes]] = []

    def replace(self, place: slice, new: bytes) -> None:
        """Put `new` in the place of some bytes."""
        self._made.append((place.start, place.stop, new))

    def insert(self, place: int, new: bytes) -> None:
        """Put `new` before the byte `place`, behind what was put there before."""
        self._made.append((place, place, new))

    def remove(self, element: Element) -> None:
        """Take out an element and the white space before it."""
        self._made.append((element.begin - len(self.space_before(element)), element.end, b""))

    def remove_tags(self, element: Element) -> None:
        """Take out the tags of an element and the white space before each; what is between them stays."""
        self._made.append((element.begin - len(self.space_before(element)), element.opened, b""))
        inner = self._text[element.opened : element.closing]
        self._made.append((element.opened + len(inner.rstrip(_SPACE)), element.end, b""))

    def space_before(self, element: Element) -> bytes:
        """Return the white space before an element, behind whatever stands there."""
        before = self._text[max(0, element.begin - _FARTHEST) : element.begin]
        return before[len(before.rstrip(_SPACE)) :]

    def original(self, place: slice) -> bytes:
        """Return some bytes of the text as it was."""
        return self._text[place]

    def result(self) -> bytes:
        """Return the text with all changes; what lies inside of something that is taken out goes with it.

        Raise `Refused` if changes exclude one another.
        """
        parts, place = [], 0
        for begin, end, new in sorted(self._made, key=lambda edit: (edit[0], edit[1] != edit[0])):
            if begin < place:
                if new or end > place:
                    raise Refused(f"changes at byte {begin} exclude one another")
                continue
            parts += [self._text[place:begin], new]
            place = end
        return b"".join([*parts, self._text[place:]])


@dataclass(frozen=True)
class Draft:
    """An element that is to be written."""

    space: str
    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: tuple["Draft", ...] = ()
    raw: Mapping[str, bytes] = field(default_factory=dict)  # attributes as they are written elsewhere, with their marks


def write(draft: Draft, scope: Mapping[str, str], usual: Mapping[str, str], line: bytes) -> bytes:
    """Return the text of an element.

    `scope` has the namespaces by prefix where it is put; those that it lacks are declared, by the `usual` prefixes.
    `line` is the white space between elements, a line end and what the element is indented by; empty: all in one line.
    """
    spaces = {draft.space} | {child.space for child in _inside(draft)}
    names = {space: prefix for prefix, space in scope.items() if space and prefix != "xml"}
    declared = {}
    for space in sorted(spaces - names.keys()):
        prefix = usual[space]
        while prefix in scope:
            prefix += "_"
        names[space] = declared[f"xmlns:{prefix}"] = prefix
        declared[f"xmlns:{prefix}"] = space
    return _write_draft(draft, names, declared, line)


def _inside(draft: Draft) -> Iterator[Draft]:
    for child in draft.children:
        yield child
        yield from _inside(child)


def _write_draft(draft: Draft, names: Mapping[str, str], declared: Mapping[str, str], line: bytes) -> bytes:
    prefix = names[draft.space]
    name = (f"{prefix}:{draft.name}" if prefix else draft.name).encode()
    given = {**draft.attributes, **declared}
    quoted = {key: f'"{escape(value, _MARKS)}"'.encode() for key, value in given.items()} | dict(draft.raw)
    head = b"<" + b" ".join([name, *(key.encode() + b"=" + value for key, value in quoted.items())])
    if not draft.children:
        return head + b"/>"
    deeper = line + b"  " if line else b""
    inner = b"".join(deeper + _write_draft(child, names, {}, deeper) for child in draft.children)
    return head + b">" + inner + line + b"</" + name + b">"


_MARKS = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
