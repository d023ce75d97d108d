"""What one side keeps of a run, in arrays that are allocated before it."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from couplant.errors import UsageError
from couplant.files import write_atomic

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SideRecord:
    """One run as one side saw it; N macro points, S_out signals sent, S_in received.

    Attributes
    ----------
    run : int
        Number that both sides agreed on.
    sends, receives : tuple of str
        Signals in the order of the columns.
    sent : ndarray, shape (N, S_out)
        Values sent [signal unit]; NaN where the run ended before.
    received, estimate : ndarray, shape (N, S_in)
        Newest value handed over and estimate [signal unit].
    status : ndarray, shape (N, S_in, 4)
        Outputs `algorithm.active`, `state`, `discontinuity.detected`, `output.limited` of the coupling FMUs.
    begun, done : ndarray, shape (N,)
        Time from the due time of a step to its begin, and until its values were sent [s].
    messages : ndarray, shape (K, 3)
        Arrivals: send time, clock of the sender when the message left, clock when it arrived [s].
    counts : dict of str to int
        lost, doubled, overtaken, and datagrams dropped by reason.
    """

    side: str
    algorithm: str
    timing: str
    run: int
    sends: tuple[str, ...]
    receives: tuple[str, ...]
    sent: Array
    received: Array
    estimate: Array
    status: Array
    begun: Array
    done: Array
    messages: Array
    counts: dict[str, int] = field(default_factory=dict)
    log: tuple[str, ...] = ()


_ARRAYS = ("sent", "received", "estimate", "status", "begun", "done", "messages")
_PLAIN = ("side", "algorithm", "timing", "run", "sends", "receives", "counts", "log")
_LISTS = ("sends", "receives", "log")


def write_records(path: Path, fingerprint: int, records: Sequence[SideRecord]) -> None:
    """Write the runs of one side to a file.

    Parameters
    ----------
    path : Path
        The file, in numpy's npz format; written whole or not at all.
    fingerprint : int
        Of the scenario.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    plain = [{key: getattr(record, key) for key in _PLAIN} for record in records]
    text = json.dumps({"fingerprint": fingerprint, "runs": plain})
    arrays = {f"{i}.{key}": getattr(record, key) for i, record in enumerate(records) for key in _ARRAYS}
    data = io.BytesIO()
    np.savez_compressed(data, runs=np.frombuffer(text.encode(), dtype=np.uint8), **arrays)
    write_atomic(path, data.getvalue())


def read_records(path: Path, fingerprint: int) -> list[SideRecord]:
    """Read what `write_records` wrote.

    Parameters
    ----------
    fingerprint : int
        Of the scenario.

    Raises
    ------
    UsageError
        If it cannot be read or belongs to another scenario.
    """
    try:
        with np.load(path, allow_pickle=False) as data:
            head: dict[str, Any] = json.loads(data["runs"].tobytes())
            arrays = [{key: data[f"{i}.{key}"] for key in _ARRAYS} for i in range(len(head["runs"]))]
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except Exception:  # numpy lets whatever zipfile, pickle and json raise through
        raise UsageError(f"{path}: not a record of one side of a bench.") from None
    if head["fingerprint"] != fingerprint:
        raise UsageError(f"{path} belongs to another scenario.")
    return [
        SideRecord(**{**plain, **{key: tuple(plain[key]) for key in _LISTS}}, **values)
        for plain, values in zip(head["runs"], arrays, strict=True)
    ]
