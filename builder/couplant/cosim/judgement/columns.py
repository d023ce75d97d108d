"""The courses of a run as columns of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

_COLUMNS = ("reference", "sent", "received", "estimate", "active", "state", "detected", "limited")
_WATCHED = (("", "values"), (".reference", "reference"))


def run_columns(traces: Mapping[str, Any], watched: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Return time [s], signals and what is watched besides at the N macro points, each of shape (N,), by heading.

    `traces` are of the type `couplant.cosim.traces.Trace`, `watched` of the type `Watched`, by name.
    """
    columns: dict[str, NDArray[Any]] = {}
    for name, trace in traces.items():
        columns.setdefault("time", trace.time)
        columns |= {f"{name}.{part}": getattr(trace, part) for part in _COLUMNS}
    for name, one in watched.items():
        columns.setdefault("time", one.time)
        columns |= {name + part: getattr(one, kind) for part, kind in _WATCHED}
    return columns
