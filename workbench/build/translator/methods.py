"""Methods of texts, lists, dictionaries, sets and bytes."""

from __future__ import annotations

import ast

from workbench.build.translator.context import Context, py
from workbench.build.translator.js import PRIMARY, Js, quoted
from workbench.build.translator.loops import eager
from workbench.build.translator.standard import RE_TYPES, used_pattern
from workbench.build.translator.types import ANY, BOOL, BYTES, INT, NONE, STR, Type, joined

_TEXTS = Type("list", (STR,))
_THREE = Type("tuple", (STR, STR, STR))
_STR = {
    "split": _TEXTS, "rsplit": _TEXTS, "splitlines": _TEXTS, "partition": _THREE, "rpartition": _THREE,
    "startswith": BOOL, "endswith": BOOL, "isdigit": BOOL, "isdecimal": BOOL, "isascii": BOOL, "isalpha": BOOL,
    "isalnum": BOOL, "isspace": BOOL, "isidentifier": BOOL, "isupper": BOOL, "islower": BOOL, "count": INT,
    "find": INT, "rfind": INT, "index": INT, "encode": BYTES, "maketrans": Type("dict"),
    **{name: STR for name in (
        "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "replace", "lower", "upper", "casefold",
        "capitalize", "join", "ljust", "rjust", "center", "zfill", "translate",
    )},
}  # fmt: skip
_LIST = {
    "append": NONE, "extend": NONE, "insert": NONE, "pop": ANY, "remove": NONE, "index": INT, "count": INT,
    "sort": NONE, "reverse": NONE, "copy": ANY, "clear": NONE,
}  # fmt: skip
_BYTES = {
    **_LIST, "decode": STR, "startswith": BOOL, "endswith": BOOL, "find": INT, "count": INT, "hex": STR,
    "join": BYTES, "isascii": BOOL,
}  # fmt: skip
_DICT = {
    "get": ANY, "pop": ANY, "popitem": ANY, "setdefault": ANY, "keys": ANY, "values": ANY, "items": ANY,
    "update": NONE, "copy": ANY, "clear": NONE,
}  # fmt: skip
_SET = {
    "add": NONE, "discard": NONE, "remove": NONE, "pop": ANY, "update": NONE, "copy": ANY, "clear": NONE,
    "union": ANY, "difference": ANY, "intersection": ANY, "symmetric_difference": ANY, "issubset": BOOL,
    "issuperset": BOOL, "isdisjoint": BOOL,
}  # fmt: skip
_OF = {"str": _STR, "list": _LIST, "tuple": _LIST, "sequence": _LIST, "dict": _DICT, "set": _SET, "bytes": _BYTES}
_OF["bytearray"] = _BYTES
_TABLES = {"tuple": "list", "bytearray": "bytes"}
_KEYWORDS = {
    "split": ("sep", "maxsplit"), "rsplit": ("sep", "maxsplit"), "splitlines": ("keepends",),
    "sort": ("key", "reverse"), "encode": ("encoding",), "decode": ("encoding",), "get": ("key", "default"),
}  # fmt: skip
ALL = {name for table in _OF.values() for name in table}
"""Names of all methods of Python's own types that are known."""


def given_in_order(c: Context, node: ast.Call, names: tuple[str, ...]) -> list[str]:
    """Return arguments in the order of their names."""
    given = [
        f"...{c.js(one.value).at(PRIMARY)}" if isinstance(one, ast.Starred) else eager(c, one).text for one in node.args
    ]
    found = {keyword.arg: c.js(keyword.value).text for keyword in node.keywords}
    if unknown := [name for name in found if name not in names[len(given) :]]:
        c.fail(node, f"the argument `{unknown[0] or '**'}`")
    last = max((names.index(name) for name in found if name), default=-1)
    return given + [found.get(name, "undefined") for name in names[len(given) : last + 1]]


def method_of(c: Context, node: ast.Call, one: Js, name: str) -> Js | None:
    """Return a call of a method of one of Python's own types, None if `one` is of another."""
    kind = one.type
    if kind.name == "pattern":
        if name not in RE_TYPES or node.keywords:
            c.fail(node, f"`{name}` of a pattern with these arguments")
        return used_pattern(c, one, name, [eager(c, given).text for given in node.args])
    if kind.name == "match":
        return _of_match(c, node, one, name)
    table = _OF.get(kind.name)
    if table is None:
        return _unknown(c, node, one, name) if name in ALL and kind.name != "object" else None
    if kind.name == "sequence":
        return _unknown(c, node, one, name)
    if name not in table:
        c.fail(node, f"the method `{name}` of {kind.name}")
    given = given_in_order(c, node, _KEYWORDS.get(name, ()))
    if name == "append" and kind.name == "list" and c.unused is node:  # push returns a length
        return Js(f"{one.at(PRIMARY)}.push({', '.join(given)})", type=NONE)
    where = _TABLES.get(kind.name, kind.name)
    return py(f"{where}.{name}", one.text, *given, kind=_returned(c, node, kind, name, table[name]))


def _returned(c: Context, node: ast.Call, kind: Type, name: str, known: Type) -> Type:
    key, value = kind.items if kind.name == "dict" and len(kind.items) == 2 else (ANY, ANY)
    match kind.name, name:
        case "dict", "keys":
            return Type("set", (key,))
        case "dict", "values":
            return Type("list", (value,))
        case "dict", "items":
            return Type("list", (Type("tuple", (key, value)),))
        case "dict", "get":
            return joined(c.js(node.args[1]).type if len(node.args) > 1 else NONE, value) if value != ANY else ANY
        case "dict", "setdefault" | "pop":
            return value
        case "list", "pop":
            return kind.item
        case _, "copy" | "union" | "difference" | "intersection" | "symmetric_difference":
            return kind
    return known


def _of_match(c: Context, node: ast.Call, one: Js, name: str) -> Js:
    kinds = {
        "group": Type("str", nullable=True), "start": INT, "end": INT, "groups": Type("tuple", of="..."),
        "span": Type("tuple", (INT, INT)), "groupdict": Type("dict"),
    }  # fmt: skip
    if name not in kinds or node.keywords:
        c.fail(node, f"`{name}` of a match")
    kind = kinds[name] if name != "group" or len(node.args) < 2 else Type("tuple", of="...")
    return Js(f"{one.at(PRIMARY)}.{name}({', '.join(c.js(given).text for given in node.args)})", type=kind)


def _unknown(c: Context, node: ast.Call, one: Js, name: str) -> Js:
    """Return a call that finds out while the program runs what it is a method of."""
    kinds = {table[name] for table in _OF.values() if name in table}
    given = given_in_order(c, node, _KEYWORDS.get(name, ()))
    return py("call", one.text, quoted(name), *given, kind=kinds.pop() if len(kinds) == 1 else ANY)
