"""Candidates that are judged on a recording: their names, and their names in sentences."""

from __future__ import annotations

from couplant.base.style import label
from couplant_runtime.algorithms import GENERIC
from couplant_runtime.generated.algorithms import ROWS

EVERY = (*GENERIC, "irregular", "auto")
"""Algorithms that need no weights and learn nothing."""

DESIGNED, AUTO_DESIGNED, LEARNT = "designed", "auto_designed", "learnt"
"""Rows of a design, of `auto` with it among its members, and of weights that were learnt."""

MODEL = next(row.name for row in ROWS if row.needs == "plant")
"""Row of the algorithm that knows the sender."""


def called(name: str) -> str:
    """Return a candidate in words."""
    words = {DESIGNED: "the design", AUTO_DESIGNED: "auto with the design as its weights"}
    words |= {LEARNT: "linear with learnt weights", MODEL: "the model"}
    return words.get(name, label(name))


def begins_with(name: str) -> str:
    """Return a candidate as a sentence begins with it."""
    words = called(name)
    return words[0].upper() + words[1:] if words.startswith(("the ", "linear ")) else words
