"""Inputs of coupling FMUs besides y: those that go to the sender, and other outputs that its messages carry."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from couplant.config.models import Model, companions, model_of
from couplant.config.ref import Ref
from couplant.config.scenario import Loaded, Scenario
from couplant.cosim.run.master import Wiring
from couplant.cosim.wiring.links import coupling_name, network_name
from couplant.cosim.wiring.order import Link, Value
from couplant_runtime.generated.numbers import COMPANIONS, PLANT_INPUTS


def model_links(loaded: Loaded, wiring: Wiring, signal: str) -> Iterator[Link]:
    """Yield the connections that the coupling FMU of a `signal` has for the model of its sender, or its derivative."""
    coupling, signals = wiring.components[coupling_name(signal)], loaded.scenario.signals
    model, derivative = model_of(loaded.scenario.models, signal), signals[signal].derivative
    told: dict[int, tuple[str, Value]] = {}
    if model is not None and "u[1]" in coupling.inputs():
        for i, back in enumerate(model.inputs, start=1):
            yield Link(Value(signals[back].source), Ref(coupling.name, f"u[{i}]"))
        told = _message_entries(loaded, wiring, model, signal)
    elif derivative is not None:
        told = {1: ("companion[1]", Value(signals[derivative].source))}
    for place, (key, value) in told.items():
        if key not in coupling.inputs():
            continue
        if loaded.networks[signal].is_absent:
            yield Link(value, Ref(coupling.name, key))
            continue
        network = network_name(signal)
        yield Link(value, Ref(network, _entry("carried", place)))
        yield Link(Value(Ref(network, _entry("brought", place))), Ref(coupling.name, key))


def follows_at_once(scenario: Scenario, acting: Mapping[Ref, Collection[Ref]], signal: str) -> bool:
    """Tell whether what goes to the sender of a `signal`, as its model says, follows at once from the estimate.

    `acting` are by output the inputs that act on it at once.
    """
    model = model_of(scenario.models, signal)
    sources = (scenario.signals[back].source for back in model.inputs) if model else ()
    return any(target in acting.get(source, ()) for source in sources for target in scenario.signals[signal].to)


def _message_entries(loaded: Loaded, wiring: Wiring, model: Model, signal: str) -> dict[int, tuple[str, Value]]:
    """Return the entries of a message, by their place in it: the input that takes each, and where it comes from."""
    sources = loaded.scenario.signals
    others = [sources[other].source for other in companions(model, signal)]
    told = {i: (f"companion[{i}]", Value(source)) for i, source in enumerate(others, start=1)}
    for i, back in enumerate(model.inputs, start=1):
        estimate = Ref(coupling_name(back), "y_hat")
        told[COMPANIONS + i] = (f"given[{i}]", Value(estimate))
        if _is_linear(wiring, back):
            told[COMPANIONS + PLANT_INPUTS + i] = (f"given_slope[{i}]", Value(estimate, slope=True))
    return told


def _is_linear(wiring: Wiring, signal: str) -> bool:
    """Tell whether the receiver of a signal takes its slope, in place of what it holds."""
    return any(link.source == Value(Ref(coupling_name(signal), "y_hat"), slope=True) for link in wiring.links)


def _entry(name: str, i: int) -> str:
    return name if i == 1 else f"{name}[{i}]"
