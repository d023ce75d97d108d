"""Model of the prototype that sends y: from its states at the newest value on, stepped with what went from here.

    z <- Phi z + G0 u_j + G1 (u_{j+1} - u_j),    j = n - k .. n - 1;    y_hat = C z + D u_n, a step more gives the slope

What the receiver sends is known here without any delay, so the latency costs only what nobody can know: what excites
the prototype besides. `observer` has the states.
"""

from ..config import Settings
from ..plant import moved, output
from ..stages.observer import corrected, place, present
from ..state import State
from . import NEVER


def needed(c: Settings, s: State) -> int:
    """Return a value for each state and one more [slots]."""
    return c.plant.sizes[0] + 1 if c.plant else NEVER


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Return level [signal unit], slope [signal unit per macro step] and shift [macro steps] of the estimate."""
    plant = c.plant
    assert plant is not None
    slot = s.history.newest - s.latency.early
    x, when = corrected(c, s, slot), place(s, slot)
    here = present(c, s, when)
    levels = [0.0, 0.0]
    for ahead in range(s.latency.steps + 2):
        if ahead >= s.latency.steps:
            levels[ahead - s.latency.steps] = output(plant, plant.own, x, here)
        there = present(c, s, when + (ahead + 1))
        x = moved(plant, x, here, [b - a for a, b in zip(here, there, strict=True)])
        here = there
    return levels[0], levels[1] - levels[0], s.latency.fraction
