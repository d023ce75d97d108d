"""From what pydantic finds in a scenario to one line for each key: quantity, value, what is allowed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_LONGEST_VALUE = 40
_PHRASES = {
    "model_type": "a table",
    "dict_type": "a table",
    "list_type": "a list",
    "too_short": "at least one entry",
    "string_type": "a text",
}


def problem_lines(model: type[BaseModel], document: Any, prefix: str = "") -> list[str]:
    """Return a line for everything that is wrong with a document.

    Parameters
    ----------
    model : type
        The schema.
    document : Any
        Plain Python values.
    prefix : str
        Dotted key at which the document stands in its file.
    """
    try:
        model.model_validate(document)
    except ValidationError as found:
        return [_line(model, error, prefix) for error in found.errors(include_url=False)]
    return []


def _line(model: type[BaseModel], error: ErrorDetails, prefix: str) -> str:
    location, kind = error["loc"], error["type"]
    key = _dotted([prefix, *location] if prefix else location)
    if kind == "extra_forbidden":
        return f"{key} is unknown: {_suggestion(model, location)}"
    if kind == "missing":
        return f"{key} is missing: {_field(_section(model, location[:-1]), location[-1]).description}"
    if kind == "together":
        return f"{key + ' ' if key else ''}{error['msg']}"
    if location and location[-1] == "[key]":
        return f"{key} is not allowed as a name: {error['msg']}"
    return f"{key} = {_shown(error['input'])}, allowed {_PHRASES.get(kind, error['msg'])}"


def _suggestion(model: type[BaseModel], location: Sequence[Any]) -> str:
    known = [field.alias or name for name, field in _section(model, location[:-1]).model_fields.items()]
    close = get_close_matches(str(location[-1]), known, n=1)
    return f"did you mean {close[0]}?" if close else "allowed are " + ", ".join(known)


def _section(model: type[BaseModel], location: Sequence[Any]) -> type[BaseModel]:
    kind: Any = model
    for part in location:
        kind = _field(kind, part).annotation if _is_section(kind) else next(k for k in get_args(kind) if _is_section(k))
    return kind


def _field(section: type[BaseModel], key: Any) -> Any:
    return next(field for name, field in section.model_fields.items() if key in (name, field.alias))


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _dotted(location: Sequence[Any]) -> str:
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        elif part != "[key]":
            text += f".{part}" if text else str(part)
    return text


def _shown(value: Any) -> str:
    text = "{ .. }" if isinstance(value, dict) else json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 2] + ".."
