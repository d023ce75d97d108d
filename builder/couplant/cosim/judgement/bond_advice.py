"""Advice on likely mistakes in the power bonds of a scenario."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from couplant.config.rules.bonds import hides_jumps, unit_advice
from couplant.config.rules.steps import BondTable
from couplant.config.scenario import Loaded
from couplant.cosim.judgement.stability import linear_prototype

_SLOW = 0.1
"""Radians in a macro step up to which jumps of a displacement are booked well enough (docs/energy.md)."""


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
