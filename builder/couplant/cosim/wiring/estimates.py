"""Where the estimate of a coupling FMU goes."""

from __future__ import annotations

from couplant.config.ref import Ref
from couplant.cosim.fmu.component import Component
from couplant.cosim.run.master import Wiring
from couplant.cosim.wiring.order import Link, Value


def estimate_links(wiring: Wiring, coupling: Component, target: Ref, timing: str) -> list[Link]:
    """Return the link of the estimate, and in event timing that of its slope if the receiver takes one."""
    estimate, slope = Ref(coupling.name, "y_hat"), Ref(target.component, f"{target.variable}.slope")
    links = [Link(Value(estimate), target)]
    if timing == "event" and slope.variable in wiring.components[target.component].ports:
        links.append(Link(Value(estimate, slope=True), slope))
    return links
