"""Modules of settings without pydantic: sources that the translator takes in their place.

Tables keep their attributes, with types, and their methods, constants their values, functions all they say. What
checks keys is left out: the page does that by the data of `settings`.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from inspect import getclosurevars, getsource
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from couplant.config.frame.read import Table
from couplant_runtime.algorithms import phasor, rows

TABLES = '''\
from typing import Any


class Table:
    model_fields_set: set[str]

    def model_copy(self, update: dict[str, Any]) -> Any:
        raise NotImplementedError

    @classmethod
    def grown_from(cls, table: Any, update: dict[str, Any]) -> Any:
        raise NotImplementedError

    @classmethod
    def model_validate(cls, given: dict[str, Any]) -> Any:
        raise NotImplementedError
'''
"""In place of `couplant.config.frame.read`: what tables do, which the page fills in."""

_LEFT_OUT = ("pydantic", "couplant.config.parameters")
_PLAIN = (bool, int, float, str)


def plain_sources(modules: Iterable[str]) -> dict[str, str]:
    """Return sources by the names of `modules` that define tables, with those that these need in another form."""
    found = {name: _without_pydantic(import_module(name)) for name in modules}
    alone = {phasor.__name__: _alone(phasor.count_harmonics)}
    return {Table.__module__: TABLES, rows.__name__: _algorithms(), **alone, **found}


def _alone(function: Callable[..., Any]) -> str:
    """Return a `function` with the numbers that it names, without the rest of its module."""
    numbers = [f"{name} = {value!r}" for name, value in getclosurevars(function).globals.items()]
    return "\n".join([*numbers, getsource(function)])


def _algorithms() -> str:
    """Return what is a function of past values and k alone, without what looks for the modules of algorithms."""
    heads = [
        "from collections.abc import Callable",
        "from dataclasses import dataclass",
        "@dataclass(frozen=True)",
        "class Pure:",
        "    taps: Callable[[int], int]",
        "    estimate: Callable[[list[float], int], tuple[float, float]]",
    ]
    functions = []
    for name, module in rows.PURE.items():
        for node in ast.parse(getsource(module)).body:
            if isinstance(node, ast.FunctionDef):
                node.name = f"{name}_{node.name}"
                functions.append(ast.unparse(node))
    pairs = ", ".join(f"{name!r}: Pure({name}_taps, {name}_estimate)" for name in rows.PURE)
    return "\n".join([*heads, *functions, f"PURE = {{{pairs}}}", getsource(rows.weights)])


def _without_pydantic(module: types.ModuleType) -> str:
    lines = ["from __future__ import annotations"]
    for node in ast.parse(getsource(module)).body:
        match node:
            case ast.ImportFrom(module=str(where)) if where not in _LEFT_OUT and where != "__future__":
                names = [one.name for one in node.names if where != Table.__module__ or one.name == Table.__name__]
                lines += [f"from {where} import {', '.join(names)}"] if names else []
            case ast.Assign(targets=targets):
                lines += _constants(module, targets)
            case ast.FunctionDef():
                lines.append(ast.unparse(node))
            case ast.ClassDef(name=name):
                lines += _table(getattr(module, name), node)
    return "\n".join(lines) + "\n"


def _constants(module: types.ModuleType, targets: list[ast.expr]) -> Iterator[str]:
    names = [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    yield from (f"{name} = {getattr(module, name)!r}" for name in names if _is_plain(getattr(module, name)))


def _is_plain(value: Any) -> bool:
    return all(map(_is_plain, value)) if isinstance(value, tuple) else isinstance(value, _PLAIN)


def _table(table: type[BaseModel], node: ast.ClassDef) -> list[str]:
    """Return the lines of a table: imports that the types of its keys need, and the class."""
    fields = {name: table.model_fields[name] for name in table.__annotations__ if name in table.model_fields}
    needed: set[tuple[str, str]] = set()
    body = [f"    {name}: {_type_text(field.annotation, needed)}" for name, field in fields.items()]
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            body += [f"    {line}" for line in ast.unparse(item).splitlines()]
    heads = [f"from {where} import {name}" for where, name in sorted(needed) if where != table.__module__]
    bases = ", ".join(map(ast.unparse, node.bases))
    return [*heads, f"class {node.name}({bases}):", *(body or ["    pass"])]


def _type_text(kind: Any, needed: set[tuple[str, str]]) -> str:
    """Return a type as an annotation writes it; classes of other modules are put into `needed`."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is None or kind is type(None):
        return "None"
    if origin is Annotated:
        return _type_text(arguments[0], needed)
    if origin in (Union, types.UnionType):
        return " | ".join(_type_text(one, needed) for one in arguments)
    if origin is not None:
        inner = ["..." if one is ... else _type_text(one, needed) for one in arguments]
        return f"{origin.__name__}[{', '.join(inner)}]"
    if kind.__module__ != "builtins":
        needed.add((kind.__module__, kind.__name__))
    return str(kind.__name__)
