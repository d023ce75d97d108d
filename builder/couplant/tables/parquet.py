"""Channels of Parquet files, by pyarrow."""

from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError, quote
from couplant.tables.channels import Channel, Channels, Loaded, missing, unreadable
from couplant.tables.clock import factor_of, is_time, unit_in
from couplant.tables.headings import NO_TIMES, Reading, told_step


def channels(path: Path, how: Reading) -> Channels:
    """Return the columns of numbers; times are the column that is named so, one of time stamps, or the first.

    Raise `UsageError` if pyarrow is missing or cannot read the file, or the unit of times is unknown.
    """
    try:
        from pyarrow import parquet, types
    except ImportError:
        raise missing(path, "Parquet", "pyarrow", "parquet") from None
    try:
        file: Any = parquet.ParquetFile(path)
        schema = file.schema_arrow
    except Exception as error:  # whatever a broken file leads to there
        raise unreadable(path, "Parquet", error) from None
    stamps = [field.name for field in schema if types.is_timestamp(field.type) or types.is_duration(field.type)]
    numbers = [field.name for field in schema if types.is_integer(field.type) or types.is_floating(field.type)]
    step = told_step(str(path), how.time, [*stamps, *numbers])
    named = [how.time] if how.time else [*stamps, *(name for name in numbers if is_time(name)), *numbers]
    if not named:
        raise UsageError(f"{path}: {NO_TIMES}")
    time = "" if step else named[0]
    unit = "s" if step or time in stamps else how.time_unit or _unit(schema.field(time)) or unit_in(time)
    factor = factor_of(unit, time, str(path))
    names = [name for name in numbers if name != time]

    def column(name: str) -> Any:
        try:
            return file.read(columns=[name]).column(0).to_numpy()
        except Exception as error:  # whatever a broken file leads to there
            raise unreadable(path, "Parquet", error) from None

    def load(at: int) -> Channel:
        value = np.asarray(column(names[at]), dtype=float)
        clock: Vector = step * np.arange(value.size, dtype=float) if step else _seconds(column(time), factor)
        return Channel(names[at], _unit(schema.field(names[at])), clock, value)

    return Loaded(str(path), names, load, "" if unit else f"times ({quote(time)}) in s, as no unit is given")


def _seconds(values: Any, factor: float) -> Any:
    if values.dtype.kind not in "mM":
        return np.asarray(values, dtype=float) * factor
    first = values[0] if values.dtype.kind == "M" and values.size else np.timedelta64(0, "ns")
    return (values - first) / np.timedelta64(1, "s")


def _unit(field: Any) -> str:
    return str((field.metadata or {}).get(b"unit", b"").decode(errors="replace"))
