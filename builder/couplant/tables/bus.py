"""Signals in the traffic of a CAN bus (BLF, ASC, TRC), by python-can and cantools with the databases beside it."""

from array import array
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.errors import UsageError, some
from couplant.tables.channels import Channel, Channels, Loaded, missing, unreadable
from couplant.tables.headings import READERS, Reading

NO_DATABASE = "traffic of a CAN bus: put the database of its signals (.dbc) into the same folder."


def databases(path: Path) -> list[Path]:
    """Return the databases for the traffic in a file: that of its name, else all in its folder."""
    beside = sorted(one for one in path.parent.iterdir() if one.suffix.lower() == ".dbc")
    return [one for one in beside if one.stem == path.stem] or beside


def names_of(files: list[Path]) -> str:
    """Return the names of databases for a sentence."""
    return some(one.name for one in files)


def channels(path: Path, how: Reading) -> Channels:
    """Return the signals of a log of a bus, each with the times at which its message came.

    Names that several messages have get that of the message before them. Raise `UsageError` if a package or the
    database is missing, or the file cannot be read.
    """
    try:
        import can
        import cantools
    except ImportError as error:
        package = "cantools" if "cantools" in str(error) else "python-can"
        raise missing(path, "a log of a CAN bus", package, "can") from None
    files = databases(path)
    if not files:
        raise UsageError(f"{path}: {NO_DATABASE}")
    with path.open("rb") as file:
        begins = file.read(16)
    kind = next(kind for beginning, kind, _ in READERS if begins.startswith(beginning))
    try:
        known = cantools.database.Database(strict=False)
        for one in files:
            known.add_dbc_file(one)
        with {"BLF": can.BLFReader, "ASC": can.ASCReader, "TRC": can.TRCReader}[kind](path) as log:
            found = _courses(log, known)
    except Exception as error:  # whatever a broken file leads to there
        raise unreadable(path, f"{kind} with {names_of(files)}", error) from None
    if not found:
        raise UsageError(f"{path}: no message is one of {names_of(files)}.")
    names = list(found)
    times = Counter(signal for _, signal in names)
    shown = [signal if times[signal] == 1 else f"{message}.{signal}" for message, signal in names]
    start = min(time[0] for _, time, _ in found.values())

    def load(at: int) -> Channel:
        unit, time, value = found[names[at]]
        return Channel(shown[at], unit, np.round(np.asarray(time) - start, 6), np.asarray(value))

    return Loaded(str(path), shown, load, f"signals by {names_of(files)}")


Decoded = dict[tuple[str, str], tuple[str, "array[float]", "array[float]"]]
"""Units, times [s] and values by message and signal."""


def _courses(log: Any, known: Any) -> Decoded:
    """Return the signals in the messages of a `log`; those that their database does not fit are left out."""
    found: Decoded = {}
    by_number = {(one.frame_id, one.is_extended_frame): one for one in known.messages}
    for frame in log:
        message = by_number.get((frame.arbitration_id, frame.is_extended_id))
        if message is None or frame.is_error_frame or frame.is_remote_frame:
            continue
        try:
            values = message.decode(bytes(frame.data), decode_choices=False, allow_truncated=True)
        except Exception:  # whatever a message that its database does not fit leads to
            continue
        for signal, value in values.items():
            unit = message.get_signal_by_name(signal).unit or ""
            _, time, course = found.setdefault((message.name, signal), (unit, array("d"), array("d")))
            time.append(frame.timestamp)
            course.append(float(value))
    return found
