"""Functions of the standard library that have a twin in the run-time library."""

from __future__ import annotations

import ast
from dataclasses import replace

from workbench.build.translator.context import Context, py
from workbench.build.translator.js import PRIMARY, Js, quoted
from workbench.build.translator.patterns import pattern_in_js
from workbench.build.translator.types import ANY, BOOL, BYTES, FLOAT, INT, STR, Type

_CONSTANTS = {"math.inf": "Infinity", "math.nan": "NaN", "math.pi": "Math.PI", "math.tau": "(2 * Math.PI)"}
_MATH = {
    "sqrt": FLOAT, "floor": INT, "ceil": INT, "trunc": INT, "copysign": FLOAT, "isinf": BOOL, "gcd": INT,
    "ldexp": FLOAT, "frexp": Type("tuple", (FLOAT, INT)), "fsum": FLOAT,
}  # fmt: skip
_FUNCTIONS = {"math.isfinite": "Number.isFinite", "math.isnan": "Number.isNaN", "math.fabs": "Math.abs"}
_ITERTOOLS = ("chain", "pairwise", "islice", "groupby", "accumulate", "repeat", "count", "takewhile")
_KEYWORDS: dict[str, tuple[str, ...]] = {"itertools.groupby": ("iterable", "key")}
_RE_FLAGS = {"IGNORECASE": 2, "I": 2, "MULTILINE": 8, "M": 8, "DOTALL": 16, "S": 16, "ASCII": 256, "A": 256}
_RE = ("match", "fullmatch", "search", "findall", "finditer", "sub", "split")
MATCH = Type("match", nullable=True)
RE_TYPES = {
    "match": MATCH, "fullmatch": MATCH, "search": MATCH, "findall": Type("list"), "sub": STR, "split": Type("list"),
    "finditer": Type("iterator", (Type("match"),)),
}  # fmt: skip
"""What methods of a pattern return."""


def constant_of(c: Context, node: ast.expr, name: str) -> Js:
    """Return a constant of a module of the standard library, or a function of it as a value."""
    if name in _CONSTANTS:
        return Js(_CONSTANTS[name], type=FLOAT)
    if name in _FUNCTIONS:
        return Js(_FUNCTIONS[name], type=Type("function", (BOOL,)))
    module, _, function = name.rpartition(".")
    if module == "math" and function in _MATH:
        return Js(f"py.{name}", type=Type("function", (_MATH[function],)))
    return c.fail(node, f"`{name}`")


def standard_call(c: Context, node: ast.Call, name: str) -> Js:
    """Return a call of a function of the standard library, `name` with its module."""
    module, _, function = name.rpartition(".")
    if module == "re":
        return _regular(c, node, function)
    if name in ("dataclasses.replace", "copy.replace"):
        return _replaced(c, node)
    words = _KEYWORDS.get(name, ())
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    if name == "dataclasses.field" or set(named) - set(words[len(node.args) :]):
        c.fail(node, f"`{ast.unparse(node.func)}` with these arguments")
    given = [
        f"...{c.js(one.value).at(PRIMARY)}" if isinstance(one, ast.Starred) else c.js(one).text for one in node.args
    ]
    given += [c.js(named[word]).text if word in named else "" for word in words[len(given) :]]
    if name in _FUNCTIONS:
        return Js(f"{_FUNCTIONS[name]}({', '.join(given)})", type=FLOAT if name.endswith("fabs") else BOOL)
    if module == "math" and function in _MATH:
        return py(name, *given, kind=_MATH[function])
    if name == "itertools.chain.from_iterable":
        return py("itertools.from_iterable", *given, kind=Type("iterator"))
    if module == "itertools" and function in _ITERTOOLS:
        item = c.js(node.args[0]).type.item if function == "islice" else ANY
        return py(name, *given, kind=Type("iterator", (item,)))
    if name == "typing.cast":
        return replace(c.js(node.args[1]), type=c.program.annotated(c.module, node.args[0]))
    if name == "struct.pack":
        return py("pack", *given, kind=BYTES)
    if name == "dataclasses.asdict":
        return py("asdict", *given, kind=Type("dict"))
    return c.fail(node, f"`{name}`")


def _replaced(c: Context, node: ast.Call) -> Js:
    one = c.js(node.args[0])
    if any(keyword.arg is None for keyword in node.keywords):
        c.fail(node, "`**` in `replace`")
    changed = ", ".join(f"{keyword.arg}: {c.js(keyword.value).text}" for keyword in node.keywords)
    return py("replace", one.text, f"{{ {changed} }}", kind=one.type)


def _regular(c: Context, node: ast.Call, function: str) -> Js:
    """Return a pattern, or what it finds."""
    given = list(node.args)
    if function == "escape":
        return py("escape", c.js(given[0]).text, kind=STR)
    taken = {"compile": 1, "sub": 3}.get(function, 2)
    flags = [one.value for one in node.keywords if one.arg == "flags"] + given[taken:]
    others = [one for one in node.keywords if one.arg != "flags"]
    if function not in (*_RE, "compile") or others or len(flags) > 1 or not given:
        c.fail(node, f"`re.{function}` with these arguments")
    pattern = made_pattern(c, given[0], _flags(c, flags[0]) if flags else 0)
    if function == "compile":
        return pattern
    return used_pattern(c, pattern, function, [c.js(one).text for one in given[1:taken]])


def used_pattern(c: Context, pattern: Js, function: str, given: list[str]) -> Js:
    """Return a call of a method of a pattern."""
    return Js(f"{pattern.at(PRIMARY)}.{function}({', '.join(given)})", type=RE_TYPES[function])


def _flags(c: Context, node: ast.expr) -> int:
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _flags(c, left) | _flags(c, right)
        case ast.Attribute(attr=name) | ast.Name(id=name) if name in _RE_FLAGS:
            return _RE_FLAGS[name]
    return c.fail(node, f"`{ast.unparse(node)}` of a regular expression")


def made_pattern(c: Context, node: ast.expr, flags: int = 0) -> Js:
    """Return a regular expression that is written as a text, with `flags` as `re` has them."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        c.fail(node, "a regular expression that is made while the program runs")
    try:
        source, marks, names = pattern_in_js(node.value, flags)
    except ValueError as error:
        c.fail(node, f"the regular expression {node.value!r} ({error})")
    pairs = ", ".join(f"[{quoted(name)}, {number}]" for name, number in names.items())
    literal = f"String.raw`{source}`" if "\\" in source and "`" not in source and "${" not in source else quoted(source)
    given = [literal, quoted(marks) if marks or names else "", f"[{pairs}]" if names else ""]
    return py("regex", *given, kind=Type("pattern"))
