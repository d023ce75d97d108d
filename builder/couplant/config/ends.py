"""The prototypes at the ends of an interface: which of their inputs act on which outputs at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from couplant.archives import read_description
from couplant.config.follow import follows
from couplant.config.hosts import HostLead, Way, host_leads
from couplant.config.interface import Document, Signal
from couplant.config.latency import with_hold
from couplant.config.models import MODEL
from couplant.config.ref import Ref
from couplant.errors import UsageError

if TYPE_CHECKING:
    from fmpy.model_description import ModelDescription


def added_by_host(document: Document, folder: Path) -> dict[str, HostLead]:
    """Return what the host adds to the latency of each signal; `folder` is that of the settings file.

    Raises
    ------
    UsageError
        If the model description of a component cannot be read or lacks a variable that is named.
    """
    common = document.interface
    feedthrough = dict(pair for name in document.components for pair in _feedthrough(document, name, folder))
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
    return with_hold(signal.model_copy(update={"latency": latency}))


def _way(name: str, signal: Signal, order: Sequence[str]) -> Way:
    between = (f"{name}.network", f"{name}.coupling")
    through = between if between[0] in order else between[1:]
    return Way(signal.source, through, signal.to, signal.latency.mode != "constant")


def _feedthrough(document: Document, name: str, folder: Path) -> Iterator[tuple[Ref, frozenset[Ref]]]:
    """Yield the outputs of a component with the inputs that act on them at once."""
    end = document.components[name]
    known: dict[str, tuple[str, ...]] = {}
    if end.fmu is not None:
        known, inputs = _described(folder / end.fmu)
        sources = [s.source for s in document.signals.values() if s.source is not None]
        targets = [to for s in document.signals.values() for to in s.to]
        acting = [i for row in end.feedthrough.values() for i in row]
        _require(folder / end.fmu, "output", [*end.feedthrough, *_variables(sources, name)], known)
        _require(folder / end.fmu, "input", [*acting, *_variables(targets, name)], inputs)
    for output, before in (known | end.feedthrough).items():
        yield Ref(name, output), frozenset(Ref(name, i) for i in before)


def _variables(refs: Sequence[Ref], component: str) -> list[str]:
    return [ref.variable for ref in refs if ref.component == component]


def _require(path: Path, causality: str, named: Sequence[str], there: Collection[str]) -> None:
    missing = next((variable for variable in named if variable not in there), None)
    if missing is not None:
        raise UsageError(f"{path}: no {causality} {missing}; allowed are: {', '.join(there) or 'none'}")


def _described(path: Path) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Return the direct feedthrough of an FMU and all its inputs."""
    description = read_description(path)
    return direct_feedthrough(description), inputs_of(description)


def direct_feedthrough(description: ModelDescription) -> dict[str, tuple[str, ...]]:
    """Return by output the inputs that act on it at once, as a model description says it; silence means all.

    FMI 1.0 is silent here, and an FMU whose model structure does not list an output.
    """
    inputs = inputs_of(description)
    told = {
        unknown.variable.name: tuple(d.name for d in unknown.dependencies if d.name in inputs)
        for unknown in description.outputs
        if unknown.dependencies is not None
    }
    outputs = [v for v in description.modelVariables if v.causality == "output"]
    return {v.name: told.get(getattr(v.alias, "name", v.name), inputs) for v in outputs}  # FMI 3 lists no aliases


def inputs_of(description: ModelDescription) -> tuple[str, ...]:
    """Return the names of the inputs of a model description."""
    return tuple(v.name for v in description.modelVariables if v.causality == "input")
