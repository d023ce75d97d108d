"""What coupling.toml says of an algorithm."""

from dataclasses import dataclass
from typing import Literal


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
        "none": it is judged by that of the algorithm it came from.
    words : str
        What it is good for.
    module : str
        Its module in `couplant_runtime.algorithms`.
    needs : str
        What an FMU must have been built with to run it; "" for nothing.
    pure : bool
        It is a function of the past values and k alone.
    abbreviation : bool
        Its name is no word: texts write it in capitals.
    carries_state : bool
        Its estimates go into later ones: none may mix values from both sides of a jump.
    blends : bool
        It is a bank that learns the errors of its members.
    learns : bool
        It takes every new value as a sample.
    """

    name: str
    number: int
    k_max: int
    native: bool
    tolerances: str
    words: str
    module: str
    needs: Literal["", "weights", "spectrum", "neural", "model"] = ""
    pure: bool = False
    abbreviation: bool = False
    carries_state: bool = False
    blends: bool = False
    learns: bool = False
    colours: tuple[str, ...] = ()
