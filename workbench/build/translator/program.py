"""The modules of a program: what each defines, and what of it others may call."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from workbench.build.translator.refusal import Untranslatable
from workbench.build.translator.types import ANY, Type, annotated


@dataclass(frozen=True)
class Parameter:
    """An argument of a function.

    Attributes
    ----------
    kind : str
        ``"plain"``, ``"keyword"``, ``"dict"`` (`**name`) or ``"rest"`` (`*name`): JavaScript has them in this order.
    default : ast.expr or None
        What it is if it is not given.
    factory : bool
        The `default` is a function that makes it.
    """

    name: str
    kind: str = "plain"
    type: Type = ANY
    default: ast.expr | None = None
    factory: bool = False


@dataclass(frozen=True)
class Signature:
    """Arguments of a function, and what it returns."""

    parameters: tuple[Parameter, ...]
    returns: Type = ANY
    kind: str = "method"  # of a method: method, static, class, property


@dataclass
class Class:
    """A class.

    Attributes
    ----------
    kind : str
        ``"data"``, ``"tuple"`` with names, ``"plain"``, or ``"type"`` for what only annotations use.
    fields : list of Parameter
        Of a data class or a tuple, those of its bases first.
    own : list of Parameter
        Those that it adds.
    attributes : dict of str to Type
        All that its objects have, as annotations tell.
    methods : dict of str to Signature
        Own ones and those of its bases.
    odd : ast.stmt or None
        A field that has no translation.
    """

    name: str
    module: str
    node: ast.ClassDef
    kind: str = "plain"
    bases: list[Class] = field(default_factory=list)
    fields: list[Parameter] = field(default_factory=list)
    own: list[Parameter] = field(default_factory=list)
    attributes: dict[str, Type] = field(default_factory=dict)
    methods: dict[str, Signature] = field(default_factory=dict)
    odd: ast.stmt | None = None


@dataclass
class Module:
    """A module of Python, read but not translated."""

    name: str
    path: str
    tree: ast.Module
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)  # module and name there, which may be empty
    functions: dict[str, Signature] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    aliases: dict[str, ast.expr] = field(default_factory=dict)  # of types
    types: dict[str, Type] = field(default_factory=dict)  # of constants


@dataclass
class Program:
    """All modules that are translated together.

    Attributes
    ----------
    packages : tuple of str
        Packages whose modules are translated.
    sources : dict of str to Path
        Files of modules that lie elsewhere.
    modules : dict of str to Module
        What has been read.
    """

    packages: tuple[str, ...]
    sources: dict[str, Path] = field(default_factory=dict)
    modules: dict[str, Module] = field(default_factory=dict)

    def module(self, name: str) -> Module:
        """Return a module, read when it is asked for first.

        Raises
        ------
        Untranslatable
            If it is not there, or imports in a way that has no translation.
        """
        if name not in self.modules:
            path = self._path(name)
            shown = "/".join(path.parts[-1 - name.count(".") - (path.stem == "__init__") :])
            found = Module(name, shown, ast.parse(path.read_text(encoding="utf-8")))
            self.modules[name] = found
            _read(self, found)
        return self.modules[name]

    def is_own(self, name: str) -> bool:
        """Tell whether a module belongs to the program."""
        return name in self.sources or name.split(".")[0] in self.packages

    def class_of(self, module: Module, name: str) -> Type:
        """Return what a name in an annotation stands for."""
        found = self.find_class(module, name)
        if found is not None:
            return Type("object", of=f"{found.module}:{found.name}")
        if name in module.aliases:
            return self.annotated(module, module.aliases[name])
        where, other = module.imports.get(name, ("", ""))
        if where and self.is_own(where) and other and self.exists(where) and other in self.module(where).aliases:
            return self.class_of(self.module(where), other)
        if (where, other) in (("re", "Match"), ("re", "Pattern")):
            return Type(other.lower())
        return ANY

    def annotated(self, module: Module, node: ast.expr | None) -> Type:
        """Return the type that an annotation in a module tells."""
        return annotated(node, lambda name: self.class_of(module, name))

    def find_class(self, module: Module, name: str) -> Class | None:
        """Return the class that a name in a module stands for, of this module or another one."""
        if name in module.classes:
            return module.classes[name]
        where, other = module.imports.get(name, ("", ""))
        if where and other and self.is_own(where) and self.exists(where):
            return self.find_class(self.module(where), other)
        return None

    def object_class(self, kind: Type) -> Class | None:
        """Return the class of an object by its type."""
        module, _, name = kind.of.partition(":")
        return self.module(module).classes[name] if kind.name == "object" else None

    def exists(self, name: str) -> bool:
        """Tell whether there is a module with this name."""
        try:
            return name in self.sources or find_spec(name) is not None
        except ModuleNotFoundError:
            return False

    def _path(self, name: str) -> Path:
        if name in self.sources:
            return self.sources[name]
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise Untranslatable(f"{name}: no such module.")
        return Path(spec.origin)


def _read(program: Program, module: Module) -> None:
    """Note what a module imports and defines."""
    for node in module.tree.body:
        _imports(module, node)
    for inner in ast.walk(module.tree):
        if isinstance(inner, (ast.Import, ast.ImportFrom)) and inner not in module.tree.body:
            _imports(module, inner)
    for node in module.tree.body:
        match node:
            case ast.ClassDef():
                module.classes[node.name] = _class(program, module, node)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_alias(value):
                module.aliases[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                module.types[name] = program.annotated(module, annotation)
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef):
            module.functions[node.name] = signature(program, module, node)


def _imports(module: Module, node: ast.stmt) -> None:
    match node:
        case ast.Import(names=names):
            for one in names:
                module.imports[one.asname or one.name.split(".")[0]] = (one.name, "")
        case ast.ImportFrom(module=where, names=names, level=level):
            parts = module.name.split(".")
            here = parts if module.path.endswith("__init__.py") else parts[:-1]
            base = ".".join([*here[: len(here) - level + 1], *([where] if where else [])]) if level else where or ""
            for one in names:
                module.imports[one.asname or one.name] = (base, one.name)


_TYPING = ("TypeVar", "NewType", "ParamSpec")
_TYPES = (
    "tuple", "list", "dict", "set", "Callable", "Literal", "Mapping", "Sequence", "Iterable", "Iterator", "Annotated",
    "Optional", "Union", "frozenset", "Collection",
)  # fmt: skip


def _is_alias(value: ast.expr) -> bool:
    """Tell whether an expression is a type."""
    match value:
        case ast.Subscript(value=ast.Name(id=name)):
            return name in _TYPES
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            names = [one for one in (left, right) if isinstance(one, ast.Name) and one.id in ("str", "int", "float")]
            return bool(names) or _is_alias(left) or _is_alias(right)
        case ast.Call(func=ast.Name(id=name)):
            return name in _TYPING
    return False


def signature(program: Program, module: Module, node: ast.FunctionDef, method: bool = False) -> Signature:
    """Return the arguments of a function in the order of JavaScript, those of a `method` without its object."""
    given, names = node.args, [ast.unparse(one) for one in node.decorator_list]
    plain = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [*[None] * (len(plain) - len(given.defaults)), *given.defaults]
    def one(argument: ast.arg, kind: str, default: ast.expr | None = None) -> Parameter:
        found = program.annotated(module, argument.annotation)
        if kind != "plain" and kind != "keyword":
            found = Type("dict", (Type("str"), found)) if kind == "dict" else Type("list", (found,))
        return Parameter(argument.arg, kind, found, default)

    parameters = [one(argument, "plain", default) for argument, default in zip(plain, defaults, strict=True)]
    keywords = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    parameters += [one(argument, "keyword", default) for argument, default in keywords]
    parameters += [one(given.kwarg, "dict")] if given.kwarg else []
    parameters += [one(given.vararg, "rest")] if given.vararg else []
    kinds = {"staticmethod": "static", "classmethod": "class", "property": "property", "cached_property": "property"}
    kind = next((kinds[name.split(".")[-1]] for name in names if name.split(".")[-1] in kinds), "method")
    if method and kind != "static":
        parameters = parameters[1:]
    return Signature(tuple(parameters), program.annotated(module, node.returns), kind)


def _class(program: Program, module: Module, node: ast.ClassDef) -> Class:
    found = Class(node.name, module.name, node)
    module.classes[node.name] = found
    decorators = [ast.unparse(one).partition("(")[0].split(".")[-1] for one in node.decorator_list]
    names = [ast.unparse(base).partition("[")[0].split(".")[-1] for base in node.bases]
    found.bases = [base for name in names if (base := program.find_class(module, name)) is not None]
    found.kind = "data" if "dataclass" in decorators else "tuple" if "NamedTuple" in names else "plain"
    if {"Protocol", "TypedDict"} & set(names):
        found.kind = "type"
    for base in found.bases[:1]:
        found.fields, found.kind = list(base.fields), base.kind if found.kind == "plain" and base.fields else found.kind
    for base in reversed(found.bases):
        found.attributes |= base.attributes
        found.methods |= base.methods
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            _field(program, module, found, item, item.target.id)
        elif isinstance(item, ast.FunctionDef):
            found.methods[item.name] = signature(program, module, item, method=True)
            if found.methods[item.name].kind == "property":
                found.attributes[item.name] = found.methods[item.name].returns
    return found


def _field(program: Program, module: Module, found: Class, item: ast.AnnAssign, name: str) -> None:
    kind = program.annotated(module, item.annotation)
    found.attributes[name] = kind
    if found.kind not in ("data", "tuple") or ast.unparse(item.annotation).startswith("ClassVar"):
        return
    default, factory = item.value, False
    match item.value:
        case ast.Call(func=ast.Name(id="field"), keywords=keywords):
            options = {one.arg: one.value for one in keywords}
            default = options.get("default_factory") or options.get("default")
            factory = "default_factory" in options
            if "kw_only" in options:
                found.odd = item
            if "init" in options:  # set in __post_init__, and no part of what objects are compared by
                found.odd = found.odd if "compare" in options else item
                return
    one = Parameter(name, "plain", kind, default, factory)
    found.own.append(one)
    found.fields = [*[field for field in found.fields if field.name != name], one]
