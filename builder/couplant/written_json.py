"""JSON that has one form only: what is equal has the same text, in every language."""

from __future__ import annotations

from typing import Any

_ESCAPES = {
    **{"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\x7f": "\\u007f"},
    **{'"': '\\"', "\\": "\\\\"},
}


def quoted(text: str) -> str:
    """Return a text between quotation marks, as JSON and TOML have it; only what needs it is escaped."""
    parts = []
    for sign in text:
        if sign in _ESCAPES:
            parts.append(_ESCAPES[sign])
        elif sign < " ":
            parts.append(f"\\u{ord(sign):04x}")
        else:
            parts.append(sign)
    return '"' + "".join(parts) + '"'


def canonical(value: Any) -> str:
    """Return JSON without spaces, with the keys of each object in the order of their code points.

    Parameters
    ----------
    value : None, bool, int, str, list, tuple or dict
        Reals are no part of it: they go in as texts (`couplant.written.real`, hexadecimal), because not every
        language tells 1.0 from 1.

    Raises
    ------
    TypeError
        If there is anything else in it, or a key that is no text.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([canonical(one) for one in value]) + "]"
    if not isinstance(value, dict):
        raise TypeError(f"canonical JSON has no {type(value).__name__}")
    for key in value:
        if not isinstance(key, str):
            raise TypeError("keys of canonical JSON are texts")
    return "{" + ",".join([quoted(key) + ":" + canonical(value[key]) for key in sorted(value)]) + "}"
