"""Statements."""

from __future__ import annotations

import ast
import re

from workbench.build.translator.builtin_calls import class_text
from workbench.build.translator.context import Context
from workbench.build.translator.js import CHOICE, PRIMARY, Js, indented, name_in_js
from workbench.build.translator.loops import apart, bind_target, counting, fits, over, pattern
from workbench.build.translator.operators import condition, operation
from workbench.build.translator.scope import free_names, target_names
from workbench.build.translator.types import ANY, INT


def expression(c: Context, node: ast.Expr) -> list[str]:
    """Return a value that is worked out and not used; a docstring is none."""
    if isinstance(node.value, ast.Constant):
        return []
    if isinstance(node.value, ast.Yield):
        return [f"yield {c.js(node.value.value).at(CHOICE) if node.value.value else 'null'};"]
    if isinstance(node.value, ast.YieldFrom):
        return [f"yield* py.iter({c.js(node.value.value).text});"]
    c.unused = node.value
    text = c.js(node.value).text
    return [f"({text});" if text.startswith(("function", "{")) else f"{text};"]


def _declared(c: Context, node: ast.stmt, names: list[str]) -> str:
    """Return what declares names in this statement, if it does."""
    here = c.function.places.get(id(node), [])
    if not names or not set(names) <= set(here):
        return ""
    return "const " if set(names) <= c.function.once else "let "


def _export(c: Context, names: list[str]) -> str:
    wanted = c.function.kind == "module" and len(c.scopes) == 1 and len(names) == 1
    return "export " if wanted else ""


def assignment(c: Context, node: ast.Assign) -> list[str]:
    """Return an assignment."""
    if c.function.kind == "module" and _is_left_out(c, node.targets):
        return []
    one = c.js(node.value)
    if len(node.targets) > 1:
        name = c.function.extra_name()
        lines = [f"{name} = {one.at(CHOICE)};"]
        for target in node.targets:
            declared = _declared(c, node, target_names(target))
            lines += _assigned(c, node, target, Js(name, type=one.type), declared)
        return lines
    return _assigned(c, node, node.targets[0], one, _declared(c, node, target_names(node.targets[0])))


def _is_left_out(c: Context, targets: list[ast.expr]) -> bool:
    names = [name for target in targets for name in target_names(target)]
    return names == ["__all__"] or any(name in c.module.aliases for name in names)


def _assigned(c: Context, node: ast.stmt, target: ast.expr, one: Js, declared: str) -> list[str]:
    match target:
        case ast.Name(id=name):
            known = c.module.types.get(name) if c.function.kind == "module" else None
            c.bind(name, known or one.type)
            export = _export(c, [name]) if declared == "const " else ""
            return [f"{export}{declared}{name_in_js(name)} = {one.at(CHOICE)};"]
        case ast.Attribute():
            return [f"{c.js(target.value).at(PRIMARY)}.{target.attr} = {one.at(CHOICE)};"]
        case ast.Subscript():
            return [_put(c, target, one)]
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            if all(isinstance(part, (ast.Name, ast.Starred, ast.Tuple, ast.List)) for part in elements):
                line = _taken_apart(c, node, target, one, declared)
                exported = declared == "const " and c.function.kind == "module" and len(c.scopes) == 1
                return _exported(line, target_names(target)) if exported else [line]
            return _each(c, node, elements, one)
    return c.fail(node, f"`{ast.unparse(target)} = ..`")


def _exported(line: str, names: list[str]) -> list[str]:
    """Return an assignment to several names of a module, which exports each by itself."""
    head, sign, value = line.partition(" = ")
    unique = dict.fromkeys(names)
    for name in unique:
        head = re.sub(rf"\b{re.escape(name_in_js(name))}\b", f"{name_in_js(name)}$", head)
    return [f"{head}{sign}{value}", *(f"export const {name_in_js(name)} = {name_in_js(name)}$;" for name in unique)]


def _taken_apart(c: Context, node: ast.stmt, target: ast.expr, one: Js, declared: str) -> str:
    bind_target(c, target, one.type)
    value = one.text
    if isinstance(one.type.items, tuple) and value.startswith("py.frozen([") and fits(target, one.type):
        value = value.removeprefix("py.frozen(").removesuffix(")")  # nobody else sees this tuple
    return f"{declared}{pattern(c, target)} = {apart(c, node, target, value, one.type)};"


def _each(c: Context, node: ast.stmt, elements: list[ast.expr], one: Js) -> list[str]:
    """Return an assignment to attributes and items among others, one after the other."""
    names = [c.function.extra_name() for _ in elements]
    if any(isinstance(part, ast.Starred) for part in elements):
        c.fail(node, "a star beside items")
    lines = [f"[{', '.join(names)}] = py.unpack({one.text}, {len(names)});"]
    exact = one.type.name == "tuple" and len(one.type.items) == len(names)
    for i, (name, part) in enumerate(zip(names, elements, strict=True)):
        kind = one.type.items[i] if exact else one.type.item
        lines += _assigned(c, node, part, Js(name, type=kind), "")
    return lines


def _put(c: Context, target: ast.Subscript, one: Js) -> str:
    items = c.js(target.value)
    if isinstance(target.slice, ast.Slice):
        if target.slice.step is not None:
            c.fail(target, "a slice with a step that is set")
        ends = [c.js(end).text if end is not None else "null" for end in (target.slice.lower, target.slice.upper)]
        return f"py.putSlice({items.text}, {ends[0]}, {ends[1]}, {one.text});"
    place = c.js(target.slice)
    if items.type.name == "dict":
        return f"{items.at(PRIMARY)}.set({place.text}, {one.at(CHOICE)});"
    quick = items.type.name == "list" and place.type.name == "int"
    return f"py.{'putItem' if quick else 'put'}({items.text}, {place.text}, {one.text});"


def annotated_assignment(c: Context, node: ast.AnnAssign) -> list[str]:
    """Return an assignment to what has a type."""
    if node.value is None or (c.function.kind == "module" and _is_left_out(c, [node.target])):
        return []
    one, kind = c.js(node.value), c.program.annotated(c.module, node.annotation)
    typed = Js(one.text, one.level, one.type if kind == ANY else kind)
    return _assigned(c, node, node.target, typed, _declared(c, node, target_names(node.target)))


_PLAIN = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


def augmented(c: Context, node: ast.AugAssign) -> list[str]:
    """Return `x += y` and its like; lists and dictionaries grow themselves."""
    one, other = c.js(ast.copy_location(_loaded(node.target), node)), c.js(node.value)
    found = operation(c, node, one, node.op, other, node.value)
    if isinstance(node.op, ast.Add) and found.text.startswith("py.add("):
        found = Js(f"py.iadd({one.text}, {other.text})", type=one.type)
    if isinstance(node.op, ast.BitOr) and found.text.startswith("py.bitOr("):
        found = Js(f"py.ior({one.text}, {other.text})", type=one.type)
    if isinstance(node.target, ast.Name):
        c.bind(node.target.id, found.type)
        sign = _PLAIN.get(type(node.op))
        if sign is not None and not found.text.startswith("py."):
            return [f"{one.text} {sign}= {other.at(CHOICE)};"]
    return _assigned(c, node, node.target, found, "")


def _loaded(target: ast.expr) -> ast.expr:
    found = ast.parse(ast.unparse(target), mode="eval").body
    for part in ast.walk(found):
        if isinstance(part, (ast.expr, ast.keyword)):
            ast.copy_location(part, target)
    return found


def returned(c: Context, node: ast.Return) -> list[str]:
    """Return `return`."""
    return ["return null;" if node.value is None else f"return {c.js(node.value).at(1)};"]


def branches(c: Context, node: ast.If) -> list[str]:
    """Return `if`; what is for type checkers alone is left out."""
    if ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        return c.block(node.orelse)
    lines = [f"if ({condition(c, node.test).text}) {{", *indented(c.block(node.body))]
    if not node.orelse:
        return [*lines, "}"]
    others = c.block(node.orelse)
    if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) and others and others[0].startswith("if ("):
        return [*lines, f"}} else {others[0]}", *others[1:]]
    return [*lines, "} else {", *indented(others), "}"]


def repeated(c: Context, node: ast.While) -> list[str]:
    """Return `while`."""
    if node.orelse:
        c.fail(node, "`else` of a loop")
    return [f"while ({condition(c, node.test).text}) {{", *indented(c.block(node.body)), "}"]


def loop(c: Context, node: ast.For) -> list[str]:
    """Return `for`: over integers as JavaScript counts, over all else with `of`."""
    if node.orelse:
        c.fail(node, "`else` of a loop")
    names = target_names(node.target)
    declared = _declared(c, node, names)
    counted = counting(c, node)
    if counted is not None and isinstance(node.target, ast.Name):
        return _counted(c, node, node.target.id, counted, bool(declared))
    values = over(c, node.iter)
    bind_target(c, node.target, values.type)
    if declared and fits(node.target, values.type):
        return [f"for ({declared}{pattern(c, node.target)} of {values.text}) {{", *indented(c.block(node.body)), "}"]
    first = f"{declared}{pattern(c, node.target)} = {apart(c, node, node.target, '$one', values.type)};"
    body = [first, *c.block(node.body)]
    return [f"for (const $one of {values.text}) {{", *indented(body), "}"]


def _counted(c: Context, node: ast.For, name: str, counted: tuple[str, str, str], declared: bool) -> list[str]:
    first, last, step = counted
    c.bind(name, INT)
    own = name_in_js(name)
    if name not in c.function.once or not declared:
        own = "$n"
    bound = {found for statement in node.body for found, binds in free_names(statement) if binds}
    fixed = last.lstrip("-").isdigit() or (last.isidentifier() and last not in bound)
    head, end = (f"let {own} = {first}", last) if fixed else (f"let {own} = {first}, $end = {last}", "$end")
    up = not step.startswith("-")
    by = f"{own}{'++' if up else '--'}" if step in ("1", "-1") else f"{own} {'+' if up else '-'}= {step.lstrip('-')}"
    body = c.block(node.body)
    if own == "$n":
        body = [f"{'let ' if declared else ''}{name_in_js(name)} = $n;", *body]
    return [f"for ({head}; {own} {'<' if up else '>'} {end}; {by}) {{", *indented(body), "}"]


def raised(c: Context, node: ast.Raise) -> list[str]:
    """Return `raise`."""
    if node.exc is None:
        return ["throw $error;"]
    error = c.js(node.exc)
    text = error.text
    if isinstance(node.exc, ast.Name) and (c.class_named(node.exc.id) or text.startswith("py.")):
        text = f"new {class_text(c, node.exc)}()"
    if node.cause is None or (isinstance(node.cause, ast.Constant) and node.cause.value is None):
        return [f"throw {text};"]
    return [f"throw py.from({text}, {c.js(node.cause).text});"]


def tried(c: Context, node: ast.Try) -> list[str]:
    """Return `try`; an error that no handler names goes on."""
    if node.orelse:
        c.fail(node, "`else` of `try`")
    lines = ["try {", *indented(c.block(node.body))]
    if node.handlers:
        lines += ["} catch ($error) {", *indented(_handlers(c, node.handlers))]
    if node.finalbody:
        lines += ["} finally {", *indented(c.block(node.finalbody))]
    return [*lines, "}"]


def _handlers(c: Context, handlers: list[ast.ExceptHandler]) -> list[str]:
    lines: list[str] = []
    for i, handler in enumerate(handlers):
        if handler.type is None:
            c.fail(handler, "`except` without a class")
        types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        given = ", ".join(class_text(c, one) for one in types)
        lines.append(f"{'} else ' if i else ''}if (py.caught($error, {given})) {{")
        lines += indented(_handler(c, handler))
    return [*lines, "} else {", "  throw $error;", "}"]


def _handler(c: Context, handler: ast.ExceptHandler) -> list[str]:
    if handler.name is None:
        return c.block(handler.body)
    c.function.names.add(handler.name)
    c.bind(handler.name, ANY)
    return [f"const {name_in_js(handler.name)} = $error;", *c.block(handler.body)]


def asserted(c: Context, node: ast.Assert) -> list[str]:
    """Return `assert`."""
    text = f", {c.js(node.msg).text}" if node.msg is not None else ""
    return [f"py.assert({condition(c, node.test).text}{text});"]


def deleted(c: Context, node: ast.Delete) -> list[str]:
    """Return `del` of items."""
    lines = []
    for target in node.targets:
        match target:
            case ast.Subscript(value=value, slice=ast.Slice(lower=lower, upper=upper, step=None)):
                ends = [c.js(end).text if end is not None else "null" for end in (lower, upper)]
                lines.append(f"py.putSlice({c.js(value).text}, {ends[0]}, {ends[1]}, []);")
            case ast.Subscript(value=value, slice=place):
                lines.append(f"py.drop({c.js(value).text}, {c.js(place).text});")
            case _:
                c.fail(node, f"`{ast.unparse(node)}`")
    return lines


def nothing(c: Context, node: ast.stmt) -> list[str]:
    """Return nothing: imports are written at the top, `pass` is for Python alone."""
    return []


def word(c: Context, node: ast.Break | ast.Continue) -> list[str]:
    """Return `break` or `continue`."""
    return [f"{ast.unparse(node)};"]
