"""Records of a run on one side, in arrays that are allocated before it."""

import json
import math
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from couplant.base.archives import opened_arrays, write_arrays
from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.config.bench import SIDES

QUANTILES = (0.0, 0.05, 0.5, 0.95, 1.0)  # of the latencies, in the figures [-]


FULL, NEARLY = 1.0, 0.7  # share of its period that a step may take, and from which on it is told [-]


@dataclass(frozen=True)
class StepTime:
    """Time that a step takes, by the clock."""

    usual: float  # median [s]
    longest: float  # [s]
    sending: float  # median of the time until the values have left [s]

    @classmethod
    def of(cls, begun: Vector, done: Vector, ended: Vector) -> "StepTime | None":
        """Return the time of steps that had `begun`, were `done` and `ended` as in `SideRecord` [s], or None."""
        whole, sending = ended - begun, done - begun
        known = np.isfinite(whole) & np.isfinite(sending)
        if not known.any():
            return None
        return cls(float(np.median(whole[known])), float(whole[known].max()), float(np.median(sending[known])))

    def shortage(self, macro_step: float, late: float, share: float = FULL) -> str:
        """Return the time that exceeds a `share` of the `macro_step` or of the delay `late` [s]; nothing if all fits.

        It is the end of a sentence that begins with the signals.
        """
        if self.usual > share * macro_step:
            return f"need {_ms(self.usual)} of {_ms(macro_step)}"
        if self.sending > share * late:
            return f"need {_ms(self.sending)} until values leave, of {_ms(late)} after which they are late"
        return ""

    def __str__(self) -> str:
        """Return the time of a step in words."""
        return f"a step takes {_ms(self.usual)}, at most {_ms(self.longest)}"


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.2g} ms" if seconds < 0.1 else f"{1e3 * seconds:.0f} ms"


@dataclass(frozen=True, eq=False)
class Pace:
    """How well one side kept to its clock in one run."""

    side: str
    begun: Vector  # shape (N,): time from the due time of each step to its begin [s]
    done: Vector  # shape (N,): time from the due time of each step until its values were sent [s]
    ended: Vector  # shape (N,): time from the due time of each step until the side was ready for the next one [s]
    busy: Vector  # shape (N,): time that the processor spent on each step [s]
    macro_step: float  # [s]
    late: float  # tolerance [s]
    takes: StepTime | None = None  # of a step, measured before the run

    @property
    def share(self) -> float:
        """Return the share of late steps: values sent more than the tolerance after the due time, or not at all [-]."""
        return float(np.mean(~(self.done <= self.late)))

    @property
    def causes(self) -> dict[str, float]:
        """Return the shares of steps that were late, by cause [-].

        `own`: the work on it and on the steps before it makes it late on a machine that does nothing else; `held`: it
        does not, the machine let steps begin too late or interrupted them; `never`: it was not carried out. What a
        step works more than usual counts as work before its values are sent.
        """
        work, sending = np.nan_to_num(self.busy), self.done - self.begun
        if not np.isfinite(sending).any():
            return {"own": 0.0, "held": 0.0, "never": 1.0}
        more = np.maximum(work - np.nanmedian(self.busy), 0.0)
        sends = np.fmin(np.nanmedian(sending) + more, sending)
        ends = accumulate(work, lambda before, now: max(before - self.macro_step, 0.0) + now)
        behind = np.maximum(np.append(0.0, np.fromiter(ends, float)[:-1] - self.macro_step), 0.0)
        late, own = self.done > self.late, behind + sends > self.late
        counted = {"own": late & own, "held": late & ~own, "never": np.isnan(self.done)}
        return {cause: float(np.mean(which)) for cause, which in counted.items()}

    @property
    def taken(self) -> StepTime | None:
        """Return the time that the steps of the run took."""
        return StepTime.of(self.begun, self.done, self.ended)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures, times in seconds."""
        step = self.ended - self.begun
        times = {"begun": self.begun, "done": self.done, "step": step, "busy": self.busy}
        return {
            "side": self.side, "late_share": self.share, "late_causes": self.causes, "period": self.macro_step,
            "step_before": None if self.takes is None else vars(self.takes),
            **{name: spread(values) for name, values in times.items()},
        }


@dataclass(frozen=True, eq=False)
class SideRecord:
    """One run as one side saw it; N macro points, S_out signals sent, S_in received."""

    side: str
    algorithm: str
    timing: str
    run: int  # number that both sides agreed on
    sends: tuple[str, ...]  # signals in the order of the columns of `sent`
    receives: tuple[str, ...]  # signals in the order of the columns of `received`
    sent: Vector  # shape (N, S_out): values sent [signal unit]; NaN where the run ended before
    received: Vector  # shape (N, S_in): newest value handed over [signal unit]
    estimate: Vector  # shape (N, S_in): what the coupling FMU made of it, or the wire brought [signal unit]
    # shape (N, S_in, 4): outputs `algorithm.active`, `state`, `discontinuity.detected`, `output.limited` of the
    # coupling FMUs; zeros of a plain wire, and where the run ended before
    status: NDArray[np.int8]
    begun: Vector  # shape (N,): time from the due time of a step to its begin [s]
    done: Vector  # shape (N,): time from the due time of a step until its values were sent [s]
    ended: Vector  # shape (N,): time from the due time of a step until this side was ready for the next one [s]
    busy: Vector  # shape (N,): time that the processor spent on a step [s]
    # shape (K, 3): arrivals: send time, clock of the sender when the message left, clock when it arrived [s]
    messages: Vector
    counts: dict[str, int] = field(default_factory=dict)  # lost, doubled, overtaken, and datagrams dropped by reason
    log: tuple[str, ...] = ()
    shift: float = 0.0  # by which the run of this side began later than agreed [s]
    takes: tuple[float, ...] = ()  # `StepTime` before the run, empty: it was not measured [s]

    def pace(self, macro_step: float, late: float) -> Pace:
        """Return how well it kept to its clock, with the `macro_step` and the tolerance `late` [s]."""
        takes = StepTime(*self.takes) if self.takes else None
        return Pace(self.side, self.begun, self.done, self.ended, self.busy, macro_step, late, takes)


_ARRAYS = ("sent", "received", "estimate", "status", "begun", "done", "ended", "busy", "messages")
_PLAIN = ("side", "algorithm", "timing", "run", "sends", "receives", "counts", "log", "shift", "takes")
_LISTS = ("sends", "receives", "log")


def write_records(path: Path, fingerprint: int, records: Sequence[SideRecord], packed: bool = True) -> None:
    """Write the runs of one side, with the `fingerprint` of the scenario, to an npz file, whole or not at all.

    Courses lie there one after the other, so that each can be read without the others; `packed` as `write_arrays` does.

    Raises OSError if the file cannot be written.
    """
    plain = [{key: getattr(record, key) for key in _PLAIN} for record in records]
    kinds = [(i, record, key) for i, record in enumerate(records) for key in _ARRAYS]
    arrays = {f"{i}.{key}": np.asfortranarray(getattr(record, key)) for i, record, key in kinds}
    write_arrays(path, "runs", {"fingerprint": fingerprint, "runs": plain}, arrays, packed)


def read_records(path: Path, fingerprint: int, own: bool = False) -> list[SideRecord]:
    """Read the records of `write_records` for the scenario with this `fingerprint`; their arrays stay on disk.

    What is this program's `own` may be of any size.

    Raises UsageError if it cannot be read or belongs to another scenario.
    """
    with np.load(path) if own else opened_arrays(path, "a record of one side of a bench") as data:
        head: dict[str, Any] = json.loads(data["runs"].tobytes())
        values = [{key: _array_on_disk(path, i, key) for key in _ARRAYS} for i in range(len(head["runs"]))]
        written = head["fingerprint"]
        records = [_record(plain, one) for plain, one in zip(head["runs"], values, strict=True)]
    if written != fingerprint:
        raise UsageError(f"{path} belongs to another scenario.")
    return records


def _array_on_disk(path: Path, run: int, key: str) -> NDArray[Any]:
    """Return an array of a run, unpacked into a file that nobody else sees and that goes with it."""
    with ZipFile(path) as archive, tempfile.TemporaryFile() as file:
        shutil.copyfileobj(archive.open(f"{run}.{key}.npy"), file)
        file.seek(0)
        np.lib.format.read_magic(file)
        shape, by_columns, kind = np.lib.format.read_array_header_1_0(file)
        if kind != (np.int8 if key == "status" else np.float64):
            raise ValueError
        return np.memmap(file, kind, "r", file.tell(), shape, "F" if by_columns else "C")


def _record(plain: dict[str, Any], arrays: dict[str, Any]) -> SideRecord:
    """Return a run that was read; its arrays must fit each other."""
    words = {key: tuple(map(str, plain[key])) for key in _LISTS}
    record = SideRecord(**{**plain, **words, "takes": tuple(map(float, plain["takes"]))}, **arrays)
    n, here = len(record.done), len(record.receives)
    shapes = {"sent": (n, len(record.sends)), "received": (n, here), "estimate": (n, here), "status": (n, here, 4)}
    shapes |= {**dict.fromkeys(("begun", "done", "ended", "busy"), (n,)), "messages": (len(record.messages), 3)}
    wrong = [key for key, shape in shapes.items() if arrays[key].shape != shape]
    counts = {str(key): int(count) for key, count in record.counts.items()}
    wrong += [] if len(record.takes) in (0, 3) and np.isfinite(record.takes).all() else ["takes"]
    if wrong or record.side not in SIDES or not math.isfinite(record.shift) or counts != record.counts:
        raise ValueError
    return record


def spread(values: Vector) -> dict[str, float] | None:
    """Return mean and quantiles of those `values` that are finite, None without any."""
    known = values[np.isfinite(values)]
    if not known.size:
        return None
    names = ("min", "q05", "median", "q95", "max")
    quantiles = np.quantile(known, QUANTILES)
    return {"mean": float(known.mean()), **{k: float(v) for k, v in zip(names, quantiles, strict=True)}}
