"""What an algorithm is."""

from typing import Literal, NamedTuple

Need = Literal["", "weights", "spectrum", "neural", "model"]


class Row(NamedTuple):
    """An algorithm as users know it and as the stages ask for it.

    Attributes
    ----------
    name : str
        Its item in the enumerations and its name in settings files.
    number : int
        In the enumerations.
    words : str
        What it is good for.
    module : str
        Of the code, "" where it has the algorithm's name.
    k_max : int
        Largest latency with which all values that it needs are in the history [macro steps].
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
    as_origin : bool
        It is judged by the tolerance of the algorithm that it came from.
    native : bool
        It has a twin in C.
    colours : tuple of str
        Its own on white and on black, ``#rrggbb``; () for one that has none.
    """

    name: str
    number: int
    words: str
    k_max: int
    module: str = ""
    needs: Need = ""
    pure: bool = False
    abbreviation: bool = False
    carries_state: bool = False
    blends: bool = False
    learns: bool = False
    as_origin: bool = False
    native: bool = True
    colours: tuple[str, ...] = ()
