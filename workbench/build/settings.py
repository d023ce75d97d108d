"""The tables of settings files as data: what the page needs to check a file key by key as pydantic does here.

Read from the schemas that pydantic works with, so that a key or a limit that is added there is in the page by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined, SchemaValidator, ValidationError

from couplant.base.errors import CouplantError
from couplant.base.files import scratch_folder
from couplant.base.paths import resource
from couplant.config.frame.read import Allowed, Table, key_tables, table_name
from couplant.config.frame.sentences import Content
from couplant.config.interface import Bonded, Document
from workbench.build.plain import plain_sources
from workbench.build.translator import HAND_WRITTEN, translate

MODULES = (
    *("config.frame.sentences", "config.ref", "config.rules.interface", "config.leads", "config.interface"),
)
"""Modules of the package that `workbench/settings/settings.js` uses."""

_OTHERS = (Bonded,)
"""Tables that stand in no file."""
_TABLES = "python/settings_tables.js"
_TOML = "settings/smol_toml.js"
_HAND_WRITTEN = {**HAND_WRITTEN, "couplant.config.frame.likeness": "settings/likeness.js"}
_LIMITS = ("ge", "gt", "le", "lt")


def interface_settings() -> Content:
    """Return what the page knows about the settings of an interface, for JSON.

    ``root`` is the name of the outermost table, ``keys`` what sentences say of keys, ``tables`` how they are checked.
    """
    return settings_of(Document, _OTHERS)


def settings_modules(more: Iterable[str] = (), replaced: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Return modules of JavaScript that check the settings of an interface together, by path; `more` go with them.

    In the place of those `replaced` stand files below `workbench`.

    Raises
    ------
    Untranslatable
        If one of them says what has no translation.
    """
    walk = _walked((Document, *_OTHERS))
    bases = {base for one in walk.models.values() for base in one.__mro__ if issubclass(base, Table)}
    defining = sorted({base.__module__ for base in bases} - {Table.__module__})
    wanted = [*(f"couplant.{name}" for name in MODULES), *defining, *more]
    with scratch_folder() as folder:
        sources = plain_sources(defining)
        files = {name: folder / f"{name.replace('.', '/')}.py" for name in sources}
        for name, source in sources.items():
            files[name].parent.mkdir(parents=True, exist_ok=True)
            files[name].write_text(source, encoding="utf-8")
        made = translate(wanted, hand_written={**_HAND_WRITTEN, **replaced}, sources=files)
    return made | {_TABLES: _registry(walk), _TOML: toml_module()}


def toml_module() -> str:
    """Return the reader of TOML, a CommonJS module as it was published, as a module that exports what the page uses."""
    code = resource("smol-toml/index.cjs").read_text(encoding="utf-8")
    names = "".join(f"export const {name} = library.{name};\n" for name in ("TomlError", "parse"))
    return f"const library = {{}};\n((exports) => {{\n{code}}})(library);\n{names}"


def _registry(walk: _Walk) -> str:
    """Return the module that finds classes of tables, and functions that checks call, by their names."""
    lines = ["// Tables of settings, and what checks of their keys call.", ""]
    named: list[Callable[..., Any]] = [*walk.models.values(), *walk.functions.values()]
    lines += [f'import {{ {one.__name__} }} from "./{one.__module__}.js";' for one in named]
    for constant, kinds in (("CLASSES", walk.models), ("FUNCTIONS", walk.functions)):
        pairs = "".join(f'  ["{name}", {one.__name__}],\n' for name, one in kinds.items())
        lines += ["", f"export const {constant} = new Map([\n{pairs}]);"]
    return "\n".join(lines) + "\n"


def settings_of(root: type[BaseModel], others: Iterable[type[BaseModel]] = ()) -> Content:
    """Return what the page knows about a kind of settings file whose outermost table is `root`.

    With it go `others`, tables that stand in no file.

    Raises
    ------
    CouplantError
        If a table is checked in a way that the page does not know.
    """
    return {"root": table_name(root), "keys": key_tables(root), "tables": _walked((root, *others)).tables}


def _walked(models: Iterable[type[BaseModel]]) -> _Walk:
    walk = _Walk()
    for model in models:
        walk.node(model.__pydantic_core_schema__)
    return walk


class _Walk:
    """A walk through the schemas of tables, which leaves by name what it finds: tables, classes, functions of ours."""

    def __init__(self) -> None:
        self.tables: dict[str, Content] = {}
        self.models: dict[str, type[BaseModel]] = {}
        self.functions: dict[str, Callable[..., Any]] = {}
        self._shared: dict[str, Any] = {}

    def node(self, schema: Any) -> Content:
        """Return how a value is checked, for JSON."""
        kind = schema["type"]
        known: dict[str, Callable[[Any], Content]] = {
            "definitions": self._definitions,
            "definition-ref": lambda one: self.node(self._shared[one["schema_ref"]]),
            "model": self._table,
            "nullable": lambda one: {"kind": "nullable", "of": self.node(one["schema"])},
            "float": _number,
            "int": _number,
            "bool": _strict,
            "str": _text,
            "literal": _literal,
            "dict": self._dict,
            "tuple": self._tuple,
            "function-wrap": self._allowed,
            "function-before": self._called,
            "function-after": self._called,
            "function-plain": self._called,
        }
        if kind not in known:
            raise CouplantError(f"the page of the workbench knows no settings of the kind {kind}.")
        return known[kind](schema)

    def _definitions(self, schema: Any) -> Content:
        self._shared |= {one["ref"]: one for one in schema["definitions"]}
        return self.node(schema["schema"])

    def _table(self, schema: Any) -> Content:
        model = schema["cls"]
        name = table_name(model)
        if name not in self.tables:
            self.tables[name] = {}  # known while its own keys are walked through
            self.models[name] = model
            fields = schema["schema"]["fields"]
            self.tables[name] = {key: self._field(model, key, field["schema"]) for key, field in fields.items()}
        return {"kind": "table", "table": name}

    def _field(self, model: type[BaseModel], name: str, schema: Any) -> Content:
        """Return a field of a table: the name in files, how it is checked, its default if it has one."""
        info = model.model_fields[name]
        inner = schema["schema"] if schema["type"] == "default" else schema
        found = {"written": info.alias or name, "check": self.node(inner)}
        default = info.get_default(call_default_factory=True, validated_data={})
        return found if default is PydanticUndefined else {**found, "default": _plain(default)}

    def _dict(self, schema: Any) -> Content:
        ends = self.node(schema["keys_schema"]), self.node(schema["values_schema"])
        return {"kind": "dict", "keys": ends[0], "values": ends[1], "least": schema.get("min_length", 0)}

    def _tuple(self, schema: Any) -> Content:
        items, rest = [self.node(one) for one in schema["items_schema"]], schema.get("variadic_item_index")
        if rest not in (None, 0) or (rest == 0 and len(items) != 1):
            raise CouplantError("the page of the workbench knows no lists whose entries differ and vary in number.")
        least, most = (schema.get(key) for key in ("min_length", "max_length"))
        return {"kind": "tuple", "items": items, "varies": rest == 0, "least": least or 0, "most": most}

    def _allowed(self, schema: Any) -> Content:
        check = schema["function"]["function"]
        if not isinstance(check, Allowed):
            raise CouplantError("the page of the workbench knows no wrapped check but `allowed`.")
        return {"kind": "allowed", "phrase": check.phrase, "of": self.node(schema["schema"])}

    def _called(self, schema: Any) -> Content:
        """Return a check by a function of ours, which the page has too, under its name."""
        function = schema["function"]["function"]
        if self.functions.setdefault(function.__name__, function) is not function:
            raise CouplantError(f"two checks of settings are called {function.__name__}.")
        found = {"kind": schema["type"].removeprefix("function-"), "function": function.__name__}
        return found if "schema" not in schema else {**found, "of": self.node(schema["schema"])}


def _strict(schema: Any) -> Content:
    if not schema.get("strict"):
        raise CouplantError(f"the page of the workbench knows no {schema['type']} that other types are made to be.")
    return {"kind": schema["type"]}


def _number(schema: Any) -> Content:
    if schema["type"] == "float" and schema.get("allow_inf_nan", True):
        raise CouplantError("the page of the workbench knows no numbers that need not be finite.")
    return {**_strict(schema), **{key: schema[key] for key in _LIMITS if key in schema}}


def _text(schema: Any) -> Content:  # nothing in TOML but a text is made to be one, so that all are strict
    return {"kind": "str", "least": schema.get("min_length", 0), "pattern": schema.get("pattern", "")}


def _literal(schema: Any) -> Content:
    try:
        SchemaValidator(schema).validate_python(None)
    except ValidationError as error:
        expected = error.errors()[0].get("ctx", {})["expected"]
    return {"kind": "literal", "of": list(schema["expected"]), "expected": expected}


def _plain(default: Any) -> Any:
    """Return the default of a field as a file would write it."""
    if isinstance(default, BaseModel):
        return {name: _plain(getattr(default, name)) for name in default.model_fields_set}
    return list(default) if isinstance(default, tuple) else default
