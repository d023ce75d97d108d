"""The prototypes at the ends of an interface: which of their inputs act on which outputs at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from couplant.config.hosts import HostLead, Way, host_leads
from couplant.config.interface import Document, End, Signal
from couplant.config.ref import Ref
from couplant.errors import UsageError


def added_by_host(document: Document, folder: Path) -> dict[str, HostLead]:
    """Return what the host adds to the latency of each signal; `folder` is that of the settings file.

    Raises
    ------
    UsageError
        If the model description of a component cannot be read or lacks a variable that is named.
    """
    common, ends = document.interface, document.components
    feedthrough = dict(pair for name, end in ends.items() for pair in _feedthrough(name, end, folder))
    ways = {name: _way(name, signal) for name, signal in document.signals.items()}
    return host_leads(common.host, ways, feedthrough, order=common.order, whole=False)


def with_lead(signal: Signal, added: HostLead, step: float) -> Signal:
    """Return the settings of a signal with what the host adds, unless they give it themselves.

    `step` is the communication step in macro steps [-].
    """
    if not added.steps or "host_lead" in signal.latency.model_fields_set:
        return signal
    latency = signal.latency.model_copy(update={"host_lead": added.steps * step})
    return signal.model_copy(update={"latency": latency})


def _way(name: str, signal: Signal) -> Way:
    return Way(signal.source, (f"{name}.coupling",), signal.to, signal.latency.mode in ("stamps", "round_trip"))


def _feedthrough(name: str, end: End, folder: Path) -> Iterator[tuple[Ref, frozenset[Ref]]]:
    """Yield the outputs of a component with the inputs that act on them at once."""
    known: dict[str, tuple[str, ...]] = {} if end.fmu is None else _described(folder / end.fmu)
    for output, inputs in (known | end.feedthrough).items():
        yield Ref(name, output), frozenset(Ref(name, i) for i in inputs)


def _described(path: Path) -> dict[str, tuple[str, ...]]:
    """Return what a model description says: by output the inputs that act on it at once; silence means all."""
    import fmpy  # takes its time

    try:
        description = fmpy.read_model_description(str(path), validate=False)
    except Exception as error:  # FMPy lets whatever zipfile and lxml raise through
        raise UsageError(f"{path}: not an FMU that can be read: {error}") from None
    inputs = tuple(v.name for v in description.modelVariables if v.causality == "input")
    return {
        unknown.variable.name: inputs
        if unknown.dependencies is None
        else tuple(d.name for d in unknown.dependencies if d.name in inputs)
        for unknown in description.outputs
    }
