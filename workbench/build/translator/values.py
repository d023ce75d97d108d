"""Values: literals, names, attributes, places in sequences, functions without a name."""

from __future__ import annotations

import ast
import re

from workbench.build.translator.context import Context, py
from workbench.build.translator.js import CHOICE, PRIMARY, Js, name_in_js, quoted
from workbench.build.translator.names import EXCEPTIONS
from workbench.build.translator.operators import is_number
from workbench.build.translator.scope import Scope, every_argument
from workbench.build.translator.standard import constant_of
from workbench.build.translator.types import ANY, BOOL, BYTES, FLOAT, INT, NONE, STR, Type, joined

_LARGEST = 2**53
_SUM = re.compile(r"[\w$.]+(?: [+-] [\w$.]+)*")
"""Places that may be worked out twice; negative ones are looked up by the run-time library."""


def constant(c: Context, node: ast.Constant) -> Js:
    """Return a literal."""
    match node.value:
        case None:
            return Js("null", type=NONE)
        case bool(value):
            return Js("true" if value else "false", type=BOOL)
        case int(value):
            if value > _LARGEST:
                c.fail(node, f"{value}, an integer above 2**53,")
            return Js(str(value), type=INT)
        case float(value):
            return Js("Infinity" if value == float("inf") else repr(value).removesuffix(".0"), type=FLOAT)
        case str(text):
            return Js(quoted(text), type=STR)
        case bytes(content):
            return Js(f"py.literal({quoted(content.decode('latin-1'))})", type=BYTES)
    return c.fail(node, f"`{ast.unparse(node)}`")


def name(c: Context, node: ast.Name) -> Js:
    """Return a variable, a function or a constant."""
    holder = c.holder(node.id)
    if holder is not None:
        if holder.me == node.id:
            return Js("this", type=holder.type_of(node.id))
        if holder.kind == "module" and node.id in c.module.classes:
            return _maker(c, name_in_js(node.id))
        return Js(name_in_js(node.id), type=holder.type_of(node.id))
    found = c.imported(node.id, node)
    if found is not None:
        module, other = found
        kind = module.types.get(other, ANY)
        return _maker(c, name_in_js(node.id)) if other in module.classes else Js(name_in_js(node.id), type=kind)
    if node.id in EXCEPTIONS:
        return Js(f"py.{node.id}")
    origin = c.origin(node.id)
    if origin is not None:
        return constant_of(c, node, ".".join(origin))
    return _builtin(c, node)


_FUNCTIONS = {
    "str": "py.text", "len": "py.len", "int": "py.int", "float": "py.float", "bool": "py.truth", "abs": "Math.abs",
    "sorted": "py.sorted", "sum": "py.sum", "any": "py.any", "all": "py.all",
    "list": "py.toList", "tuple": "py.tuple", "repr": "py.repr", "bytes": "py.toBytes",
}  # fmt: skip


def _builtin(c: Context, node: ast.Name) -> Js:
    """Return a function of Python as a value."""
    if node.id in ("min", "max"):
        return Js(f"((...all) => py.{node.id}(all.length === 1 ? all[0] : all))", type=Type("function"))
    if node.id not in _FUNCTIONS:
        c.fail(node, f"`{node.id}`")
    return Js(f"((one) => {_FUNCTIONS[node.id]}(one))", type=Type("function"))


def _maker(c: Context, text: str) -> Js:
    """Return a class as a function that makes objects."""
    return Js(f"((...given) => new {text}(...given))", type=Type("function"))


def attribute(c: Context, node: ast.Attribute) -> Js:
    """Return an attribute of an object; a method that is not called at once keeps its object."""
    if isinstance(node.value, ast.Name):
        module = c.module.imports.get(node.value.id, ("", "x"))
        if c.origin(node.value.id) is not None and not module[1]:
            return constant_of(c, node, f"{module[0]}.{node.attr}")
        if node.value.id in ("str", "list", "dict", "set") and not c.is_local(node.value.id):
            return Js(f"py.{node.value.id}.{node.attr}", type=Type("function"))
        owner = c.class_named(node.value.id)
        if owner is not None:
            c.imported(node.value.id, node)
            return Js(f"{name_in_js(node.value.id)}.{node.attr}", type=owner.attributes.get(node.attr, ANY))
    one = c.js(node.value)
    owner = c.object_class(one.type)
    if owner is not None:
        method = owner.methods.get(node.attr)
        if method is not None and method.kind != "property":
            return py("bound", one.text, quoted(node.attr))
        return Js(f"{one.at(PRIMARY)}.{node.attr}", type=owner.attributes.get(node.attr, ANY))
    if one.type.name in ("str", "list", "dict", "set", "bytes"):
        return py("bound", one.text, quoted(node.attr))
    return Js(f"{one.at(PRIMARY)}.{node.attr}")


def sequence(c: Context, node: ast.List | ast.Tuple | ast.Set) -> Js:
    """Return a list, a tuple or a set."""
    parts = [c.js(one.value if isinstance(one, ast.Starred) else one) for one in node.elts]
    pairs = list(zip(node.elts, parts, strict=True))
    texts = [f"...{_over(part)}" if isinstance(one, ast.Starred) else part.at(CHOICE) for one, part in pairs]
    kinds = [part.type.item if isinstance(one, ast.Starred) else part.type for one, part in pairs]
    inner = f"[{', '.join(texts)}]"
    if isinstance(node, ast.Tuple):
        short = not any(isinstance(one, ast.Starred) for one in node.elts)
        kind = Type("tuple", tuple(kinds)) if short else Type("tuple", (_all(kinds),), "...")
        return py("frozen", inner, kind=kind)
    items = (_all(kinds),) if kinds else ()
    if isinstance(node, ast.Set):
        return Js(f"new py.Set({inner})", type=Type("set", items))
    return Js(inner, type=Type("list", items))


def _all(kinds: list[Type]) -> Type:
    found: Type | None = None
    for kind in kinds:
        found = joined(found, kind)
    return found or ANY


def _over(one: Js) -> str:
    """Return what a loop of JavaScript goes over."""
    known = one.type.name in ("list", "tuple", "sequence", "str", "bytes", "set") and not one.type.nullable
    return one.at(PRIMARY) if known else f"py.iter({one.text})"


def dictionary(c: Context, node: ast.Dict) -> Js:
    """Return a dictionary."""
    parts, keys, values = [], [], []
    for key, value in zip(node.keys, node.values, strict=True):
        one = c.js(value)
        if key is None:
            parts.append(f"...{one.at(PRIMARY)}")
            kinds = one.type.items if len(one.type.items) == 2 else (ANY, ANY)
            keys.append(kinds[0])
            values.append(kinds[1])
        else:
            named = c.js(key)
            parts.append(f"[{named.at(CHOICE)}, {one.at(CHOICE)}]")
            keys.append(named.type)
            values.append(one.type)
    inner = f"[{', '.join(parts)}]" if parts else ""
    return Js(f"new py.Dict({inner})", type=Type("dict", (_all(keys), _all(values)) if parts else ()))


def subscript(c: Context, node: ast.Subscript) -> Js:
    """Return an item, or a slice."""
    one = c.js(node.value)
    if isinstance(node.slice, ast.Slice):
        return _slice(c, one, node.slice)
    index = c.js(node.slice)
    kind = one.type
    if kind.name == "match":
        return Js(f"{one.at(PRIMARY)}.group({index.text})", type=Type("str", nullable=True))
    if kind.name == "dict":
        return py("valueAt", one.text, index.text, kind=kind.items[1] if len(kind.items) == 2 else ANY)
    if kind.name == "str":
        return py("letter", one.text, index.text, kind=STR)
    place = node.slice.value if isinstance(node.slice, ast.Constant) else None
    if kind.name == "tuple" and kind.of != "..." and isinstance(place, int) and place < len(kind.items):
        return Js(f"{one.at(PRIMARY)}[{place}]", type=kind.items[place])
    if kind.name in ("list", "tuple", "bytes", "bytearray"):
        if is_number(kind.item) and one.simple and _SUM.fullmatch(index.text) and index.type.name == "int":
            return Js(f"{one.text}[{index.text}] ?? py.item({one.text}, {index.text})", CHOICE, kind.item)
        return py("item", one.text, index.text, kind=kind.item)
    return py("at", one.text, index.text, kind=kind.item if kind.name == "sequence" else ANY)


def _slice(c: Context, one: Js, node: ast.Slice) -> Js:
    ends = [c.js(end).text if end is not None else "" for end in (node.lower, node.upper, node.step)]
    kind = Type("tuple", (one.type.item,), "...") if one.type.name == "tuple" else one.type
    if kind.name in ("list", "bytes") and not ends[2]:
        return Js(f"{one.at(PRIMARY)}.slice({', '.join([ends[0] or '0', *ends[1:2]]).removesuffix(', ')})", type=kind)
    given = [end or "null" for end in ends]
    while given and given[-1] == "null":
        given.pop()
    return py("slice", one.text, *given, kind=kind)


def function(c: Context, node: ast.Lambda) -> Js:
    """Return a function without a name."""
    names = [argument.arg for argument in every_argument(node.args)]
    if node.args.kwonlyargs or node.args.kwarg:
        c.fail(node, "a lambda with keywords")
    defaults = dict(zip(reversed(names), reversed(node.args.defaults), strict=False)) if not node.args.vararg else {}
    given = [
        f"{name_in_js(one)} = {c.js(defaults[one]).text}" if one in defaults
        else f"...{name_in_js(one)}" if node.args.vararg and one == node.args.vararg.arg else name_in_js(one)
        for one in names
    ]  # fmt: skip
    with c.inside(Scope(set(names), kind="arrow")):
        body = c.js(node.body)
    return Js(f"({', '.join(given)}) => {body.at(CHOICE)}", CHOICE, Type("function", (body.type,)))


def walrus(c: Context, node: ast.NamedExpr) -> Js:
    """Return a value that is bound to a name on its way."""
    one = c.js(node.value)
    c.bind(node.target.id, one.type)
    return Js(f"{name_in_js(node.target.id)} = {one.at(CHOICE)}", 1, one.type)
