"""Columns of numbers for a page, each stored once."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field

import numpy as np

from couplant.base.arrays import Vector

_LARGEST = float(np.finfo(np.float32).max)


@dataclass
class Store:
    """Columns by their bytes, so that a reference shared by all runs is stored once."""

    columns: list[str] = field(default_factory=list)
    index: dict[bytes, int] = field(default_factory=dict)

    def add(self, values: Vector) -> int:
        """Keep the column `values`, shape (N,), and return its number."""
        data = np.clip(values, -_LARGEST, _LARGEST).astype("<f4").tobytes()
        if data not in self.index:
            self.index[data] = len(self.columns)
            self.columns.append(base64.b64encode(data).decode("ascii"))
        return self.index[data]
