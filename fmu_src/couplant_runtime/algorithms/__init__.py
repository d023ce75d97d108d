"""Coupling algorithms: from the values received so far to a straight line that continues them.

`ROWS` says what each of them is; `rows` finds their modules. Each module offers `needed(c, s)`, m(k), the slots that it
needs, more than there are if it does not run at this k, and `line(c, s)`: level [signal unit], slope [signal unit per
macro step] and shift [macro steps] of the estimate level + slope (theta - shift). One that learns from what arrives
offers `learn(c, s)` too, one that is a function of past values and k alone `taps(k)` and `estimate(past, k)`, of which
the other two are made.
"""

from ..generated.algorithms import FOH, NONE, ZOH
from ..generated.algorithms import ROWS as _ROWS
from ..generated.numbers import SLOTS

__all__ = ["ALL", "BY_NAME", "COMPARISON", "FOH", "GENERIC", "NAMES", "NEVER", "NONE", "ROWS", "TABLED", "ZOH"]

NEVER = SLOTS + 1
"""Slots that there never are."""

ROWS = {row.number: row for row in _ROWS}
BY_NAME = {row.name: row for row in _ROWS}
ALL = tuple(BY_NAME)
GENERIC = tuple(row.name for row in _ROWS if not row.needs)
"""Names of those that need nothing but the latency, in the order of every table."""

COMPARISON = tuple(row.name for row in _ROWS if row.needs == "model")
NAMES = tuple(row.name for row in _ROWS if row.needs not in ("neural", "model", "plant", "phasor"))
TABLED = tuple(row.name for row in _ROWS if row.needs in ("", "weights"))
