"""Recordings of signals: as they were sampled, and on the grid of the macro steps."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import UsageError
from couplant.tables.channels import Channel, Channels, Source, doubtful, read
from couplant.tables.headings import PLAIN, Reading

SHORTEST = 64  # macro steps that a recording has at least
_PAUSE = 100.0  # steps of the grid above which nothing was recorded


@dataclass(frozen=True, eq=False)
class Series:
    """Several signals over time, each with samples of its own, between which it is a straight line."""

    # shape (N,): times since the first sample of the first signal, increasing [s], and finite values, by name
    columns: dict[str, tuple[Vector, Vector]]
    units: dict[str, str] = field(default_factory=dict)  # as the file tells them, empty where it does not

    def span(self, names: Sequence[str] = ()) -> float:
        """Return the time until the first of some signals ends, by `names`, of all if none of them is there [s]."""
        ends = {name: float(time[-1]) for name, (time, _) in self.columns.items()}
        return min([ends[name] for name in names if name in ends] or ends.values())


@dataclass(frozen=True, eq=False)
class Recording:
    """A signal on the grid of the macro steps."""

    name: str  # name of the column
    macro_step: float  # ΔT [s]
    value: Vector  # shape (N,): values at the macro steps [signal unit]
    gaps: int = 0  # number of gaps that were filled by interpolation
    longest_gap: float = 0.0  # the longest of them [s]
    unit: str = ""  # as the file tells it, else empty
    assumed: str = ""  # what was assumed about the file, in a line

    @property
    def seconds(self) -> float:
        """Return how long it is [s]."""
        return float(f"{self.value.size * self.macro_step:.9g}")

    @property
    def constant(self) -> bool:
        """True if nothing ever changes."""
        return bool(np.ptp(self.value) == 0)


@dataclass(frozen=True, eq=False)
class Samples:
    """A signal as it was recorded."""

    name: str  # its column
    time: Vector  # shape (N,): increasing, by the clock that both signals have [s]
    value: Vector  # shape (N,): finite [signal unit]
    assumed: str = ""  # what was assumed about the file, in a line


def read_signals(path: Path, how: Reading = PLAIN) -> Series:
    """Read all channels of numbers of a recording; samples that are missing are left out.

    Raise `UsageError` if the file cannot be read, or a channel has fewer than two samples or times that do not
    increase.
    """
    found = read(path, how)
    channels = found.select(found.numeric() or list(found)[:1])  # of which it says why it is none
    columns = {one.name: _samples(one, str(path), 2) for one in channels}
    if not columns:
        raise UsageError(f"{path}: no channel of numbers, at least one is needed.")
    start = next(iter(columns.values()))[0][0]
    units = {one.name: one.unit for one in channels}
    return Series({name: (time - start, value) for name, (time, value) in columns.items()}, units)


def read_recording(
    path: Source | Recording, *, column: str | None = None, how: Reading = PLAIN, macro_step: float | None = None
) -> Recording:
    """Read a signal and put it on the grid of the macro steps, missing values interpolated.

    Parameters
    ----------
    path : str, Path, mapping, DataFrame, Channels or Recording
        What `read` takes, or what this function has returned.
    column : str, optional
        Channel of the signal; the first one if not given.
    how : Reading
        What the file does not tell itself.
    macro_step : float, optional
        ΔT, s; the median step of the recording if not given.

    Raises UsageError if the file or a column cannot be read, times do not increase, or the signal is too short.
    """
    if isinstance(path, Recording):
        if macro_step in (None, path.macro_step):
            return path
        time = path.macro_step * np.arange(path.value.size, dtype=np.float64)
        found = resample(time, path.value, macro_step, name=path.name)
        return replace(path, macro_step=found.macro_step, value=found.value)
    channel, assumed = _channel(path, column, how)
    found = resample(channel.time, channel.value, macro_step, name=channel.name, origin=_origin(path))
    return replace(found, unit=channel.unit, assumed="; ".join(filter(None, [assumed, found.assumed])))


def read_together(
    paths: Sequence[Source], names: Sequence[str], how: Reading = PLAIN, macro_step: float | None = None
) -> tuple[list[Matrix], float, list[str]]:
    """Read several signals of several recordings and put those of each on the same macro steps, while all are there.

    Of `paths`, which are what `read` takes, there is at least one. Returned are the values by recording, each of shape
    (N_i, len(names)) [signal units], the `macro_step`, ΔT [s], which is the median step of the first recording if it is
    not given, and what was assumed about the files. Raise `UsageError` if a file or a channel cannot be read, times do
    not increase, or a recording is too short.
    """
    values, said = [], []
    for path in paths:
        found = read(path, how)
        channels = found.select([found.named(name) for name in names])
        origin = _origin(path)
        own = [_samples(one, origin, 2) for one in channels]
        if macro_step is None:
            macro_step = usual_step(own[0][0])
        whole = max(time[0] for time, _ in own), min(time[-1] for time, _ in own)
        begin, end, pauses = longest_stretch(whole, [time for time, _ in own], macro_step)
        count = _count(end - begin, macro_step, own[0][0].size, origin, " with all signals")
        grid = begin + macro_step * np.arange(count)
        values.append(np.column_stack([np.interp(grid, time, value) for time, value in own]))
        said += [found.assumed, pauses, doubtful(own[0][0])]
    assert macro_step is not None
    return values, macro_step, said


def read_samples(path: str | Path, *, column: str | None = None, how: Reading = PLAIN) -> Samples:
    """Read a signal as it was sampled, without samples in which time or value is missing; all as `read_recording`.

    Raise `UsageError` if the file or a column cannot be read, or times do not increase.
    """
    channel, assumed = _channel(path, column, how)
    return Samples(channel.name, *_samples(channel, str(path), SHORTEST), assumed)


def _origin(path: Source) -> str:
    return path.origin if isinstance(path, Channels) else str(path) if isinstance(path, (str, Path)) else "recording"


def _samples(channel: Channel, origin: str, least: int) -> tuple[Vector, Vector]:
    """Return times and values of a channel where both are there, `least` of them."""
    good = np.isfinite(channel.time) & np.isfinite(channel.value)
    t, y, _ = _once(channel.time[good], channel.value[good])
    if t.size < least or np.any(np.diff(t) <= 0.0):
        raise UsageError(f"{origin}: times must increase, over at least {least} samples of {channel.name}.")
    return t, y


def _channel(path: Source, column: str | None, how: Reading) -> tuple[Channel, str]:
    """Return a channel, and what was assumed of its file."""
    found = read(path, how)
    (channel,) = found.select([found.named(column)])
    return channel, "; ".join(filter(None, (found.assumed, doubtful(channel.time))))


def resample(
    t: Vector, y: Vector, macro_step: float | None = None, *, name: str = "y", origin: str = "recording"
) -> Recording:
    """Put a signal of any sampling on the grid of the macro steps by linear interpolation.

    Times `t` [s], which increase, and values `y` have the shape (N,); rows with NaN count as gaps. Of rows with the
    same time the last one counts; of a signal with pauses the longest stretch between them. The `macro_step` is ΔT [s],
    the median step if not given; messages call signal and source `name` and `origin`. Raise `UsageError` as
    `read_recording` does.
    """
    good = np.isfinite(t) & np.isfinite(y)
    gaps = int(np.count_nonzero(np.diff(np.concatenate([[1], good, [1]])) < 0))
    t, y, doubled = _once(t[good], y[good])
    if t.size < 2:
        raise UsageError(f"{origin}: fewer than two values of {name!r} that are numbers")
    steps = np.diff(t)
    if steps.min() <= 0:
        raise UsageError(f"{origin}: time does not increase at {t[int(np.argmin(steps))]:g} s")
    step = usual_step(t) if macro_step is None else macro_step
    begin, end, pauses = longest_stretch((t[0], t[-1]), [t], step)
    if pauses:
        within = (t >= begin) & (t <= end)
        t, y, steps = t[within], y[within], steps[within[:-1] & within[1:]]
        gaps = int(np.count_nonzero(steps > 1.5 * step)) if gaps else 0
    count = _count(t[-1] - t[0], step, t.size, origin, " between pauses" if pauses else "")
    value = y if count == t.size and np.ptp(steps) <= 1e-3 * step else np.interp(t[0] + step * np.arange(count), t, y)
    said = "; ".join(filter(None, [doubled, pauses]))
    return Recording(name, step, value, gaps, float(steps.max()) if gaps else 0.0, assumed=said)


def _once(t: Vector, y: Vector) -> tuple[Vector, Vector, str]:
    """Return times, values and a remark, of rows with the same time only the last one."""
    last = np.append(np.diff(t) != 0.0, np.ones(min(t.size, 1), dtype=bool))
    fewer = t.size - int(np.count_nonzero(last))
    said = f"{fewer} rows have the time of the row below, which counts" if fewer else ""
    return (t[last], y[last], said) if fewer else (t, y, said)


def usual_step(t: Vector) -> float:
    """Return the median step between times `t` [s] by the fewest digits that the resolution of these allows."""
    steps = np.diff(t)
    step = float(np.median(steps[steps != 0.0])) if steps.any() else 0.0
    resolution = float(np.spacing(np.abs(t[[0, -1]]).max()))
    rounded = (float(f"{step:.{digits}g}") for digits in range(1, 9))
    return next((one for one in rounded if abs(one - step) <= resolution), float(f"{step:.9g}"))


def longest_stretch(whole: tuple[float, float], times: Sequence[Vector], step: float) -> tuple[float, float, str]:
    """Return begin and end [s] of the longest stretch of a `whole` without pauses, and a remark if there are some.

    Each of `times` [s] is that of a signal. A pause is longer than 100 of a `step` of the grid [s] and ten of the
    longest usual ones of the signal: where the sampling varies as much, as of solvers, there is none.
    """
    pauses = sorted({pause for t in times for pause in _pauses(t, step)})
    if not pauses:
        return *whole, ""
    edges = np.array([whole[0], *np.ravel(pauses), whole[1]]).clip(*whole)
    edges[::2] = np.maximum.accumulate(edges[::2])
    at = 2 * int(np.argmax(edges[1::2] - edges[::2]))
    begin, end = float(edges[at]), float(edges[at + 1])
    longest = max(b - a for a, b in pauses)
    seen = "a pause" if len(pauses) == 1 else f"{len(pauses)} pauses"
    said = f"{seen} of up to {longest:.3g} s: only the longest stretch without one counts, {end - begin:.3g} s"
    return begin, end, said


def _pauses(t: Vector, step: float) -> list[tuple[float, float]]:
    steps = np.diff(t)
    if steps.max() <= _PAUSE * step:
        return []
    usual = np.sort(steps)[int(0.95 * (steps.size - 1))]
    places = np.flatnonzero((steps > _PAUSE * step) & (steps > 10.0 * usual))
    return [(float(t[i]), float(t[i + 1])) for i in places]


def _count(duration: float, macro_step: float, samples: int, origin: str, of: str = "") -> int:
    """Return the number of points of a grid, of a recording that has so many `samples`."""
    count = int(np.floor(duration / macro_step * (1 + 1e-12) + 1e-6)) + 1 if macro_step > 0 else 0
    if count < SHORTEST:
        text = f"{max(count, 0)} macro steps of {macro_step:g} s{of}"
        raise UsageError(f"{origin}: {text}, at least {SHORTEST} are needed")
    if count > 100 * samples + 1000:
        raise UsageError(f"{origin}: macro_step = {macro_step:g} s is far below the sampling of the recording")
    return count
