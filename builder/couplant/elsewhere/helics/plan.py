"""Plan of a scenario as a federation, which carries out all but connections across federates at one instant."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from couplant.base.errors import UsageError
from couplant.base.style import WIRE
from couplant.config.frame.read import Source
from couplant.config.hosts import READS_AGAIN
from couplant.config.interface import MAX_STEPS
from couplant.config.network import NetworkTable
from couplant.config.own import in_python
from couplant.config.rules.steps import DIRECT
from couplant.config.scenario import Loaded, load_scenario

OWN_STEP = 1
"""What the federation itself adds to the latency of every signal: values reach the next macro step. [macro steps]"""

_LEAST_STEP = 1e-6  # far above the resolution of times in HELICS [s]

_SERVED = "network_server"
_ONLY = {"jitter_steps": 0, "loss": 0, "batch": 1, "clock_offset": 0, "clock_drift": 0}


def load_federation(path: Source, assignments: Sequence[str] = ()) -> Loaded:
    """Read a scenario for a federation; its networks have the step that the federation adds.

    `path` and `assignments` are those of `load_scenario`. Raise `UsageError` if the scenario is wrong or needs what a
    federation does not do: one line for each thing, all at once.
    """
    loaded = load_scenario(path, assignments)
    if wrong := list(_problems(loaded)):
        raise UsageError("\n".join(f"{loaded.path}: {text}." for text in wrong))
    later = {name: _later(network) for name, network in loaded.networks.items()}
    scenario = loaded.scenario.model_copy(update={"network": _later(loaded.scenario.network)})
    return replace(loaded, scenario=scenario, networks=later)


def _later(network: NetworkTable) -> NetworkTable:
    return network.model_copy(update={"latency_steps": network.latency_steps + OWN_STEP})


def _problems(loaded: Loaded) -> Iterator[str]:
    scenario = loaded.scenario
    if scenario.host != READS_AGAIN:
        yield f'host = "{scenario.host}", in a federation allowed "{READS_AGAIN}": the federation itself is the host'
    for key, step in (("macro_step", scenario.macro_step), ("micro_step", scenario.micro_step)):
        if step is not None and step < _LEAST_STEP:
            yield f"{key} = {step:g} s, in a federation allowed from {_LEAST_STEP:g} s on: HELICS counts nanoseconds"
    yield from in_python(scenario)
    for algorithm in (DIRECT, WIRE, _SERVED):
        if algorithm in scenario.algorithms:
            yield f'algorithms has "{algorithm}", which a federation does not run'
    for name, network in loaded.networks.items():
        yield from (f"signals.{name}: network.{text}" for text in _network_problems(network))
    for name, signal in scenario.signals.items():
        if not signal.to:
            yield f"signals.{name}.to is missing: in a federation every signal has a receiver"
    for target, source in scenario.connections.items():
        if target.component != source.component:
            yield f'connections: "{target}" = "{source}" crosses federates; make it a signal, for it arrives late'


def _network_problems(network: NetworkTable) -> Iterator[str]:
    why = "the delay filters of a federation delay every value alike"
    if network.latencies is not None:
        yield f"latencies = [..]: not allowed in a federation: {why}"
    for key in ("replay", "shape"):
        if (listed := getattr(network, key)) is not None:
            yield f'{key} = "{listed}": not allowed in a federation: {why}'
    for key, only in _ONLY.items():
        if (value := getattr(network, key)) != only:
            yield f"{key} = {value:g}, in a federation allowed {only}: {why}"
    if network.latency_steps + OWN_STEP > MAX_STEPS:
        most = MAX_STEPS - OWN_STEP
        yield f"latency_steps = {network.latency_steps}, in a federation allowed 0 to {most}: it adds a step itself"
