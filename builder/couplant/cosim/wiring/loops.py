"""The loop of a scenario, or of a SYSTEM.toml, as linear prototypes between which models are to stand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from couplant.analysis.algorithms import generic
from couplant.analysis.system import Connection, Prototype, System, vary_entries
from couplant.analysis.system_file import parse_system, prototype
from couplant.base.errors import UsageError
from couplant.config.frame.read import Content, Source, read_source, source_name
from couplant.config.hosts import SEQUENTIAL
from couplant.config.latency import OF_MODELS
from couplant.config.network import Seconds, steps_in
from couplant.config.scenario import Loaded, check_scenario
from couplant.cosim.fmu.linear import Point, linearise_fmu
from couplant.cosim.judgement.stability import linear_prototype, sheet_of, stale_outputs


@dataclass(frozen=True, eq=False)
class Loop:
    """Linear prototypes, connections with latencies, and what the signals between them are called."""

    system: System  # the algorithms of its connections do not matter
    signals: Mapping[str, str]  # names of signals by ``prototype.output``
    # what it does besides the constant latency, as a scenario has it; None where that differs between signals
    network: Content | None = field(default_factory=dict)
    # recordings that drive inputs besides, as parts of a scenario: components, connections, communication step, times
    drive: Content = field(default_factory=dict)


def loop_of(
    source: Source, assignments: Sequence[str] = (), timing: str | None = None,
    steps: int | Seconds | None = None, driven: bool = False,
) -> Loop:  # fmt: skip
    """Return the loop in a file, changed by `assignments`; `timing` and the latency `steps` replace what it says.

    With `driven`, recordings may drive inputs of a scenario besides. Prototypes of a scenario are models that come with
    couplant, or FMUs, which are linearised at their start. Raises UsageError if the file is wrong, has components or
    hosts that no model can be made for, or a signal has no latency.
    """
    document, origin = read_source(source, assignments), source_name(source)
    if "prototypes" in document:
        one = parse_system(document, origin)
        loop = Loop(one if timing is None else replace(one, timing=timing), signal_names(one))
    else:
        loop = loop_of_scenario(check_scenario(origin, document), timing, driven)
    found = bare_loop(loop.system, None if steps is None else steps_in(steps, loop.system.macro_step))
    for c in found.connections:
        if (k := c.algorithm.k) < 1:
            raise UsageError(f"{loop.signals[c.source]} has no latency: steps = {k}, allowed 1 macro step and more")
    return replace(loop, system=found)


def bare_loop(system: System, steps: int | None = None) -> System:
    """Return a system whose connections hold, with the lead that models have for the receiver's hold.

    `steps` is the latency of all of them; their own if not given [macro steps].
    """
    lead = OF_MODELS / system.micro_steps if system.timing == "step" else 0.0
    bare = (
        replace(c, algorithm=generic("zoh", c.algorithm.k if steps is None else steps), lead=lead)
        for c in system.connections
    )
    return replace(system, connections=tuple(bare))


def signal_names(system: System) -> dict[str, str]:
    """Return names for the signals of a system: that of the output, with its prototype's if others have it too."""
    outputs = list(dict.fromkeys(c.source for c in system.connections))
    bare = [name.partition(".")[2] for name in outputs]
    return {n: b if bare.count(b) == 1 else n.replace(".", "_") for n, b in zip(outputs, bare, strict=True)}


def loop_of_scenario(loaded: Loaded, timing: str | None, driven: bool = False) -> Loop:
    """Return the loop of a scenario in a `timing`, with the longest latency of each signal, 0 where it has none.

    With `driven`, recordings may drive inputs besides. Raises UsageError if it has components or a host that no model
    can be made for.
    """
    scenario, path = loaded.scenario, loaded.path
    drive = _drive(loaded) if driven else {}
    if scenario.host == SEQUENTIAL or (scenario.connections and not drive):
        why = "direct connections" if scenario.connections else f'host = "{SEQUENTIAL}"'
        raise UsageError(f"{path}: {why}: allowed are signals alone, in a host that steps all at once")
    sent = {name: table for name, table in scenario.signals.items() if table.to}
    used = {table.source.component for table in sent.values()} | {to.component for t in sent.values() for to in t.to}
    prototypes = [_prototype(loaded, name) for name in scenario.components if name in used]
    connections = []
    for name, table in sent.items():
        k = loaded.networks[name].longest_steps
        if k is None:
            raise UsageError(f"{path}: signals.{name} has no longest latency, steps are missing")
        connections += [Connection(str(table.source), str(target), generic("zoh", k)) for target in table.to]
    stale = stale_outputs(scenario, prototypes, {c.target for c in connections})
    if stale is None:
        raise UsageError(f"{path}: an output of a component is read before some of the inputs are set that act on it")

    variations = [_variation(loaded, one) for one in prototypes]

    def vary(rng: np.random.Generator, spread: float) -> tuple[Prototype, ...]:
        return tuple(one(rng, spread) for one in variations)

    parts = tuple(prototypes), tuple(connections), scenario.macro_step, timing or scenario.timing[0], vary, stale
    signals = {str(table.source): name for name, table in sent.items()}
    micro_steps = scenario.micro_steps if drive else 1
    return Loop(System(*parts, micro_steps=micro_steps), signals, _network(loaded, list(sent)), drive)


def _drive(loaded: Loaded) -> Content:
    """Return the recordings that drive inputs of a scenario as parts of one; nothing where other links are direct."""
    scenario = loaded.scenario
    driven = {to for table in scenario.signals.values() for to in table.to}
    links = scenario.connections.items()
    tables = {source.component: scenario.components[source.component] for _, source in links}
    if any(one.recording is None for one in tables.values()) or driven & set(scenario.connections):
        return {}
    told = {name: one.model_dump(exclude_unset=True) for name, one in tables.items()}
    parts = {name: told[name] | {"recording": loaded.file(str(one.recording)).resolve().as_posix()}
             for name, one in tables.items()}  # fmt: skip
    times = scenario.model_dump(include={"micro_step", "duration", "judge_from"}, exclude_none=True)
    return {"components": parts, "connections": {str(to): str(source) for to, source in links}, **times}


def _network(loaded: Loaded, sent: Sequence[str]) -> Content | None:
    """Return the table of the network, without latency, of all signals that are `sent`, None where they differ."""
    tables = [loaded.networks[name] for name in sent]
    if all(one.is_constant for one in tables):
        return {}
    found = [one.model_dump(exclude_unset=True, exclude={"latency_steps"}) for one in tables]
    return found[0] if all(one == found[0] for one in found) else None


def _prototype(loaded: Loaded, name: str) -> Prototype:
    known, table = linear_prototype(loaded, name), loaded.scenario.components[name]
    if known is not None:
        return known
    if table.fmu is None:
        raise UsageError(f"{loaded.path}: components.{name} is not linear, allowed linear models of couplant and FMUs")
    signals = loaded.scenario.signals.values()
    outputs = list(dict.fromkeys(s.source.variable for s in signals if s.source.component == name))
    inputs = list(dict.fromkeys(to.variable for s in signals for to in s.to if to.component == name))
    if not (inputs and outputs):
        raise UsageError(f"{loaded.path}: components.{name} does not both send and receive signals")
    step = loaded.scenario.macro_step
    one = linearise_fmu(Point(loaded.file(table.fmu), inputs, outputs, loaded.parameters[name], step=step)).prototype
    return Prototype(name, one.A, one.B, one.C, one.D, tuple(inputs), tuple(outputs))


def _variation(loaded: Loaded, one: Prototype) -> Callable[[np.random.Generator, float], Prototype]:
    """Return the scatter of the parameters of a prototype, of an FMU that of entries of matrices but 0, 1 and -1."""
    sheet = sheet_of(loaded, one.name)
    if sheet is None or sheet.linear is None:
        return partial(vary_entries, one)
    linear, values = sheet.linear, sheet.parameters() | loaded.parameters[one.name]

    def vary(rng: np.random.Generator, spread: float) -> Prototype:
        other: Content = {
            name: value * (1.0 + spread * rng.uniform(-1.0, 1.0)) if isinstance(value, float) else value
            for name, value in values.items()
        }
        return prototype(one.name, linear, other)

    return vary
