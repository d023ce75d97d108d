"""Calls of functions that Python has of its own."""

from __future__ import annotations

import ast
from collections.abc import Callable

from workbench.build.translator.context import Context, py
from workbench.build.translator.js import CHOICE, COMPARE, PRIMARY, UNARY, Js, quoted
from workbench.build.translator.loops import eager
from workbench.build.translator.operators import truth
from workbench.build.translator.texts import shown
from workbench.build.translator.types import (
    ANY,
    ARRAYS,
    BOOL,
    BYTES,
    FLOAT,
    INT,
    NUMBERS,
    STR,
    Type,
    joined,
)

Builtin = Callable[[Context, ast.Call], Js]


def builtin_call(c: Context, node: ast.Call, name: str) -> Js | None:
    """Return a call of a function of Python, None if there is none with this name."""
    make = _BUILTINS.get(name)
    return None if make is None else make(c, node)


def _arguments(c: Context, node: ast.Call, least: int, most: int, *names: str) -> list[ast.expr | None]:
    """Return arguments, those that have names behind the others."""
    found = {keyword.arg: keyword.value for keyword in node.keywords}
    wrong = any(isinstance(one, ast.Starred) for one in node.args) or set(found) - set(names)
    if wrong or not least <= len(node.args) <= most:
        c.fail(node, f"`{ast.unparse(node)}`, with these arguments,")
    places: list[ast.expr | None] = [*node.args, *[None] * (most - len(node.args))]
    return places + [found.get(name) for name in names]


def _len(c: Context, node: ast.Call) -> Js:
    one = c.js(_one(c, node))
    if one.type.name in ARRAYS:
        return Js(f"{one.at(PRIMARY)}.length", type=INT)
    if one.type.name in ("dict", "set"):
        return Js(f"{one.at(PRIMARY)}.size", type=INT)
    return py("len", one.text, kind=INT)


def _one(c: Context, node: ast.Call) -> ast.expr:
    found = _arguments(c, node, 1, 1)[0]
    assert found is not None
    return found


def _str(c: Context, node: ast.Call) -> Js:
    return shown(c, node, c.js(_one(c, node)), "text") if node.args else Js('""', type=STR)


def _repr(c: Context, node: ast.Call) -> Js:
    return shown(c, node, c.js(_one(c, node)), "repr")


def _int(c: Context, node: ast.Call) -> Js:
    given = [c.js(one) for one in _arguments(c, node, 1, 2) if one is not None]
    if given[0].type == BOOL:
        return Js(f"Number({given[0].text})", type=INT)
    return py("int", *(one.text for one in given), kind=INT)


def _float(c: Context, node: ast.Call) -> Js:
    one = c.js(_one(c, node))
    if one.type.name in NUMBERS and one.type.name != "bool":
        return Js(f"{one.at(12)} + 0", 12, FLOAT) if one.type == INT else Js(one.text, one.level, FLOAT)
    return py("float", one.text, kind=FLOAT)


def _bool(c: Context, node: ast.Call) -> Js:
    one = c.js(_one(c, node))
    found = truth(c, one)
    return found if found.type == BOOL else py("truth", one.text, kind=BOOL)


def _extreme(name: str) -> Builtin:
    def make(c: Context, node: ast.Call) -> Js:
        options = {keyword.arg: c.js(keyword.value) for keyword in node.keywords}
        if set(options) - {"key", "default"}:
            c.fail(node, f"`{name}` with these arguments")
        given = [eager(c, one.value if isinstance(one, ast.Starred) else one) for one in node.args]
        stars = any(isinstance(one, ast.Starred) for one in node.args)
        kind = given[0].type.item
        values = given[0].text
        if len(given) > 1 or stars:
            kind, values = _several(node, given)
            if len(given) == 2 and kind == INT and not options and not stars:
                return Js(f"Math.{name}({', '.join(one.text for one in given)})", type=INT)
        key = options["key"].text if "key" in options else "null" if "default" in options else ""
        default = options["default"].text if "default" in options else ""
        kind = joined(options["default"].type, kind) if "default" in options else kind
        return py(name, values, key, default, kind=kind)

    return make


def _several(node: ast.Call, given: list[Js]) -> tuple[Type, str]:
    found: Type | None = None
    texts = []
    for argument, one in zip(node.args, given, strict=True):
        star = isinstance(argument, ast.Starred)
        found = joined(found, one.type.item if star else one.type)
        texts.append(f"...py.iter({one.text})" if star else one.at(CHOICE))
    return found or ANY, f"[{', '.join(texts)}]"


def _sum(c: Context, node: ast.Call) -> Js:
    values, start = _arguments(c, node, 1, 2)
    assert values is not None
    one = eager(c, values)
    if one.type.item.name == "float":
        c.fail(node, "`sum` of floats, which differs between versions of Python (math.fsum does not),")
    kind = INT if one.type.item.name in ("int", "bool") and start is None else ANY
    return py("sum", one.text, c.js(start).text if start is not None else "", kind=kind)


def _abs(c: Context, node: ast.Call) -> Js:
    one = c.js(_one(c, node))
    return Js(f"Math.abs({one.text})", type=Type(one.type.name) if one.type.name in ("int", "float") else ANY)


def _round(c: Context, node: ast.Call) -> Js:
    value, digits = _arguments(c, node, 1, 2)
    assert value is not None
    if digits is None:
        return py("round", c.js(value).text, kind=INT)
    return py("roundTo", c.js(value).text, c.js(digits).text, kind=FLOAT)


def _sorted(c: Context, node: ast.Call) -> Js:
    values, key, reverse = _arguments(c, node, 1, 1, "key", "reverse")
    assert values is not None
    one = eager(c, values)
    given = [c.js(key).text if key is not None else "null" if reverse is not None else ""]
    given += [c.js(reverse).text if reverse is not None else ""]
    return py("sorted", one.text, *given, kind=Type("list", (one.type.item,)))


def _reversed(c: Context, node: ast.Call) -> Js:
    one = c.js(_one(c, node))
    return py("reversed", one.text, kind=Type("list", (one.type.item,)))


def _every(name: str) -> Builtin:
    def make(c: Context, node: ast.Call) -> Js:
        return py(name, c.js(_one(c, node)).text, kind=BOOL)

    return make


def _enumerate(c: Context, node: ast.Call) -> Js:
    values, start, named = _arguments(c, node, 1, 2, "start")
    assert values is not None
    one, begin = c.js(values), start or named
    kind = Type("iterator", (Type("tuple", (INT, one.type.item)),))
    return py("enumerate", one.text, c.js(begin).text if begin is not None else "", kind=kind)


def _zip(c: Context, node: ast.Call) -> Js:
    strict = {keyword.arg: c.js(keyword.value).text for keyword in node.keywords}
    if set(strict) - {"strict"}:
        c.fail(node, "`zip` with these arguments")
    kinds, texts, stars = [], [], False
    for argument in node.args:
        star = isinstance(argument, ast.Starred)
        one = c.js(argument.value if isinstance(argument, ast.Starred) else argument)
        texts.append(f"...py.iter({one.text})" if star else one.at(CHOICE))
        kinds.append(one.type.item)
        stars = stars or star
    inner = Type("tuple", (), "...") if stars else Type("tuple", tuple(kinds))
    return py("zip", f"[{', '.join(texts)}]", strict.get("strict", ""), kind=Type("iterator", (inner,)))


def _range(c: Context, node: ast.Call) -> Js:
    given = [c.js(one).text for one in _arguments(c, node, 1, 3) if one is not None]
    return py("range", *given, kind=Type("list", (INT,)))


def _map(c: Context, node: ast.Call) -> Js:
    function, *values = node.args
    make = c.js(function)
    given = [c.js(one) for one in values]
    kind = Type("iterator", make.type.items if make.type.name == "function" else ())
    if len(given) == 1:
        return py("lazy", given[0].text, _taking_one(make), kind=kind)
    return py("mapped", make.text, *(one.text for one in given), kind=kind)


def _taking_one(make: Js) -> str:
    return make.at(CHOICE)


def _filter(c: Context, node: ast.Call) -> Js:
    function, values = _arguments(c, node, 2, 2)
    assert function is not None and values is not None
    one, holds = c.js(values), c.js(function)
    test = "py.truth" if holds.text == "null" else f"(one) => py.truth({holds.at(PRIMARY)}(one))"
    return py("lazy", one.text, "(one) => one", test, kind=Type("iterator", (one.type.item,)))


def _list(c: Context, node: ast.Call) -> Js:
    if not node.args:
        return Js("[]", type=Type("list"))
    one = eager(c, _one(c, node))
    if isinstance(node.args[0], ast.GeneratorExp):
        return one
    return py("toList", one.text, kind=Type("list", (one.type.item,)))


def _tuple(c: Context, node: ast.Call) -> Js:
    if not node.args:
        return Js("py.frozen([])", type=Type("tuple"))
    one = eager(c, _one(c, node))
    name = "frozen" if isinstance(node.args[0], ast.GeneratorExp) else "tuple"
    return py(name, one.text, kind=Type("tuple", (one.type.item,), "..."))


def _set(c: Context, node: ast.Call) -> Js:
    if not node.args:
        return Js("new py.Set()", type=Type("set"))
    one = eager(c, _one(c, node))
    return Js(f"new py.Set(py.iter({one.text}))", type=Type("set", (one.type.item,)))


def _dict(c: Context, node: ast.Call) -> Js:
    parts = []
    for argument in node.args:
        one = eager(c, argument)
        parts.append(f"...{one.at(PRIMARY)}")
    for keyword in node.keywords:
        one = c.js(keyword.value)
        parts.append(f"...{one.at(PRIMARY)}" if keyword.arg is None else f"[{quoted(keyword.arg)}, {one.at(CHOICE)}]")
    return Js(f"new py.Dict([{', '.join(parts)}])" if parts else "new py.Dict()", type=Type("dict"))


def _bytes(name: str, kind: Type) -> Builtin:
    def make(c: Context, node: ast.Call) -> Js:
        given = [eager(c, one).text for one in _arguments(c, node, 0, 1) if one is not None]
        return py(name, *given, kind=kind)

    return make


def _isinstance(c: Context, node: ast.Call) -> Js:
    value, types = _arguments(c, node, 2, 2)
    assert value is not None and types is not None
    named = list(types.elts) if isinstance(types, ast.Tuple) else _alternatives(types)
    texts = [ast.unparse(one) for one in named]
    if {"int", "float"} & set(texts) and not {"int", "float"} <= set(texts):
        c.fail(node, "`isinstance` of int or float alone, which JavaScript does not tell apart,")
    known = {"str", "bool", "list", "tuple", "dict", "set", "bytes", "bytearray"}
    given = []
    for one, text in zip(named, texts, strict=True):
        if text in ("int", "float"):
            given.append(quoted("number"))
        elif text in known or text == "frozenset":
            given.append(quoted("set" if text == "frozenset" else text))
        elif text in ("Mapping", "None"):
            given.append(quoted("dict" if text == "Mapping" else "none"))
        else:
            given.append(class_text(c, one))
    return py("isinstance", c.js(value).text, *dict.fromkeys(given), kind=BOOL)


def _alternatives(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*_alternatives(left), *_alternatives(right)]
    return [node]


def class_text(c: Context, node: ast.expr) -> str:
    """Return a class as a class, not as what makes objects."""
    found = c.js(node)
    match node:
        case ast.Name(id=name) if c.class_named(name) is not None:
            return found.text.removeprefix("((...given) => new ").removesuffix("(...given))")
    return found.text


def _next(c: Context, node: ast.Call) -> Js:
    run, default = _arguments(c, node, 1, 2)
    assert run is not None
    one = c.js(run)
    other = c.js(default) if default is not None else None
    kind = one.type.item if other is None else joined(other.type, one.type.item)
    return py("next", one.text, other.text if other else "", kind=kind)


def _iter(c: Context, node: ast.Call) -> Js:
    one = c.js(_one(c, node))
    return py("iterator", one.text, kind=Type("iterator", (one.type.item,)))


def _divmod(c: Context, node: ast.Call) -> Js:
    given = [c.js(one) for one in _arguments(c, node, 2, 2) if one is not None]
    kind = INT if all(one.type == INT for one in given) else ANY
    return py("divmod", *(one.text for one in given), kind=Type("tuple", (kind, kind)))


def _getattr(c: Context, node: ast.Call) -> Js:
    return py("getattr", *(c.js(one).text for one in _arguments(c, node, 2, 3) if one is not None))


def _vars(c: Context, node: ast.Call) -> Js:
    return py("attributes", c.js(_one(c, node)).text, kind=Type("dict"))


def _chr(c: Context, node: ast.Call) -> Js:
    return Js(f"String.fromCodePoint({c.js(_one(c, node)).text})", type=STR)


def _ord(c: Context, node: ast.Call) -> Js:
    return Js(f"{c.js(_one(c, node)).at(PRIMARY)}.codePointAt(0)", type=INT)


def _callable(c: Context, node: ast.Call) -> Js:
    return Js(f'typeof {c.js(_one(c, node)).at(UNARY)} === "function"', COMPARE - 1, BOOL)


_BUILTINS: dict[str, Builtin] = {
    "len": _len, "str": _str, "repr": _repr, "int": _int, "float": _float, "bool": _bool, "min": _extreme("min"),
    "max": _extreme("max"), "sum": _sum, "abs": _abs, "round": _round, "sorted": _sorted, "reversed": _reversed,
    "any": _every("any"), "all": _every("all"), "enumerate": _enumerate, "zip": _zip, "range": _range, "map": _map,
    "filter": _filter, "list": _list, "tuple": _tuple, "set": _set, "frozenset": _set, "dict": _dict,
    "bytes": _bytes("toBytes", BYTES), "bytearray": _bytes("toByteArray", Type("bytearray")),
    "isinstance": _isinstance, "next": _next, "iter": _iter, "divmod": _divmod, "getattr": _getattr, "vars": _vars,
    "chr": _chr, "ord": _ord, "callable": _callable,
}  # fmt: skip
