"""Calls: arguments find their places while the module is translated, as JavaScript has no keywords."""

from __future__ import annotations

import ast
from dataclasses import replace

from workbench.build.translator.builtin_calls import builtin_call
from workbench.build.translator.context import Context, py
from workbench.build.translator.js import CHOICE, PRIMARY, Js, name_in_js, quoted
from workbench.build.translator.loops import eager
from workbench.build.translator.methods import method_of
from workbench.build.translator.names import EXCEPTIONS
from workbench.build.translator.program import Class, Module, Parameter, Signature
from workbench.build.translator.standard import standard_call
from workbench.build.translator.types import ANY, Type

_STATIC = {
    "str.maketrans": "str.maketrans", "dict.fromkeys": "dict.fromkeys", "bytes.fromhex": "fromhex",
    "int.from_bytes": "fromBytes", "bytearray.fromhex": "fromhex",
}  # fmt: skip


def call(c: Context, node: ast.Call) -> Js:
    """Return a call."""
    match node.func:
        case ast.Name(id=name):
            return _named(c, node, name)
        case ast.Attribute():
            return _of_attribute(c, node, node.func)
        case ast.Subscript(value=ast.Name(id=("dict" | "list" | "set") as name)) if not c.holder(name):
            typed = c.program.annotated(c.module, node.func)
            return replace(_named(c, node, name), type=typed)
    return _any(c, node, c.js(node.func))


def _named(c: Context, node: ast.Call, name: str) -> Js:
    holder = c.holder(name)
    if holder is not None and holder.kind != "module":
        known = c.functions.get(name)
        return _any(c, node, c.js(node.func)) if known is None else _known(c, node, name_in_js(name), known)
    if holder is not None:
        return _of_module(c, node, c.module, name, name)
    found = c.imported(name, node)
    if found is not None:
        return _of_module(c, node, *found, name)
    origin = c.origin(name)
    if origin is not None:
        return standard_call(c, node, ".".join(origin))
    if name in EXCEPTIONS:
        return Js(f"new py.{name}({', '.join(_plain(c, node))})")
    done = builtin_call(c, node, name)
    return c.fail(node, f"`{name}`") if done is None else done


def _of_module(c: Context, node: ast.Call, module: Module, name: str, here: str) -> Js:
    """Return a call of a function or a class `name` of a module, which is called `here` where we are."""
    if name in module.classes:
        return made(c, node, module.classes[name], name_in_js(here))
    if name in module.functions:
        return _known(c, node, name_in_js(here), module.functions[name])
    return _any(c, node, Js(name_in_js(here), type=module.types.get(name, ANY)))


def _known(c: Context, node: ast.Call, text: str, signature: Signature) -> Js:
    return Js(f"{text}({', '.join(in_order(c, node, signature.parameters))})", type=signature.returns)


def made(c: Context, node: ast.Call, owner: Class, text: str) -> Js:
    """Return an object of a class."""
    parameters = tuple(owner.fields)
    if "__init__" in owner.methods:
        parameters = owner.methods["__init__"].parameters
    elif not owner.fields:
        return Js(f"new {text}({', '.join(_plain(c, node))})", type=_object(owner))
    return Js(f"new {text}({', '.join(in_order(c, node, parameters))})", type=_object(owner))


def _object(owner: Class) -> Type:
    return Type("object", of=f"{owner.module}:{owner.name}")


def _plain(c: Context, node: ast.Call) -> list[str]:
    """Return arguments without keywords."""
    if node.keywords:
        c.fail(node, f"a keyword in `{ast.unparse(node.func)}(..)`, whose arguments are not known,")
    return [
        f"...py.iter({c.js(one.value).text})" if isinstance(one, ast.Starred) else c.js(one).at(CHOICE)
        for one in node.args
    ]


def _any(c: Context, node: ast.Call, function: Js) -> Js:
    """Return a call of a function of which nothing is known but what it returns."""
    returns = function.type.items[0] if function.type.name == "function" and function.type.items else ANY
    return Js(f"{function.at(PRIMARY)}({', '.join(_plain(c, node))})", type=returns)


def in_order(c: Context, node: ast.Call, parameters: tuple[Parameter, ...]) -> list[str]:
    """Return the arguments of a call in the order of the parameters; what is left out is undefined.

    Raises
    ------
    Untranslatable
        If an argument has no place.
    """
    plain = [one.name for one in parameters if one.kind == "plain"]
    named = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
    mappings = [keyword.value for keyword in node.keywords if keyword.arg is None]
    places = [one.name for one in parameters if one.kind in ("plain", "keyword")]
    rest = any(one.kind == "rest" for one in parameters)
    collects = any(one.kind == "dict" for one in parameters)
    stars = [one for one in node.args if isinstance(one, ast.Starred)]
    behind = bool(stars) and rest and not plain  # all that stands there belongs to the rest
    if stars and not behind and (named or mappings or len(places) > len(plain)):
        c.fail(node, "a star beside keywords")
    in_place = not named and not mappings and not rest and not collects and len(node.args) <= len(plain)
    if (stars and not behind) or in_place:
        return _plain(c, node)
    if len(node.args) > len(plain) and not rest:
        c.fail(node, f"`{ast.unparse(node.func)}` with {len(node.args)} arguments, allowed {len(plain)},")
    found = {name: c.js(one).at(CHOICE) for name, one in zip(plain, node.args, strict=False)}
    found |= {name: c.js(one).at(CHOICE) for name, one in named.items() if name in places}
    others = [f"[{quoted(name)}, {c.js(one).at(CHOICE)}]" for name, one in named.items() if name not in places]
    if others and not collects:
        c.fail(node, f"the argument {others[0].split(',')[0][1:]} of `{ast.unparse(node.func)}`")
    if mappings and not collects:
        return _spread(c, node, [name for name in places if name not in found], found, places, mappings)
    texts = [found.get(name, "undefined") for name in places]
    if collects:
        others += [f"...{c.js(one).at(PRIMARY)}" for one in mappings]
        texts.append(f"new py.Dict([{', '.join(others)}])")
    if rest:
        texts += _plain(c, ast.Call(node.func, node.args[len(plain) :], []))
    while texts and texts[-1] == "undefined":
        texts.pop()
    return texts


def _spread(
    c: Context, node: ast.Call, free: list[str], found: dict[str, str], places: list[str], mappings: list[ast.expr]
) -> list[str]:
    """Return arguments of which a dictionary holds those at the end."""
    if len(mappings) > 1 or places[: len(found)] != list(found):
        c.fail(node, "`**` beside keywords for arguments that stand behind")
    names = ", ".join(quoted(name) for name in free)
    return [*found.values(), f"...py.spread([{names}], {c.js(mappings[0]).text})"]


def _of_attribute(c: Context, node: ast.Call, function: ast.Attribute) -> Js:
    """Return a call of a method, or of a function of a module of the standard library."""
    dotted = ast.unparse(function)
    head = dotted.split(".")[0]
    if c.origin(head) is not None:
        module, name = c.module.imports[head]
        rest = dotted.partition(".")[2]
        return standard_call(c, node, f"{(name and module + '.' + name) or module}.{rest}")
    match node.args:
        case [one, ast.Constant(value=str(name)), value] if dotted == "object.__setattr__":
            return Js(f"{c.js(one).at(PRIMARY)}.{name} = {c.js(value).at(CHOICE)}", 1)
    if dotted in _STATIC and not c.holder(head):
        return py(_STATIC[dotted], *_plain_eager(c, node))
    match function.value:
        case ast.Call(func=ast.Name(id="super"), args=[]):
            return _of_base(c, node, function.attr)
        case ast.Name(id=name) if (owner := c.class_named(name)) is not None:
            c.imported(name, node)
            return _static(c, node, owner, name_in_js(name), function.attr)
        case ast.Name(id=("str" | "list" | "dict" | "set" | "bytes") as name) if not c.holder(name):
            return py(f"{name}.{function.attr}", *_plain(c, node))
    return _method(c, node, c.js(function.value), function.attr)


def _plain_eager(c: Context, node: ast.Call) -> list[str]:
    if node.keywords:
        c.fail(node, "a keyword here")
    return [eager(c, one).text for one in node.args]


def _static(c: Context, node: ast.Call, owner: Class, text: str, name: str) -> Js:
    known = owner.methods.get(name)
    if known is None or known.kind not in ("static", "class"):
        c.fail(node, f"`{owner.name}.{name}(..)`")
    return _known(c, node, f"{text}.{name}", known)


def _of_base(c: Context, node: ast.Call, name: str) -> Js:
    bases = c.owner.bases if c.owner else []
    known = next((base.methods[name] for base in bases if name in base.methods), None)
    given = _plain(c, node) if known is None else in_order(c, node, known.parameters)
    text = "super" if name == "__init__" else f"super.{name}"
    return Js(f"{text}({', '.join(given)})", type=ANY if known is None else known.returns)


def _method(c: Context, node: ast.Call, one: Js, name: str) -> Js:
    owner = c.object_class(one.type)
    if owner is not None and name in owner.methods:
        known = owner.methods[name]
        if known.kind == "static":
            c.fail(node, f"`{name}`, a static method of an object (of its class it can be),")
        return _known(c, node, f"{one.at(PRIMARY)}.{name}", known)
    if owner is not None and name == "_replace":
        changed = ", ".join(f"{keyword.arg}: {c.js(keyword.value).text}" for keyword in node.keywords)
        return Js(f"{one.at(PRIMARY)}._replace({{ {changed} }})", type=one.type)
    if one.type.name == "int" and name == "to_bytes":
        return py("integerBytes", one.text, *_plain(c, node), kind=Type("bytes"))
    if one.type.name == "float" and name == "is_integer":
        return Js(f"Number.isInteger({one.text})", type=Type("bool"))
    found = method_of(c, node, one, name)
    return _any(c, node, Js(f"{one.at(PRIMARY)}.{name}", type=ANY)) if found is None else found
