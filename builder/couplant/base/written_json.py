"""JSON that has one form only: what is equal has the same text, in every language."""

import re
from typing import Any

_SPECIAL = re.compile('[\\x00-\\x1f"\\\\\\x7f]')
_ESCAPES = {
    **{"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\x7f": "\\u007f"},
    **{'"': '\\"', "\\": "\\\\"},
}


def quote_text(text: str) -> str:
    """Return a text between quotation marks, as JSON and TOML have it; only what needs it is escaped."""
    if _SPECIAL.search(text) is None:
        return f'"{text}"'
    parts = []
    for sign in text:
        if sign in _ESCAPES:
            parts.append(_ESCAPES[sign])
        elif sign < " ":
            parts.append(f"\\u{ord(sign):04x}")
        else:
            parts.append(sign)
    return '"' + "".join(parts) + '"'


def whole(value: float) -> str:
    """Return a whole number in decimal; a `value` that is real and whole has no point, in every language.

    Raises TypeError if it is not whole.
    """
    if value % 1 != 0:
        raise TypeError("real numbers are written as texts")
    return str(int(value))


def canonical(value: Any) -> str:
    """Return JSON without spaces, with the keys of each object in the order of their code points.

    A `value` is nothing, a boolean, whole number, text, list or object; reals go in as texts
    (`couplant.base.written.real`, hexadecimal): not every language tells 1.0 from 1. Raises TypeError if there is
    anything else in it, or a key that is no text.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return whole(value)
    if isinstance(value, str):
        return quote_text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([canonical(one) for one in value]) + "]"
    if not isinstance(value, dict):
        raise TypeError("canonical JSON has nothing, booleans, numbers, texts, lists and objects only")
    for key in value:
        if not isinstance(key, str):
            raise TypeError("keys of canonical JSON are texts")
    return "{" + ",".join([quote_text(key) + ":" + canonical(value[key]) for key in sorted(value)]) + "}"
