"""Record of a run by a federate: for whoever judges it, over a pipe or as a file from another machine."""

import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from couplant.base.archives import opened_arrays, write_arrays
from couplant.base.errors import UsageError
from couplant.config.ref import Ref
from couplant.config.scenario import Loaded
from couplant.cosim.run.master import Recording

SUFFIX = ".npz"


@dataclass(frozen=True, eq=False)
class PartRecord:
    """One run as one federate saw it."""

    federate: str
    run: int  # index of the run
    recording: Recording
    points: int  # macro points that were reached: fewer than the recording has if a signal diverged
    said: tuple[str, ...] = ()  # warnings: of the FMUs, and of what arrived
    left: str = ""  # the federate that left before the end, and with it this one


def fingerprint(loaded: Loaded) -> int:
    """Return a number that tells scenarios apart: CRC-32 of what the file says, assignments included."""
    return zlib.crc32(json.dumps(loaded.document, sort_keys=True, default=str).encode())


def write_part(folder: Path, loaded: Loaded, record: PartRecord) -> Path:
    """Write a federate's record to FEDERATE.npz in a `folder`, made if needed; raise `OSError` if that fails."""
    recording = record.recording
    head: dict[str, Any] = {"fingerprint": fingerprint(loaded), "federate": record.federate, "run": record.run}
    head |= {"points": record.points, "said": record.said, "left": record.left}
    head |= {"units": [[*ref, unit] for ref, unit in recording.units.items()]}
    head |= {"watched": list(recording.watched), "logged": list(recording.logged)}
    arrays = {f"watched.{i}": values for i, values in enumerate(recording.watched.values())}
    arrays |= {f"logged.{i}": values for i, values in enumerate(recording.logged.values())}
    path = folder / f"{record.federate}{SUFFIX}"
    write_arrays(path, "head", head, {"time": recording.time, **arrays})
    return path


def read_part(path: Path, loaded: Loaded) -> PartRecord:
    """Read the record of `write_part`; raise `UsageError` if it cannot be read or is of another scenario."""
    with opened_arrays(path, "a record of a federate") as data:
        head: dict[str, Any] = json.loads(data["head"].tobytes())
        record = _record(head, data)
    if head["fingerprint"] != fingerprint(loaded) or record.federate not in loaded.scenario.components:
        raise UsageError(f"{path} belongs to another scenario, or to one with other values.")
    return record


def _record(head: dict[str, Any], data: Any) -> PartRecord:
    time = data["time"]
    watched, logged = (
        {Ref(*map(str, name)): _column(data[f"{kind}.{i}"], time.size - less) for i, name in enumerate(head[kind])}
        for kind, less in (("watched", 0), ("logged", 1))
    )
    units = {Ref(*map(str, name)): str(unit) for *name, unit in head["units"]}
    recording = Recording(time, watched, logged, units)
    said = tuple(map(str, head["said"]))
    return PartRecord(str(head["federate"]), int(head["run"]), recording, int(head["points"]), said, str(head["left"]))


def _column(values: NDArray[Any], count: int) -> NDArray[Any]:
    if values.shape != (count,) or values.dtype.kind not in "fi":
        raise ValueError
    return values
