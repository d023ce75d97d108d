"""Analysis of a recorded signal: spectrum, bands, discontinuities, and how each algorithm would have done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm, Recursive, check_timing
from couplant.analysis.phasor import Phasor
from couplant.analysis.signal.sprague_geers import sprague_geers
from couplant.base.arrays import IndexArray, Vector
from couplant.tables import SHORTEST, Recording

_SEGMENT_STEPS = 16_384
_LONGEST_COMPARED = 1_000_000
MADE_OF = 0.6  # share of a recording that designs and lessons are made of [-]
_BLOCK = 8192
_MOST_JUDGED = 10_000  # macro steps that are judged, at most: algorithms that remember are run on them


@dataclass(frozen=True)
class Span:
    """Macro steps `first` to before `last` of a recording."""

    first: int
    last: int

    @property
    def size(self) -> int:
        """Return their number."""
        return self.last - self.first

    def points(self, micro_steps: int) -> IndexArray:
        """Return the communication points from the first to the last macro step, `micro_steps` in each, shape (N,)."""
        return np.arange(self.first * micro_steps, (self.last - 1) * micro_steps + 1)

    def seconds(self, macro_step: float) -> tuple[float, float]:
        """Return the times of the first and the last of them since the start [s]; `macro_step` is ΔT [s]."""
        return float(f"{self.first * macro_step:.9g}"), float(f"{(self.last - 1) * macro_step:.9g}")


def split(recording: Recording) -> tuple[Recording, Span]:
    """Return the first three fifths of a recording, to make something of, and which macro steps are left to judge it.

    These follow at once; there are at most 10 000 of them.
    """
    size = recording.value.size
    cut = int(MADE_OF * size)
    return replace(recording, value=recording.value[:cut]), Span(cut, min(size, cut + _MOST_JUDGED))


def span_with_news(recording: Recording, k: int, timing: str) -> Span:
    """Return the macro steps of a recording from the first estimate on that a received value has part in.

    There are at most 10 000 of them; `k` is the latency [macro steps].
    """
    # before, only the start value has been received
    first = min(k + (check_timing(timing) == "step"), recording.value.size - 1)
    return Span(first, min(recording.value.size, first + _MOST_JUDGED))


@dataclass(frozen=True, eq=False)
class PowerSpectrum:
    """Power spectral density of a signal."""

    omega: Vector  # shape (M,): frequencies above 0 up to Nyquist, rad/s
    power: Vector  # shape (M,): density, (signal unit)² per rad/s
    variance: float  # of the whole signal, slower than the lowest frequency included, (signal unit)²


@dataclass(frozen=True)
class Bands:
    """Where the useful signal ends and where disturbances lie."""

    useful: float  # upper end of the band of the useful signal, rad/s
    disturbances: tuple[tuple[float, float], ...]  # bands above it that stand out of the noise, rad/s


@dataclass(frozen=True)
class OpenLoop:
    """How an algorithm estimates a recording, at macro points."""

    algorithm: str
    mae: float  # mean error, signal unit
    rms: float  # root mean square error, signal unit
    worst: float  # largest error, signal unit
    # C of Sprague and Geers of signal against estimate, times 100; None where one of them is zero throughout
    combined: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON, called as in a simulation."""
        names = {"mae": self.mae, "rms": self.rms, "max": self.worst, "C": self.combined}
        return {"algorithm": self.algorithm, **names}


def spectrum(recording: Recording) -> PowerSpectrum:
    """Return the power spectral density by Welch's method, Hann windows of a quarter of all, at most 16384 steps."""
    # a quarter of the recording: four independent windows and their overlaps are averaged
    length = min(_SEGMENT_STEPS, max(SHORTEST, recording.value.size // 4), recording.value.size)
    window = 0.5 + 0.5 * np.cos(np.linspace(-np.pi, np.pi, length + 1)[:-1])
    window *= 1.0 / np.sqrt(np.cumsum(window**2)[-1] / recording.macro_step)
    pieces = np.lib.stride_tricks.sliding_window_view(recording.value, length)[:: length - length // 2]
    lines = (np.fft.rfft((piece - piece.mean()) * window) for piece in pieces)
    power = np.stack([one.real**2 + one.imag**2 for one in lines], axis=1)
    # negative frequencies too; without the mean, which is no motion, and the Nyquist frequency, which has none
    power[1 : (length + 1) // 2] *= 2.0
    density = power.mean(axis=1)[1:] / (2 * np.pi)
    omega = np.asarray(2 * np.pi * np.fft.rfftfreq(length, recording.macro_step)[1:], dtype=float)
    return PowerSpectrum(omega, density, float(recording.value.var()))


def bands(spectrum: PowerSpectrum) -> Bands:
    """Propose the band of the useful signal and those of disturbances.

    The spectrum is cut into humps at valleys at half of both sides. A hump with at least 2 % of the variance is
    useful; what stands out of the noise above the last useful hump is a disturbance.
    """
    power = spectrum.power
    if power.sum() <= 0:
        return Bands(float(spectrum.omega[0]), ())
    # five bins: single bins of a periodogram scatter by as much as their mean
    smooth = np.convolve(np.pad(power, 2, mode="edge"), np.full(5, 0.2), "valid")
    # in logarithms: a valley lies by a factor below its surroundings, wherever these are
    edges = [0, *_valleys(np.log(np.maximum(smooth, 1e-12 * smooth.max())), np.log(_VALLEY)), power.size]
    # power without the mean, or what the bins hold: whatever is larger
    total = max(spectrum.variance, float(power.sum() * spectrum.omega[0]))
    shares = [power[low:high].sum() * spectrum.omega[0] / total for low, high in pairwise(edges)]
    # the useful band goes up to the last hill with a share worth it; disturbances above are narrow
    last = max((i for i, share in enumerate(shares) if share >= _USEFUL), default=0)
    low, high = edges[last], edges[last + 1]
    rising = np.cumsum(power[low:high])
    # within the last hill, up to nearly all of its power
    end = low + int(np.searchsorted(rising, _ENOUGH * rising[-1]))
    # the upper half of the spectrum is taken for noise; its median ignores narrow lines
    floor = float(np.median(power[power.size // 2 :]))
    loud = power > max(_LOUD * floor, 1e-9 * float(power.max()))
    places = high + np.flatnonzero(loud[high:])
    # at least three loud bins are one; three silent ones in between do not split it
    groups = np.split(places, 1 + np.flatnonzero(np.diff(places) > 3)) if places.size else []
    found = [spectrum.omega[[group[0], group[-1]]].tolist() for group in groups if group.size >= 3]
    return Bands(float(spectrum.omega[end]), tuple((first, last) for first, last in found))


def _valleys(values: Vector, depth: float) -> list[int]:
    """Return where values lie by a `depth` below the heights on both sides, in the middle where a valley is flat."""
    starts = np.flatnonzero(np.diff(values, prepend=np.nan))
    ends = np.append(starts[1:], values.size) - 1
    rises = np.diff(values[starts]) > 0.0
    low = 1 + np.flatnonzero(rises[1:] & ~rises[:-1])
    places, listed = ((starts + ends) // 2)[low].tolist(), values.tolist()
    return [place for place in places if all(_rises(listed, place, way, depth) for way in (-1, 1))]


def _rises(values: list[float], place: int, way: int, depth: float) -> bool:
    """Tell whether values rise by a `depth` from a place on before they fall below it."""
    low = values[place]
    for i in range(place, len(values) if way > 0 else -1, way):
        if values[i] < low:
            return False
        if values[i] - low >= depth:
            return True
    return False


def decay(spectrum: PowerSpectrum, above: float) -> float | None:
    """Return how steeply a signal falls above `above` [rad/s], the end of its band: r in |Y| ~ ω^-r, at least 0, -.

    The response of a linear system to a broad excitation falls like its transfer function; a fall into the noise says
    nothing, so that only what stands ten times out of it counts: None with fewer than eight such frequencies or less
    than a third of a decade.
    """
    floor = float(np.median(spectrum.power[spectrum.power.size // 2 :]))
    low = spectrum.omega > above
    # as long as it stands out of the noise without a break: the slope of noise itself is 0
    loud = low & np.logical_and.accumulate((spectrum.power > _LOUD * floor) | ~low)
    omega = spectrum.omega[loud]
    # a third of a decade at least, else the slope is chance
    if omega.size < 8 or omega[-1] < 10 ** (1 / 3) * omega[0]:
        return None
    # power ~ ω^(-2r): half the slope in the log-log plot, downwards
    return max(0.0, -0.5 * float(np.polyfit(np.log(omega), np.log(spectrum.power[loud]), 1)[0]))


_VALLEY, _USEFUL, _ENOUGH, _LOUD = 2.0, 0.02, 0.995, 10.0
_BETA = 5.0  # sensitivity of the detector of jumps, as FMUs have it [-]


def discontinuities(recording: Recording, floor: float = 0.0) -> IndexArray:
    """Return the macro steps at which the spectral detector flags a jump (dissertation 5.3.1).

    Jumps below `floor` [signal unit] do not count.
    """
    # in stretches, for windows of 8 values side by side would need 8 times the memory
    found = [
        start + _flags(recording.value[max(0, start - 8) : start + 100_000], floor, min(start, 8))
        for start in range(0, recording.value.size, 100_000)
    ]
    return np.concatenate(found)


def _flags(value: Vector, floor: float, lead: int) -> IndexArray:
    """Return the flagged places, counted from `lead` values into the stretch."""
    if value.size < 9:
        return np.zeros(0, dtype=int)
    windows = np.lib.stride_tricks.sliding_window_view(value, 8)
    # the rising half of a Hann window, scaled as in the FMU
    hann = 0.5 * (1 - np.cos(np.pi * np.arange(1, 9) / 8)) * 2 / 8 * 16 / 9
    # relative to the newest value: what is constant is in no bin
    total = np.abs(np.fft.rfft((windows - windows[:, -1:]) * hann, axis=1))[:, 1:].sum(axis=1)
    newest = windows[1:, -1]
    # a jump: the spectrum grows by β from one window to the next, and by more than rounding
    jump = (total[1:] > _BETA * total[:-1]) & (total[1:] > np.maximum(1e-9 * np.abs(newest), floor))
    places = np.flatnonzero(jump) + 8 - lead
    return places[places >= 0]


def estimates(algorithm: Recursive, value: Vector, timing: str = "event") -> Vector:
    """Return the estimates of an algorithm for each macro point of a recording, shape (N,).

    Before the first `value` [signal unit], one a macro step, the signal is taken for constant.
    """
    # step timing: values of one step earlier have to do
    late = int(check_timing(timing) == "step")
    if isinstance(algorithm, LinearAlgorithm):
        # weights of the line at its end, θ = 1: a + A
        taps = np.array(algorithm.a) + late * np.array(algorithm.A)
        # before the first value it repeats: as a start from rest
        padded = np.concatenate([np.full(algorithm.k + late + taps.size, value[0]), value])
        total = np.zeros(value.size)
        # in blocks that stay in the cache
        for first in range(0, value.size, _BLOCK):
            part = total[first : first + _BLOCK]
            for i in np.flatnonzero(taps):
                part += taps[i] * padded[first + taps.size - i :][: part.size]
        return total
    if isinstance(algorithm, Phasor):
        return _by_phasors(algorithm, value, late)
    # the recursion runs on the deviation from the first value, which it keeps exactly
    k, gain, start = algorithm.k, algorithm.lambda_dt, float(value[0])
    estimate = deviation = value - start
    if k:
        from scipy.signal import lfilter  # takes long to load

        # ŷ (1 - z^-1 + λΔT z^-k) = (1 + λΔT) y_{n-k} - y_{n-k-1}
        forward, back = np.zeros(k + 2), np.zeros(k + 2)
        forward[k], forward[k + 1], back[0] = 1.0 + gain, -1.0, 1.0
        back[1] -= 1.0
        back[k] += gain
        estimate = np.asarray(lfilter(forward, back, deviation), dtype=float)
    if late:
        # the line through the last two estimates, a step further
        before = np.concatenate([[0.0, 0.0], estimate])
        estimate = (2.0 * before[1:] - before[:-1])[: value.size]
    return estimate + start


def _by_phasors(one: Phasor, value: Vector, late: int) -> Vector:
    """Return the estimates of phasors that begin with a constant part alone, shape (N,), as `estimates` does."""
    parts, (level, slope) = np.append(value[0], np.zeros(len(one.gains) - 1)), one.line
    row, found = (level + late * slope)[0], np.full(value.size, value[0])
    for n in range(value.size - one.k - late):
        parts = one.kept @ parts + one.gains * value[n]
        found[n + one.k + late] = row @ parts
    return found


def compare(
    recording: Recording,
    algorithms: Sequence[Recursive],
    timing: str = "event",
    others: Mapping[str, Vector] | None = None,
) -> list[OpenLoop]:
    """Return how algorithms estimate a recording, in the order given; at most its first million steps.

    The steps at which the longest of them still looks back before the start do not count (at most a quarter). `others`
    are estimates of the whole recording that were made elsewhere, by name, shape (N,) [signal unit]; they come last.
    """
    value, start = _part_to_compare(recording, algorithms)
    series = {one.name: estimates(one, value, timing) for one in algorithms}
    series |= {name: estimate[: value.size] for name, estimate in (others or {}).items()}
    return [judge(name, value[start:], estimate[start:]) for name, estimate in series.items()]


def open_loop_error(recording: Recording, algorithm: Recursive, timing: str = "event") -> float:
    """Return the root mean square error of an algorithm alone, as `compare` has it [signal unit]."""
    value, start = _part_to_compare(recording, [algorithm])
    error = estimates(algorithm, value, timing)[start:] - value[start:]
    return float(np.sqrt(np.mean(error**2)))


def _part_to_compare(recording: Recording, algorithms: Sequence[Recursive]) -> tuple[Vector, int]:
    """Return the values on which algorithms are compared, and from which of them on."""
    value = recording.value[:_LONGEST_COMPARED]
    # what the algorithm remembers has decayed after 20 latencies of the observer
    memory = max(one.k + 1 + (one.m if isinstance(one, LinearAlgorithm) else 20 * one.k) for one in algorithms)
    # the start up to there is left out, but no more than a quarter
    return value, min(memory, value.size // 4)


def judge(name: str, value: Vector, estimate: Vector) -> OpenLoop:
    """Return the figures of an algorithm called `name`: true `value` against `estimate`, both of shape (N,)."""
    error = np.abs(estimate - value)
    return OpenLoop(
        name,
        float(error.mean()),
        float(np.sqrt(np.mean(error**2))),
        float(error.max()),
        sprague_geers(value, estimate).C,
    )
