"""Functions and classes."""

from __future__ import annotations

import ast

from workbench.build.translator.builtin_calls import class_text
from workbench.build.translator.context import Context
from workbench.build.translator.js import CHOICE, Js, indented, name_in_js, quoted
from workbench.build.translator.program import Class, Parameter, Signature, signature
from workbench.build.translator.scope import Scope, every_argument, scope_of, yields
from workbench.build.translator.types import Type

_PASSES = 5
_DROPPED = ("overload", "staticmethod", "classmethod", "property", "final", "override", "abstractmethod")
_CACHES = ("cache", "lru_cache", "functools.cache", "functools.lru_cache")
_METHODS = (
    "__init__", "__post_init__", "__eq__", "__lt__", "__le__", "__len__", "__bool__", "__iter__", "__contains__",
    "__getitem__", "__str__", "__hash__",
)  # fmt: skip
_BASES = ("Protocol", "Generic", "ABC", "NamedTuple", "object")


def definition(c: Context, node: ast.FunctionDef) -> list[str]:
    """Return a function; one that keeps its answers is wrapped."""
    decorators = [ast.unparse(one).partition("(")[0] for one in node.decorator_list]
    if unknown := [name for name in decorators if name not in (*_DROPPED, *_CACHES)]:
        c.fail(node, f"the decorator `{unknown[0]}`")
    if "overload" in decorators:
        return []
    module = c.function.kind == "module" and len(c.scopes) == 1
    known = c.module.functions[node.name] if module else signature(c.program, c.module, node)
    if not module:
        c.functions[node.name] = known
    c.bind(node.name, Type("function", (known.returns,)))
    head, body = _function(c, node, known)
    name, export = name_in_js(node.name), "export " if module else ""
    star = "*" if yields(node.body) else ""
    if set(decorators) & set(_CACHES):
        return [f"{export}const {name} = py.cache(function{star} ({head}) {{", *indented(body), "});"]
    if not module and any(scope.me for scope in c.scopes) and not star:
        return [f"const {name} = ({head}) => {{", *indented(body), "};"]
    return [f"{export}function{star} {name}({head}) {{", *indented(body), "}"]


def _function(c: Context, node: ast.FunctionDef, known: Signature, me: str = "") -> tuple[str, list[str]]:
    """Return arguments and body of a function; `me` is the name of the object that it is a method of."""
    for default in [*node.args.defaults, *node.args.kw_defaults]:
        if isinstance(default, (ast.List, ast.Dict, ast.Set)):
            c.fail(default, "a default that can change")
    head = ", ".join(_parameter(c, one) for one in known.parameters)
    names = [one.arg for one in every_argument(node.args)]
    types = {one.name: one.type for one in known.parameters}
    if me and c.owner:
        types[me] = Type("object", of=f"{c.owner.module}:{c.owner.name}")
    scope = scope_of(node.body, names)
    scope.me = me
    body: list[str] = []
    for _ in range(_PASSES):
        before = {**scope.known, **types}
        scope.known, scope.seen, scope.extra = before, dict(types), []
        with c.inside(scope):
            body = c.block(node.body)
        if scope.seen == {name: kind for name, kind in before.items() if name in scope.seen}:
            break
        scope.known = dict(scope.seen)
    if _ends_without_value(node):
        body.append("return null;")
    return head, _with_variables(scope, body)


def _ends_without_value(node: ast.FunctionDef) -> bool:
    """Tell whether a function may end without `return` and somebody may ask for its None."""
    told = node.returns is not None and ast.unparse(node.returns) == "None"
    return not (told or yields(node.body) or node.name in ("__init__", "__post_init__") or _leaves(node.body))


def _leaves(body: list[ast.stmt]) -> bool:
    """Tell whether statements always end in `return` or `raise`."""
    match body[-1]:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=yes, orelse=no):
            return bool(no) and _leaves(yes) and _leaves(no)
        case ast.Try(body=yes, handlers=handlers):
            return _leaves(yes) and all(_leaves(one.body) for one in handlers)
        case ast.While(test=ast.Constant(value=True)) as loop:
            return not any(isinstance(one, ast.Break) for one in ast.walk(loop))
    return False


def _with_variables(scope: Scope, body: list[str]) -> list[str]:
    """Return lines with the variables that no statement declares in front."""
    names = [*(name_in_js(name) for name in scope.places.get(0, [])), *scope.extra]
    return [f"let {', '.join(names)};", *body] if names else body


def _parameter(c: Context, one: Parameter) -> str:
    name = name_in_js(one.name)
    if one.kind == "rest":
        return f"...{name}"
    if one.kind == "dict":
        return f"{name} = new py.Dict()"
    if one.default is None:
        return name
    return f"{name} = {_made_by(c, one) if one.factory else c.js(one.default).at(CHOICE)}"


def _made_by(c: Context, one: Parameter) -> str:
    """Return what the factory of a default makes."""
    assert one.default is not None
    return c.js(ast.copy_location(_call_of(one.default), one.default)).text


def _call_of(function: ast.expr) -> ast.Call:
    call = ast.Call(func=function, args=[], keywords=[])
    return ast.copy_location(call, function)


def class_definition(c: Context, node: ast.ClassDef) -> list[str]:
    """Return a class: plain, of data, or a tuple with names."""
    owner = c.module.classes.get(node.name)
    if owner is None or c.function.kind != "module":
        c.fail(node, f"`class {node.name}` inside of a function")
    if owner.kind == "type":
        return []
    if owner.odd is not None:
        c.fail(owner.odd, f"`{ast.unparse(owner.odd)}`")
    for decorator in node.decorator_list:
        _check_decorator(c, decorator)
    bases = [base for base in node.bases if ast.unparse(base).partition("[")[0].split(".")[-1] not in _BASES]
    texts = [class_text(c, base) for base in bases]
    first = "py.NamedTuple" if owner.kind == "tuple" and not texts else texts[0] if texts else ""
    if len(texts) > 1 and not _are_errors(owner, bases):
        c.fail(node, f"`class {node.name}` with more than one base")
    before, c.owner = c.owner, owner
    body = _members(c, node, owner, first)
    c.owner = before
    name = name_in_js(node.name)
    head = f"export class {name} extends {first} {{" if first else f"export class {name} {{"
    return [head, *indented(body), "}", *_behind(c, node, owner, texts)]


def _check_decorator(c: Context, node: ast.expr) -> None:
    name = ast.unparse(node).partition("(")[0].split(".")[-1]
    if name not in ("dataclass", "final", "total_ordering"):
        c.fail(node, f"the decorator `{name}`")
    options = {one.arg for one in node.keywords} if isinstance(node, ast.Call) else set()
    if wrong := options & {"order", "kw_only", "unsafe_hash", "init", "repr"}:
        c.fail(node, f"`{sorted(one or '' for one in wrong)[0]}` of a data class")


def _are_errors(owner: Class, bases: list[ast.expr]) -> bool:
    return all(ast.unparse(base).endswith(("Error", "Exception")) for base in bases)


def _members(c: Context, node: ast.ClassDef, owner: Class, first: str) -> list[str]:
    """Return constructor and methods, a blank line between them."""
    parts: list[list[str]] = []
    if owner.kind in ("data", "tuple") and "__init__" not in owner.methods and owner.own:
        parts.append(_constructor(c, owner, first))
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name != "__hash__":
            if made := _member(c, item, owner, first):
                parts.append(made)
    return [line for n, part in enumerate(parts) for line in ([""] * bool(n) + part)]


def _constructor(c: Context, owner: Class, first: str) -> list[str]:
    """Return what takes the fields of a data class or of a tuple."""
    head = ", ".join(_parameter(c, one) for one in owner.fields)
    names = [name_in_js(one.name) for one in owner.fields]
    if owner.kind == "tuple":
        body = ["super();", f"this.push({', '.join(names)});", "py.frozen(this);"]
        return [f"constructor({head}) {{", *indented(body), "}"]
    own = [one.name for one in owner.own]
    inherited = [name_in_js(one.name) for one in owner.fields if one.name not in own]
    body = [f"super({', '.join(inherited)});"] if first else []
    body += [f"this.{name} = {name_in_js(name)};" for name in own]
    if "__post_init__" in owner.methods:
        body.append(f"if (new.target === {name_in_js(owner.name)}) this.__post_init__();")
    return [f"constructor({head}) {{", *indented(body), "}"]


def _member(c: Context, node: ast.FunctionDef, owner: Class, first: str) -> list[str]:
    """Return a method."""
    known = owner.methods[node.name]
    decorators = [ast.unparse(one).split(".")[-1] for one in node.decorator_list]
    if unknown := [one for one in decorators if one not in (*_DROPPED, "cached_property")]:
        c.fail(node, f"the decorator `{unknown[0]}`")
    if node.name.startswith("__") and node.name not in _METHODS:
        c.fail(node, f"`{node.name}`")
    if "overload" in decorators:
        return []
    me = node.args.args[0].arg if known.kind != "static" and node.args.args else ""
    star = yields(node.body)
    kept = me if _has_generators(node) and known.kind != "class" else ""
    if known.kind == "class":
        _make_own(c, node, me)
        me = ""
    head, body = _function(c, node, known, "" if kept else me)
    if kept:
        body = [f"const {name_in_js(kept)} = this;", *body]
    if "cached_property" in decorators:
        body = [f"return py.cached(this, {quoted(node.name)}, () => {{", *indented(body), "});"]
    if node.name == "__init__":
        called = any(line.startswith("super(") for line in body)
        return [f"constructor({head}) {{", *indented([*([] if called or not first else ["super();"]), *body]), "}"]
    words = {"static": "static ", "class": "static ", "property": "get "}.get(known.kind, "")
    return [f"{words}{'*' if star else ''}{node.name}({head}) {{", *indented(body), "}"]


def _has_generators(node: ast.FunctionDef) -> bool:
    """Tell whether functions inside are generators, which have a `this` of their own."""
    inner = [one for part in node.body for one in ast.walk(part) if isinstance(one, ast.FunctionDef)]
    return any(yields(one.body) for one in inner)


def _make_own(c: Context, node: ast.FunctionDef, me: str) -> None:
    """Let a method of the class itself make objects of the class in which it stands."""
    for part in (one for statement in node.body for one in ast.walk(statement)):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == me and c.owner:
            part.func.id = c.owner.name


def _behind(c: Context, node: ast.ClassDef, owner: Class, texts: list[str]) -> list[str]:
    """Return what is said of a class behind it: fields, constants, further bases."""
    name, lines = name_in_js(node.name), []
    if len(texts) > 1:
        lines.append(f"py.also({name}, {', '.join(texts[1:])});")
    names = ", ".join(quoted(one.name) for one in owner.fields)
    if owner.kind == "tuple":
        lines.append(f"py.named({name}, [{names}]);")
    elif owner.kind == "data":
        lines.append(f"py.fields({name}, [{names}]);" if _has_values(node) else f"py.fields({name}, [{names}], false);")
    values = [f"{key}: {value.text}" for key, value in _constants(c, node, owner)]
    return [*lines, f"py.constants({name}, {{ {', '.join(values)} }});"] if values else lines


def _has_values(node: ast.ClassDef) -> bool:
    """Tell whether objects of a data class with equal fields are equal."""
    return not any("eq=False" in ast.unparse(one) for one in node.decorator_list)


def _constants(c: Context, node: ast.ClassDef, owner: Class) -> list[tuple[str, Js]]:
    fields = {one.name for one in owner.own}
    found = []
    for item in node.body:
        match item:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name != "__slots__":
                found.append((name, c.js(value)))
            case ast.AnnAssign(value=ast.Call(func=ast.Name(id="field"))):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if name not in fields:
                found.append((name, c.js(value)))
            case ast.FunctionDef() | ast.Expr() | ast.Pass() | ast.AnnAssign() | ast.Assign():
                pass
            case _:
                c.fail(item, f"`{ast.unparse(item).splitlines()[0]}` in a class")
    return found
