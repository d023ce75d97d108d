"""From a bench file to the components of one side."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from couplant.bench.inbox import Inbox, port_name
from couplant.config import Interface
from couplant.config.ref import Ref
from couplant.config.scenario import Loaded
from couplant.cosim.building import Builder
from couplant.cosim.component import Component
from couplant.cosim.coupling import Prebuilt, start_value
from couplant.cosim.estimates import estimate_links
from couplant.cosim.fmu import FmuLibrary
from couplant.cosim.master import Wiring
from couplant.cosim.names import coupling_name
from couplant.cosim.order import Link, Value
from couplant.cosim.wiring import STATUS, Workshop


@dataclass(frozen=True)
class SideWiring:
    """The components of one side in one run."""

    side: str
    algorithm: str
    timing: str
    sends: tuple[str, ...]  # signals, in the order of the file
    receives: tuple[str, ...]  # signals, in the order of the file
    wiring: Wiring
    inbox: Inbox  # where the messages go in
    shown: tuple[list[Ref], list[Ref]]  # outputs that are sent, and the estimates
    status: list[Ref]  # four outputs of each coupling FMU


class SideWorkshop:
    """Makes the components of one side; builds only the FMUs that run there.

    Parameters
    ----------
    folder : Path
        Where the FMUs are built.
    """

    def __init__(self, loaded: Loaded, side: str, library: FmuLibrary, folder: Path) -> None:
        self._loaded, self._side = loaded, side
        self._workshop = Workshop(loaded, library, Builder(folder))
        signals = loaded.scenario.signals.items()
        self.sends = tuple(name for name, signal in signals if signal.source.component == side)
        self.receives = tuple(name for name, _ in signals if name not in self.sends)

    def make(self, algorithm: str, timing: str) -> SideWiring:
        """Return the components of a run.

        Raises
        ------
        UsageError
            If a setting does not fit.
        CouplantError
            If an FMU cannot be built.
        """
        signals, workshop = self._loaded.scenario.signals, self._workshop
        couplings = {name: workshop.coupling(name, algorithm, timing) for name in self.receives}
        inputs = {name: tuple(coupling.inputs()) for name, (coupling, *_) in couplings.items()}
        settings = {name: found for name, (*_, found) in couplings.items()}
        starts = {name: start_value(found, name) or 0.0 for name, found in settings.items()}
        inbox = Inbox(inputs, self.receives, starts, any(_is_free(s, name) for name, s in settings.items()))
        components: dict[str, Component] = {inbox.name: inbox}
        parameters = {self._side: dict(self._loaded.parameters[self._side])}
        for coupling, values, _ in couplings.values():
            components[coupling.name], parameters[coupling.name] = coupling, values
        components[self._side] = workshop.prototype(self._side)
        wiring = Wiring(components, [], parameters)
        for name, (coupling, *_) in couplings.items():
            fed = (Link(Value(Ref(inbox.name, port_name(name, i))), Ref(coupling.name, i)) for i in inputs[name])
            wiring.links.extend(fed)
            for target in signals[name].to:
                wiring.links.extend(estimate_links(wiring, coupling, target, timing))
        sent = [signals[name].source for name in self.sends]
        estimates = [Ref(coupling_name(name), "y_hat") for name in self.receives]
        status = [Ref(coupling_name(name), output) for name in self.receives for output in STATUS]
        wiring.watched.extend([*sent, *estimates, *status])
        return SideWiring(
            self._side, algorithm, timing, self.sends, self.receives, wiring, inbox, (sent, estimates), status
        )


def _is_free(settings: Interface | Prebuilt, signal: str) -> bool:
    """Tell whether the coupling FMU finds out by itself how the sender's clock differs."""
    if isinstance(settings, Prebuilt):
        given = settings.parameters
        return given.get("latency.mode") == "round_trip" or given.get("latency.clock") == "free"
    latency = settings.signals[signal].latency
    return latency.mode == "round_trip" or latency.clock == "free"
