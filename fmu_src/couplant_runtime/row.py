"""Row of the table of algorithms."""

from dataclasses import dataclass
from typing import Literal

Need = Literal["", "weights", "spectrum", "neural", "model", "plant", "phasor"]


@dataclass(frozen=True, slots=True)
class Row:
    """An algorithm as users know it and as the stages ask for it."""

    name: str  # its item in the enumerations and its name in settings files
    number: int  # in the enumerations
    words: str  # what it is good for
    k_max: int  # largest latency with which all values that it needs are in the history [macro steps]
    module: str = ""  # of the code, "" where it has the algorithm's name
    needs: Need = ""  # what an FMU must have been built with to run it; "" for nothing
    pure: bool = False  # it is a function of the past values and k alone
    abbreviation: bool = False  # its name is no word: texts write it in capitals
    carries_state: bool = False  # its estimates go into later ones: none may mix values from both sides of a jump
    blends: bool = False  # it is a bank that learns the errors of its members
    learns: bool = False  # it takes every new value as a sample
    as_origin: bool = False  # it is judged by the tolerance of the algorithm that it came from
    native: bool = True  # it has a twin in C
    colours: tuple[str, ...] = ()  # its own on white and on black, ``#rrggbb``; () for one that has none
