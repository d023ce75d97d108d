"""Settings of signals with what the host adds to them, and with what their bonds mean: all that their FMUs need."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from couplant.base.errors import UsageError
from couplant.config.frame.sentences import Problem
from couplant.config.hosts import HostLead, Way, host_leads
from couplant.config.interface import Document, Signal
from couplant.config.latency import follows, with_hold, with_own_hold
from couplant.config.models import MODEL
from couplant.config.ref import Ref
from couplant.config.rules.bonds import with_bond_ends
from couplant.config.rules.interface import lead_problems, waits_for_host


class Described(NamedTuple):
    """Extract of a model description."""

    path: str  # where its FMU lies, for messages
    outputs: dict[str, tuple[str, ...]]  # with the inputs that act on them at once
    inputs: tuple[str, ...]


class Led(NamedTuple):
    """Signals with all that their FMUs need, what the host adds to each, and what is wrong with that."""

    signals: dict[str, Signal]
    added: dict[str, HostLead]
    problems: list[Problem]


def with_leads(document: Document, describe: Callable[[str], Described]) -> Led:
    """Return the signals of a document with what the host adds.

    `describe` reads the model description of a component's FMU. Raises UsageError if the model description of a
    component cannot be read or lacks a variable that is named.
    """
    common, added = document.interface, added_by_host(document, describe)
    led = {name: with_lead(signal, added[name], common.step) for name, signal in document.signals.items()}
    signals = {name: with_own_hold(signal, common.timing, common.step) for name, signal in led.items()}
    waiting = [name for name, signal in document.signals.items() if waits_for_host(signal, common)]
    found = [p for name in waiting for p in lead_problems(signals[name], common, f"signals.{name}")]
    leads = {}
    for name, lead in added.items():
        before, after = document.signals[name].latency, signals[name].latency
        leads[name] = lead._replace(hold=after.hold_lead - before.hold_lead)
    return Led(with_bond_ends(signals, document.bonds, common), leads, found)


def added_by_host(document: Document, describe: Callable[[str], Described]) -> dict[str, HostLead]:
    """Return the latency that the host adds to each signal; `describe` and errors are as for `with_leads`."""
    common = document.interface
    feedthrough = dict([pair for name in document.components for pair in _feedthrough(document, name, describe)])
    ways = {name: _way(name, signal, common.order) for name, signal in document.signals.items()}
    return host_leads(common.host, ways, feedthrough, order=common.order, whole=False)


def with_lead(signal: Signal, added: HostLead, step: float) -> Signal:
    """Return the settings of a signal with what the host adds and what comes with it, unless they give it themselves.

    A lag that is learnt has it in it: what the host adds to `applied` is what it adds to `y`. A model knows from which
    inputs the outputs follow that it gets.
    `step` is the communication step in macro steps [-].
    """
    knows = follows(signal.latency) or signal.algorithm.selected == MODEL
    if not added.steps or "host_lead" in signal.latency.model_fields_set or knows:
        return signal
    latency = signal.latency.model_copy(update={"host_lead": added.steps * step})
    return with_hold(signal.model_copy(update={"latency": latency}), step)


def _way(name: str, signal: Signal, order: Sequence[str]) -> Way:
    between = (f"{name}.network", f"{name}.coupling")
    through = between if between[0] in order else between[1:]
    return Way(signal.source, through, signal.to, signal.latency.mode != "constant")


def _feedthrough(
    document: Document, name: str, describe: Callable[[str], Described]
) -> Iterator[tuple[Ref, frozenset[Ref]]]:
    """Yield the outputs of a component with the inputs that act on them at once."""
    end = document.components[name]
    known: dict[str, tuple[str, ...]] = {}
    if end.fmu is not None:
        told = describe(end.fmu)
        known = told.outputs
        sources = [s.source for s in document.signals.values() if s.source is not None]
        targets = [to for s in document.signals.values() for to in s.to]
        acting = [i for row in end.feedthrough.values() for i in row]
        _require(told.path, "output", [*end.feedthrough, *_variables(sources, name)], list(known))
        _require(told.path, "input", [*acting, *_variables(targets, name)], told.inputs)
    for output, before in (known | end.feedthrough).items():
        yield Ref(name, output), frozenset([Ref(name, i) for i in before])


def _variables(refs: Sequence[Ref], component: str) -> list[str]:
    return [ref.variable for ref in refs if ref.component == component]


def _require(path: str, causality: str, named: Sequence[str], there: Collection[str]) -> None:
    missing = next((variable for variable in named if variable not in there), None)
    if missing is not None:
        raise UsageError(f"{path}: no {causality} {missing}; allowed are: {', '.join(there) or 'none'}")
