"""Settings files as text (TOML 1.0): tables and what is in them, in their order, and comments at the head."""

from dataclasses import dataclass
from typing import Any

from couplant.base.written import real
from couplant.base.written_json import quote_text, whole

_BARE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"


@dataclass(frozen=True)
class Real:
    """A real number: not every language tells 1.0 from 1."""

    value: float


def toml(document: dict[str, Any], comments: list[str]) -> str:
    """Return the text of a settings file with `comments` at its head; in each table values come before tables.

    A `document` has tables, lists, texts, booleans, whole numbers and `Real`. Raises ValueError if a number is not
    finite; TypeError if there is anything else in it, or a key that is no text.
    """
    lines = ["# " + comment for comment in comments]
    _add_values(lines, document)
    _add_tables(lines, document, "")
    return "\n".join(lines) + "\n" if lines else ""


def _add_values(lines: list[str], table: dict[str, Any]) -> None:
    """Add the values below the head of a table: all but the tables inside."""
    for key in table:
        if not isinstance(table[key], dict) and not _is_tables(table[key]):
            if lines and lines[-1].startswith("#"):
                lines.append("")
            lines.append(_key(key) + " = " + _value(table[key]))


def _add_tables(lines: list[str], table: dict[str, Any], above: str) -> None:
    """Add the tables inside of a table, which is called `above`, and those inside of them."""
    for key in table:
        name = above + _key(key)
        if _is_tables(table[key]):
            for one in table[key]:
                _add_head(lines, f"[[{name}]]")
                _add_values(lines, one)
                _add_tables(lines, one, name + ".")
        elif isinstance(table[key], dict):
            if _has_head(table[key]):
                _add_head(lines, f"[{name}]")
            _add_values(lines, table[key])
            _add_tables(lines, table[key], name + ".")


def _add_head(lines: list[str], head: str) -> None:
    if lines:
        lines.append("")
    lines.append(head)


def _is_tables(value: Any) -> bool:
    """Tell whether a value is a list of tables only, which are written one below the other."""
    if not isinstance(value, (list, tuple)) or len(value) == 0:
        return False
    for one in value:
        if not isinstance(one, dict):
            return False
    return True


def _has_head(table: dict[str, Any]) -> bool:
    """Tell whether a table has values of its own, or nothing at all; others exist by the tables inside."""
    for key in table:
        if not isinstance(table[key], dict) and not _is_tables(table[key]):
            return True
    return len(table) == 0


def _key(key: str) -> str:
    """Return a key, between quotation marks where it needs them."""
    if not isinstance(key, str):
        raise TypeError("keys of a settings file are texts")
    for sign in key:
        if sign not in _BARE:
            return quote_text(key)
    return key if key else quote_text(key)


def _value(value: Any) -> str:
    """Return a value as it stands behind its key."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Real):
        return real(value.value)
    if isinstance(value, (int, float)):
        return whole(value)
    if isinstance(value, str):
        return quote_text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join([_value(one) for one in value]) + "]"
    if not isinstance(value, dict):
        raise TypeError("settings files have booleans, numbers, texts, lists and tables only")
    return "{" + ", ".join([_key(key) + " = " + _value(value[key]) for key in value]) + "}"
