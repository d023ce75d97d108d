"""Where variables live: which names a function binds, and in which statement JavaScript declares each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from workbench.build.translator.types import ANY, Type, joined


@dataclass(frozen=True)
class Use:
    """A name in a block of statements; `blocks` are the numbers of those that hold it, the outermost first."""

    name: str
    binds: bool
    blocks: tuple[int, ...]
    statement: ast.stmt | None  # that binds it in a way in which JavaScript may declare it


@dataclass
class Scope:
    """The variables of a function, of a comprehension, or of a module.

    Attributes
    ----------
    names : set of str
        What it binds.
    known : dict of str to Type
        Types of variables, as a pass before has found them.
    seen : dict of str to Type
        The same, of this pass.
    places : dict of int to list of str
        Names by the statement (its id) that declares them; those at 0 are declared at the top.
    once : set of str
        Names that are bound a single time.
    """

    names: set[str]
    known: dict[str, Type] = field(default_factory=dict)
    seen: dict[str, Type] = field(default_factory=dict)
    places: dict[int, list[str]] = field(default_factory=dict)
    once: set[str] = field(default_factory=set)
    extra: list[str] = field(default_factory=list)
    me: str = ""  # name of the first argument of a method that stands as `this`
    kind: str = "function"

    def type_of(self, name: str) -> Type:
        """Return what is known of a variable."""
        return self.known.get(name) or self.seen.get(name) or ANY

    def bind(self, name: str, kind: Type) -> None:
        """Remember what a variable is set to."""
        self.seen[name] = joined(self.seen.get(name), kind)

    def extra_name(self) -> str:
        """Return the name of a further variable."""
        self.extra.append(f"$t{len(self.extra) + 1}")
        return self.extra[-1]


def scope_of(body: Sequence[ast.stmt], arguments: Sequence[str] = (), kind: str = "function") -> Scope:
    """Return the variables of the body of a function or a module, and where each is declared."""
    uses = list(_in_block(body, (0,), {}))
    outer = {name for node in _own(body) if isinstance(node, (ast.Nonlocal, ast.Global)) for name in node.names}
    names = {use.name for use in uses if use.binds} - outer
    scope = Scope(names | set(arguments), kind=kind)
    for name in sorted(names - set(arguments)):
        own = [use for use in uses if use.name == name]
        if sum(use.binds for use in own) == 1:
            scope.once.add(name)
        if not all(isinstance(use.statement, (ast.FunctionDef, ast.ClassDef)) for use in own if use.binds):
            scope.places.setdefault(_place(own), []).append(name)
    _declare_together(scope, uses)
    return scope


def _declare_together(scope: Scope, uses: list[Use]) -> None:
    """Let a statement declare all names that it binds, or none of them."""
    bound: dict[int, set[str]] = {}
    for use in uses:
        if use.statement is not None and use.binds:
            bound.setdefault(id(use.statement), set()).add(use.name)
    for statement in [one for one in scope.places if one]:
        if set(scope.places[statement]) != bound[statement]:
            scope.places.setdefault(0, []).extend(scope.places.pop(statement))


def _place(uses: list[Use]) -> int:
    """Return the statement that declares a name, 0 if none of them can."""
    first = uses[0]
    if not first.binds or first.statement is None:
        return 0
    inside = all(use.blocks[: len(first.blocks)] == first.blocks for use in uses)
    return id(first.statement) if inside else 0


def _own(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Return all nodes but those of functions inside."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)


def yields(body: Sequence[ast.stmt]) -> bool:
    """Tell whether a function with this body is a generator."""
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in _own(body))


def _in_block(body: Sequence[ast.stmt], blocks: tuple[int, ...], count: dict[str, int]) -> Iterator[Use]:
    for statement in body:
        yield from _in_statement(statement, blocks, count)


def _next(count: dict[str, int]) -> int:
    count["n"] = count.get("n", 0) + 1
    return count["n"]


def _in_statement(node: ast.stmt, blocks: tuple[int, ...], count: dict[str, int]) -> Iterator[Use]:
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from _loads(value, blocks)
            names = [name for target in targets for name in set(target_names(target))]
            for target in targets:
                yield from _targets(target, blocks, node if len(names) == len(set(names)) else None)
        case ast.AnnAssign(target=target, value=value):
            if value is not None:
                yield from _loads(value, blocks)
            yield from _targets(target, blocks, node if value is not None else None)
        case ast.AugAssign(target=target, value=value):
            yield from _loads(value, blocks)
            yield from _targets(target, blocks, None)
        case ast.For(target=target, iter=over, body=body):
            yield from _loads(over, blocks)
            inner = (*blocks, _next(count))
            yield from _targets(target, inner, node)
            yield from _in_block(body, inner, count)
        case ast.FunctionDef():
            yield Use(node.name, True, blocks, node)
            yield from _loads(node, blocks)
        case ast.ClassDef():
            yield Use(node.name, True, blocks, node)
            yield from _loads(node, blocks)
        case ast.While(test=test, body=body) | ast.If(test=test, body=body):
            yield from _loads(test, blocks)
            yield from _in_block(body, (*blocks, _next(count)), count)
            yield from _in_block(node.orelse, (*blocks, _next(count)), count)
        case ast.Try():
            yield from _in_block(node.body, (*blocks, _next(count)), count)
            for handler in node.handlers:
                inner = (*blocks, _next(count))
                yield from (use for use in _in_block(handler.body, inner, count) if use.name != handler.name)
            yield from _in_block(node.finalbody, (*blocks, _next(count)), count)
        case ast.Import() | ast.ImportFrom() | ast.Nonlocal() | ast.Global():
            return
        case _:
            yield from _loads(node, blocks)


def _targets(target: ast.expr, blocks: tuple[int, ...], statement: ast.stmt | None) -> Iterator[Use]:
    """Return what a target binds and, of attributes and items, what it uses."""
    match target:
        case ast.Name(id=name):
            yield Use(name, True, blocks, statement)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            whole = all(isinstance(one, ast.Name) for one in _flat(target))
            uses = [use for one in elements for use in _targets(one, blocks, statement if whole else None)]
            yield from dict.fromkeys(uses)
        case ast.Starred(value=value):
            yield from _targets(value, blocks, statement)
        case _:
            yield from _loads(target, blocks)


def _flat(target: ast.expr) -> Iterator[ast.expr]:
    match target:
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for one in elements:
                yield from _flat(one)
        case ast.Starred(value=value):
            yield from _flat(value)
        case _:
            yield target


def target_names(target: ast.expr) -> list[str]:
    """Return the names that a target binds."""
    return [one.id for one in _flat(target) if isinstance(one, ast.Name)]


def _loads(node: ast.AST, blocks: tuple[int, ...]) -> Iterator[Use]:
    """Return the names that an expression, a function or a class uses from around it."""
    for name, binds in free_names(node):
        yield Use(name, binds, blocks, None)


def free_names(node: ast.AST) -> Iterator[tuple[str, bool]]:
    """Return names that are not bound inside of `node`, and whether it binds them outside; annotations do not count."""
    match node:
        case ast.Name(id=name):
            yield name, not isinstance(node.ctx, ast.Load)
        case ast.NamedExpr(target=target, value=value):
            yield from free_names(value)
            yield target.id, True
        case ast.FunctionDef() | ast.Lambda():
            yield from _of_function(node)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            own = {name for one in node.generators for name in target_names(one.target)}
            for child in ast.iter_child_nodes(node):
                yield from (found for found in free_names(child) if found[0] not in own)
        case ast.AnnAssign(target=target, value=value):
            yield from free_names(value) if value is not None else ()
            yield from free_names(target)
        case ast.ClassDef():
            inner = [found for child in node.body for found in free_names(child)]
            own = {name for name, binds in inner if binds}
            yield from (found for found in inner if found[0] not in own)
            for child in [*node.bases, *node.decorator_list]:
                yield from free_names(child)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from free_names(child)


def _of_function(node: ast.FunctionDef | ast.Lambda) -> Iterator[tuple[str, bool]]:
    for default in [*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]:
        yield from free_names(default)
    own = {one.arg for one in every_argument(node.args)}
    if isinstance(node, ast.Lambda):
        yield from (found for found in free_names(node.body) if found[0] not in own)
        return
    for decorator in node.decorator_list:
        yield from free_names(decorator)
    inner = scope_of(node.body, sorted(own))
    for statement in node.body:
        for name, binds in free_names(statement):
            if name not in inner.names:
                yield name, binds


def every_argument(arguments: ast.arguments) -> list[ast.arg]:
    """Return all arguments of a function."""
    stars = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars]
