"""The ends of power bonds: what their coupling FMUs hear from this side and tell each other, and advice on mistakes."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from couplant.base.errors import UsageError
from couplant.config.bonds import BondEnd
from couplant.config.hosts import SEQUENTIAL
from couplant.config.ref import Ref
from couplant.config.rules.bonds import hides_jumps, unit_advice
from couplant.config.rules.steps import BondTable
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.component import CONJUGATE, Component, Kept, has_stage, kept_output
from couplant.cosim.judgement.stability import linear_prototype
from couplant.cosim.run.master import Wiring
from couplant.cosim.wiring.order import Link, Value

SHOWN = ("energy.given", "energy.time", "energy.left", "energy.taken", "energy.limited")
"""Outputs of a coupling FMU from which the books of a bond are made."""

_TOLD = {f"energy.far_{word}": f"energy.{word}" for word in ("given", "passed", "time")}
"""Inputs of the far end with the outputs of this one; a network has both, the other way round."""

_SLOW = 0.1  # radians in a macro step up to which jumps of a displacement are booked well enough (docs/energy.md)


class Place(NamedTuple):
    """Where one end of a bond is: names of components."""

    coupling: str  # coupling FMU of the signal that is received here
    far: str | None  # coupling FMU of the signal that is sent from here; None: it goes by a direct connection
    sent: Ref  # where that signal comes from
    network: str | None  # what it passes; None: nothing


def join(wiring: Wiring, place: Place, timing: str) -> None:
    """Connect one end of a bond: the local signal that it sends, and messages of energy that go with this signal.

    In event `timing` an end tells what it knew at the last communication point: no estimate acts on itself so, however
    fast the network is. Whoever takes turns gets a value that is a step newer, or acts on it a step sooner, than the
    books assume; there the local signal is a step older.
    """
    components = wiring.components
    if not has_stage(components[place.coupling]):
        return
    conjugate, told = place.sent, {far: Ref(place.coupling, own) for far, own in _TOLD.items()}
    if wiring.host == SEQUENTIAL:
        later = Kept(f"{place.coupling}.conjugate", (CONJUGATE,), turns=True)
        # put a component before another one in the order of their turns
        at = list(components).index(place.coupling)
        items = list(components.items())
        components.clear()
        components.update([*items[:at], (later.name, later), *items[at:]])
        wiring.links.append(Link(Value(conjugate), Ref(later.name, CONJUGATE)))
        conjugate = Ref(later.name, kept_output(CONJUGATE))
    wiring.links.append(Link(Value(conjugate), Ref(place.coupling, CONJUGATE)))
    wiring.watched.extend(Ref(place.coupling, name) for name in SHOWN)
    if place.far is None or not has_stage(components[place.far]):
        return
    if timing == "event":
        last = Kept(f"{place.coupling}.energy", tuple(_TOLD.values()))
        components[last.name] = last
        wiring.links.extend(Link(Value(ref), Ref(last.name, ref.variable)) for ref in told.values())
        told = {far: Ref(last.name, kept_output(ref.variable)) for far, ref in told.items()}
    for far, ref in told.items():
        if place.network is not None:
            wiring.links.append(Link(Value(ref), Ref(place.network, _TOLD[far])))
            ref = Ref(place.network, far)
        wiring.links.append(Link(Value(ref), Ref(place.far, far)))


def energy_parameters(end: BondEnd, coupling: Component, path: str) -> Mapping[str, Any]:
    """Return the parameters of a coupling FMU that exists for its `end` of a bond, by variable; `path` is its file.

    Raises UsageError if it cannot do what the bond asks for.
    """
    if not has_stage(coupling):
        if end.take_back > 0.0 or end.budget > 0.0:
            text = "was built without a power bond: it can neither take energy back nor keep a budget"
            raise UsageError(f"{path}: {coupling.name} {text}.")
        return {}
    return {f"energy.{key}": value for key, value in end.model_dump(exclude={"partner"}).items()}


def bond_advice(loaded: Loaded) -> Iterator[str]:
    """Name wrong units of power bonds, and bonds whose budget needs the stiffness of the coupling."""
    signals = loaded.scenario.signals
    for name, bond in loaded.scenario.bonds.items():
        if bond.direct_flow is not None:
            continue
        effort, flow = (signals[one].unit for one in (bond.effort, bond.flow))
        yield from unit_advice(f"bonds.{name}", effort, flow, bond.flow_is)
        if hides_jumps(bond):
            yield from _stiffness_advice(loaded, f"bonds.{name}.stiffness", bond)


def _stiffness_advice(loaded: Loaded, path: str, bond: BondTable) -> Iterator[str]:
    effort = loaded.scenario.signals[bond.effort].source
    flow = next(to for to in loaded.scenario.signals[bond.flow].to if to.component == effort.component)
    receiver = linear_prototype(loaded, effort.component)
    if receiver is None:
        yield (
            f"{path} is not set: where {flow.component} swings with omega dT above {_SLOW:g}, jumps of {bond.flow} "
            "give energy that the budget does not see; give the stiffness of the coupling spring, or 0 for slower ones."
        )
        return
    stiffness = abs(receiver.D[receiver.outputs.index(effort.variable), receiver.inputs.index(flow.variable)])
    turned = loaded.scenario.macro_step * float(np.abs(np.linalg.eigvals(receiver.A)).max(initial=0.0))
    if stiffness > 0.0 and turned > _SLOW:
        yield (
            f"{path} is not set: {flow.component} swings with omega dT = {turned:.2g}, so that jumps of {bond.flow} "
            f"give energy that the budget does not see; give stiffness = {stiffness:.6g}."
        )
