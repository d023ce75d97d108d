"""The frame of settings files: TOML, ``--set``, strict tables, and a sentence for everything that is wrong at once.

A file is described by a `Table`. Limits stand in its fields and nowhere else: what a sentence calls allowed is worked
out from them.
"""

import copy
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeGuard, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, ValidationError, WrapValidator
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from couplant.base.errors import UsageError, why
from couplant.config.frame.sentences import Content as Content
from couplant.config.frame.sentences import Key, Location, Problem, Wrong, check_document, line
from couplant.config.frame.sentences import merge as merge

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_MOST_BRACKETS = 100  # tables and lists in one another; more are no settings, and would need a deep stack
_MOST_DIGITS = 4300

Source = str | Path | Mapping[str, Any]
"""A settings file, or what it would contain; files that this names are then relative to the working folder."""
T = TypeVar("T", bound=BaseModel)

Real = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Whole = Annotated[int, Field(strict=True)]
Flag = Annotated[bool, Field(strict=True)]
_NUMBERS = (float, int, Real | None, Whole | None)


class Table(BaseModel):
    """One table of a file: unknown keys are refused, values cannot be changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)

    @classmethod
    def grown_from(cls: type[T], table: BaseModel, update: Content) -> T:
        """Return a `table` that has fewer keys as one of this kind, the others with the values of `update`."""
        return cls.model_construct(table.model_fields_set | set(update), **dict(table), **update)


@dataclass(frozen=True)
class OneOf:
    """One of some texts, for an ``Annotated``: as a ``Literal``, for names that are worked out."""

    names: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of a literal."""
        return core_schema.literal_schema(list(self.names))


@dataclass(frozen=True)
class Allowed:
    """A check that replaces whatever pydantic finds wrong with one phrase."""

    phrase: str

    def __call__(self, value: object, inner: Callable[[object], object]) -> object:
        """Return the result of the `inner` check of a value."""
        try:
            return inner(value)
        except ValidationError:
            raise PydanticCustomError("allowed", "{phrase}", {"phrase": self.phrase}) from None


def allow(phrase: str) -> WrapValidator:
    """Replace every complaint of pydantic by one `phrase`, to be read after the word "allowed"."""
    return WrapValidator(Allowed(phrase))


Text = Annotated[str, Field(strict=True, min_length=1), allow("a text")]


def together(text: str) -> PydanticCustomError:
    """Return the error of a validator whose keys do not fit together; `text` follows the key of its table."""
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

    `model` has the tables of the file; an error of theirs of the type ``together`` is a sentence about the table it
    stands in. `origin` is the name of the file, for messages. `rules` are what the keys must fulfil together; they are
    applied to what is right, so that one run reports all that is wrong: `stand_in` takes the place of what is missing
    or wrong. Raises UsageError if anything is wrong: one line for each thing, all at once.
    """

    def validate(given: Content) -> tuple[T | None, list[Wrong]]:
        return _validate(model, given)

    def broken(found: T | None) -> list[Problem]:
        try:
            return list(rules(found)) if found is not None else []
        except ValidationError:
            return []

    settings, lines = check_document(document, validate, lambda error: _line(model, error), broken, stand_in or {})
    if settings is None or lines:
        refuse(origin, lines)
    return settings


def refuse(origin: str | Path, lines: Iterable[str]) -> NoReturn:
    """Raise a `UsageError` in which the name of the file, `origin`, stands at the head of each of the `lines`."""
    raise UsageError("\n".join(f"{origin}: {line}" for line in lines))


def schema_lines(model: type[BaseModel], document: object, prefix: Location = ()) -> list[str]:
    """Return a line for each key of a document that is wrong by itself; in its file it stands under `prefix`."""
    return [_line(model, error, prefix) for error in _validate(model, document)[1]]


def _validate(model: type[T], document: object) -> tuple[T | None, list[Wrong]]:
    try:
        return model.model_validate(document), []
    except ValidationError as found:
        return None, [
            Wrong(type=e["type"], loc=e["loc"], msg=e["msg"], input=e["input"],
                  expected=str(e.get("ctx", {}).get("expected", "")))
            for e in found.errors(include_url=False)
        ]  # fmt: skip


def _line(model: type[BaseModel], error: Wrong, prefix: Location = ()) -> str:
    return line(key_tables(model), table_name(model), error, prefix)


def table_name(model: type[BaseModel]) -> str:
    """Return the name of a table in `key_tables`."""
    return f"{model.__module__}.{model.__qualname__}"


@cache
def key_tables(model: type[BaseModel]) -> dict[str, dict[str, Key]]:
    """Return all tables of a kind of file as plain data, by name: what sentences say about their keys."""
    written = {field.alias or name: field for name, field in model.model_fields.items()}  # as in files
    found = {table_name(model): {name: _describe(field) for name, field in written.items()}}
    for field in model.model_fields.values():
        for inner in (field.annotation, _entries(field.annotation)):
            if is_table(inner):
                found |= key_tables(inner)
    return found


def _describe(field: FieldInfo) -> Key:
    kind, entries = field.annotation, _entries(field.annotation)
    return Key(
        description=field.description or "",
        range=_range(field) if kind in _NUMBERS else "",
        table=table_name(kind) if is_table(kind) else "",
        entries=table_name(entries) if is_table(entries) else "",
    )


def _entries(kind: object) -> object:
    return next((entry for entry in get_args(kind) if is_table(entry)), None)


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


def is_table(kind: object) -> TypeGuard[type[BaseModel]]:
    """Tell whether a type is that of a table."""
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def source_name(source: Source) -> Path:
    """Return the path of a settings file, or what stands for it in messages."""
    return Path(source) if isinstance(source, (str, Path)) else Path("settings")


def read_source(source: Source, assignments: Sequence[str] = ()) -> Content:
    """Return the content of a settings file, as `read_toml` does, or of what is in its place.

    Raises UsageError as `read_toml`.
    """
    if isinstance(source, (str, Path)):
        return read_toml(source, assignments)
    return apply_assignments(dict(source), assignments)


def read_toml(path: str | Path, assignments: Sequence[str] = ()) -> Content:
    """Return the content of a TOML file in UTF-8, changed by `assignments` in the form ``key=TOML value``.

    Raises UsageError if there is no such file, it is not TOML, or an assignment is wrong.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not a TOML file: byte {error.start} is not UTF-8.") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {why(error)}.") from None
    try:
        document = read_text(text)
    except ValueError as error:
        raise UsageError(f"{path}: not a TOML file: {error}.") from None
    return apply_assignments(document, assignments)


def read_text(text: str) -> Content:
    """Return the content of a TOML document, `text`. Raises ValueError if it is not TOML, saying what stands where."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        document = None
    except ValueError:  # Python's own limit
        raise ValueError(f"a whole number of more than {_MOST_DIGITS} digits") from None
    if document is None or _is_deep(document):
        raise ValueError(f"brackets in more than {_MOST_BRACKETS} others")
    return document


def _is_deep(document: Content) -> bool:
    level: list[Any] = [document]
    for _ in range(_MOST_BRACKETS + 1):
        values = [value for node in level for value in (node.values() if isinstance(node, dict) else node)]
        level = [value for value in values if isinstance(value, (dict, list))]
    return bool(level)


def apply_assignments(document: Content, assignments: Sequence[str]) -> Content:
    """Return a copy of a document with some keys set by `assignments`, as ``--set`` does.

    Each is ``key=value`` with a dotted key and a TOML value, for instance ``network.latency_steps=4``. Raises
    UsageError if an assignment is not of this form or its key leads through something that is not a table.
    """
    changed = copy.deepcopy(document)
    for assignment in assignments:
        *tables, last = _key(assignment)
        node: Any = changed
        for depth, table in enumerate(tables, start=1):
            node = node.setdefault(table, {})
            if not isinstance(node, dict):
                raise UsageError(f"assignment = {assignment}: {'.'.join(tables[:depth])} is not a table.")
        node[last] = _value(assignment)
    return changed


def _key(assignment: str) -> list[str]:
    key, equals, _ = assignment.partition("=")
    try:
        if not equals or "\n" in assignment:
            raise ValueError("not one assignment")
        path: list[str] = []
        node: Any = read_text(f"{key} = 0")
        while isinstance(node, dict):
            ((part, node),) = node.items()
            path.append(part)
        return path
    except ValueError:
        text = f"assignment = {assignment}: allowed is key=value, for instance network.latency_steps=4."
        raise UsageError(text) from None


def _value(assignment: str) -> Any:
    key, _, text = assignment.partition("=")
    try:
        return read_text(f"value = {text}")["value"]
    except ValueError:
        quoted = f'{key.strip()}="{text.strip()}"' if text.strip() else f'{key.strip()}=".."'
        text = f"the value is not TOML; texts need quotes that the shell keeps: '{quoted}'."
        raise UsageError(f"assignment = {assignment}: {text}") from None
