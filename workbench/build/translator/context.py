"""What is known while a module is translated."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn

from workbench.build.translator.js import Js, name_in_js
from workbench.build.translator.program import Class, Module, Program, Signature
from workbench.build.translator.refusal import refused
from workbench.build.translator.scope import Scope
from workbench.build.translator.types import ANY, Type

Expression = Callable[["Context", Any], Js]
Statement = Callable[["Context", Any], list[str]]


@dataclass
class Context:
    """A module on its way to JavaScript.

    Attributes
    ----------
    expressions, statements : dict of type to callable
        What translates a node, by its type.
    scopes : list of Scope
        Where we are, the innermost last.
    imports : dict of str to set of (str, str)
        Names of other modules that are used, and what they are called here.
    owner : Class or None
        Whose method is being translated.
    functions : dict of str to Signature
        Functions that are defined inside of others.
    unused : ast.expr or None
        The expression whose value nobody takes.
    """

    program: Program
    module: Module
    expressions: dict[type[ast.AST], Expression]
    statements: dict[type[ast.AST], Statement]
    need: Callable[[str], Module]
    scopes: list[Scope] = field(default_factory=list)
    imports: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    owner: Class | None = None
    functions: dict[str, Signature] = field(default_factory=dict)
    unused: ast.expr | None = None

    def fail(self, node: ast.AST, what: str) -> NoReturn:
        """Refuse `what` stands there.

        Raises
        ------
        Untranslatable
            Always.
        """
        raise refused(self.module.path, node, what)

    def js(self, node: ast.expr) -> Js:
        """Return an expression of JavaScript."""
        make = self.expressions.get(type(node))
        return self.fail(node, f"`{ast.unparse(node)}`") if make is None else make(self, node)

    def block(self, body: list[ast.stmt]) -> list[str]:
        """Return lines for statements."""
        lines: list[str] = []
        for node in body:
            make = self.statements.get(type(node))
            lines += self.fail(node, f"`{_words(node)}`") if make is None else make(self, node)
        return lines

    @property
    def scope(self) -> Scope:
        """The innermost scope of variables."""
        return self.scopes[-1]

    @property
    def function(self) -> Scope:
        """The scope of the function or the module around: comprehensions have none for what they bind outside."""
        return next(scope for scope in reversed(self.scopes) if scope.kind != "arrow")

    @contextmanager
    def inside(self, scope: Scope) -> Iterator[Scope]:
        """Translate in an inner scope."""
        self.scopes.append(scope)
        try:
            yield scope
        finally:
            self.scopes.pop()

    def holder(self, name: str) -> Scope | None:
        """Return the scope that binds a name, that of the module included."""
        return next((scope for scope in reversed(self.scopes) if name in scope.names), None)

    def is_local(self, name: str) -> bool:
        """Tell whether a name is bound in a function around."""
        found = self.holder(name)
        return found is not None and found.kind != "module"

    def bind(self, name: str, kind: Type) -> None:
        """Remember what a variable is set to."""
        scope = self.holder(name)
        if scope is not None:
            scope.bind(name, kind)

    def origin(self, name: str) -> tuple[str, str] | None:
        """Return module and name of what a name stands for, if it is imported from outside of the program."""
        found = None if self.holder(name) else self.module.imports.get(name)
        return found if found and not self.program.is_own(found[0]) else None

    def imported(self, name: str, node: ast.AST) -> tuple[Module, str] | None:
        """Return the module of the program that a name comes from, which then is imported."""
        found = None if self.holder(name) else self.module.imports.get(name)
        if found is None or not self.program.is_own(found[0]):
            return None
        where, other = found
        if not other or (self.program.exists(f"{where}.{other}") and not self._defines(where, other)):
            self.fail(node, f"`{name}`, a module as a value,")
        module = self.need(where)
        while other in module.imports and self.program.is_own(module.imports[other][0]):
            where, other = module.imports[other]
            module = self.need(where)
        self.imports.setdefault(where, set()).add((name_in_js(other), name_in_js(name)))
        return module, other

    def _defines(self, where: str, name: str) -> bool:
        module = self.program.module(where)
        return name in module.classes or name in module.functions or name in module.imports

    def type_of(self, name: str) -> Type:
        """Return what is known of a variable."""
        scope = self.holder(name)
        return scope.type_of(name) if scope is not None else ANY

    def class_named(self, name: str) -> Class | None:
        """Return the class that a name stands for here."""
        return None if self.is_local(name) else self.program.find_class(self.module, name)

    def object_class(self, kind: Type) -> Class | None:
        """Return the class of an object by its type."""
        return self.program.object_class(kind)


def _words(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]


def py(name: str, *arguments: str, kind: Type = ANY) -> Js:
    """Return a call of the run-time library; those at the end that are empty are left out."""
    given = list(arguments)
    while given and given[-1] == "":
        given.pop()
    return Js(f"py.{name}({', '.join(one or 'undefined' for one in given)})", type=kind)
