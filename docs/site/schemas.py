"""``python -m docs.site.schemas``: write the JSON schemas of the settings files, from the tables that check the files.

What takes several keys to tell is left to couplant, and so are the names of what is elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from couplant.base.files import write_atomic
from couplant.base.paths import resource
from couplant.cli.completion import KINDS, schema_file
from couplant.config.bench import SIDES, BenchScenario
from couplant.config.components import COMPONENT_KINDS
from couplant.config.frame.read import Content
from couplant.config.interface import Document, Signal
from couplant.config.network import NetworkTable
from couplant.config.scenario import Scenario
from couplant.config.system import SystemTable
from couplant.elsewhere.dcp.plan import MasterTable
from couplant.elsewhere.dcp.side import SideTable

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_FILES: dict[str, type[BaseModel]] = {
    "interface": Document,
    "scenario": Scenario,
    "bench": BenchScenario,
    "system": SystemTable,
    "dcp-side": SideTable,
    "dcp-master": MasterTable,
}
_NAMED = ("$defs", "properties", "patternProperties")
_LISTED = ("anyOf", "oneOf", "prefixItems")
_SINGLE = ("items", "additionalProperties")
_SCALAR: Content = {"type": ["number", "boolean", "string"]}
_NUMBERS: Content = {"type": ["number", "string", "array"], "items": {"type": ["number", "string"]}}
_NAMES: Content = {"type": ["string", "array"], "items": {"type": "string"}, "minItems": 1}
_SWEPT: dict[str, tuple[str, Content]] = {
    "algorithms": ("algorithms of the runs", _NAMES),
    "timing": ("timings of the runs", _NAMES),
    "latency": ('latencies: numbers, or a range "first:last[:step]" [macro steps]', _NUMBERS),
    "jitter": ("extra latencies, as latency [macro steps]", _NUMBERS),
    "loss": ("shares of messages that are lost, as latency [-]", _NUMBERS),
    "seeds": ("seeds of the networks: how many, or a list", _NUMBERS),
}
_TEXT: Content = {"type": "string", "minLength": 1}
OF_A_COUPLING: dict[str, tuple[str, Content]] = {
    "configuration": ("settings file of an interface, relative to the scenario, whose signal is taken", _TEXT),
    "signal": ("its signal; not given: that with the name of the scenario's", _TEXT),
    "fmu": ("path of a coupling FMU that exists; other keys are then its parameters", _TEXT),
    "backend": ("what is built; python runs in the Python of the host", {"enum": ["native", "python"]}),
    "fmi": ("version of the standard", {"enum": ["2", "3", 2, 3]}),
}
"""Keys of a table coupling of a scenario besides those of a signal of an interface: words, schema."""
_NOT_IN_A_BENCH = ("network", "connections", "watch")


def json_schema(kind: str = "interface") -> Content:
    """Return the JSON schema of a kind of settings file, one of `KINDS`."""
    models: list[tuple[type[BaseModel], JsonSchemaMode]]
    models = [(model, "validation") for model in (_FILES[kind], Signal, NetworkTable)]
    named: Content = {name: _plain(one) for name, one in models_json_schema(models)[1]["$defs"].items()}
    top: Content = named.pop(_FILES[kind].__name__)
    if kind in _EDITS:
        _EDITS[kind](top, named)
    head: Content = {"$schema": _DIALECT, "title": f"Settings of couplant: {kind}"}
    return head | top | {"$defs": _used_definitions(top, named)}


def schema_text(kind: str) -> str:
    """Return the schema of a kind of settings file, one of `KINDS`, as text."""
    return json.dumps(json_schema(kind), indent=1, ensure_ascii=False) + "\n"


def _plain(schema: Any) -> Any:
    """Return a schema without null, which TOML does not know, and without titles and the values of whole tables."""
    if not isinstance(schema, dict):
        return schema
    found = {key: value for key, value in schema.items() if key != "title"}
    if found.get("default", ...) is None or isinstance(found.get("default"), dict):
        del found["default"]
    for key in _NAMED:
        if key in found:
            found[key] = {name: _plain(one) for name, one in found[key].items()}
    for key in _LISTED:
        if key in found:
            found[key] = [_plain(one) for one in found[key] if one != {"type": "null"}]
    for key in _SINGLE:
        if key in found:
            found[key] = _plain(found[key])
    if len(found.get("anyOf", ())) == 1:
        found |= found.pop("anyOf")[0]
    if "patternProperties" in found:
        found.setdefault("additionalProperties", False)
    return found


def _used_definitions(top: Content, named: Content) -> Content:
    """Return the definitions that the schema leads to."""
    found: Content = {}
    waiting = [top]
    while waiting:
        for name in _references(waiting.pop()):
            if name not in found:
                found[name] = named[name]
                waiting.append(named[name])
    return {name: named[name] for name in named if name in found}


def _references(node: Any) -> list[str]:
    if isinstance(node, list):
        return [name for one in node for name in _references(one)]
    if not isinstance(node, dict):
        return []
    own = [node["$ref"].rpartition("/")[2]] if isinstance(node.get("$ref"), str) else []
    return own + [name for one in node.values() for name in _references(one)]


def _scenario(top: Content, named: Content) -> None:
    """Describe the tables coupling, network and sweep, and say that named parameters stand at the top."""
    named["ComponentTable"]["oneOf"] = [{"required": [key]} for key in COMPONENT_KINDS]
    known = named["Signal"]["properties"] | _with_words(OF_A_COUPLING)
    named["CouplingTable"] = {"type": "object", "properties": known}
    strict = {"properties": dict.fromkeys(known, True), "additionalProperties": False}
    coupling = {"$ref": "#/$defs/CouplingTable", "anyOf": [strict, {"required": ["fmu"]}]}
    signal = named["SignalTable"]["properties"]
    top["properties"]["coupling"] = _describe(top["properties"]["coupling"], coupling)
    signal["coupling"] = _describe(signal["coupling"], {"$ref": "#/$defs/CouplingTable"})
    signal["network"] = _describe(signal["network"], {"$ref": "#/$defs/NetworkTable"})
    sweep = {"type": "object", "properties": _with_words(_SWEPT), "additionalProperties": False}
    top["properties"]["sweep"] = _describe(top["properties"]["sweep"], sweep)
    top["additionalProperties"] = _SCALAR


def _with_words(keys: dict[str, tuple[str, Content]]) -> Content:
    return {key: {"description": words} | schema for key, (words, schema) in keys.items()}


def _describe(old: Content, new: Content) -> Content:
    return {"description": old["description"]} | new


def _bench(top: Content, named: Content) -> None:
    _scenario(top, named)
    for key in _NOT_IN_A_BENCH:
        del top["properties"][key]
    del named["SignalTable"]["properties"]["network"]
    component = {"$ref": "#/$defs/ComponentTable"}
    sides = {"type": "object", "properties": dict.fromkeys(SIDES, component), "additionalProperties": False}
    top["properties"]["components"] = _describe(top["properties"]["components"], sides | {"required": list(SIDES)})
    top["required"].append("duration")


def _system(top: Content, named: Content) -> None:
    forms = (["A", "B", "C"], ["numerator", "denominator"])
    named["PrototypeTable"]["anyOf"] = [{"required": keys} for keys in forms]


_EDITS: dict[str, Callable[[Content, Content], None]] = {"scenario": _scenario, "bench": _bench, "system": _system}

if __name__ == "__main__":
    for kind in KINDS:
        write_atomic(resource("schema") / schema_file(kind), schema_text(kind))
