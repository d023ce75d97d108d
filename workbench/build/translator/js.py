"""Pieces of JavaScript: text, how tightly it binds, what it is."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from workbench.build.translator.types import ANY, Type

PRIMARY, UNARY, MULTIPLY, ADD, COMPARE, EQUAL, BIT_AND = 20, 15, 13, 12, 10, 9, 8
AND, OR, CHOICE = 4, 3, 2
_RESERVED = set(
    "arguments break case catch class const continue debugger default delete do else enum eval export extends false "
    "finally for function if implements import in instanceof interface let new null package private protected public "
    "return static super switch this throw true try typeof undefined var void while with yield await async py "
    "Map Set Array Object Math Number String Boolean Error Infinity NaN Uint8Array self".split()
) - {"self", "async"}
_SIMPLE = re.compile(r"-?[\w$.]+")


@dataclass(frozen=True)
class Js:
    """An expression of JavaScript.

    Attributes
    ----------
    text : str
        As it is written.
    level : int
        How tightly it binds: `PRIMARY` needs no brackets anywhere.
    type : Type
        What it is in Python.
    """

    text: str
    level: int = PRIMARY
    type: Type = ANY

    def at(self, level: int) -> str:
        """Return the text, in brackets where it binds less tightly than `level`."""
        return self.text if self.level >= level else f"({self.text})"

    @property
    def simple(self) -> bool:
        """Whether it may stand there twice: a name, a number, an attribute of a name."""
        return _SIMPLE.fullmatch(self.text) is not None


def name_in_js(name: str) -> str:
    """Return a name of Python as one of JavaScript: those that mean something there get a line behind."""
    return f"{name}_" if name in _RESERVED else name


def quoted(text: str) -> str:
    """Return a text as a literal."""
    return json.dumps(text, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def template(text: str) -> str:
    """Return what stands between back ticks for a text."""
    inner = quoted(text)[1:-1].replace('\\"', '"')
    return inner.replace("`", "\\`").replace("${", "\\${")


def indented(lines: list[str]) -> list[str]:
    """Return lines two blanks further in."""
    return [f"  {line}" if line else line for line in lines]
