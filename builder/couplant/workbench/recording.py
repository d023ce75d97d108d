"""Recordings that stand in the page of the workbench."""

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.errors import UsageError
from couplant.tables import Channel, read
from couplant.tables.recordings import SHORTEST


@dataclass(frozen=True)
class Shown:
    """A recording that stands in the page."""

    name: str  # of its file
    assumed: str  # what was assumed about it, in a line
    channels: tuple[Channel, ...]  # those that hold numbers

    def to_dict(self) -> dict[str, Any]:
        """Return names, units and base64 of doubles for JSON; times that are alike stand there once."""
        times: list[np.ndarray] = []
        channels = []
        for one in self.channels:
            at = next((i for i, time in enumerate(times) if np.array_equal(time, one.time)), len(times))
            times += [one.time] if at == len(times) else []
            channels.append({"name": one.name, "unit": one.unit, "time": at, "value": _bytes(one.value)})
        return {"name": self.name, "assumed": self.assumed, "times": [_bytes(t) for t in times], "channels": channels}


def read_shown(path: Path) -> Shown:
    """Return a recording as the page shows it.

    Raises
    ------
    UsageError
        If it cannot be read or has no channel with enough samples.
    """
    found = read(path)
    channels = tuple(one for one in found.select(found.numeric()) if np.isfinite(one.value).sum() >= SHORTEST)
    if not channels:
        raise UsageError(f"{path}: no channel with at least {SHORTEST} numbers.")
    return Shown(path.name, found.assumed, channels)


def _bytes(values: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode("ascii")
