"""Several recordings of the same inputs and outputs, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

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

    def only(self, which: Sequence[int]) -> "Pieces":
        """Return `which` of the recordings, from 0."""
        chosen = list(which)
        length = int(self.counts[:, chosen].sum(axis=0).max())
        return Pieces(self.y[:length, chosen], self.u[:length, chosen], self.counts[:length, chosen], self.macro_step)

    def span(self, first: int, last: int) -> "Pieces":
        """Return the macro steps `first` to before `last`."""
        part = slice(first, last)
        return Pieces(self.y[part], self.u[part], self.counts[part], self.macro_step)

    def mirror(self) -> "Pieces":
        """Return them with inputs as outputs: what the other side does."""
        return Pieces(self.u, self.y, self.counts, self.macro_step)

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
