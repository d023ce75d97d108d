"""The record of the fields in `fields`, one for each FMU with a neural network."""

from ..record import Record
from .fields import GROUPS


class NeuralState(Record):
    """Weights, sums and counters of a neural network; see the field lists in `fields` for shapes."""

    GROUPS = GROUPS
    __slots__ = tuple(name for group, _ in GROUPS for name, _ in group)
