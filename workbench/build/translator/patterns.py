"""Regular expressions: from what Python understands to a pattern that means the same in JavaScript."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

_PARSER = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
_IGNORECASE, _MULTILINE, _DOTALL, _ASCII, _UNICODE = 2, 8, 16, 256, 32
_BLANKS = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
_CLASSES = {"DIGIT": "\\p{Nd}", "SPACE": _BLANKS, "WORD": "\\p{L}\\p{N}_"}
_ASCII_CLASSES = {"DIGIT": "0-9", "SPACE": "\\t-\\r ", "WORD": "A-Za-z0-9_"}
_SYNTAX = "^$\\.*+?()[]{}|/"
_MANY = 4294967295


def pattern_in_js(pattern: str, flags: int = 0) -> tuple[str, str, dict[str, int]]:
    """Return source and flags of a `RegExp` that means the same, and the numbers of the named groups.

    Parameters
    ----------
    flags : int
        Those of `re`: IGNORECASE, MULTILINE, DOTALL and ASCII.

    Raises
    ------
    ValueError
        If JavaScript has nothing that means the same.
    """
    parsed = _PARSER.parse(pattern, flags)
    used = parsed.state.flags
    if used & ~(_IGNORECASE | _MULTILINE | _DOTALL | _ASCII | _UNICODE):
        raise ValueError("flags inside")
    return _sequence(parsed, used), "i" if used & _IGNORECASE else "", dict(parsed.state.groupdict)


def _sequence(parts: Any, flags: int, repeated: bool = False) -> str:
    return "".join(_HANDLERS.get(str(op), _unknown(str(op)))(argument, flags, repeated) for op, argument in parts)


def _unknown(name: str) -> Callable[[Any, int, bool], str]:
    def refuse(argument: Any, flags: int, repeated: bool) -> str:
        raise ValueError(f"{name.lower().replace('_', ' ')} inside")

    return refuse


def _letter(code: int, inside: bool = False) -> str:
    letter = chr(code)
    if letter in _SYNTAX or (inside and letter == "-"):
        return f"\\{letter}"
    if letter.isprintable() and letter != "`":
        return letter
    return f"\\x{code:02x}" if code < 256 else f"\\u{{{code:x}}}"


def _literal(code: Any, flags: int, repeated: bool) -> str:
    return _letter(code)


def _not_literal(code: Any, flags: int, repeated: bool) -> str:
    return f"[^{_letter(code, inside=True)}]"


def _any(argument: Any, flags: int, repeated: bool) -> str:
    return "[^]" if flags & _DOTALL else "[^\\n]"


def _category(name: str, flags: int) -> str:
    kind = name.removeprefix("CATEGORY_")
    classes = _ASCII_CLASSES if flags & _ASCII else _CLASSES
    if kind not in classes:
        raise ValueError(f"{kind.lower().replace('_', ' ')} in a set of characters")
    return classes[kind]


def _in(items: Any, flags: int, repeated: bool) -> str:
    negated, text = False, ""
    if len(items) == 1 and str(items[0][0]) == "CATEGORY" and "NOT_" in str(items[0][1]):
        return f"[^{_category(str(items[0][1]).replace('NOT_', ''), flags)}]"
    for op, argument in items:
        match str(op):
            case "NEGATE":
                negated = True
            case "LITERAL":
                text += _letter(argument, inside=True)
            case "RANGE":
                text += f"{_letter(argument[0], inside=True)}-{_letter(argument[1], inside=True)}"
            case "CATEGORY":
                text += _category(str(argument), flags)
    return f"[{'^' if negated else ''}{text}]"


def _branch(argument: Any, flags: int, repeated: bool) -> str:
    return f"(?:{'|'.join(_sequence(one, flags, repeated) for one in argument[1])})"


def _group(argument: Any, flags: int, repeated: bool) -> str:
    number, added, removed, parts = argument
    if added or removed:
        raise ValueError("flags inside")
    if number is not None and repeated:
        raise ValueError("a group inside of what is repeated")
    return f"({'' if number is not None else '?:'}{_sequence(parts, flags, repeated)})"


def _repeat(argument: Any, flags: int, repeated: bool, lazy: str = "") -> str:
    least, most, parts = argument
    single = len(parts) == 1 and str(parts[0][0]) == "SUBPATTERN"  # the last round counts in both
    inner = parts[0][1][3] if single else parts
    text = _sequence(inner, flags, repeated or int(most) > 1)
    if single:
        if parts[0][1][1] or parts[0][1][2]:
            raise ValueError("flags inside")
        if parts[0][1][0] is not None and repeated:
            raise ValueError("a group inside of what is repeated")
        text = f"({'' if parts[0][1][0] is not None else '?:'}{text})"
    elif len(parts) != 1 or str(parts[0][0]) in ("AT", "MAX_REPEAT", "MIN_REPEAT", "ASSERT", "ASSERT_NOT"):
        text = f"(?:{text})"
    ends = (int(least), int(most))
    short = {(0, _MANY): "*", (1, _MANY): "+", (0, 1): "?"}.get(ends)
    count = f"{{{ends[0]}}}" if ends[0] == ends[1] else f"{{{ends[0]},{'' if ends[1] == _MANY else ends[1]}}}"
    return f"{text}{short or count}{lazy}"


def _lazy(argument: Any, flags: int, repeated: bool) -> str:
    return _repeat(argument, flags, repeated, "?")


def _at(argument: Any, flags: int, repeated: bool) -> str:
    """Return a place; the end is also before a last line feed, and only a line feed ends a line."""
    many = bool(flags & _MULTILINE)
    word = f"[{_category('WORD', flags)}]"
    places = {
        "AT_BEGINNING": "(?<=\\n|(?<![^]))" if many else "(?<![^])",
        "AT_BEGINNING_STRING": "(?<![^])",
        "AT_END": "(?=\\n|(?![^]))" if many else "(?=\\n?(?![^]))",
        "AT_END_STRING": "(?![^])",
        "AT_BOUNDARY": f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))",
    }
    if str(argument) not in places:
        raise ValueError(f"{str(argument).removeprefix('AT_').lower().replace('_', ' ')} inside")
    return places[str(argument)]


def _assert(argument: Any, flags: int, repeated: bool, sign: str = "=") -> str:
    direction, parts = argument
    return f"(?{'<' if direction < 0 else ''}{sign}{_sequence(parts, flags, repeated)})"


def _assert_not(argument: Any, flags: int, repeated: bool) -> str:
    return _assert(argument, flags, repeated, "!")


_HANDLERS: dict[str, Callable[[Any, int, bool], str]] = {
    "LITERAL": _literal, "NOT_LITERAL": _not_literal, "ANY": _any, "IN": _in, "BRANCH": _branch,
    "SUBPATTERN": _group, "MAX_REPEAT": _repeat, "MIN_REPEAT": _lazy, "AT": _at, "ASSERT": _assert,
    "ASSERT_NOT": _assert_not,
}  # fmt: skip
