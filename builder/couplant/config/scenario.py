"""Scenario files: prototypes, signals that pass a network and a coupling FMU, direct connections.

Keys are the names of the settings.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from couplant.base.errors import UsageError
from couplant.base.filenames import same_files
from couplant.base.grid import micro_steps_in
from couplant.base.style import WIRE
from couplant.config.components import COLUMNS, ComponentTable, FigureTable, source_problems
from couplant.config.frame.read import (
    Content,
    Flag,
    Real,
    Source,
    Table,
    Text,
    check,
    no_rules,
    read_source,
    refuse,
    schema_lines,
    source_name,
    together,
)
from couplant.config.frame.sentences import Problem, require_kind
from couplant.config.given_network import with_networks
from couplant.config.hosts import READS_AGAIN
from couplant.config.interface import Host, Name, Timing, Unit
from couplant.config.models import MODEL, PHASOR, Model, model_problems
from couplant.config.network import NetworkTable
from couplant.config.own import OneOrOwn, Own, OwnPlant, by_names, load_named_files, load_plant, own_of
from couplant.config.parameters import WrittenRef, setting
from couplant.config.ref import Ref
from couplant.config.rules.interface import name_problems
from couplant.config.rules.steps import DIRECT, BondTable, StepsTable, as_list
from couplant.config.rules.steps import problems as step_problems
from couplant_runtime.algorithms import COMPARISON, NAMES

CONFIGURED = "configured"  # name of the run in which every coupling FMU keeps the algorithm of its own configuration

LEARNING: dict[str, Content] = {
    "network": {},
    "network_off": {"enabled": False},
    "network_unsafe": {"mode": "embedded", "safe": False},
    "network_embedded": {"mode": "embedded"},
    "network_server": {"mode": "server"},
}
"""Runs of the algorithm network, with their differences from the table learning."""

MOST_STEPS = 10_000_000  # macro steps of a run at most: each keeps some hundred bytes for each signal

_RUNS = (*NAMES, MODEL, PHASOR, *LEARNING, *COMPARISON)
_Algorithm = Annotated[str, OneOrOwn((*_RUNS, CONFIGURED, WIRE, DIRECT))]
_Refs = Annotated[list[WrittenRef], BeforeValidator(as_list, WrittenRef | list[WrittenRef])]


class SignalTable(Table):
    """A connection that passes a network and a coupling FMU."""

    source: WrittenRef = Field(alias="from", description="output of a component")
    to: list[WrittenRef] = Field(default_factory=list, description="inputs of components; none: open loop")
    unit: Unit = setting("1", "unit of the signal")
    derivative: Text | None = setting(None, "signal of the same sender that is its derivative; linear and auto use it")
    reference: WrittenRef | None = setting(None, "output of a component to judge against; not given: from")
    coupling: dict[str, Any] = Field(default_factory=dict, description="differences from the table coupling")
    network: dict[str, Any] = Field(default_factory=dict, description="differences from the table network")
    u: WrittenRef | None = setting(
        None, "input of the sender, for coupling_element; not given: from of the first signal to it"
    )
    applied: WrittenRef | None = setting(
        None, "output that tells what the receiver really does with the estimate, for latency.follow"
    )
    judge: Flag = setting(True, "include in the figures")
    debug: Flag = setting(False, "write the results of all stages to a CSV file")

    @property
    def judged_against(self) -> Ref:
        """Return the output whose delay-free values are the truth."""
        return self.reference or self.source


class ReferenceTable(Table):
    """Settings of the delay-free reference alone."""

    parameters: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="values of parameters by component, for the reference only"
    )


class Scenario(Table):
    """A scenario file as it is written, but for the values of named parameters."""

    name: Text = Field(description="title of the report")
    macro_step: Real = Field(gt=0, description="ΔT, period of the data exchange [s]")
    micro_step: Real | None = setting(None, "δT, communication step, divides the macro step [s]", gt=0)
    duration: Real | None = setting(None, "simulated time; not given: that of the recordings [s]", gt=0)
    judge_from: Real | None = setting(
        None, "from when on figures count; not given: the start, of recordings the first received value [s]", ge=0
    )
    timing: Annotated[list[Timing], Field(min_length=1)] = setting(["step"], "timings to run")
    host: Host = setting(READS_AGAIN, "importer whose way of stepping the runs have")
    order: list[Text] = setting(
        [], "what a sequential host steps first: components, networks (SIGNAL.network), coupling FMUs (SIGNAL.coupling)"
    )
    algorithms: Annotated[list[_Algorithm], Field(min_length=1)] = setting(
        [CONFIGURED], "algorithms to run, each on all signals; wire: no coupling FMU"
    )
    algorithm_files: list[Text] = setting(
        [], "Python files with algorithms of your own (@couplant.algorithm), relative to the scenario"
    )
    wire: Flag = setting(True, "simulate, sweep, bench run the plain wire too, a network and no FMU, to compare with")
    components: dict[Name, ComponentTable] = Field(description="prototypes and recordings", min_length=1)
    signals: dict[Name, SignalTable] = Field(description="connections through network and coupling", min_length=1)
    connections: dict[WrittenRef, WrittenRef] = Field(
        default_factory=dict, description="direct connections: input = output"
    )
    network: NetworkTable = setting(NetworkTable(), "what happens to values on their way")
    coupling: dict[str, Any] = Field(
        default_factory=dict, description="settings of all coupling FMUs; also backend, fmi; fmu; configuration, signal"
    )
    parameters: dict[Name, _Refs] = Field(
        default_factory=dict, description="top-level keys that set parameters of components"
    )
    reference: ReferenceTable = setting(ReferenceTable(), "what the delay-free reference has of its own")
    watch: list[WrittenRef] = setting([], "outputs of components that are kept besides the signals")
    steps_table: StepsTable = Field(
        default=StepsTable(), alias="steps", description="communication steps of direct runs"
    )
    bonds: dict[Name, BondTable] = Field(default_factory=dict, description="pairs of signals whose product is a power")
    models: dict[Name, Model] = Field(default_factory=dict, description="prototypes that send signals, for model")
    figures: dict[Name, FigureTable] = Field(
        default_factory=dict, description="figures of the scenario's own: a number of a signal or an output"
    )
    sweep: dict[str, Any] = Field(
        default_factory=dict, description="what couplant sweep varies: algorithms, timing, latency, jitter, loss, seeds"
    )

    @model_validator(mode="after")
    def _whole_micro_steps(self) -> "Scenario":
        if self.micro_step is not None and self.micro_steps < 1:
            raise together("micro_step must divide macro_step")
        return self

    def steps(self, duration: float) -> int:
        """Return the number of whole macro steps in a `duration` [s]."""
        return int(duration / self.macro_step + 1e-6)

    @property
    def compared(self) -> list[str]:
        """Return the algorithms to run and, unless it is there or not wanted, the plain wire before them."""
        alone = not self.wire or {WIRE, DIRECT} & set(self.algorithms)
        return self.algorithms if alone else [WIRE, *self.algorithms]

    @property
    def cases(self) -> list[tuple[str, str]]:
        """Return timing and algorithm of all runs, in their order."""
        return [(timing, algorithm) for timing in self.timing for algorithm in self.algorithms]

    @property
    def micro_steps(self) -> int:
        """Return the number of communication steps in a macro step, 0 if it is not whole."""
        return micro_steps_in(self.macro_step, self.micro_step)


@dataclass(frozen=True)
class Loaded:
    """A checked scenario."""

    scenario: Scenario
    path: Path  # the file; paths in it are relative to its folder
    networks: dict[str, NetworkTable]
    parameters: dict[str, dict[str, Any]]  # values for each component by variable, named parameters included
    document: Content  # the file as plain Python values, assignments included
    # where files are that the scenario names, if not in its folder
    files: Mapping[str, Path] = field(default_factory=dict)
    # algorithms of the user's that it names: another process knows them by getting them with it
    own: tuple[Own, ...] = ()

    def reference_parameters(self) -> dict[str, dict[str, Any]]:
        """Return `parameters` with what the reference has of its own."""
        own = self.scenario.reference.parameters
        return {name: {**values, **flat(own.get(name, {}))} for name, values in self.parameters.items()}

    def model(self, component: str) -> str | Path | None:
        """Return the model of a component: its name, or the folder of its source; None of FMUs and recordings."""
        table = self.scenario.components[component]
        return table.model if table.source is None else self.file(table.source).resolve()

    def plant(self, component: str) -> OwnPlant | None:
        """Return the plant in Python that a component is, None of others.

        Raises UsageError if the file that has it cannot be run, or has no such plant.
        """
        given = self.scenario.components[component].plant
        if not isinstance(given, str):
            return given
        text, _, name = given.rpartition(":")
        return load_plant(self.file(text), name)

    def file(self, text: str) -> Path:
        """Return the path of a file that the scenario names `text`. Raises UsageError if no file can be called so."""
        if "\0" in text:
            raise UsageError(f"{self.path}: {text!r} cannot be the name of a file.")
        return self.files.get(text, self.path.parent / text)


def load_scenario(path: Source, assignments: Sequence[str] = ()) -> Loaded:
    """Read and check a scenario file, or a mapping in its place, changed by `assignments` ``key=TOML value``.

    Raises UsageError if the file cannot be read or anything in it is wrong: one line for each thing, all at once.
    """
    if not isinstance(path, Mapping):
        return check_scenario(source_name(path), read_source(path, assignments))
    document = with_networks(read_source(by_names(path), assignments), source_name(path))
    return check_scenario(source_name(path), document)


def _huge(content: Any, key: str = "") -> Iterator[str]:
    """Yield a sentence for each whole number in some `content` at a `key` that is too large for a float."""
    inner = content.items() if isinstance(content, dict) else enumerate(content, 1) if isinstance(content, list) else ()
    for name, value in inner:
        yield from _huge(value, f"{key}.{name}".lstrip("."))
    if isinstance(content, int) and abs(content) >= 2**1024:
        yield f"{key} = {str(content)[:37]}.., allowed a finite number"


def check_scenario(
    path: str | Path,
    document: Content,
    schema: type[Scenario] = Scenario,
    rules: Callable[[Any], Iterable[Problem]] = no_rules,
) -> Loaded:
    """Check the content of a scenario file by a `schema` that may add tables to it and by further `rules`.

    `path` is the file, for messages and for the paths in it. Raises UsageError if anything is wrong: one line for each
    thing, all at once.
    """
    require_kind(document, "components", path)
    if lines := [*_huge({key: document[key] for key in ("coupling", "signals") if key in document})]:
        refuse(path, lines)
    load_named_files(document, Path(path))
    rest, named = _split(document, schema)

    def problems(scenario: Scenario) -> Iterator[Problem]:
        yield from rules(scenario)
        longest = MOST_STEPS * scenario.macro_step
        if scenario.duration is not None and scenario.duration > longest:
            text = f"duration = {scenario.duration} s, allowed up to {longest:g} s, {MOST_STEPS} macro steps"
            yield Problem(text, ("duration", "macro_step"))
        for name, table in _networks(scenario).items():
            yield from map(Problem, schema_lines(NetworkTable, table, ("signals", name, "network")))
        yield from name_problems(scenario.signals)
        yield from _log_problems(scenario)
        yield from _reference_problems(scenario)
        yield from step_problems(scenario, _networks(scenario))
        yield from _figure_problems(scenario)
        yield from _model_problems(scenario)
        yield from source_problems(scenario.components)
        yield from _derivative_problems(scenario)
        yield from _value_problems(scenario, named)

    scenario = check(schema, rest, path, problems)
    networks = {name: NetworkTable.model_validate(table) for name, table in _networks(scenario).items()}
    return Loaded(scenario, Path(path), networks, _parameters(scenario, named), document, own=own_of(scenario))


def flat(table: Content, prefix: str = "") -> Content:
    """Return nested tables as one with dotted keys, as FMU variables are named; `prefix` goes before every key.

    ``{"force": {"amplitude": 1.0}}`` gives ``{"force.amplitude": 1.0}``.
    """
    found: Content = {}
    for key, value in table.items():
        found.update(flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value})
    return found


def _split(document: Content, schema: type[Scenario]) -> tuple[Content, Content]:
    """Take the values of named parameters out of the top level."""
    names = document.get("parameters")
    named = [key for key in document if isinstance(names, dict) and key in names and key not in schema.model_fields]
    return {k: v for k, v in document.items() if k not in named}, {k: document[k] for k in named}


def _networks(scenario: Scenario) -> dict[str, Content]:
    common = scenario.network.model_dump(exclude_unset=True)
    return {name: {**common, **signal.network} for name, signal in scenario.signals.items()}


def _reference_problems(scenario: Scenario) -> Iterator[Problem]:
    known = ", ".join(scenario.components)
    for key, ref in _variables(scenario):
        if ref.component not in scenario.components:
            line = f'{key} = "{ref}": there is no component {ref.component}; there are {known}'
            yield Problem(line, (f"components.{ref.component}",))
    for name in scenario.reference.parameters.keys() - scenario.components.keys():
        yield Problem(f"reference.parameters.{name}: there is no component {name}; there are {known}")
    if scenario.host != READS_AGAIN and "event" in scenario.timing:
        line = f'host = "{scenario.host}", allowed with timing = ["step"] only: "event" needs "{READS_AGAIN}"'
        yield Problem(line, ("host", "timing"))
    between = {f"{name}.{part}" for name in scenario.signals for part in ("network", "coupling")}
    for name in scenario.order:
        if name not in scenario.components and name not in between:
            line = f'order has "{name}", allowed {known}, SIGNAL.network and SIGNAL.coupling'
            yield Problem(line, ("order", "components", "signals"))
    for name in sorted({name for name in scenario.order if scenario.order.count(name) > 1}):
        yield Problem(f'order has "{name}" twice', ("order",))
    if scenario.duration is None and not any(c.recording for c in scenario.components.values()):
        line = "duration is missing: simulated time, needed without a recording [s]"
        yield Problem(line, ("duration", "components"))


def _figure_problems(scenario: Scenario) -> Iterator[Problem]:
    judged = [name for name, table in scenario.signals.items() if table.judge]
    known = [f"{name}.{column}" for name in judged for column in COLUMNS]
    allowed = [*known, *map(str, scenario.watch)]
    for name, table in scenario.figures.items():
        key = f"figures.{name}"
        if table.of not in allowed:
            text = f'{key}.of = "{table.of}", allowed {", ".join(allowed) or "what watch names"}'
            yield Problem(text, (key, "signals", "watch"))
        if table.until is not None and table.until <= (table.begin or 0.0):
            yield Problem(f"{key}.until = {table.until:g} s is not after from = {table.begin or 0.0:g} s", (key,))


def _model_problems(scenario: Scenario) -> Iterator[Problem]:
    yield from model_problems(scenario.models)
    for name, model in scenario.models.items():
        for key, signals in (("inputs", model.inputs), ("outputs", model.outputs)):
            for signal in signals:
                if signal not in scenario.signals:
                    text = f'models.{name}.{key} has "{signal}", allowed {", ".join(scenario.signals)}'
                    yield Problem(text, (f"models.{name}.{key}", f"signals.{signal}"))


def _derivative_problems(scenario: Scenario) -> Iterator[Problem]:
    for name, table in scenario.signals.items():
        fitting = [n for n, s in scenario.signals.items() if n != name and s.source.component == table.source.component]
        if table.derivative is not None and table.derivative not in fitting:
            allowed = ", ".join(fitting) or "none: its sender sends nothing else"
            text = f'signals.{name}.derivative = "{table.derivative}", allowed {allowed}'
            yield Problem(text, (f"signals.{name}.derivative", f"signals.{table.derivative}"))


def log_name(timing: str, algorithm: str, signal: str) -> str:
    """Return the name of the file that logs the stages of a `signal` in a run of an `algorithm`."""
    return f"{timing}_{algorithm}_{signal}_stages.csv"


def _log_problems(scenario: Scenario) -> Iterator[Problem]:
    """Yield logs of one name: that of ``off_x`` with network, and of ``x`` with network_off."""
    logged = [name for name, signal in scenario.signals.items() if signal.debug]
    made = {(name, run): log_name("", run, name) for run in scenario.algorithms for name in logged}
    for (one, run), (other, of) in same_files(made):
        if one.lower() != other.lower():
            line = f"signals.{one} with {run} and signals.{other} with {of} would have the same log: rename one of them"
            yield Problem(line, ())


def _variables(scenario: Scenario) -> Iterator[tuple[str, Ref]]:
    for name, signal in scenario.signals.items():
        yield f"signals.{name}.from", signal.source
        yield from ((f"signals.{name}.to", ref) for ref in signal.to)
        others = {"reference": signal.reference, "u": signal.u, "applied": signal.applied}
        yield from ((f"signals.{name}.{key}", ref) for key, ref in others.items() if ref is not None)
    for link in scenario.connections.items():
        yield from (("connections", ref) for ref in link)
    yield from (("watch", ref) for ref in scenario.watch)
    for name, refs in scenario.parameters.items():
        yield from ((f"parameters.{name}", ref) for ref in refs)


def _value_problems(scenario: Scenario, named: dict[str, Any]) -> Iterator[Problem]:
    values = dict(named)
    for name, component in scenario.components.items():
        values |= {f"components.{name}.parameters.{k}": v for k, v in flat(component.parameters).items()}
    values |= {f"reference.parameters.{key}": v for key, v in flat(scenario.reference.parameters).items()}
    for key, value in values.items():
        if not isinstance(value, (bool, int, float, str)):
            yield Problem(f"{key} = {value}, allowed a number, true, false or a text")


def _parameters(scenario: Scenario, named: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = {name: flat(component.parameters) for name, component in scenario.components.items()}
    for name, value in named.items():
        for component, variable in scenario.parameters[name]:
            found[component][variable] = value
    return found
