"""Channels of Parquet files, by pyarrow."""

from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.errors import UsageError
from couplant.tables.channels import Channel, Channels, Loaded, missing, unreadable
from couplant.tables.clock import factor_of, is_time, unit_in
from couplant.tables.headings import Reading


def channels(path: Path, how: Reading) -> Channels:
    """Return the columns of numbers; times are the column that is named so, one of time stamps, or the first.

    Raise `UsageError` if pyarrow is missing or cannot read the file, or the unit of times is unknown.
    """
    try:
        from pyarrow import parquet, types
    except ImportError:
        raise missing(path, "pyarrow", "parquet") from None
    try:
        file: Any = parquet.ParquetFile(path)
        schema = file.schema_arrow
    except Exception as error:  # whatever a broken file leads to there
        raise unreadable(path, "Parquet", error) from None
    stamps = [field.name for field in schema if types.is_timestamp(field.type) or types.is_duration(field.type)]
    numbers = [field.name for field in schema if types.is_integer(field.type) or types.is_floating(field.type)]
    named = [how.time] if how.time else [*stamps, *(name for name in numbers if is_time(name)), *numbers]
    if not named or named[0] not in [*stamps, *numbers]:
        wanted = named[0] if named else "of times"
        raise UsageError(f"{path} has no column {wanted}; there are: {', '.join(schema.names)}.")
    time = named[0]
    unit = "s" if time in stamps else how.time_unit or _unit(schema.field(time)) or unit_in(time)
    factor = factor_of(unit, time, str(path))
    names = [name for name in numbers if name != time]

    def column(name: str) -> Any:
        return file.read(columns=[name]).column(0).to_numpy()

    def load(at: int) -> Channel:
        value = np.asarray(column(names[at]), dtype=float)
        return Channel(names[at], _unit(schema.field(names[at])), _seconds(column(time), factor), value)

    return Loaded(str(path), names, load, "" if unit else f"times ({time}) in s, as no unit is given")


def _seconds(values: Any, factor: float) -> Any:
    if values.dtype.kind not in "mM":
        return np.asarray(values, dtype=float) * factor
    first = values[0] if values.dtype.kind == "M" else np.timedelta64(0, "ns")
    return (values - first) / np.timedelta64(1, "s")


def _unit(field: Any) -> str:
    return str((field.metadata or {}).get(b"unit", b"").decode(errors="replace"))
