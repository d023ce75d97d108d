"""Channels of MDF 3 and 4 files, by asammdf; of the traffic of a CAN bus in them with the databases beside the file."""

import gc
import logging
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from traceback import clear_frames
from typing import Any

import numpy as np

from couplant.base.errors import UsageError, quote
from couplant.tables.bus import NO_DATABASE, databases, names_of
from couplant.tables.channels import Channel, Channels, Loaded, missing, unreadable
from couplant.tables.headings import Reading

_PLAIN_BUS_EVENT = 4  # flag of groups that hold messages, not signals
_UNFINISHED = slice(60, 64)  # of the head of a file: flags of what a logger left to do


def channels(path: Path, how: Reading) -> Channels:
    """Return the channels of numbers, one value a sample; the masters of their groups have the times.

    Raise `UsageError` if asammdf is missing, or cannot read the file.
    """
    try:
        from asammdf import MDF
    except ImportError:
        raise missing(path, "MDF", "asammdf", "mdf") from None
    try:
        file = _open(MDF, path)
        found, traffic = _places(file)
        files = databases(path) if traffic else []
        if files:
            buses = {bus: [(one, 0) for one in files] for bus in ("CAN", "LIN")}
            decoded: Any = file.extract_bus_logging(buses)
            found += [(decoded, *place[1:]) for place in _places(decoded)[0]]
    except Exception as error:  # whatever a broken file leads to there
        raise unreadable(path, "MDF", error) from None
    if traffic and not found:
        raise UsageError(f"{path}: {NO_DATABASE}" if not files else f"{path}: no message is one of {names_of(files)}.")
    said = f"signals of the bus by {names_of(files)}" if files else ""
    said = f"left out is {NO_DATABASE.rstrip('.')}" if traffic and not files else said
    times = Counter(name for _, name, _, _ in found)
    names = [name if times[name] == 1 else f"{name}.{group}" for _, name, group, _ in found]

    def load(at: int) -> Channel:
        source, _, group, index = found[at]
        try:
            signal = source.get(group=group, index=index)
            value = np.asarray(signal.samples, dtype=float)
            value = value if signal.invalidation_bits is None else np.where(signal.invalidation_bits, np.nan, value)
        except Exception as error:
            raise unreadable(path, f"MDF (channel {quote(names[at])})", error) from None
        return Channel(names[at], str(signal.unit or ""), np.asarray(signal.timestamps, dtype=float), value)

    return Loaded(str(path), names, load, said)


def _open(reader: Callable[[Any], Any], path: Path) -> Any:
    """Return the file as asammdf opens it, in silence: of a damaged one it leaves half an object and says so."""
    log = logging.getLogger("asammdf")
    silent, log.disabled = log.disabled, True
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        return reader(_stream(path))
    except Exception as error:
        at: BaseException | None = error
        while at:
            clear_frames(at.__traceback__)
            at = at.__context__
        gc.collect()
        raise
    finally:
        log.disabled, sys.unraisablehook = silent, hook


def _stream(path: Path) -> Any:
    """Return the file to read; a copy to write into of one that its logger has not finished, as asammdf does that."""
    file = path.open("rb")
    head = file.read(_UNFINISHED.stop)
    file.seek(0)
    if not any(head[_UNFINISHED]):
        return file
    copy = TemporaryFile()
    with file:
        shutil.copyfileobj(file, copy)
    copy.seek(0)
    return copy


def _places(file: Any) -> tuple[list[tuple[Any, str, int, int]], bool]:
    """Return file, name, group and index of each channel of numbers, and whether the file has traffic of a bus too."""
    found, traffic = [], False
    for group, content in enumerate(file.groups):
        if getattr(content.channel_group, "flags", 0) & _PLAIN_BUS_EVENT:
            traffic = True
            continue
        masters = file.masters_db.get(group)
        others = ((i, one.name) for i, one in enumerate(content.channels) if i != masters)
        found += [(file, name, group, i) for i, name in others if _is_number(file, group, i)]
    return found, traffic


def _is_number(file: Any, group: int, index: int) -> bool:
    samples = file.get(group=group, index=index, record_offset=0, record_count=1).samples
    return samples.ndim == 1 and samples.dtype.kind in "fiub"
