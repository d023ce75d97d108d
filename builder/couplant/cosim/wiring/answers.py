"""Answers of a receiver to the coupling FMU that learns its lag."""

from __future__ import annotations

from couplant.base.errors import UsageError
from couplant.config import Interface
from couplant.config.ref import Ref
from couplant.config.rules.follow import follows
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.component import Component
from couplant.cosim.wiring.coupling import Prebuilt
from couplant.cosim.wiring.order import Link, Value

_APPLIED = "applied"


def answer_links(loaded: Loaded, coupling: Component, signal: str, settings: Interface | Prebuilt) -> list[Link]:
    """Return the link that tells the coupling FMU of a `signal`, made of `settings`, what its receiver really does.

    Raises
    ------
    UsageError
        If the scenario does not say where that comes from, or says it for an FMU that does not take it.
    """
    answer, there = loaded.scenario.signals[signal].applied, _APPLIED in coupling.inputs()
    if answer is not None and there:
        return [Link(Value(answer), Ref(coupling.name, _APPLIED))]
    own = f"{loaded.path}: signals.{signal}.{_APPLIED}"
    if answer is not None:
        raise UsageError(f"{own}: the coupling FMU has no such input; coupling.latency.follow makes one.")
    if there and not isinstance(settings, Prebuilt) and follows(settings.signals[signal].latency):
        raise UsageError(f"{own} is missing: the lag is learnt from what the receiver really does.")
    return []
