"""Records of a run on one side, in arrays that are allocated before it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from couplant.base.archives import opened_arrays, write_arrays
from couplant.base.errors import UsageError
from couplant.config.bench import SIDES

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SideRecord:
    """One run as one side saw it; N macro points, S_out signals sent, S_in received."""

    side: str
    algorithm: str
    timing: str
    run: int  # number that both sides agreed on
    sends: tuple[str, ...]  # signals in the order of the columns of `sent`
    receives: tuple[str, ...]  # signals in the order of the columns of `received`
    sent: Array  # shape (N, S_out): values sent [signal unit]; NaN where the run ended before
    received: Array  # shape (N, S_in): newest value handed over [signal unit]
    estimate: Array  # shape (N, S_in): what the coupling FMU made of it, or the wire brought [signal unit]
    # shape (N, S_in, 4): outputs `algorithm.active`, `state`, `discontinuity.detected`, `output.limited` of the
    # coupling FMUs; zeros of a plain wire
    status: Array
    begun: Array  # shape (N,): time from the due time of a step to its begin [s]
    done: Array  # shape (N,): time from the due time of a step until its values were sent [s]
    ended: Array  # shape (N,): time from the due time of a step until this side was ready for the next one [s]
    # shape (K, 3): arrivals: send time, clock of the sender when the message left, clock when it arrived [s]
    messages: Array
    counts: dict[str, int] = field(default_factory=dict)  # lost, doubled, overtaken, and datagrams dropped by reason
    log: tuple[str, ...] = ()
    shift: float = 0.0  # by which the run of this side began later than agreed [s]


_ARRAYS = ("sent", "received", "estimate", "status", "begun", "done", "ended", "messages")
_PLAIN = ("side", "algorithm", "timing", "run", "sends", "receives", "counts", "log", "shift")
_LISTS = ("sends", "receives", "log")


def write_records(path: Path, fingerprint: int, records: Sequence[SideRecord]) -> None:
    """Write the runs of one side, with the `fingerprint` of the scenario, to an npz file, whole or not at all.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    plain = [{key: getattr(record, key) for key in _PLAIN} for record in records]
    arrays = {f"{i}.{key}": getattr(record, key) for i, record in enumerate(records) for key in _ARRAYS}
    write_arrays(path, "runs", {"fingerprint": fingerprint, "runs": plain}, arrays)


def read_records(path: Path, fingerprint: int) -> list[SideRecord]:
    """Read the records of `write_records` for the scenario with this `fingerprint`.

    Raises
    ------
    UsageError
        If it cannot be read or belongs to another scenario.
    """
    with opened_arrays(path, "a record of one side of a bench") as data:
        head: dict[str, Any] = json.loads(data["runs"].tobytes())
        values = [{key: data[f"{i}.{key}"] for key in _ARRAYS} for i in range(len(head["runs"]))]
        written = head["fingerprint"]
        records = [_record(plain, one) for plain, one in zip(head["runs"], values, strict=True)]
    if written != fingerprint:
        raise UsageError(f"{path} belongs to another scenario.")
    return records


def _record(plain: dict[str, Any], arrays: dict[str, Any]) -> SideRecord:
    """Return a run that was read; its arrays must fit each other."""
    record = SideRecord(**{**plain, **{key: tuple(map(str, plain[key])) for key in _LISTS}}, **arrays)
    n, here = len(record.done), len(record.receives)
    shapes = {"sent": (n, len(record.sends)), "received": (n, here), "estimate": (n, here), "status": (n, here, 4)}
    shapes |= {"begun": (n,), "done": (n,), "ended": (n,), "messages": (len(record.messages), 3)}
    wrong = [key for key, shape in shapes.items() if arrays[key].shape != shape or arrays[key].dtype != np.float64]
    counts = {str(key): int(count) for key, count in record.counts.items()}
    if wrong or record.side not in SIDES or not math.isfinite(record.shift) or counts != record.counts:
        raise ValueError
    return record
