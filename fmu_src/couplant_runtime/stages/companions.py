"""What messages tell besides y, for the algorithm `model`: other outputs of the sender, and what it was given.

Below LEAST_STAMP, and where nothing is connected, they tell nothing.
"""

from ..config import Settings
from ..generated.constants import LEAST_STAMP
from ..generated.numbers import SLOTS
from ..guard import UNLIMITED, bounded
from ..state import State

COMPANIONS_TOLD = 1
"""Bit of a slot whose message told all other outputs."""

INPUTS_TOLD = 2
"""Bit of a slot whose message told what the sender was given."""


def take(c: Settings, s: State, slot: int) -> None:
    """Keep what the message says besides y, for the sender's `slot`."""
    own, plant = s.plant, c.plant
    if plant is None:
        return
    at, told = slot % SLOTS, COMPANIONS_TOLD
    for i in range(plant.sizes[2] - 1):
        told = told if LEAST_STAMP <= own.companion[i] <= UNLIMITED else 0
        own.outputs[i * SLOTS + at] = bounded(own.companion[i], 0.0)
    known = plant.echo
    for i in range(plant.sizes[1]):
        known = known and LEAST_STAMP <= own.given[i] <= UNLIMITED and -UNLIMITED <= own.given_slope[i] <= UNLIMITED
        own.level[i * SLOTS + at] = bounded(own.given[i], 0.0)
        own.change[i * SLOTS + at] = bounded(own.given_slope[i] * s.grid.period, 0.0)
    own.told[at] = told + (INPUTS_TOLD if known else 0)
    changed(c, s, slot)


def changed(c: Settings, s: State, slot: int) -> None:
    """Let the states be worked out again from `slot` on, whose value has just come."""
    if c.plant and slot < s.plant.next:
        s.plant.next = slot


def forget(c: Settings, s: State, slots: int) -> None:
    """Forget what the messages of the newest `slots` told, at most all."""
    if c.plant:
        for i in range(slots if slots < SLOTS else SLOTS):
            s.plant.told[(s.history.newest - i) % SLOTS] = 0
