"""Several recordings of the same inputs and outputs, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from couplant.base.arrays import Mask, Matrix, Vector


@dataclass(frozen=True, eq=False)
class Pieces:
    """Recordings of the same signals side by side."""

    # y, u: shapes (N, R, p), (N, R, m): outputs and inputs of R recordings at the macro steps, signal units; 0 after
    # the end of one
    y: Matrix
    u: Matrix
    counts: Mask  # shape (N, R): where there is a value
    macro_step: float  # ΔT, s
    # shapes (N, R, m), (N, R, p): what the sides were given in the macro steps where that is known, of what makes y and
    # of what makes u, and by how much it changed in each, signal units; else each is given what the other one sends
    given: tuple[Matrix, Matrix] | None = None
    changes: tuple[Matrix, Matrix] | None = None

    def only(self, which: Sequence[int]) -> "Pieces":
        """Return `which` of the recordings, from 0."""
        chosen = list(which)
        length = int(self.counts[:, chosen].sum(axis=0).max())
        return self._part((slice(length), chosen))

    def span(self, first: int, last: int) -> "Pieces":
        """Return the macro steps `first` to before `last`."""
        return self._part((slice(first, last),))

    def _part(self, place: tuple[slice | list[int], ...]) -> "Pieces":
        pairs = [one and (one[0][place], one[1][place]) for one in (self.given, self.changes)]
        return Pieces(self.y[place], self.u[place], self.counts[place], self.macro_step, *pairs)

    def mirror(self) -> "Pieces":
        """Return them with inputs as outputs: what the other side does."""
        pairs = [one and one[::-1] for one in (self.given, self.changes)]
        return Pieces(self.u, self.y, self.counts, self.macro_step, *pairs)

    def answers(self) -> "Pieces":
        """Return the recordings of the side that makes y, and as u what it was given, as lines between macro points."""
        if self.given is None or self.changes is None:
            return self
        own, change = self.given[0], self.changes[0]
        # a jump at a macro point lies half on each side of it
        line = own.copy()
        line[1:] = 0.5 * (own[1:] + own[:-1] + change[:-1])
        return replace(self, u=line, given=None, changes=None)

    @property
    def sizes(self) -> tuple[Vector, Vector]:
        """Return the standard deviations of outputs (p,) and inputs (m,), in signal units; 1 where nothing changes."""
        # only steps that count: what fills up short recordings would lower the deviation
        found = (one[self.counts].std(axis=0) for one in (self.y, self.u))
        y, u = (np.where(size > 0.0, size, 1.0) for size in found)
        return y, u


def pieces(signals: Sequence[tuple[Matrix, Matrix]], macro_step: float) -> Pieces:
    """Return recordings side by side.

    The `signals` are outputs and inputs of each, shapes (N_i, p), (N_i, m), signal units; `macro_step` is ΔT [s].
    """
    length = max(len(y) for y, _ in signals)
    # what is too short ends with zeros, which do not count
    longer = [[np.pad(one, ((0, length - len(one)), (0, 0))) for one in pair] for pair in signals]
    y, u = (np.stack(part, axis=1) for part in zip(*longer, strict=True))
    counts = np.stack([np.arange(length) < len(one) for one, _ in signals], axis=1)
    return Pieces(y, u, counts, macro_step)
