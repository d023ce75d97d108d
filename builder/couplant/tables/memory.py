"""Recordings that are in memory already: data frames, and arrays by name."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError, quote, some
from couplant.tables.channels import Channel, Channels, Frame, Loaded
from couplant.tables.clock import ALLOWED, is_time, seconds_in, unit_in
from couplant.tables.headings import Reading

_INDEX = "index"


def channels(data: Mapping[str, Any] | Frame, how: Reading) -> Channels:
    """Return the columns of `data`, a table in memory, each of shape (N,).

    Times are the column that is named, else the first with the name of times, else an index of times or of numbers with
    a name: numbers, moments or lengths of time. Raise `UsageError` if there are no times, a column holds no numbers, or
    lengths differ.
    """
    origin = "the recording"
    columns = {str(name): data[name] for name in (data if isinstance(data, Mapping) else data.columns)}
    clock = how.time or next(filter(is_time, columns), None)
    if clock is None:
        clock, times = _index(data, origin)
    elif clock in columns:
        times = columns.pop(clock)
    else:
        raise UsageError(f"{origin} has no column {quote(clock)}; there are: {some(columns)}.")
    time = _seconds(clock, times, how, origin)
    names = list(columns)
    said = "" if how.time_unit or unit_in(clock) or _is_moment(times) else f"times ({clock}) in s, as no unit is given"

    def load(i: int) -> Channel:
        return Channel(names[i], "", time, _numbers(names[i], columns[names[i]], time, origin))

    found = Loaded(origin, names, load, said)
    found.clocks = (clock,)
    return found


def _index(data: Any, origin: str) -> tuple[str, Any]:
    index = getattr(data, "index", None)
    name = getattr(index, "name", None)
    if index is None or isinstance(data, Mapping) or (name is None and not _is_moment(index)):
        raise UsageError(f'{origin} has no column of times, such as "time" or "t / ms", and no index of times.')
    return str(name or _INDEX), index


def _is_moment(times: Any) -> bool:
    return np.asarray(times).dtype.kind in "mM"


def _seconds(name: str, times: Any, how: Reading, origin: str) -> Vector:
    array = np.asarray(times)
    if _is_moment(array):
        ticks = array.astype("datetime64[ns]" if array.dtype.kind == "M" else "timedelta64[ns]")
        return np.asarray(np.where(np.isnat(ticks), np.nan, (ticks - ticks[0]).astype(float) * 1e-9))
    unit = how.time_unit or unit_in(name)
    factor = seconds_in(unit) if unit else 1.0
    if factor is None:
        raise UsageError(f'{origin}: unit of {name} = "{unit}", allowed {ALLOWED}')
    clock = _numbers(name, array, array, origin)
    return clock if factor == 1.0 else clock * factor


def _numbers(name: str, column: Any, like: Any, origin: str) -> Vector:
    try:
        values = np.asarray(column, dtype=float)
    except (TypeError, ValueError):
        raise UsageError(f"{origin}: {name} holds something else than numbers.") from None
    if values.ndim != 1 or values.size != np.size(like):
        raise UsageError(f"{origin}: {name} has the shape {values.shape}, allowed ({np.size(like)},) like the times.")
    return values
