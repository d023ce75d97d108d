"""The Python text of functions and classes, as it goes along to other processes and into FMUs.

What stands in a module of its own goes along as that file. What was typed into a notebook or stands in a script is
taken out of it, with the imports, numbers and functions of there that it uses.
"""

import ast
import builtins
import inspect
import linecache
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NoReturn

import numpy as np

from couplant.base.errors import UsageError

_Node = ast.FunctionDef | ast.ClassDef
_ADVICE = "put it into a Python file of its own and import it"


@dataclass(frozen=True)
class Source:
    """A Python text that makes what it is the source of."""

    text: str
    file: str  # name of the file that it comes from, or would have


def source_of(target: Callable[..., Any], who: str, *others: Callable[..., Any]) -> Source:
    """Return the text that makes a function or class `target`, and `others` if there are any.

    `who` needs them, for messages. Raises UsageError if one of them has no text, or uses what has none.
    """
    every = (target, *others)
    for one in every:
        if not isinstance(one, FunctionType | type):
            raise UsageError(f"{who}: {_show(one)} is no function of Python with a text of its own: {_ADVICE}.")
        if getattr(one, "__name__", "") == "<lambda>":
            raise UsageError(f"{who}: a lambda has no text of its own: write def NAME(..): in its place.")
    modules = {one.__module__ for one in every}
    module = sys.modules.get(target.__module__)
    file = getattr(module, "__file__", None)
    if len(modules) == 1 and target.__module__ != "__main__" and file and all(_is_public(one) for one in every):
        return Source("".join(linecache.getlines(file)), Path(file).name)
    taken = _Taken(who)
    for one in every:
        taken.add(one)
    name = re.sub(r"\W", "_", target.__name__)
    return Source(taken.text(), f"{name}.py")


def _is_public(one: Callable[..., Any]) -> bool:
    """Tell whether a function or class is found in its module by its name, perhaps inside of what is made of it."""
    found = getattr(sys.modules[one.__module__], one.__qualname__, None)
    return found is one or getattr(found, "target", None) is one


class _Taken:
    """Functions and classes that are taken out of where they stand, with what they use."""

    def __init__(self, who: str) -> None:
        self._who = who
        self._imports: dict[str, None] = {}
        self._values: dict[str, str] = {}
        self._bodies: dict[str, str] = {}
        self._at_work: set[str] = set()

    def text(self) -> str:
        """Return all that was taken as the text of a module."""
        parts = ["\n".join(self._imports), "\n".join(self._values.values()), "\n\n\n".join(self._bodies.values())]
        return "\n\n".join(part for part in parts if part) + "\n"

    def add(self, target: Any) -> None:
        """Take a function or class."""
        name = target.__name__
        if name in self._bodies or name in self._at_work:
            return
        self._at_work.add(name)
        node, lines = self._node(target)
        known = _surroundings(target)
        for used in _list_used(node):
            if used in known and used != name:
                self._use(used, known[used], name)
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        self._bodies[name] = textwrap.dedent("".join(lines[first - 1 : node.end_lineno])).rstrip()

    def _use(self, name: str, value: Any, user: str) -> None:
        if name in self._values or f"import {name}" in self._imports:
            return
        owner, own_name = str(getattr(value, "__module__", None) or "__main__"), str(getattr(value, "__name__", ""))
        if isinstance(value, ModuleType):
            same = value.__name__ == name
            self._imports[f"import {name}" if same else f"import {value.__name__} as {name}"] = None
        elif isinstance(value, np.ndarray):
            self._imports["import numpy"] = None
            self._values[name] = f"{name} = numpy.array({value.tolist()!r})"
        elif _is_plain(value):
            self._values[name] = f"{name} = {value!r}"
        elif owner != "__main__" and own_name and getattr(sys.modules.get(owner), own_name, None) is value:
            alias = "" if own_name == name else f" as {name}"
            self._imports[f"from {owner} import {own_name}{alias}"] = None
        elif isinstance(value, FunctionType | type) and own_name == name:
            self.add(value)
        else:
            text = f"{self._who}: {user} uses {name}, {_show(value)}, which cannot go along"
            raise UsageError(f"{text}: write it inside of {user}, or {_ADVICE}.")

    def _node(self, target: Any) -> tuple[_Node, list[str]]:
        """Return where a function or class stands, and the lines of that text."""
        code = next(_codes(target), None)
        lines = linecache.getlines(code.co_filename) if code is not None else []
        try:
            tree = ast.parse("".join(lines))
        except SyntaxError:
            self._refuse(target)
        for node in ast.walk(tree):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)]) if isinstance(node, _Node) else 0
            if first and code is not None and node.name == target.__name__:  # type: ignore[attr-defined]
                if first <= code.co_firstlineno <= (node.end_lineno or 0):  # type: ignore[attr-defined]
                    return node, lines  # type: ignore[return-value]
        self._refuse(target)

    def _refuse(self, target: Any) -> NoReturn:
        raise UsageError(f"{self._who}: Python does not know the text of {target.__name__}: {_ADVICE}.")


def _codes(target: Any) -> Iterator[Any]:
    """Yield the code of a function, or of the methods of a class."""
    if isinstance(target, FunctionType):
        yield target.__code__
        return
    for one in vars(target).values():
        if isinstance(one, FunctionType):
            yield one.__code__


def _surroundings(target: Any) -> dict[str, Any]:
    """Return the surroundings of a function or of the methods of a class, by name."""
    methods = [] if isinstance(target, FunctionType) else filter(inspect.isfunction, vars(target).values())
    functions: list[Any] = [target] if isinstance(target, FunctionType) else list(methods)
    found: dict[str, Any] = dict(vars(sys.modules.get(target.__module__, builtins)))
    for function in functions:
        found |= function.__globals__
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if name != "__class__":
                found[name] = cell.cell_contents
    return found


def _list_used(node: ast.AST) -> list[str]:
    """Return the names that a piece of Python reads and does not make itself, in their order."""
    names = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
    made = {one.id for one in names if not isinstance(one.ctx, ast.Load)}
    made |= {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    return [n for n in dict.fromkeys(one.id for one in names) if n not in made and not hasattr(builtins, n)]


def _is_plain(value: Any) -> bool:
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError, TypeError, MemoryError):
        return False


def _show(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 40 else f"{text[:40]}.."


def same_names(names: Sequence[str]) -> list[str]:
    """Return the `names` that occur more than once."""
    return sorted({name for name in names if list(names).count(name) > 1})
