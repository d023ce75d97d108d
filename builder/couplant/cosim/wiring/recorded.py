"""The recordings of a scenario."""

from __future__ import annotations

from collections.abc import Mapping

from couplant.config.scenario import Loaded
from couplant.tables import Series, read_signals


def read_series(loaded: Loaded) -> dict[str, Series]:
    """Return the recordings of a scenario by component.

    Raises
    ------
    UsageError
        If a recording cannot be read.
    """
    tables = loaded.scenario.components.items()
    recorded = ((name, table, table.recording) for name, table in tables if table.recording is not None)
    return {name: read_signals(loaded.file(file), table.reading) for name, table, file in recorded}


def spans_of(loaded: Loaded, series: Mapping[str, Series]) -> dict[str, float]:
    """Return how long each recording is, by component: until the first of the channels ends that are used [s]."""
    scenario = loaded.scenario
    signals = scenario.signals.values()
    used = {*scenario.watch, *scenario.connections.values()}
    used |= {ref for signal in signals for ref in (signal.source, signal.judged_against)}
    return {name: one.span([ref.variable for ref in used if ref.component == name]) for name, one in series.items()}
