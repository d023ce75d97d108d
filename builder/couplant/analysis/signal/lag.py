"""How far a response lags behind its command: of an actuator, a drive, a filter."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.tables import SHORTEST, Samples

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

PARTS = 8  # parts of a recording that are measured by themselves
_LOUD = 0.01  # share of the mean energy below which a part is silence
_FOLLOWS = 0.5  # correlation below which one signal is no response to the other
_ALIKE = 0.99  # of two lags a period apart the shorter counts, if its correlation is this share of the best
_LONGEST_SHARE = 0.1
_NONE = 0.1  # share of a sample by which a response without lag may seem to lead


@dataclass(frozen=True)
class Lag:
    """A response x(t) = gain y(t - lag) + constant to a command y."""

    lag: float  # by least squares over the recording [s]
    gain: float  # of the response, once it is shifted [-]
    rest: float  # standard deviation of what remains over that of the response [-]
    # least, most: smallest and largest lag of the parts of the recording that are not silent [s]
    least: float
    most: float
    parts: int  # how many they are

    @property
    def offset(self) -> float:
        """Return the value for ``latency.offset``, to a microsecond [s]."""
        return round(self.lag, 6)

    def following(self, response: str) -> str:
        """Say how an FMU learns the lag while it runs, from half to twice what was measured; empty without a lag.

        The name of the `response` is that of the signal which tells it.
        """
        least, most = round(max(0.0, 0.5 * self.least), 6), round(2.0 * self.most, 6)
        if not most > 0.0:
            return ""
        keys = f'follow = "lag_and_gain", offset = {self.offset!r}, offset_min = {least!r}, offset_max = {most!r}'
        return f"If it may drift, the FMU learns it from {response} on its input applied: latency = {{ .., {keys} }}."

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return asdict(self) | {"offset": self.offset}


def measure_lag(command: Samples, response: Samples, longest: float | None = None) -> Lag:
    """Measure by how much a `response` lags behind its `command`.

    The lag is where the squared difference between the response and the shifted command is least, with any gain and
    constant. Between its samples the command is a cubic spline, so that the lag is no multiple of a sample. The
    `longest` lag that is looked for is a tenth of the recording if not given [s]. Raises UsageError if the recordings
    overlap too little, do not move, or the one does not follow the other within that time.
    """
    from scipy.interpolate import CubicSpline  # takes long to load

    # only where both recordings exist can they be compared
    begin, end = (pick(command.time[i], response.time[i]) for pick, i in ((max, 0), (min, -1)))
    longest = _LONGEST_SHARE * (end - begin) if longest is None else longest
    if not longest > 0.0:
        raise UsageError(f"longest lag = {longest:g} s, allowed above 0 s, in recordings that overlap in time")
    # the command must reach back by the longest lag
    inside = (response.time >= begin + longest) & (response.time <= end)
    if min(np.count_nonzero(inside), np.count_nonzero((command.time >= begin) & (command.time <= end))) < SHORTEST:
        raise UsageError(f"command and response have fewer than {SHORTEST} samples in common, with the longest lag off")
    fit = _Fit(CubicSpline(command.time, command.value), response.time[inside], response.value[inside])
    # no lag is resolved better than the coarser of both samplings: that is the step of the search
    step = max(float(np.median(np.diff(one.time))) for one in (command, response))
    # first by correlation on a grid, everywhere; then between the samples, near the best
    near = _nearest(fit, np.arange(0.0, longest + step, step), f"{response.name} and {command.name}")
    lag = fit.best(near, step)
    if lag < -_NONE * step:
        raise UsageError(f"{response.name} leads {command.name}: exchange command and response")
    # slightly negative lags are noise of one that is none
    lag = max(lag, 0.0)
    # parts by themselves show whether the lag drifts
    own = [part.best(near, step) for part in fit.parts()]
    gain, rest = fit.line(lag)
    return Lag(lag, gain, rest, min(own), max(own), len(own))


@dataclass(frozen=True, eq=False)
class _Fit:
    """A response at times t, held against the command at t - lag."""

    command: "CubicSpline"
    time: Vector  # shape (N,) [s]
    value: Vector  # shape (N,) [signal unit]

    def line(self, lag: float) -> tuple[float, float]:
        """Return gain and rest of the best line from the shifted command to the response [-]."""
        y, x = self.command(self.time - lag), self.value - self.value.mean()
        # means off: a constant between both is no lag
        y = y - y.mean()
        # least squares: gain = <y, x>/<y, y>
        gain = float(y @ x / (y @ y)) if y @ y > 0.0 else 0.0
        return gain, float(np.sqrt(np.sum((x - gain * y) ** 2) / (x @ x))) if x @ x > 0.0 else 1.0

    def best(self, near: float, step: float) -> float:
        """Return the lag with the least rest, within two steps of `near` [s]."""
        from scipy.optimize import minimize_scalar  # takes long to load

        bounds = near - 2.0 * step, near + 2.0 * step
        found = minimize_scalar(lambda lag: self.line(lag)[1], bounds=bounds, method="bounded", options={"xatol": 1e-9})
        # the rest has one minimum within two steps of the correlation's peak
        return float(found.x)

    def parts(self) -> "list[_Fit]":
        """Return the parts that are not silent."""
        pieces = zip(np.array_split(self.time, PARTS), np.array_split(self.value, PARTS), strict=True)
        # parts where nothing moves tell no lag, only noise
        loud = _LOUD * np.var(self.value)
        return [_Fit(self.command, t, x) for t, x in pieces if np.var(x) >= loud]


def _nearest(fit: _Fit, lags: Vector, names: str) -> float:
    """Return the one of equally spaced `lags` that fits best [s]."""
    step = lags[1] - lags[0]
    # both on one grid, so that correlations of all lags are one convolution
    grid = np.arange(fit.time[0], fit.time[-1], step)
    x = np.interp(grid, fit.time, fit.value)
    y = fit.command(np.concatenate([grid[0] - lags[:0:-1], grid]))
    # the correlation of both at all lags
    count, x, y = lags.size, x - x.mean(), y - y.mean()
    # zeros behind, so that the circular convolution of the FFT does not wrap round
    size = y.size + x.size
    # all sliding products by one FFT: N log N, a long recording has 1e6 samples
    products = np.fft.irfft(np.fft.rfft(y, size) * np.conj(np.fft.rfft(x, size)), size)[:count]
    sums, squares = (np.concatenate([[0.0], np.cumsum(values)]) for values in (y, y**2))
    # variance of each window of y from running sums: Σy² - (Σy)²/N
    spread = (squares[x.size :] - squares[:count]) - (sums[x.size :] - sums[:count]) ** 2 / x.size
    scale = np.sqrt(np.maximum(spread, 0.0) * float(x @ x))
    found = np.divide(products, scale, out=np.zeros(count), where=scale > 0.0)[::-1]
    best = float(found.max())
    if not best >= _FOLLOWS:
        raise UsageError(f"{names}: correlation {best:.2f} at best, allowed from {_FOLLOWS}: the one is no response")
    # periodic signals fit again a period later: the shortest lag that is nearly as good counts
    high = found >= _ALIKE * best
    first = int(np.argmax(high))
    # the first run of lags above the bound; its peak is the lag
    length = int(np.argmin(high[first:])) or high.size - first
    place = first + int(np.argmax(found[first : first + length]))
    if place == lags.size - 1:
        raise UsageError(f"{names}: the lag is {lags[-1]:.3g} s or longer, allowed less than the longest looked for")
    return float(lags[place])
