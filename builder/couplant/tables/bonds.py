"""Recordings of power bonds: effort and flow as they were sent, and as they were received at the other ends."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from couplant.base.arrays import IndexArray, Vector
from couplant.base.errors import UsageError
from couplant.tables.channels import Source, read
from couplant.tables.headings import PLAIN, Reading

_FEWEST = 3


@dataclass(frozen=True)
class BondColumns:
    """Headings of the signals of a power bond; a minus before one takes the values with the other sign."""

    effort: str  # as it was sent
    flow: str  # as it was sent
    effort_received: str | None = None  # what the other end was given for it: both or neither
    flow_received: str | None = None  # what the other end was given for it

    def __post_init__(self) -> None:
        """Check that they are different columns, and both of those received."""
        if (self.effort_received is None) != (self.flow_received is None):
            missing = "flow" if self.flow_received is None else "effort"
            raise UsageError(f"{missing}_received is missing: created energy needs what both ends received")
        names = self.names
        if twice := [name for name in names if names.count(name) > 1]:
            raise UsageError(f"column {twice[0]} is given twice, allowed once: effort, flow and what became of them")

    @property
    def names(self) -> list[str]:
        """Return the names of the columns, without their signs."""
        return [name.removeprefix("-") for name in self.written]

    @property
    def written(self) -> list[str]:
        """Return the columns as they are given."""
        return [name for name in astuple(self) if name is not None]

    @property
    def signals(self) -> tuple[str, str]:
        """Return the names of effort and flow, in a file of a run without the part that was sent."""
        effort, flow = (name.removesuffix(".sent") for name in self.names[:2])
        return effort, flow

    @classmethod
    def of_run(cls, bond: str) -> "BondColumns":
        """Return the columns of a `bond` ``EFFORT:FLOW`` in a file of a run; raise `UsageError` if it is no such."""
        effort, colon, flow = bond.partition(":")
        if not (effort and colon and flow):
            raise UsageError(f'bond = "{bond}", allowed EFFORT:FLOW, such as f:x1')
        return cls(f"{effort}.sent", f"{flow}.sent", f"{effort}.estimate", f"{flow}.estimate")


@dataclass(frozen=True, eq=False)
class Estimated:
    """A signal as it was received, and where known how it was estimated."""

    value: Vector  # shape (N,): what was given to the receiver [signal unit]
    algorithm: IndexArray | None = None  # shape (N,): numbers of the algorithms that made it
    k: int = 0  # rows before the first value arrived: the latency where it is constant


@dataclass(frozen=True, eq=False)
class BondRecording:
    """The signals of a power bond over time, without the rows in which one of them is no number."""

    time: Vector  # shape (N,): increasing, any sampling [s]
    effort: Vector  # shape (N,): as sent [its unit]
    flow: Vector  # shape (N,): as sent [its unit]
    received: tuple[Estimated, Estimated] | None  # effort and flow as received
    columns: BondColumns  # headings
    units: tuple[str, str] = ("", "")  # of effort and flow, empty where not given
    gaps: int = 0  # number of stretches without numbers
    longest_gap: float = 0.0  # the longest of them [s]
    assumed: str = ""  # what was assumed about the file, in a line

    @property
    def k(self) -> int:
        """Rows before the first value arrived, where that is known: the latency in macro steps."""
        return 0 if self.received is None else self.received[0].k


def read_bond(source: Source, columns: BondColumns, how: Reading = PLAIN) -> BondRecording:
    """Read the signals of a power bond from a `source`; `how` has what the file does not tell itself.

    Signals with times of their own are put on those of the effort, by linear interpolation. Raise `UsageError` if the
    file or a column cannot be read, times do not increase, there are fewer than three rows of numbers, a signal is
    given in two units, or one never changes.
    """
    found = read(source, how)
    path = found.origin
    if clocks := [name for name in columns.names if name in found.clocks]:
        raise UsageError(f"{path}: {clocks[0]} is the time, allowed another column: time = NAME names that of the time")
    own = columns.names
    # columns of a run that tell how effort and flow were estimated, for those that have them
    estimated = [name.removesuffix(".estimate") for name in columns.names[2:] if name.endswith(".estimate")]
    wanted = [f"{signal}.{part}" for signal in estimated for part in ("active", "received")]
    more = wanted if len(wanted) == 4 and set(wanted) <= set(found) else []
    channels = found.select([*own, *more])
    t = channels[0].time
    values = [one.value if one.time is t else np.interp(t, one.time, one.value) for one in channels]
    signals = [-y if name[0] == "-" else y for name, y in zip(columns.written, values[: len(own)], strict=True)]
    good = np.isfinite(t) & np.all([np.isfinite(y) for y in signals], axis=0)
    gaps = int(np.count_nonzero(np.diff(np.concatenate([[1], good, [1]])) < 0))
    estimation = [y[good] for y in values[len(own) :]]
    t, signals = (t, signals) if good.all() else (t[good], [y[good] for y in signals])
    _check(path, t, signals, columns)
    received = None
    if len(signals) == 4:
        received = (_estimate_of(signals[2], estimation[:2]), _estimate_of(signals[3], estimation[2:]))
    longest = float(np.diff(t).max()) if gaps else 0.0
    # the units of effort and flow; what was received must have the same
    for sent, got in zip(channels[:2], channels[2:4], strict=False):
        if sent.unit and got.unit and sent.unit != got.unit:
            raise UsageError(f'{path}: unit of {got.name} = "{got.unit}", allowed {sent.unit} as what was sent.')
    units = channels[0].unit, channels[1].unit
    return BondRecording(t, signals[0], signals[1], received, columns, units, gaps, longest, found.assumed)


def _estimate_of(value: Vector, estimation: Sequence[Vector]) -> Estimated:
    if not estimation or not np.isfinite(estimation[0]).all():
        return Estimated(value)
    active, late = estimation
    arrived = np.isfinite(late)
    return Estimated(value, active.astype(int), int(np.argmax(arrived)) if arrived.any() else 0)


def _check(origin: str, t: Vector, signals: Sequence[Vector], columns: BondColumns) -> None:
    if t.size < _FEWEST:
        raise UsageError(f"{origin}: {t.size} rows in which all signals are numbers, at least {_FEWEST} are needed.")
    steps = np.diff(t)
    if steps.min() <= 0.0:
        raise UsageError(f"{origin}: time does not increase at {t[int(np.argmin(steps))]:g} s")
    for name, y in zip(columns.names[:2], signals[:2], strict=True):
        if np.ptp(y) == 0.0:
            raise UsageError(f"{origin}: {name} is {y[0]:g} throughout, allowed a signal that changes.")
