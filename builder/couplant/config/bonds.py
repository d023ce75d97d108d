"""Power bonds: two signals that go opposite ways and whose product is a power."""

from typing import Annotated

from couplant.config.frame.read import Flag, OneOf, Real, Table, Text
from couplant.config.keys import EnergyKeys
from couplant.config.parameters import items, parameter, setting

DISPLACEMENT, VELOCITY = FLOWS = ("displacement", "velocity")  # what the flow of a bond may be given as


class Bond(Table):
    """A power bond: what its two signals are, and what is done about the energy that their coupling creates."""

    effort: Text | None = setting(None, "signal that is the force, torque, voltage or pressure; not given: elsewhere")
    flow: Text | None = setting(None, "signal that goes the other way; not given: elsewhere")
    flow_is: Annotated[str, OneOf(FLOWS)] = parameter("energy.conjugate_is", "what the signal of the flow is")
    sign: Annotated[int, OneOf((1, -1))] = setting(
        1, "1: effort times flow is power into the receiver of the effort, -1: out of it"
    )
    source: Annotated[str, items("energy.source")] = parameter(
        "energy.source", "energy that is taken back: what the estimates of the effort made, or what the bond tells"
    )
    take_back: Real = parameter("energy.take_back", "share of created energy taken out in a macro step, 0: none")
    give_back: Flag = parameter("energy.give_back")
    cap: Real = parameter("energy.cap")
    budget: Real = parameter("energy.budget", "energy an end may give out beyond what it got, 0: no guard")
    alert: Real = parameter("energy.alert")
    peak: Real = parameter("energy.peak")
    rate: Real = parameter("energy.rate")
    stiffness: Real = parameter("energy.stiffness")


class BondEnd(EnergyKeys):
    """End of a bond at one of its signals: the parameters of its FMU, and the `partner`'s unit."""

    partner: str = setting("", "unit of the signal that goes the other way")


def bond_end(bond: Bond, signal: str, partner: str, stale: bool) -> BondEnd:
    """Return the end of a bond that receives `signal`, whose `partner` has that unit.

    `stale` tells that the host reads outputs before it sets inputs.
    """
    effort = signal == bond.effort
    keys = {
        "kind": "effort" if effort else bond.flow_is,
        "conjugate_is": bond.flow_is,
        "reversed": bond.sign < 0,
        "stale": stale,
        "take_back": bond.take_back if effort else 0.0,
        "partner": partner,
    }
    shared = ("source", "give_back", "cap", "budget", "alert", "peak", "rate", "stiffness")
    return BondEnd.model_validate(keys | {key: getattr(bond, key) for key in shared})
