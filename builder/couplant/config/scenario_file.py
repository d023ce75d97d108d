"""Reading and checking scenario files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from couplant.config import apply_assignments, read_toml
from couplant.config.problems import schema_lines
from couplant.config.scenario import NetworkTable, Ref, Scenario
from couplant.errors import UsageError


@dataclass(frozen=True)
class Loaded:
    """A checked scenario.

    Attributes
    ----------
    scenario : Scenario
        The settings.
    path : Path
        The file; paths in it are relative to its folder.
    networks : dict of str to NetworkTable
        The network of each signal.
    parameters : dict of str to dict
        Values for each component by variable, named parameters included.
    document : dict
        The file as plain Python values, assignments included.
    files : mapping of str to Path
        Where files are that the scenario names, if not in its folder.
    """

    scenario: Scenario
    path: Path
    networks: dict[str, NetworkTable]
    parameters: dict[str, dict[str, Any]]
    document: dict[str, Any]
    files: Mapping[str, Path] = field(default_factory=dict)

    def file(self, text: str) -> Path:
        """Return the path of a file that the scenario names `text`."""
        return self.files.get(text, self.path.parent / text)


def load_scenario(path: str | Path, assignments: Sequence[str] = ()) -> Loaded:
    """Read and check a scenario file.

    Parameters
    ----------
    path : str or Path
        TOML file.
    assignments : sequence of str
        Changes in the form ``key=TOML value``, applied before the check.

    Raises
    ------
    UsageError
        If the file cannot be read or anything in it is wrong: one line for each thing, all at once.
    """
    return check_scenario(path, apply_assignments(read_toml(path), assignments))


def check_scenario(path: str | Path, document: dict[str, Any], schema: type[Scenario] = Scenario) -> Loaded:
    """Check the content of a scenario file.

    Parameters
    ----------
    path : str or Path
        The file, for messages and for the paths in it.
    document : dict
        Its content as plain Python values.
    schema : type
        The schema: `Scenario` or one that adds tables to it.

    Raises
    ------
    UsageError
        If anything is wrong: one line for each thing, all at once.
    """
    rest, named = _split(document, schema)
    _refuse(path, schema_lines(schema, rest))
    scenario = schema.model_validate(rest)
    networks = _networks(scenario)
    wrong = [*_network_problems(networks), *_reference_problems(scenario), *_value_problems(scenario, named)]
    _refuse(path, wrong)
    tables = {name: NetworkTable.model_validate(table) for name, table in networks.items()}
    return Loaded(scenario, Path(path), tables, _parameters(scenario, named), document)


def flat(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return nested tables as one with dotted keys, as FMU variables are named.

    Parameters
    ----------
    table : dict
        For instance ``{"force": {"amplitude": 1.0}}``, which gives ``{"force.amplitude": 1.0}``.
    prefix : str
        Goes before every key.
    """
    found: dict[str, Any] = {}
    for key, value in table.items():
        found.update(flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value})
    return found


def _refuse(path: str | Path, lines: Sequence[str]) -> None:
    if lines:
        raise UsageError("\n".join(f"{path}: {line}" for line in lines))


def _split(document: dict[str, Any], schema: type[Scenario]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Take the values of named parameters out of the top level."""
    names = document.get("parameters")
    named = [key for key in document if isinstance(names, dict) and key in names and key not in schema.model_fields]
    return {k: v for k, v in document.items() if k not in named}, {k: document[k] for k in named}


def _networks(scenario: Scenario) -> dict[str, dict[str, Any]]:
    common = scenario.network.model_dump(exclude_unset=True)
    return {name: {**common, **signal.network} for name, signal in scenario.signals.items()}


def _network_problems(networks: dict[str, dict[str, Any]]) -> Iterator[str]:
    for name, table in networks.items():
        yield from schema_lines(NetworkTable, table, ("signals", name, "network"))


def _reference_problems(scenario: Scenario) -> Iterator[str]:
    for key, text in _variables(scenario):
        if Ref.parse(text).component not in scenario.components:
            known = ", ".join(scenario.components)
            yield f'{key} = "{text}": there is no component {Ref.parse(text).component}; there are {known}'
    if scenario.duration is None and not any(c.recording for c in scenario.components.values()):
        yield "duration is missing: simulated time, needed without a recording [s]"


def _variables(scenario: Scenario) -> Iterator[tuple[str, str]]:
    for name, signal in scenario.signals.items():
        yield f"signals.{name}.from", signal.source
        yield from ((f"signals.{name}.to", text) for text in signal.to)
        for key in ("reference", "u"):
            if getattr(signal, key) is not None:
                yield f"signals.{name}.{key}", getattr(signal, key)
    for target, source in scenario.connections.items():
        yield from (("connections", text) for text in (target, source))
    for name, texts in scenario.parameters.items():
        yield from ((f"parameters.{name}", text) for text in texts)


def _value_problems(scenario: Scenario, named: dict[str, Any]) -> Iterator[str]:
    values = dict(named)
    for name, component in scenario.components.items():
        values |= {f"components.{name}.parameters.{k}": v for k, v in flat(component.parameters).items()}
    for key, value in values.items():
        if not isinstance(value, (bool, int, float, str)):
            yield f"{key} = {value}, allowed a number, true, false or a text"


def _parameters(scenario: Scenario, named: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = {name: flat(component.parameters) for name, component in scenario.components.items()}
    for name, value in named.items():
        for component, variable in map(Ref.parse, scenario.parameters[name]):
            found[component][variable] = value
    return found
