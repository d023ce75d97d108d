"""XML of elements and attributes as text, each element in a line of its own."""

from __future__ import annotations

from collections.abc import Mapping

_ESCAPES = (
    ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\r", "&#13;"), ("\n", "&#10;"), ("\t", "&#09;")
)  # fmt: skip
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


class Element:
    """An element with attributes, in their order, and elements inside."""

    def __init__(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Make one of a kind, its `tag`, with `attributes` and nothing inside."""
        self.tag = tag
        self.attributes = dict(attributes)
        self.inside: list[Element] = []

    def add(self, tag: str, attributes: Mapping[str, str | None]) -> Element:
        """Put an element of a kind, its `tag`, inside, with those `attributes` that are neither None nor empty."""
        found = Element(tag, {key: value for key, value in attributes.items() if value is not None and value != ""})
        self.inside.append(found)
        return found


def document(root: Element) -> str:
    """Return the text of a document whose outermost element is `root`."""
    lines: list[str] = []
    _add_lines(lines, root, "")
    return _HEAD + "\n".join(lines) + "\n"


def _add_lines(lines: list[str], element: Element, indent: str) -> None:
    head = "".join([f' {key}="{_escape(value)}"' for key, value in element.attributes.items()])
    if not element.inside:
        lines.append(f"{indent}<{element.tag}{head} />")
        return
    lines.append(f"{indent}<{element.tag}{head}>")
    for one in element.inside:
        _add_lines(lines, one, indent + "  ")
    lines.append(f"{indent}</{element.tag}>")


def _escape(text: str) -> str:
    for sign, written in _ESCAPES:
        text = text.replace(sign, written)
    return text
