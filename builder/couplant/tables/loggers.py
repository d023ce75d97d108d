"""Channels of TDMS files (LabVIEW, DIAdem) by nptdms, and of ULog files (PX4) by pyulog."""

from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.tables.channels import Channel, Channels, Loaded, missing, unreadable
from couplant.tables.clock import duration_in, factor_of, is_time, unit_in
from couplant.tables.headings import Reading

Found = tuple[str, str, str, Vector, Vector]
"""Group, name, unit, times [s] and values of a channel."""


def channels(path: Path, how: Reading) -> Channels:
    """Return the channels of numbers; names that several groups have get that of the group before them.

    Raise `UsageError` if the package that reads the file is missing, or cannot read it.
    """
    with path.open("rb") as file:
        kind = "TDMS" if file.read(4) == b"TDSm" else "ULog"
    try:
        found = list(_of_tdms(path, how) if kind == "TDMS" else _of_ulog(path))
    except ImportError:
        raise missing(path, kind, "nptdms" if kind == "TDMS" else "pyulog", kind.lower()) from None
    except UsageError:
        raise
    except Exception as error:  # whatever a broken file leads to there
        raise unreadable(path, kind, error) from None
    times = Counter(name for _, name, *_ in found)
    names = [name if times[name] == 1 else f"{group}.{name}" for group, name, *_ in found]
    return Loaded(str(path), names, lambda at: Channel(names[at], *found[at][2:]))


def _of_tdms(path: Path, how: Reading) -> Iterator[Found]:
    """Find channels with an increment of their own, or as long as a channel of times in their group."""
    from nptdms import TdmsFile

    step = duration_in(how.time or "")
    for group in TdmsFile.read(path).groups():
        arrays = {one.name: (one, one[:]) for one in group.channels()}
        clock = next((name for name in arrays if (name == how.time if how.time else is_time(name))), None)
        for name, (one, values) in arrays.items():
            if name == clock or values.dtype.kind not in "fiub" or not values.size:
                continue
            unit = str(one.properties.get("unit_string", ""))
            if clock is not None and arrays[clock][1].size == values.size:
                time = _clock(*arrays[clock], how, str(path))
            elif one.properties.get("wf_increment"):
                time = np.asarray(one.time_track(), dtype=float)
            elif step:
                time = step * np.arange(values.size)
            else:
                continue
            yield group.name, name, unit, time, np.asarray(values, dtype=float)


def _clock(channel: Any, values: Any, how: Reading, origin: str) -> Vector:
    """Return the times of a channel of numbers or of moments [s]."""
    if values.dtype.kind == "M":
        return np.asarray((values - values[0]) / np.timedelta64(1, "ns") * 1e-9, dtype=float)
    unit = how.time_unit or str(channel.properties.get("unit_string", "")) or unit_in(channel.name)
    return np.asarray(values, dtype=float) * factor_of(unit, channel.name, origin)


def _of_ulog(path: Path) -> Iterator[Found]:
    """Find the fields of all topics: each has times in microseconds."""
    from pyulog import ULog

    with redirect_stdout(StringIO()):  # it prints what it wonders about
        topics = ULog(str(path)).data_list
    for topic in topics:
        group = f"{topic.name}.{topic.multi_id}"
        time = np.asarray(topic.data["timestamp"], dtype=float) * 1e-6
        for field, values in topic.data.items():
            if field != "timestamp" and np.asarray(values).dtype.kind in "fiub":
                yield group, f"{topic.name}.{field}", "", time, np.asarray(values, dtype=float)
