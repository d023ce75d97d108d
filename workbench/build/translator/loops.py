"""Comprehensions, and what loops go over."""

from __future__ import annotations

import ast
from collections import Counter

from workbench.build.translator.context import Context, py
from workbench.build.translator.js import AND, CHOICE, PRIMARY, Js, name_in_js
from workbench.build.translator.operators import condition
from workbench.build.translator.scope import Scope, target_names
from workbench.build.translator.types import ANY, Type

Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


def pattern(c: Context, target: ast.expr) -> str:
    """Return the names that a target of a loop or an assignment takes apart; of equal ones only the last."""
    return _places(c, target, Counter(target_names(target)))


def _places(c: Context, target: ast.expr, left: Counter[str]) -> str:
    """Return the same with an empty place for names of which some are `left`."""
    match target:
        case ast.Name(id=name):
            left[name] -= 1
            return "" if left[name] else name_in_js(name)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return f"[{', '.join(_places(c, one, left) for one in elements)}]"
        case ast.Starred(value=value):
            return _places(c, value, left)
    return c.js(target).text


def bind_target(c: Context, target: ast.expr, kind: Type) -> None:
    """Remember the types of names that take a value of a type apart."""
    match target:
        case ast.Name(id=name):
            c.bind(name, kind)
        case ast.Starred(value=ast.Name(id=name)):
            c.bind(name, Type("list", (kind.item,)))
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            stars = any(isinstance(one, ast.Starred) for one in elements)
            exact = kind.name == "tuple" and kind.of != "..." and len(kind.items) == len(elements) and not stars
            for i, one in enumerate(elements):
                bind_target(c, one, kind.items[i] if exact else kind if isinstance(one, ast.Starred) else kind.item)


def shape(target: ast.expr) -> str:
    """Return how many values a target takes, nested ones in brackets."""
    assert isinstance(target, (ast.Tuple, ast.List))
    stars = [i for i, one in enumerate(target.elts) if isinstance(one, ast.Starred)]
    if stars:
        return f'"{stars[0]}*{len(target.elts) - stars[0] - 1}"'
    if not any(isinstance(one, (ast.Tuple, ast.List)) for one in target.elts):
        return str(len(target.elts))
    return f"[{', '.join(shape(one) if isinstance(one, (ast.Tuple, ast.List)) else '0' for one in target.elts)}]"


def fits(target: ast.expr, kind: Type) -> bool:
    """Tell whether a value of this type surely has as many items as the target takes."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        return not isinstance(target, ast.Starred)
    exact = kind.name == "tuple" and kind.of != "..." and len(kind.items) == len(target.elts)
    return exact and all(fits(one, item) for one, item in zip(target.elts, kind.items, strict=True))


def apart(c: Context, node: ast.AST, target: ast.expr, value: str, kind: Type) -> str:
    """Return a value as its target takes it apart, with its length checked where it is not sure."""
    if fits(target, kind):
        return value
    for one in ast.walk(target):
        parts = one.elts if isinstance(one, (ast.Tuple, ast.List)) else []
        if {ast.Starred} < {type(part) for part in parts} - {ast.Name}:
            c.fail(node, "a star beside nested names")
    return f"py.unpack({value}, {shape(target)})"


def source(c: Context, node: ast.expr) -> tuple[Js, bool]:
    """Return what is gone over, with the type of an item, and whether a loop of JavaScript does it alone."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr="items"), args=[]):
            one = c.js(value)
            if one.type.name == "dict":
                items = one.type.items if len(one.type.items) == 2 else (ANY, ANY)
                return Js(f"{one.at(PRIMARY)}.entries()", type=Type("tuple", items)), True
    one = c.js(node)
    known = one.type.name in ("list", "tuple", "sequence", "bytes", "str", "set", "bytearray") and not one.type.nullable
    fresh = isinstance(node, ast.Call) and one.text.startswith(("py.enumerate(", "py.zip(", "py.itertools."))
    return Js(one.text, one.level, one.type.item), known or fresh


def over(c: Context, node: ast.expr) -> Js:
    """Return what `for (const .. of ..)` goes over, with the type of an item."""
    one, alone = source(c, node)
    return one if alone else Js(f"py.iter({one.text})", type=one.type)


def comprehension(c: Context, node: Comprehension) -> Js:
    """Return a comprehension: a list, a set, a dictionary, or a generator."""
    element = ast.Tuple([node.key, node.value], ast.Load()) if isinstance(node, ast.DictComp) else node.elt
    lazy = isinstance(node, ast.GeneratorExp)
    found = _nested(c, node, list(node.generators), element, lazy)
    if isinstance(node, ast.DictComp):
        return Js(f"new py.Dict({found.text})", type=Type("dict", found.type.items))
    if isinstance(node, ast.SetComp):
        return Js(f"new py.Set({found.text})", type=Type("set", (found.type,)))
    return Js(found.text, type=Type("iterator" if lazy else "list", (found.type,)))


def eager(c: Context, node: ast.expr) -> Js:
    """Return an argument that is gone over at once and as a whole: of a generator a list."""
    if isinstance(node, ast.GeneratorExp):
        return comprehension(c, ast.copy_location(ast.ListComp(node.elt, node.generators), node))
    return c.js(node)


def _nested(
    c: Context, node: Comprehension, generators: list[ast.comprehension], element: ast.expr, lazy: bool
) -> Js:
    """Return nested calls for the generators of a comprehension; its type is that of an element."""
    first, *others = generators
    if first.is_async:
        c.fail(node, "`async`")
    values, _ = source(c, first.iter)
    with c.inside(Scope(set(target_names(first.target)), kind="arrow")):
        bind_target(c, first.target, values.type)
        head = f"({pattern(c, first.target)})"
        if not fits(first.target, values.type):
            return _checked(c, node, generators, element, lazy, values)
        tests = [condition(c, test) for test in first.ifs]
        body = _nested(c, node, others, element, lazy) if others else _element(c, node, element)
    name = ("lazyFlat" if lazy else "flat") if others else ("lazy" if lazy else "map")
    holds = " && ".join(test.at(AND + 1 if len(tests) > 1 else CHOICE) for test in tests)
    given = [values.text, f"{head} => {body.at(CHOICE)}", *([f"{head} => {holds}"] if tests else [])]
    return py(name, *given, kind=body.type)


def _checked(
    c: Context, node: Comprehension, generators: list[ast.comprehension], element: ast.expr, lazy: bool, values: Js
) -> Js:
    """Return the same where values are taken apart whose lengths are not sure."""
    first, *others = generators
    bind_target(c, first.target, values.type)
    head = f"({pattern(c, first.target)})"
    whole = f"py.lazy({values.text}, ($one) => {apart(c, node, first.target, '$one', values.type)})"
    tests = [condition(c, test) for test in first.ifs]
    body = _nested(c, node, others, element, lazy) if others else _element(c, node, element)
    name = ("lazyFlat" if lazy else "flat") if others else ("lazy" if lazy else "map")
    holds = " && ".join(test.at(AND + 1) for test in tests)
    return py(name, whole, f"{head} => {body.at(CHOICE)}", f"{head} => {holds}" if tests else "", kind=body.type)


def _element(c: Context, node: Comprehension, element: ast.expr) -> Js:
    if isinstance(node, ast.DictComp):
        key, value = c.js(node.key), c.js(node.value)
        return Js(f"[{key.at(CHOICE)}, {value.at(CHOICE)}]", type=Type("tuple", (key.type, value.type)))
    return c.js(element)


def counting(c: Context, node: ast.For) -> tuple[str, str, str] | None:
    """Return first value, end and step of a loop over a range with a step that is written there."""
    match node.iter:
        case ast.Call(func=ast.Name(id="range"), args=given, keywords=[]) if not c.holder("range"):
            parts = [c.js(one) for one in given if not isinstance(one, ast.Starred)]
        case _:
            return None
    if len(parts) != len(given) or not 1 <= len(parts) <= 3:
        return None
    step = parts[2].text if len(parts) == 3 else "1"
    if not step.removeprefix("-").isdigit() or step.strip("-0") == "":
        return None
    first, last = ("0", parts[0].text) if len(parts) == 1 else (parts[0].text, parts[1].text)
    return first, last, step

