"""The frame of settings files: TOML, ``--set``, strict tables, and a sentence for everything that is wrong at once.

A file is described by a `Table`. Limits stand in its fields and nowhere else: what a sentence calls allowed is worked
out from them.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar, get_args

import tomlkit
from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, ValidationError, WrapValidator
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError, core_schema
from tomlkit.exceptions import TOMLKitError

from couplant.errors import UsageError, why

_LONGEST_VALUE = 40
_SURE = 0.8
"""Likeness from which a key of an inner table is worth suggesting."""
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

Content = dict[str, Any]
"""Content of a TOML file as plain Python values."""
Source = str | Path | Mapping[str, Any]
"""A settings file, or what it would contain; files that this names are then relative to the working folder."""
Location = Sequence[str | int]
"""Keys and indices, outermost first."""
T = TypeVar("T", bound=BaseModel)

Real = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Whole = Annotated[int, Field(strict=True)]
Flag = Annotated[bool, Field(strict=True)]
_NUMBERS = (float, int, Real | None, Whole | None)


class Table(BaseModel):
    """One table of a file: unknown keys are refused, values cannot be changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


@dataclass(frozen=True)
class OneOf:
    """One of some texts, for an ``Annotated``: as a ``Literal``, for names that are worked out."""

    names: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of a literal."""
        return core_schema.literal_schema(list(self.names))


@dataclass(frozen=True)
class Problem:
    """Something wrong with keys that are right one by one."""

    text: str  # what is wrong and what is allowed, without the name of the file
    # dotted keys that were looked at: with one of them wrong by itself, the problem is not worth telling
    keys: tuple[str, ...] = ()


def allowed(phrase: str) -> WrapValidator:
    """Replace whatever pydantic finds wrong with one `phrase`, to be read after the word "allowed"."""

    def check(value: object, inner: Callable[[object], object]) -> object:
        try:
            return inner(value)
        except ValidationError:
            raise PydanticCustomError("allowed", "{phrase}", {"phrase": phrase}) from None

    return WrapValidator(check)


Text = Annotated[str, Field(strict=True, min_length=1), allowed("a text")]


def together(text: str) -> PydanticCustomError:
    """Return what a validator raises whose keys do not fit together; `text` follows the key of its table."""
    return PydanticCustomError("together", "{text}", {"text": text})


def no_rules(checked: BaseModel) -> Iterable[Problem]:
    """Return nothing: whatever is right key by key is right."""
    return ()


def check(
    model: type[T],
    document: Content,
    origin: str | Path,
    rules: Callable[[T], Iterable[Problem]] = no_rules,
    stand_in: Content | None = None,
) -> T:
    """Return the settings in a document.

    Parameters
    ----------
    model : type
        The tables of the file; an error of theirs of the type ``together`` is a sentence about the table it stands in.
    origin : str or Path
        Name of the file, for messages.
    rules : callable
        What the keys must fulfil together; applied to what is right, so that one run reports all that is wrong.
    stand_in : dict, optional
        Takes the place of what is missing or wrong, for `rules`.

    Raises
    ------
    UsageError
        If anything is wrong: one line for each thing, all at once.
    """
    errors = _errors(model, document)
    wrong = [dotted(_whole(error["loc"])) for error in errors]
    lines = [_line(model, error, ()) for error in errors]
    lines += [p.text for p in _rule_problems(model, document, errors, rules, stand_in) if not _touches(p, wrong)]
    if lines:
        refuse(origin, lines)
    return model.model_validate(document)


def refuse(origin: str | Path, lines: Iterable[str]) -> NoReturn:
    """Raise a `UsageError` in which the name of the file, `origin`, stands at the head of each of the `lines`."""
    raise UsageError("\n".join(f"{origin}: {line}" for line in lines))


def schema_lines(model: type[BaseModel], document: object, prefix: Location = ()) -> list[str]:
    """Return a line for each key of a document that is wrong by itself; in its file it stands under `prefix`."""
    return [_line(model, error, prefix) for error in _errors(model, document)]


def _errors(model: type[BaseModel], document: object) -> list[ErrorDetails]:
    try:
        model.model_validate(document)
    except ValidationError as found:
        return found.errors(include_url=False)
    return []


def _rule_problems(
    model: type[T],
    document: Content,
    errors: Sequence[ErrorDetails],
    rules: Callable[[T], Iterable[Problem]],
    stand_in: Content | None,
) -> list[Problem]:
    rest = copy.deepcopy(document)
    for error in errors:
        _remove(rest, _whole(error["loc"]))
    try:
        return list(rules(model.model_validate(merge(stand_in or {}, rest))))
    except ValidationError:
        return []


def _whole(location: Location) -> Location:
    """Cut a location at the first list index or key marker: a list is right or wrong as a whole."""
    ends = [i for i, part in enumerate(location) if isinstance(part, int) or part == "[key]"]
    return location[: ends[0]] if ends else location


def _remove(document: Content, location: Location) -> None:
    node: Any = document
    for part in location[:-1]:
        if isinstance(node, dict) and isinstance(node.get(part), str):
            node.pop(part)  # algorithm = "name" is short for a table
        node = node.get(part) if isinstance(node, dict) else None
    if isinstance(node, dict) and location:
        node.pop(location[-1], None)


def _touches(problem: Problem, wrong: Iterable[str]) -> bool:
    return any(
        f"{key}.".startswith(f"{bad}.") or f"{bad}.".startswith(f"{key}.") for key in problem.keys for bad in wrong
    )


def _line(model: type[BaseModel], error: ErrorDetails, prefix: Location) -> str:
    location, kind = error["loc"], error["type"]
    key = dotted([*prefix, *location])
    if location and location[-1] == "[key]":
        return f"{key} is not allowed as a name: {error['msg']}"
    if kind == "together":
        return f"{key} {error['msg']}".strip()
    section, name = _section(model, location[:-1]), str(location[-1])
    if kind == "extra_forbidden":
        return f"{key} is unknown: {_suggestion(section, name)}"
    field = _fields(section).get(name)
    if kind == "missing" and field is not None:
        return f"{key} is missing: {field.description}"
    return f"{key} = {shown(error['input'])}, allowed {_allowed(error, field)}"


def _allowed(error: ErrorDetails, field: FieldInfo | None) -> str:
    kind = error["type"]
    if kind == "literal_error":
        return str(error["ctx"]["expected"]).replace("'", '"')
    if kind != "allowed" and field is not None and field.annotation in _NUMBERS:
        return _range(field)
    return _PHRASES.get(kind, error["msg"])


def _range(field: FieldInfo) -> str:
    """Return in words which numbers a field takes."""
    limits = {name: getattr(m, name) for m in field.metadata for name in ("ge", "gt", "le") if hasattr(m, name)}
    low = f"above {limits['gt']:g}" if "gt" in limits else f"at least {limits['ge']:g}" if "ge" in limits else ""
    if "le" not in limits:
        return f"a finite number {low if 'gt' in limits else f'of {low}' if low else ''}".rstrip()
    if "gt" in limits:
        return f"{low}, at most {limits['le']:g}"
    unit = re.search(r" \[[^\s-]+\]$", field.description or "")
    return f"{_text(limits['ge'])} to {_text(limits['le'])}{unit[0].replace('[', '').replace(']', '') if unit else ''}"


def _text(limit: float) -> str:
    return str(limit) if isinstance(limit, int) else f"{limit:g}"


def _suggestion(section: type[BaseModel], key: str) -> str:
    own, inner = _fields(section), _inner_keys(section)
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


def _fields(section: Any) -> dict[str, FieldInfo]:
    """Return the fields of a table by the names that are written in files; a list or a text has none."""
    return {f.alias or name: f for name, f in section.model_fields.items()} if _is_section(section) else {}


def _section(model: type[BaseModel], location: Location) -> Any:
    """Return the type at a location."""
    kind: Any = model
    for part in location:
        if _is_section(kind):
            kind = _fields(kind)[str(part)].annotation
        else:
            kind = next((entry for entry in get_args(kind) if _is_section(entry)), None)
    return kind


def _is_section(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def dotted(location: Location) -> str:
    """Return a key as it is written in messages: dots between tables, list entries counted from 1."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        elif part != "[key]":
            text += ("." if text else "") + _quoted(part)
    return text


def _quoted(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else json.dumps(key)


def shown(value: object) -> str:
    """Return a `value` as TOML would show it, in at most 40 characters."""
    if isinstance(value, (dict, list)):
        text = "{ .. }" if isinstance(value, dict) else json.dumps(value, default=str)
    elif isinstance(value, (str, bool)):
        text = json.dumps(value, ensure_ascii=False)
    else:
        text = str(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + ".."


def source_name(source: Source) -> Path:
    """Return the path of a settings file, or what stands for it in messages."""
    return Path(source) if isinstance(source, (str, Path)) else Path("settings")


def read_source(source: Source, assignments: Sequence[str] = ()) -> Content:
    """Return the content of a settings file, as `read_toml` does, or of what is in its place.

    Raises
    ------
    UsageError
        As `read_toml`.
    """
    if isinstance(source, (str, Path)):
        return read_toml(source, assignments)
    return apply_assignments(dict(source), assignments)


def read_toml(path: str | Path, assignments: Sequence[str] = ()) -> Content:
    """Return the content of a TOML file in UTF-8, changed by `assignments` in the form ``key=TOML value``.

    Raises
    ------
    UsageError
        If there is no such file, it is not TOML, or an assignment is wrong.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not a TOML file: byte {error.start} is not UTF-8.") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {why(error)}.") from None
    try:
        return apply_assignments(tomlkit.parse(text).unwrap(), assignments)
    except (TOMLKitError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{path}: not a TOML file: {str(error).splitlines()[0].rstrip('.')}.") from None


def apply_assignments(document: Content, assignments: Sequence[str]) -> Content:
    """Return a copy of a document with some keys set, as ``--set`` does.

    Parameters
    ----------
    assignments : sequence of str
        Each ``key=value`` with a dotted key and a TOML value, for instance ``network.latency_steps=4``.

    Raises
    ------
    UsageError
        If an assignment is not of this form or its key leads through something that is not a table.
    """
    changed = copy.deepcopy(document)
    for assignment in assignments:
        *tables, last = _key(assignment)
        node: Any = changed
        for depth, table in enumerate(tables, start=1):
            node = node.setdefault(table, {})
            if not isinstance(node, dict):
                raise UsageError(f"--set {assignment}: {'.'.join(tables[:depth])} is not a table.")
        node[last] = _value(assignment)
    return changed


def _key(assignment: str) -> list[str]:
    key, equals, _ = assignment.partition("=")
    try:
        if not equals or "\n" in assignment:
            raise ValueError("not one assignment")
        return list(_path(tomlkit.parse(f"{key} = 0").unwrap()))
    except (TOMLKitError, ValueError):
        raise UsageError(f"--set {assignment}: allowed is key=value, for instance network.latency_steps=4.") from None


def _path(node: Any) -> Iterator[str]:
    while isinstance(node, dict):
        ((part, node),) = node.items()
        yield part


def _value(assignment: str) -> Any:
    key, _, text = assignment.partition("=")
    try:
        return tomlkit.parse(f"value = {text}").unwrap()["value"]
    except (TOMLKitError, ValueError):
        quoted = f'{key.strip()}="{text.strip()}"' if text.strip() else f'{key.strip()}=".."'
        message = f"--set {assignment}: the value is not TOML; texts need quotes that the shell keeps: '{quoted}'."
        raise UsageError(message) from None


def merge(*tables: Mapping[str, Any]) -> Content:
    """Return nested `tables` as one, in which the later ones come before the earlier ones, key by key."""
    merged: Content = {}
    for table in tables:
        for key, value in table.items():
            old = merged.get(key)
            merged[key] = merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
