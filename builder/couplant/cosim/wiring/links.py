"""Names of what stands between the components of a scenario, and the links of coupling FMUs to receivers and models."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from couplant.base.errors import UsageError
from couplant.config import Interface
from couplant.config.latency import follows
from couplant.config.models import companions, model_of
from couplant.config.ref import Ref
from couplant.config.scenario import Loaded, Scenario
from couplant.cosim.fmu.component import Component
from couplant.cosim.run.master import Wiring
from couplant.cosim.wiring.coupling import InProcess, Settings
from couplant.cosim.wiring.network import VALUES
from couplant.cosim.wiring.order import Link, Value
from couplant_runtime.generated.numbers import BURST, COMPANIONS, PLANT_INPUTS

COUNTS = ("lost", "late", "reordered")  # what coupling FMUs count of messages, outputs ``messages.NAME``
CARRIED = COMPANIONS + 2 * PLANT_INPUTS  # numbers that a message carries along with each value
WEIGHTS = "learning.weights["  # how their outputs with the weights in use begin

_APPLIED = "applied"
_EARLIER = {"companion": "earlier_companion", "given": "earlier_given", "given_slope": "earlier_slope"}


def coupling_name(signal: str) -> str:
    """Return the name of the coupling FMU of `signal` in its run."""
    return f"{signal}.coupling"


def network_name(signal: str) -> str:
    """Return the name of the network of `signal` in its run."""
    return f"{signal}.network"


def arrival(loaded: Loaded, signal: str) -> Ref:
    """Return the source of the receiver of a `signal` on a plain wire: its network, else the sender."""
    source = loaded.scenario.signals[signal].source
    return source if loaded.networks[signal].is_absent else Ref(network_name(signal), "received")


def estimate_links(wiring: Wiring, coupling: Component, target: Ref, timing: str) -> list[Link]:
    """Return the link of the estimate, and in event timing that of its slope if the receiver takes one."""
    estimate, slope = Ref(coupling.name, "y_hat"), Ref(target.component, f"{target.variable}.slope")
    links = [Link(Value(estimate), target)]
    if timing == "event" and slope.variable in wiring.components[target.component].ports:
        links.append(Link(Value(estimate, slope=True), slope))
    return links


def repeat_links(loaded: Loaded, coupling: Component, signal: str, entries: Sequence[str]) -> list[Link]:
    """Return the links of the values that a message of a `signal` repeats; without network none is ever missed.

    `entries` are the indices of the inputs of the coupling FMU that take them, as ``[2]``.
    """
    if loaded.networks[signal].is_absent:
        return []
    pairs = [(output + entry, key + entry) for entry in entries for key, output in VALUES.items()]
    return [Link(Value(Ref(network_name(signal), o)), Ref(coupling.name, key)) for o, key in pairs]


def answer_links(loaded: Loaded, coupling: Component, signal: str, settings: Settings) -> list[Link]:
    """Return the link that tells the coupling FMU of a `signal`, made of `settings`, what its receiver really does.

    Raises UsageError if the scenario does not say where that comes from, or says it for an FMU that does not take it.
    """
    answer, there = loaded.scenario.signals[signal].applied, _APPLIED in coupling.inputs()
    if answer is not None and there:
        return [Link(Value(answer), Ref(coupling.name, _APPLIED))]
    own = f"{loaded.path}: signals.{signal}.{_APPLIED}"
    if answer is not None:
        raise UsageError(f"{own}: the coupling FMU has no such input; coupling.latency.follow makes one.")
    made = settings.interface if isinstance(settings, InProcess) else settings
    if there and isinstance(made, Interface) and follows(made.signals[signal].latency):
        raise UsageError(f"{own} is missing: the lag is learnt from what the receiver really does.")
    return []


def check_coupling_fmu(coupling: Component, path: Path) -> None:
    """Refuse an FMU, opened as `coupling` from a `path`, that is no coupling FMU.

    Raises UsageError if it lacks the input y or the output y_hat.
    """
    if "y" not in coupling.inputs() or "y_hat" not in coupling.ports:
        raise UsageError(f"{path}: not a coupling FMU: it lacks the input y or the output y_hat.")


def logged_ports(coupling: Component) -> list[Ref]:
    """Return the inputs and outputs of a coupling FMU that a log keeps: all but texts."""
    ports = coupling.ports.values()
    return [Ref(coupling.name, p.name) for p in ports if p.causality in ("input", "output") and p.kind != "string"]


def count_outputs(coupling: Component) -> list[Ref]:
    """Return the outputs that count messages; none where the coupling FMU has no stamps to count by."""
    return [Ref(coupling.name, f"messages.{name}") for name in COUNTS if f"messages.{name}" in coupling.ports]


def weight_outputs(coupling: Component) -> list[Ref]:
    """Return the outputs with the weights in use; none where the coupling FMU has no network."""
    return [Ref(coupling.name, name) for name in coupling.ports if name.startswith(WEIGHTS)]


def way_back(loaded: Loaded, name: str) -> str:
    """Return the first signal from a receiver of the signal `name` to its sender.

    Raises UsageError if there is none.
    """
    signals = loaded.scenario.signals
    sender = signals[name].source.component
    receivers = {target.component for target in signals[name].to}
    for back in _signals_to(loaded, sender):
        if signals[back].source.component in receivers:
            return back
    text = f"signals.{name}: round trips need a signal from {' or '.join(sorted(receivers)) or 'its receiver'} back"
    raise UsageError(f"{loaded.path}: {text} to {sender}; there is none.")


def other_way(loaded: Loaded, name: str, sender: str) -> Ref:
    """Return the output on this side that goes to the component `sender`, the `u` of the signal `name`.

    Raises UsageError if there is none.
    """
    signals, back = loaded.scenario.signals, _signals_to(loaded, sender)
    if signals[name].u is None and not back:
        why = f"the coupling FMU needs what goes to {sender}, and no signal does"
        raise UsageError(f"{loaded.path}: signals.{name}.u is missing: {why}.")
    return signals[name].u or signals[back[0]].source


def _signals_to(loaded: Loaded, component: str) -> list[str]:
    signals = loaded.scenario.signals.items()
    return [name for name, table in signals if any(to.component == component for to in table.to)]


def model_links(loaded: Loaded, wiring: Wiring, signal: str) -> Iterator[Link]:
    """Yield the connections that the coupling FMU of a `signal` has for the model of its sender, or its derivative."""
    coupling, signals = wiring.components[coupling_name(signal)], loaded.scenario.signals
    model, derivative = model_of(loaded.scenario.models, signal), signals[signal].derivative
    told: dict[int, tuple[str, Value]] = {}
    if model is not None and "u[1]" in coupling.inputs():
        for i, back in enumerate(model.inputs, start=1):
            yield Link(Value(signals[back].source), Ref(coupling.name, f"u[{i}]"))
        # the entries of a message, by their place in it: the input that takes each, and where it comes from
        sources = loaded.scenario.signals
        others = [sources[other].source for other in companions(model, signal)]
        told = {i: (f"companion[{i}]", Value(source)) for i, source in enumerate(others, start=1)}
        for i, back in enumerate(model.inputs, start=1):
            estimate = Ref(coupling_name(back), "y_hat")
            told[COMPANIONS + i] = (f"given[{i}]", Value(estimate))
            # whether the receiver of a signal takes its slope, in place of what it holds
            if any(link.source == Value(estimate, slope=True) for link in wiring.links):
                told[COMPANIONS + PLANT_INPUTS + i] = (f"given_slope[{i}]", Value(estimate, slope=True))
    elif derivative is not None:
        told = {1: ("companion[1]", Value(signals[derivative].source))}
    inputs = coupling.inputs()
    for place, (key, value) in told.items():
        if key not in inputs:
            continue
        if loaded.networks[signal].is_absent:
            yield Link(value, Ref(coupling.name, key))
            continue
        network = network_name(signal)
        yield Link(value, Ref(network, _entry("carried", place)))
        for i, taker in enumerate([key, *earlier_inputs(key, inputs)]):
            yield Link(Value(Ref(network, _entry("brought", place + i * CARRIED))), Ref(coupling.name, taker))


def earlier_inputs(key: str, inputs: Collection[str]) -> list[str]:
    """Return the inputs of a coupling FMU that take what `key` takes of the values that a message repeats.

    The first is for `y[2]`, the next one for `y[3]`; `inputs` are all that it has.
    """
    word, _, place = key.partition("[")
    width = sum(one.startswith(f"{word}[") for one in inputs)  # all of one value, then all of the one before
    names = [f"{_EARLIER[word]}[{int(place.rstrip(']')) + i * width}]" for i in range(BURST)]
    return [name for name in names if name in inputs]


def follows_at_once(scenario: Scenario, acting: Mapping[Ref, Collection[Ref]], signal: str) -> bool:
    """Tell whether what goes to the sender of a `signal`, as its model says, follows at once from the estimate.

    `acting` are by output the inputs that act on it at once.
    """
    model = model_of(scenario.models, signal)
    sources = (scenario.signals[back].source for back in model.inputs) if model else ()
    return any(target in acting.get(source, ()) for source in sources for target in scenario.signals[signal].to)


def _entry(name: str, i: int) -> str:
    return name if i == 1 else f"{name}[{i}]"
