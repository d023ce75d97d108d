"""What coupling.toml says of an algorithm."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Described:
    """An algorithm as users know it.

    Attributes
    ----------
    name : str
        As in settings files and in the enumeration of the FMU.
    number : int
        In the enumeration.
    k_max : int
        Largest latency with which all values that it needs are in the history [macro steps].
    native : bool
        Whether it has a twin in C.
    colours : tuple of str
        Its own on white and on black, ``#rrggbb``; () for one that has none.
    tolerances : str
        Which FMUs have a table of tolerances for it: "every", those with a "spectrum", those that have "chosen" it,
        "none".
    words : str
        What it is good for.
    """

    name: str
    number: int
    k_max: int
    native: bool
    tolerances: str
    words: str
    colours: tuple[str, ...] = ()
