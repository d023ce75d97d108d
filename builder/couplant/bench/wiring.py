"""From a bench file to the components of one side."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from couplant.base.style import WIRE
from couplant.bench.inbox import NEWEST, Inbox, port_name
from couplant.config import Interface
from couplant.config.models import Model, companions, model_of
from couplant.config.ref import Ref
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.run.master import Wiring
from couplant.cosim.wiring.components import STATUS, Workshop
from couplant.cosim.wiring.coupling import InProcess, Prebuilt, start_value, wire_of
from couplant.cosim.wiring.links import coupling_name, earlier_inputs, estimate_links
from couplant.cosim.wiring.order import Link, Value

SKILL = "quality.skill"  # output of a coupling FMU that a page of a running bench shows


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
    status: list[Ref]  # four outputs of each coupling FMU; of a plain wire none
    given: list[Value | None]  # what the prototype is given, as messages tell; None: a slope that is 0
    width: int  # numbers in a block that arrives, without its time
    skills: list[Ref]  # skill of each coupling FMU, where somebody looks at it


class SideWorkshop:
    """Makes the components of one side; builds only the FMUs that run there, into a `folder`.

    If it is `watched` coupling FMUs are asked for their skill too.
    """

    def __init__(self, loaded: Loaded, side: str, library: FmuLibrary, folder: Path, watched: bool = False) -> None:
        self._loaded, self.side, self._watched = loaded, side, watched
        self._workshop = Workshop(loaded, library, Builder(folder, reference=True))
        signals = loaded.scenario.signals.items()
        self.sends = tuple(name for name, signal in signals if signal.source.component == side)
        self.receives = tuple(name for name, _ in signals if name not in self.sends)

    def make(self, algorithm: str, timing: str) -> SideWiring:
        """Return the components of a run; those of a plain wire have no coupling FMU.

        Raises UsageError if a setting does not fit; CouplantError if an FMU cannot be built.
        """
        wiring = Wiring({}, [], {self.side: dict(self._loaded.parameters[self.side])})
        add = self._add_wires if algorithm == WIRE else self._add_couplings
        inbox, estimates, status = add(wiring, algorithm, timing)
        sent = [self._loaded.scenario.signals[name].source for name in self.sends]
        named = [Ref(estimate.component, SKILL) for estimate in estimates if self._watched]
        skills = [ref for ref in named if ref.variable in wiring.components[ref.component].ports]
        wiring.watched.extend([*sent, *estimates, *status, *skills])
        # value and slope of what the prototype is given; nothing without models
        linked = {link.source for link in wiring.links}
        ours = [Value(estimate, slope) for estimate in estimates if self._models for slope in (False, True)]
        given = [value if value in linked else None for value in ours]
        width = len(self.receives) + 2 * len(self.sends) * bool(self._models)
        ends = self.sends, self.receives, wiring, inbox, (sent, estimates), status, given, width, skills
        return SideWiring(self.side, algorithm, timing, *ends)

    def _add_couplings(self, wiring: Wiring, algorithm: str, timing: str) -> tuple[Inbox, list[Ref], list[Ref]]:
        """Add inbox, coupling FMUs and prototype; return the inbox, the estimates and the status of all signals."""
        signals, workshop = self._loaded.scenario.signals, self._workshop
        couplings = {name: workshop.coupling(name, algorithm, timing) for name in self.receives}
        # what messages set: u[i] comes from here
        inputs = {n: tuple(i for i in one.inputs() if not i.startswith("u[")) for n, (one, *_) in couplings.items()}
        # a bench has no algorithms in this process: config.bench refuses them
        settings = {name: found for name, (*_, found) in couplings.items() if not isinstance(found, InProcess)}
        starts = {name: start_value(found, name) or 0.0 for name, found in settings.items()}
        ahead = any(_is_free(s, name) for name, s in settings.items())
        told = {name: self._block_places(name, inputs[name]) for name in inputs}
        inbox = Inbox(inputs, self.receives, starts, ahead, told)
        wiring.components[inbox.name] = inbox
        for coupling, values, _ in couplings.values():
            wiring.components[coupling.name], wiring.parameters[coupling.name] = coupling, values
        wiring.components[self.side] = workshop.prototype(self.side)
        for name, (coupling, *_) in couplings.items():
            fed = (Link(Value(Ref(inbox.name, port_name(name, i))), Ref(coupling.name, i)) for i in inputs[name])
            wiring.links.extend(fed)
            model = model_of(self._models, name)  # which takes what goes from here to the sender of the signal
            for i, back in enumerate(model.inputs if model else (), start=1):
                if f"u[{i}]" in coupling.inputs():
                    wiring.links.append(Link(Value(signals[back].source), Ref(coupling.name, f"u[{i}]")))
            for target in signals[name].to:
                wiring.links.extend(estimate_links(wiring, coupling, target, timing))
        estimates = [Ref(coupling_name(name), "y_hat") for name in self.receives]
        return inbox, estimates, [Ref(coupling_name(name), output) for name in self.receives for output in STATUS]

    def _add_wires(self, wiring: Wiring, *_: str) -> tuple[Inbox, list[Ref], list[Ref]]:
        """Add inbox and prototype, which takes the newest values; return the inbox, these values, and no status.

        A wire looks at no clock: what has arrived is passed on, whenever the other side says that it was sent.
        """
        starts = {name: start_value(wire_of(self._loaded, name), name) or 0.0 for name in self.receives}
        inbox = Inbox(dict.fromkeys(self.receives, (NEWEST,)), self.receives, starts, ahead=True)
        wiring.components[inbox.name] = inbox
        wiring.components[self.side] = self._workshop.prototype(self.side)
        came = {name: Ref(inbox.name, port_name(name, NEWEST)) for name in self.receives}
        for name, value in came.items():
            wiring.links.extend(Link(Value(value), target) for target in self._loaded.scenario.signals[name].to)
        return inbox, [*came.values()], []

    @property
    def _models(self) -> dict[str, Model]:
        return self._loaded.scenario.models

    def _block_places(self, name: str, inputs: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return the block, the newest is 0, and the place there of what the FMU of a signal takes for its model."""
        return {
            taker: (block, column)
            for key, column in self._model_places(name, inputs).items()
            for block, taker in enumerate([key, *earlier_inputs(key, inputs)])
        }

    def _model_places(self, name: str, inputs: Sequence[str]) -> dict[str, int]:
        """Return where a block has what the coupling FMU of a signal takes for its model."""
        model, derivative = model_of(self._models, name), self._loaded.scenario.signals[name].derivative
        if model is None:
            if derivative is None or "companion[1]" not in inputs:
                return {}
            return {"companion[1]": 1 + self.receives.index(derivative)}
        places = {f"companion[{i}]": 1 + self.receives.index(n) for i, n in enumerate(companions(model, name), start=1)}
        for i, back in enumerate(model.inputs, start=1):
            given = 1 + len(self.receives) + 2 * self.sends.index(back)
            places |= {f"given[{i}]": given, f"given_slope[{i}]": given + 1}
        return {key: place for key, place in places.items() if key in inputs}


def _is_free(settings: Interface | Prebuilt, signal: str) -> bool:
    """Tell whether the coupling FMU finds out by itself how the sender's clock differs."""
    if isinstance(settings, Prebuilt):
        given = settings.parameters
        return given.get("latency.mode") == "round_trip" or given.get("latency.clock") == "free"
    latency = settings.signals[signal].latency
    return latency.mode == "round_trip" or latency.clock == "free"
