"""Recordings in place of prototypes: the columns of a CSV file as outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from couplant.cosim.component import LocalComponent, Port, Reader
from couplant.errors import UsageError
from couplant.tables import Series


class RecordingComponent(LocalComponent):
    """Gives out a recording, interpolated linearly between its samples.

    Parameters
    ----------
    name : str
        Name in the scenario.
    series : Series
        The recording.
    """

    def __init__(self, name: str, series: Series) -> None:
        super().__init__(name, [Port(column) for column in series.columns])
        self._series, self.values = series, {"t": 0.0}

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Go to the first sample.

        Raises
        ------
        UsageError
            If there are parameters: a recording has none.
        """
        if parameters:
            raise UsageError(f"{self.name} is a recording and has no parameter {next(iter(parameters))}.")
        self.values["t"] = 0.0
        self._t_0 = t_0

    def reader(self, names: Sequence[str]) -> Reader:
        """Return a function that interpolates the columns at the present time."""
        time, columns = self._series.time, [self._series.columns[name] for name in names]
        return lambda: [float(np.interp(self.values["t"], time, column)) for column in columns]

    def step(self, t: float, h: float) -> None:
        """Go to t + h [s]."""
        self.values["t"] = t + h - self._t_0
