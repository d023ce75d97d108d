"""Figures that judge an estimate, and those that a scenario asks for.

C, M and P compare the signal with its estimate within one run, with `latency.offset` the signal that much later; they
say nothing about how far the coupled run is from the undelayed one. That is what error, mae, max and growth are for.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

import numpy as np

from couplant.analysis.signal.sprague_geers import sprague_geers
from couplant.base.arrays import Vector, blocks, read_rows, reduce_rows
from couplant.config.components import LARGEST, LAST, MEAN, FigureTable
from couplant.cosim.traces import Figure, Trace, Watched

Metrics = dict[str, float | None]

METRICS = ("error", "mae", "growth", "max", "C", "M", "P")  # names of the figures, in the order of every file and table
HEADINGS = {"error": "error / %", "mae": "MAE"}  # headings of those that tables do not call by their names
WINDOW = 5.0  # length of the two windows whose rms values growth compares [s]
FEWEST, MOST = 4, 10  # windows over which a ripple is followed, at least and at most

CERTAIN = 20.0
"""Slope over its standard error from which a ripple has a trend; under jitter its size varies by itself. [-]"""

DISCERNED = 1.01  # growth from which a ripple counts as growing [-]
VISIBLE = 1e-9  # ripple over the signal below which it is rounding [-]
_SLACK = 1e-6  # share of a macro step by which a time may be off [-]


def judge(trace: Trace) -> Metrics:
    """Return all figures of one signal.

    These are error of ŷ against the reference [% of its rms], None where that is zero, mae and max of it [signal unit],
    growth of y [-], None of a recording, C, M, P of y against ŷ, x 100 [-]; all but growth from the macro point on from
    which the trace is judged.
    """
    reference, estimate = trace.judged()

    def error(rows: slice) -> Vector:
        return np.abs(read_rows(estimate, rows) - read_rows(reference, rows))

    grown = None if trace.recorded else growth(trace.time, trace.sent)
    mae, size = reduce_rows(np.add, error, 0, estimate.size) / estimate.size, _rms(reference)
    share = 100.0 * mae / size if size > 0.0 else None
    figures = {"error": share, "mae": mae, "max": reduce_rows(np.maximum, error, 0, estimate.size), "growth": grown}
    return figures | sprague_geers(*trace.caught_up())._asdict()


def combine(traces: Sequence[Trace], per_signal: Sequence[Metrics]) -> Metrics:
    """Return the figures of a run: error is the mean over its signals, in which units do not count, growth of all.

    mae, C, M and P are summed over the signals, max is the largest: of mae and max only where they have one unit.

    `per_signal` are their figures; what is None is left out, and where all are None the result is None. Growth comes
    from the rms over all signals that are no recordings, because position and velocity of an oscillation take turns:
    in a window that is not a whole number of periods one of them seems to grow.
    """
    values = {key: [value for s in per_signal if (value := s[key]) is not None] for key in METRICS}
    ways: dict[str, Callable[[list[float]], float]] = {"error": fmean, "max": _largest}
    figures = {key: ways.get(key, sum)(values[key]) if values[key] else None for key in METRICS}
    loops = [trace for trace in traces if not trace.recorded]
    return figures | {"growth": growth(loops[0].time, *(t.sent for t in loops)) if loops else None}


def growth(time: Vector, *columns: Vector) -> float | None:
    """Return the rms over the last 5 s divided by the rms over the 5 s before; above 1: it grows.

    `time` are macro points [s], shape (N,); `columns` are signals, (N,) or (N, S). None for runs shorter
    than 10 s and where the earlier window holds zeros only.
    """
    slack = 1e-6 * WINDOW
    if time[-1] - time[0] < 2 * WINDOW - slack:
        return None
    first = int(np.searchsorted(time, time[-1] - 2 * WINDOW))
    age = time[-1] - read_rows(time, slice(first, None))
    before, last = (first + int(np.count_nonzero(age >= windows * WINDOW - slack)) for windows in (2, 1))
    earlier, later = (_rms(_stack(columns, rows).ravel()) for rows in (slice(before, last), slice(last, None)))
    return later / earlier if earlier > 0.0 else None


def _stack(columns: Sequence[Vector], rows: slice) -> Vector:
    return np.column_stack([read_rows(column, rows) for column in columns])


def excess(grown: float | None, traces: Sequence[Trace]) -> float | None:
    """Return the largest growth over that of the reference: of the signals, `grown`, of their estimates, of a ripple.

    A reference that does not grow counts as one that stays. None without growth; a system that is
    driven may grow for a while by itself, and a ripple may grow in the estimates long before the signals show it.
    """
    if grown is None:
        return None
    traces = [trace for trace in traces if not trace.recorded]
    time = traces[0].time
    given, wanted = ([getattr(trace, name) for trace in traces] for name in ("estimate", "reference"))
    estimates, own = growth(time, *given), growth(time, *wanted)
    largest = float(np.maximum(grown, grown if estimates is None else estimates))
    allowed = max(1.0, own) if own is not None and math.isfinite(own) else 1.0
    rippling = ripple(time, *given) / max(allowed, ripple(time, *wanted))
    return float(np.maximum(largest / allowed, rippling if rippling > DISCERNED else 0.0))


def ripple(time: Vector, *columns: Vector) -> float:
    """Return the growth in 5 s of what changes from one macro step to the next, 1 where no trend is certain.

    `time` are macro points [s], shape (N,), `columns` S signals, (N,) each. The rms of the fourth differences, relative
    to that of each signal, follows a line in its logarithm over the last `FEWEST` to `MOST` windows; the first 5 s do
    not count: there things begin to move.
    """
    rows = round(WINDOW / (time[1] - time[0])) if time.size > 1 else 0
    count = min(MOST, (time.size - 1) // rows - 1) if rows > 2 else 0
    finite = (np.isfinite(read_rows(one, part)).all() for part in blocks(time.size) for one in columns)
    if count < FEWEST or not all(finite):
        return 1.0
    rms = _rms if len(columns) == 1 else _rms_by_rows
    sizes = np.array([rms(one) for one in columns])
    moving = [one for one, size in zip(columns, sizes, strict=True) if size > 0.0]
    if not moving:
        return 1.0
    parts = (slice(end - rows - 4, end) for end in range(time.size - (count - 1) * rows, time.size + 1, rows))
    size = sizes[sizes > 0.0]
    level = np.array([_rms((np.diff(_stack(moving, part), 4, axis=0) / size).ravel()) for part in parts])
    if not level.min() > VISIBLE:
        return 1.0
    # e to the slope of a line through the levels
    level = np.log(level)
    at = np.arange(level.size) - (level.size - 1) / 2.0
    slope = float(at @ level / (at @ at))
    rest = level - level.mean() - slope * at
    deviation = math.sqrt(float(rest @ rest) / (level.size - 2) / float(at @ at))
    return math.exp(slope) if abs(slope) > CERTAIN * deviation else 1.0


def _rms(values: Vector) -> float:
    with np.errstate(over="ignore"):
        total = reduce_rows(np.add, lambda rows: read_rows(values, rows) ** 2, 0, values.size)
    return math.sqrt(total / max(values.size, 1))


def _rms_by_rows(values: Vector) -> float:
    """Return the rms as numpy has it of a column of a table, which it adds up row by row."""
    total = 0.0
    for rows in blocks(values.size):
        total = np.add.accumulate(np.append(total, read_rows(values, rows) ** 2))[-1]
    return math.sqrt(total / values.size)


def _largest(values: Sequence[float]) -> float:
    return math.nan if any(math.isnan(value) for value in values) else max(values)


def figures_of(
    tables: Mapping[str, FigureTable], traces: Mapping[str, Trace], watched: Mapping[str, Watched]
) -> dict[str, Figure]:
    """Return the figures that `tables` of a scenario ask for, by name, of signals or of what else was kept."""
    found = {}
    for name, table in tables.items():
        one: Trace | Watched = traces[table.signal] if table.signal else watched[table.of]
        courses = getattr(one, table.of.rpartition(".")[2] if table.signal else "values"), one.reference
        own, reference = (_course_figure(table, one.time, values) for values in courses)
        found[name] = Figure(one.unit, *own, *reference)
    return found


def _course_figure(table: FigureTable, time: Vector, values: Vector) -> tuple[float, float]:
    """Return a figure of a course, shape (N,), and when it was largest or smallest [s]; NaN where there is none."""
    step = time[1] - time[0] if time.size > 1 else 1.0
    size = max(1, min(round(table.mean / step), time.size))
    with np.errstate(over="ignore", invalid="ignore"):
        at, means = (np.convolve(one, np.full(size, 1.0 / size), "valid") for one in (time, values.astype(float)))
    half = 0.5 * (size - 1) * step
    first = -np.inf if table.begin is None else table.begin - _SLACK * step
    last = np.inf if table.until is None else table.until + _SLACK * step
    chosen = np.isfinite(means) & (at - half >= first) & (at + half <= last)
    at, means = at[chosen], means[chosen]
    if not means.size:
        return math.nan, math.nan
    if table.take == MEAN:
        return float(means.mean()), math.nan
    if table.take == LAST:
        return float(means[-1]), math.nan
    place = int(np.argmax(means if table.take == LARGEST else -means))
    return float(means[place]), float(at[place])
