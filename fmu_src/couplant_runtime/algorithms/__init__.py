"""Coupling algorithms: from the values received so far to a straight line that continues them.

`ROWS` says what each of them is; `rows` finds their modules. Each module offers `needed(c, s)`, m(k), the slots that it
needs, more than there are if it does not run at this k, and `line(c, s)`: level [signal unit], slope [signal unit per
macro step] and shift [macro steps] of the estimate level + slope (theta - shift). One that learns from what arrives
offers `learn(c, s)` too, a generic one `taps(k)` and `estimate(past, k)`, of which the other two are made.
"""

from typing import Literal, NamedTuple

from ..state import SLOTS

NEVER = SLOTS + 1
"""Slots that there never are."""

Need = Literal["", "weights", "spectrum", "neural", "model"]


class Row(NamedTuple):
    """What an algorithm is.

    Attributes
    ----------
    number : int
        Its value in the enumerations.
    name : str
        Its item there.
    needs : str
        What an FMU must have been built with to run it.
    generic : bool
        It is a function of the past values and k alone.
    carries_state : bool
        Its estimates go into later ones: none may mix values from both sides of a jump.
    blends : bool
        It is a bank that learns the errors of its members.
    learns : bool
        It takes every new value as a sample.
    as_origin : bool
        It is judged by the tolerance of the algorithm that it came from.
    module : str
        Where it is; "": in the one of its name.
    """

    number: int
    name: str
    needs: Need = ""
    generic: bool = False
    carries_state: bool = False
    blends: bool = False
    learns: bool = False
    as_origin: bool = False
    module: str = ""


_TABLE = (
    Row(1, "zoh", generic=True),
    Row(2, "foh", generic=True),
    Row(3, "smb", carries_state=True),
    Row(4, "eros3", generic=True),
    Row(5, "eros4", generic=True),
    Row(6, "linear", needs="weights"),
    Row(7, "irregular", needs="spectrum"),
    Row(8, "auto", needs="spectrum", blends=True),
    Row(9, "network", module="neural", needs="neural", learns=True, as_origin=True),
    Row(10, "recursive_fir", needs="model", learns=True),
    Row(11, "coupling_element", needs="model", learns=True),
)
ROWS = {row.number: row for row in _TABLE}
NUMBER = {row.name: row.number for row in _TABLE}
NONE, ZOH, FOH = 0, NUMBER["zoh"], NUMBER["foh"]
ALL = tuple(NUMBER)
COMPARISON = tuple(row.name for row in _TABLE if row.needs == "model")
NAMES = tuple(row.name for row in _TABLE if row.needs not in ("neural", "model"))
TABLED = tuple(row.name for row in _TABLE if row.needs in ("", "weights"))
