"""One C file out of many: what a source includes by its place stands where it is included, each header once."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from couplant.base import paths

_INCLUDE = re.compile(r'#include "([^"]+)"')
_GUARD = re.compile(r"^#ifndef (\w+_H)\n#define \1\n", re.MULTILINE)
_CONDITION = re.compile(r"#(if|ifdef|ifndef|elif|else|endif)\b *(.*)")
_DEFINED = re.compile(r"(!?)defined\((\w+)\)")


def amalgamate(source: Path, beside: Collection[str], defined: Collection[str], asked: Collection[str]) -> str:
    """Return the text of `source` with all that it includes.

    Parameters
    ----------
    source : Path
        The C file to begin with.
    beside : collection of str
        Names of headers in the folder of `source` that stay files of their own.
    defined, asked : collection of str
        Names that are defined, among the `asked` ones: lines that depend on nothing but these are kept or left out.

    Returns
    -------
    str
        A translation unit; a line before each piece says which file of `fmu_src` it is from.
    """
    seen: set[Path] = set()
    lines = _whole(source, source.parent, frozenset(beside), seen)
    return "\n".join(_choose(lines, frozenset(defined), frozenset(asked))) + "\n"


def _whole(path: Path, top: Path, beside: frozenset[str], seen: set[Path]) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if path in seen and _GUARD.search(text):
        return
    seen.add(path)
    yield f"/* {path.relative_to(paths.fmu_source('base').parent.resolve()).as_posix()} */"
    for line in text.splitlines():
        found = _INCLUDE.fullmatch(line)
        there = (path.parent / found[1]).resolve() if found else None
        if there is None or (there.parent == top and there.name in beside):
            yield line
        else:
            yield from _whole(there, top, beside, seen)


@dataclass
class _Block:
    """A block of lines under a condition."""

    decided: bool  # whether the condition depends on nothing but the names that are asked
    used: bool  # whether one of its branches was kept
    kept: bool = True  # whether the present one is


def _choose(lines: Iterator[str], defined: frozenset[str], asked: frozenset[str]) -> Iterator[str]:
    """Yield the lines that are compiled, as far as the `asked` names tell, of which some are `defined`."""
    blocks: list[_Block] = []
    for line in lines:
        found = _CONDITION.fullmatch(line)
        word, condition = (found[1], found[2]) if found else ("", "")
        if word in ("if", "ifdef", "ifndef"):
            value = _value(word, condition, defined, asked)
            blocks.append(_Block(value is not None, bool(value), value is not False))
        told = bool(word) and blocks[-1].decided  # such lines are for nobody any more
        if word in ("elif", "else") and told:
            value = word == "else" or bool(_value(word, condition, defined, asked))
            blocks[-1].kept = value and not blocks[-1].used
            blocks[-1].used = blocks[-1].used or value
        if word == "endif":
            blocks.pop()
        if not told and all(block.kept for block in blocks):
            yield line


def _value(word: str, condition: str, defined: frozenset[str], asked: frozenset[str]) -> bool | None:
    """Return whether a condition holds, None where it depends on other names."""
    if word in ("ifdef", "ifndef"):
        return (condition in defined) == (word == "ifdef") if condition in asked else None
    terms = [_DEFINED.fullmatch(term.strip()) for term in condition.split("||")]
    if not all(term and term[2] in asked for term in terms):
        return None
    return any((term[2] in defined) != bool(term[1]) for term in terms if term)
