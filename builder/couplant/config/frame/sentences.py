"""A sentence for everything that is wrong with a document: keys one by one, and what they must fulfil together.

Plain data in, text out: this is what `frame` says in Python, and what the page of the workbench says, for which this
module is translated. Who checks the keys, pydantic or the page, hands in what it found.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from couplant.base.errors import UsageError
from couplant.base.written_json import quote_text
from couplant.config.frame.likeness import closest

_LONGEST_VALUE = 40
_SURE = 0.8  # likeness from which a key of an inner table is worth suggesting
_PHRASES = {
    "model_type": "a table",
    "dict_type": "a table",
    "tuple_type": "a list of tables",
    "list_type": "a list",
    "string_type": "a text",
    "bool_type": "true or false",
    "float_type": "a finite number",
    "finite_number": "a finite number",
    "int_type": "a whole number",
    "too_short": "at least one entry",
}

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?")
_BARE = re.compile("[A-Za-z0-9_-]*[A-Za-z0-9][A-Za-z0-9_-]*")
_NAMES = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN", "None": "null"}

Content = dict[str, Any]  # content of a TOML file as plain Python values
Location = Sequence[str | int]  # keys and indices, outermost first
T = TypeVar("T")

_KINDS = {
    "interface": ("an interface, which couplant build takes", "interfaces"),
    "components": ("a scenario, which couplant simulate takes", "scenarios"),
    "prototypes": ("a coupled system, which couplant stability takes", "systems"),
}
"""By the table that files of one kind have and no others: what such a file is, and what such files are called."""


class Key(TypedDict):
    """Words of sentences about a key of a table."""

    description: str  # what it means, with its unit
    range: str  # which numbers it takes, empty for what is no number
    table: str  # name of the table that it is, empty if it is none
    entries: str  # name of the tables that are its entries, empty if they are none


Tables = Mapping[str, Mapping[str, Key]]  # all tables of a kind of file by name, each with its keys as they are written


class Wrong(TypedDict):
    """A key that is wrong by itself, as pydantic tells it."""

    type: str  # one of pydantic's types of errors, or `allowed`, `together`
    loc: Location
    msg: str
    expected: str  # what a text may be, for `literal_error`
    input: Any


@dataclass(frozen=True)
class Problem:
    """Something wrong with keys that are right one by one."""

    text: str  # what is wrong and what is allowed, without the name of the file
    # dotted keys that were looked at: with one of them wrong by itself, the problem is not worth telling
    keys: tuple[str, ...] = ()


def check_document(
    document: Content,
    validate: Callable[[Content], tuple[T, list[Wrong]]],
    line_of: Callable[[Wrong], str],
    rules: Callable[[T], Iterable[Problem]],
    stand_in: Content,
) -> tuple[T, list[str]]:
    """Return the settings in a document, and a line for each thing that is wrong with it.

    `validate` gives the settings, and what is wrong with keys one by one, where there are no settings; `line_of` says
    what to say of one of them. `rules` are what the keys must fulfil together; they are applied to what is right, so
    that one run reports all that is wrong: `stand_in` takes the place of what is missing or wrong.
    """
    settings, errors = validate(document)
    lines = [line_of(error) for error in errors]
    wrong = [key_text(_whole(error["loc"])) for error in errors]
    rest = document
    for error in errors:
        rest = _without(rest, _whole(error["loc"]))
    assumed, left = validate(merge(stand_in, rest))
    if not left:
        lines += [problem.text for problem in rules(assumed) if not _touches(problem, wrong)]
    return settings, lines


def _whole(location: Location) -> Location:
    """Cut a location at the first list index or key marker: a list is right or wrong as a whole."""
    ends = [i for i, part in enumerate(location) if not isinstance(part, str) or part == "[key]"]
    return location[: ends[0]] if ends else location


def _without(node: Any, location: Location) -> Any:
    """Return a copy of a table without the key at a location."""
    if not isinstance(node, dict) or not location:
        return node
    copy, part = dict(node), location[0]
    if len(location) == 1 or isinstance(copy.get(part), str):
        copy.pop(part, None)  # algorithm = "name" is short for a table
    elif part in copy:
        copy[part] = _without(copy[part], location[1:])
    return copy


def _touches(problem: Problem, wrong: Iterable[str]) -> bool:
    return any(
        f"{key}.".startswith(f"{bad}.") or f"{bad}.".startswith(f"{key}.") for key in problem.keys for bad in wrong
    )


def line(tables: Tables, root: str, error: Wrong, prefix: Location) -> str:
    """Return the sentence about a key that is wrong by itself.

    `root` is the name of the outermost of the `tables`, which stands under `prefix` in its file.
    """
    location, kind = error["loc"], error["type"]
    key = key_text([*prefix, *location])
    if location and location[-1] == "[key]":
        return f"{key} is not allowed as a name: {error['msg']}"
    if kind == "together":
        return f"{key} {error['msg']}".strip()
    # the keys of the table at a location; a list or a text has none
    table, entries = root, ""
    for part in location[:-1]:
        if table:
            inner = tables[table][str(part)]
            table, entries = inner["table"], inner["entries"]
        else:
            table, entries = entries, ""
    section, name = tables.get(table, {}), str(location[-1])
    if kind == "extra_forbidden":
        return f"{key} is unknown: {_suggestion(tables, section, name)}"
    field = section.get(name)
    if kind == "missing" and field is not None:
        return f"{key} is missing: {field['description']}"
    return f"{key} = {value_text(error['input'])}, allowed {_allowed_words(error, field)}"


def _allowed_words(error: Wrong, field: Key | None) -> str:
    kind = error["type"]
    if kind == "literal_error":
        return error["expected"].replace("'", '"')
    if kind != "allowed" and field is not None and field["range"]:
        return field["range"]
    return _PHRASES.get(kind, error["msg"])


def _suggestion(tables: Tables, section: Mapping[str, Key], key: str) -> str:
    own, inner = list(section), _inner_keys(tables, section)
    close = closest(key, own)
    if close is None:
        further = closest(key, list(inner), _SURE)
        close = inner[further] if further is not None else None
    return "allowed are " + ", ".join(own) if close is None else f"did you mean {close}?"


def _inner_keys(tables: Tables, section: Mapping[str, Key]) -> dict[str, str]:
    """Map every key of the tables in a section to the way it is written from there."""
    return {key: f"{name}.{key}" for name, field in section.items() for key in tables.get(field["table"], {})}


def key_text(location: Location) -> str:
    """Return a key as it is written in messages: dots between tables, list entries counted from 1."""
    text = ""
    for part in location:
        if not isinstance(part, str):
            text += f"[{part + 1}]"
        elif part != "[key]":
            text += ("." if text else "") + (part if _BARE.fullmatch(part) else _ascii(quote_text(part)))
    return text


def value_text(value: object) -> str:
    """Return a `value` as TOML would show it, in at most 40 characters."""
    text = "{ .. }" if isinstance(value, dict) else _write(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + ".."


def _write(value: Any) -> str:
    """Return an entry of a file as JSON has it, with the names of Python for what is no number; dates as they are."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quote_text(value)
    return f"[{', '.join(map(_inside, value))}]" if isinstance(value, list) else str(value)


def _inside(value: Any) -> str:
    """Return an entry of a list."""
    if isinstance(value, dict):
        return "{" + ", ".join([f"{_ascii(quote_text(key))}: {_inside(inner)}" for key, inner in value.items()]) + "}"
    text = _write(value)
    if isinstance(value, (bool, str, list)) or _NUMBER.fullmatch(text):
        return _ascii(text)
    return _NAMES.get(text, quote_text(text))


def _ascii(text: str) -> str:
    """Return a text between quotation marks with the escapes of JSON for letters beyond ASCII."""
    return "".join([letter if letter < "\x80" else _escape(ord(letter)) for letter in text])


def _escape(code: int) -> str:
    if code < 0x10000:
        return f"\\u{code:04x}"
    rest = code - 0x10000
    return f"\\u{0xD800 + rest // 1024:04x}\\u{0xDC00 + rest % 1024:04x}"


def merge(*tables: Mapping[str, Any]) -> Content:
    """Return nested `tables` as one, in which the later ones come before the earlier ones, key by key."""
    merged: Content = {}
    for table in tables:
        for key, value in table.items():
            old = merged.get(key)
            merged[key] = merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def require_kind(document: Content, own: str, path: str | Path) -> None:
    """Refuse the content of a settings file that has not the table `own` but that of another kind.

    Raises UsageError, which says what the file is.
    """
    for key, (kind, _) in _KINDS.items():
        if own not in document and key in document:
            raise UsageError(f"{path} is {kind}; {_KINDS[own][1]} have a table {own}, it has none.")
