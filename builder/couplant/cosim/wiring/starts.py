"""First outputs of senders: the values of signals before the first one arrives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from couplant.config.ref import Ref
from couplant.cosim.run.master import Wiring, start_components
from couplant.cosim.wiring.order import AlgebraicLoopError, Value


def first_values(wiring: Wiring, sources: Sequence[Ref], t_0: float) -> dict[Ref, float]:
    """Start a system at `t_0` [s] and return what its outputs `sources` show then, in their units.

    What is not finite is left out, and all of them where the system has an algebraic loop: a network may break it.

    Raises
    ------
    UsageError
        If connections or parameters are wrong.
    CouplantError
        If a component refuses to start.
    """
    try:
        with start_components(replace(wiring, watched=list(sources)), t_0) as exchange:
            exchange.run(t_0, 0.0)
            found = {ref: exchange.values[exchange.slot(Value(ref))] for ref in sources}
    except AlgebraicLoopError:
        return {}
    return {ref: value for ref, value in found.items() if math.isfinite(value)}
