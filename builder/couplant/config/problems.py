"""From what pydantic finds to one line for each key: quantity, value, what is allowed."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from couplant.config.rules import Problem, problems
from couplant.config.schema import Document

_LONGEST_VALUE = 40
_SURE = 0.8
"""Likeness from which a key of an inner table is worth suggesting."""
_PHRASES = {
    "model_type": "a table",
    "dict_type": "a table",
    "tuple_type": "a list of tables",
    "list_type": "a list",
    "string_type": "a text",
    "too_short": "at least one entry",
}
_STAND_IN = {"name": "interface", "macro_step": 1.0}

Location = Sequence[Any]


def problem_lines(document: dict[str, Any]) -> list[str]:
    """Return a line for everything that is wrong with a settings document.

    Parameters
    ----------
    document : dict
        Content of a settings file as plain Python values.
    """
    errors = _errors(Document, document)
    wrong = [dotted(_whole(error["loc"])) for error in errors]
    together = [p.text for p in _rule_problems(document, errors) if not _touches(p, wrong)]
    return [_line(Document, error, ()) for error in errors] + together


def schema_lines(model: type[BaseModel], document: Any, prefix: Location = ()) -> list[str]:
    """Return a line for each key that is wrong by itself.

    Parameters
    ----------
    model : type
        The schema; an error of the type ``together`` is a sentence about the table it stands in.
    document : object
        Plain Python values.
    prefix : sequence
        Keys under which the document stands in its file.
    """
    return [_line(model, error, prefix) for error in _errors(model, document)]


def _errors(model: type[BaseModel], document: Any) -> list[ErrorDetails]:
    try:
        model.model_validate(document)
    except ValidationError as found:
        return found.errors(include_url=False)
    return []


def _rule_problems(document: dict[str, Any], errors: list[ErrorDetails]) -> list[Problem]:
    """Apply the rules to what is right, so that one run reports all that is wrong."""
    rest = copy.deepcopy(document)
    for error in errors:
        _remove(rest, _whole(error["loc"]))
    common = rest.get("interface")
    rest["interface"] = {**_STAND_IN, **common} if isinstance(common, dict) else dict(_STAND_IN)
    try:
        return problems(Document.model_validate(rest))
    except ValidationError:
        return []


def _whole(location: Location) -> Location:
    """Cut a location at the first list index or key marker: a list is right or wrong as a whole."""
    ends = [i for i, part in enumerate(location) if isinstance(part, int) or part == "[key]"]
    return location[: ends[0]] if ends else location


def _remove(document: dict[str, Any], location: Location) -> None:
    node: Any = document
    for part in location[:-1]:
        if isinstance(node, dict) and isinstance(node.get(part), str):
            break  # algorithm = "name" is short for a table
        node = node.get(part) if isinstance(node, dict) else None
    else:
        part = location[-1]
    if isinstance(node, dict):
        node.pop(part, None)


def _touches(problem: Problem, wrong: list[str]) -> bool:
    return any(
        f"{key}.".startswith(f"{bad}.") or f"{bad}.".startswith(f"{key}.") for key in problem.keys for bad in wrong
    )


def _line(model: type[BaseModel], error: ErrorDetails, prefix: Location) -> str:
    location, kind = error["loc"], error["type"]
    key = dotted([*prefix, *location])
    if location and location[-1] == "[key]":
        return f"{key} is not allowed as a name: {error['msg']}"
    if kind == "extra_forbidden":
        return f"{key} is unknown: {_suggestion(model, location)}"
    if kind == "missing":
        return f"{key} is missing: {_fields(_section(model, location[:-1]))[location[-1]].description}"
    if kind == "together":
        return f"{key} {error['msg']}".strip()
    return f"{key} = {shown(error['input'])}, allowed {_PHRASES.get(kind, error['msg'])}"


def _suggestion(model: type[BaseModel], location: Location) -> str:
    section = _section(model, location[:-1])
    own, inner, key = _fields(section), _inner_keys(section), str(location[-1])
    close = get_close_matches(key, own, n=1) or [inner[match] for match in get_close_matches(key, inner, 1, _SURE)]
    return f"did you mean {close[0]}?" if close else "allowed are " + ", ".join(own)


def _inner_keys(section: type[BaseModel]) -> dict[str, str]:
    """Map every key of the tables in a section to the way it is written from there."""
    return {
        key: f"{name}.{key}"
        for name, field in _fields(section).items()
        if _is_section(field.annotation)
        for key in _fields(field.annotation)
    }


def _fields(section: type[BaseModel]) -> dict[str, FieldInfo]:
    """Return the fields by the names that are written in files."""
    return {field.alias or name: field for name, field in section.model_fields.items()}


def _section(model: type[BaseModel], location: Location) -> type[BaseModel]:
    kind: Any = model
    for part in location:
        kind = _fields(kind)[part].annotation if _is_section(kind) else _entry(kind)
    return kind


def _entry(container: Any) -> Any:
    return next(kind for kind in get_args(container) if _is_section(kind))


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def dotted(location: Location) -> str:
    """Return a key as it is written in messages: dots between tables, list entries counted from 1.

    Parameters
    ----------
    location : sequence of str or int
        Keys and indices, outermost first.
    """
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        elif part != "[key]":
            text += ("." if text else "") + _quoted(str(part))
    return text


def _quoted(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else json.dumps(key)


def shown(value: Any) -> str:
    """Return a value as TOML would show it, in at most 40 characters.

    Parameters
    ----------
    value : object
        Plain Python value.
    """
    if isinstance(value, (dict, list)):
        text = "{ .. }" if isinstance(value, dict) else json.dumps(value, default=str)
    elif isinstance(value, (str, bool)):
        text = json.dumps(value, ensure_ascii=False)
    else:
        text = str(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + ".."
