"""Questions of notebooks and commands to theory: limit frequencies, coupling processes, algorithms in error space.

>>> import couplant
>>> couplant.limits("eros3", steps=3).rows[0]["limit"]                   # doctest: +SKIP
>>> couplant.bode(["foh", "eros3"], steps=3).plot()                      # doctest: +SKIP
>>> couplant.eros(order=2, steps=[1, 2, 3]).algorithms[3].a              # doctest: +SKIP
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from couplant.analysis.algorithms import Algorithm, LinearAlgorithm, check_timing, generic
from couplant.analysis.arima import arima
from couplant.analysis.coupling_process import ErlangLatency, frequency_response
from couplant.analysis.limits import limit_frequencies
from couplant.base.errors import UsageError
from couplant.base.notebook import Rows, Summary, data_frame
from couplant.base.style import plain
from couplant.design.error_space import ErrorSpace
from couplant.design.settings import weight_settings
from couplant_runtime.algorithms import GENERIC

if TYPE_CHECKING:
    import pandas

USUAL_STEPS = (0, 1, 3, 6)
"""Latencies of `limits` where none is given [macro steps]."""
_LIMITS = ("gain", "phase", "limit")
_OF_LIMITS = "gain, phase, limit in percent of the Nyquist frequency"
_LOWEST, _POINTS = 1e-3, 200  # share of the Nyquist frequency at which figures of a Bode plot begin, and their number

@dataclass(frozen=True, eq=False, repr=False)
class LimitTable(Rows):
    """Limit frequencies of algorithms, a row for each of them and latency."""


Names = str | Algorithm | Sequence[str | Algorithm] | None


def limits(
    algorithm: Names = None,
    *,
    steps: int | Sequence[int] = USUAL_STEPS,
    timing: str = "event",
    macro_step: float | None = None,
    latency: ErlangLatency | None = None,
) -> LimitTable:
    """Tell up to which frequency algorithms are neutral: gain within 3 %, phase within 3° (dissertation 4.1.2).

    Parameters
    ----------
    algorithm : str, Algorithm or sequence of them, optional
        Names, or algorithms of `couplant.analysis`; by default all that need nothing but the latency.
    steps : int or sequence of int
        Latencies of those with names, 0 to 64 [macro steps].
    timing : {"event", "step"}
        When estimates take effect.
    macro_step : float, optional
        ΔT; adds the limits in rad/s [s].
    latency : ErlangLatency, optional
        Latency that varies, in place of the constant one.

    Returns
    -------
    LimitTable
        For each algorithm and latency `gain`, `phase` and the lower of both, `limit`, in percent of π/ΔT; None where
        there is none.

    Raises
    ------
    UsageError
        If a name, latency, timing or macro step is not allowed.
    """
    check_timing(timing)
    if macro_step is not None and not macro_step > 0:
        raise UsageError(f"macro_step = {macro_step}, allowed above 0 s")
    rows = [_limits_of(one, timing, macro_step, latency) for one in _algorithms(algorithm, steps)]
    return LimitTable(f"Limit frequencies, {timing} timing", rows, [_OF_LIMITS])


def _algorithms(given: Names, steps: int | Sequence[int]) -> list[Algorithm]:
    sizes = [steps] if isinstance(steps, int) else list(steps)
    several: list[Any] = [*GENERIC] if given is None else [*given] if isinstance(given, (list, tuple)) else [given]
    found: list[Algorithm] = []
    for one in several:
        found += [generic(one, k) for k in sizes] if isinstance(one, str) else [one]
    return found


def _limits_of(one: Algorithm, timing: str, macro_step: float | None, latency: ErlangLatency | None) -> dict[str, Any]:
    found = limit_frequencies(one, timing, latency)
    row: dict[str, Any] = {"algorithm": one.name, "steps": one.k, "timing": timing}
    row |= {key: None if (share := getattr(found, key)) is None else 100.0 * share for key in _LIMITS}
    if macro_step is not None:
        absolute = found.in_rad_per_s(macro_step)
        row |= {f"{key}_rad_s": getattr(absolute, key) for key in _LIMITS}
    return row


@dataclass(frozen=True, eq=False, repr=False)
class Bode(Rows):
    """Gain and phase of coupling processes; a row has the course of one over the frequency."""

    algorithms: Sequence[Algorithm] = ()
    timing: str = "event"
    latency: ErlangLatency | None = None

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return a row for each algorithm and frequency [% of Nyquist], with gain [-] and phase [°]; needs pandas."""
        columns: dict[str, list[Any]] = {}
        for row in self.rows:
            for name, value in row.items():
                course = value if isinstance(value, list) else [value] * len(row["frequency"])
                columns.setdefault(name, []).extend(course)
        return data_frame(columns)

    def _summary(self) -> Summary:
        """Return the largest gain and the phase at a tenth of the Nyquist frequency, as it is shown."""
        shown = []
        for row in self.rows:
            tenth = float(np.interp(10.0, row["frequency"], row["phase"]))
            shown.append([row["algorithm"], str(row["steps"]), plain(max(row["gain"])), plain(tenth)])
        return Summary(self.title, ("algorithm", "steps", "largest gain", "phase at 10 % of Nyquist / °"), shown)


def bode(
    algorithm: Names = None,
    *,
    steps: int | Sequence[int] = 3,
    timing: str = "event",
    latency: ErlangLatency | None = None,
) -> Bode:
    """Work out gain and phase of coupling processes, from the estimate that is given out to the signal.

    Parameters
    ----------
    algorithm : str, Algorithm or sequence of them, optional
        Names, or algorithms of `couplant.analysis`; by default all that need nothing but the latency.
    steps : int or sequence of int
        Latencies of those with names, 0 to 64 [macro steps].
    timing : {"event", "step"}
        When estimates take effect.
    latency : ErlangLatency, optional
        Latency that varies, in place of the constant one.

    Returns
    -------
    Bode
        Rows with `frequency` [% of Nyquist], `gain` [-] and `phase` [°]; `plot()` draws them.

    Raises
    ------
    UsageError
        If a name, latency or timing is not allowed.
    """
    check_timing(timing)
    chosen, share = _algorithms(algorithm, steps), np.geomspace(_LOWEST, 1.0, _POINTS)
    rows = []
    for one in chosen:
        response = frequency_response(one, share, timing, latency)
        phase = np.rad2deg(np.unwrap(np.angle(response)))
        row: dict[str, Any] = {"algorithm": one.name, "steps": one.k, "timing": timing}
        row |= {"frequency": (100 * share).tolist(), "gain": np.abs(response).tolist(), "phase": phase.tolist()}
        rows.append(row)
    return Bode(f"Coupling process, {timing} timing", rows, (), chosen, timing, latency)


@dataclass(frozen=True, eq=False, repr=False)
class Eros(Rows):
    """Algorithms by extrapolation in error space."""

    space: ErrorSpace = field(default_factory=ErrorSpace)
    algorithms: dict[int, LinearAlgorithm] = field(default_factory=dict)  # by latency [macro steps]
    timing: str = "event"

    @property
    def arima(self) -> str | None:
        """Return the ARIMA model by which a family predicts one step; None where it needs a latency."""
        try:
            return arima(self.space.algorithm(0)).name
        except UsageError:
            return None

    def settings(self) -> dict[str, Any]:
        """Return the table ``algorithm`` of a signal that has these weights."""
        return weight_settings(self.algorithms)

    def _summary(self) -> Summary:
        """Return all but the weights, as it is shown."""
        names = [name for name in self.rows[0] if name not in ("a", "A")]
        rows = [[plain(row[n]) if not isinstance(row[n], int) else str(row[n]) for n in names] for row in self.rows]
        model = [f"one step is predicted by an {self.arima} model"] if self.arima else []
        return Summary(self.title, names, rows, [_OF_LIMITS.replace(", limit", ""), *model])


def eros(
    *,
    steps: int | Sequence[int] = 3,
    order: int = 1,
    family: str = "line",
    frequency: float | None = None,
    ends: str = "last",
    extrapolation: str = "taylor",
    errors: int | None = None,
    timing: str = "event",
    macro_step: float | None = None,
) -> Eros:
    """Make coupling algorithms by the procedure that EROS3 and EROS4 come from (dissertation 3.2).

    Parameters
    ----------
    steps : int or sequence of int
        Latencies, 0 to 64 [macro steps].
    order, family, frequency, ends, extrapolation, errors
        Settings of `couplant.design.error_space.ErrorSpace`.
    timing : {"event", "step"}
        For the limit frequencies.
    macro_step : float, optional
        ΔT; adds these in rad/s [s].

    Returns
    -------
    Eros
        `algorithms` by latency with weights a and A; rows of figures, limits in percent of π/ΔT.

    Raises
    ------
    UsageError
        If a setting is not allowed.
    """
    check_timing(timing)
    space = ErrorSpace(order, family, ends, extrapolation, errors, frequency)
    made = {k: space.algorithm(k) for k in ([steps] if isinstance(steps, int) else steps)}
    rows = [_eros_row(one, timing, macro_step) for one in made.values()]
    return Eros("Extrapolation in error space", rows, (), space, made, timing)


def _eros_row(one: LinearAlgorithm, timing: str, macro_step: float | None) -> dict[str, Any]:
    found = limit_frequencies(one, timing)
    limits = {key: None if (share := getattr(found, key)) is None else 100.0 * share for key in ("gain", "phase")}
    peak = float(np.abs(frequency_response(one, np.linspace(0.0, 1.0, 2000), timing)).max())
    noise = max(float(np.square(h).sum()) for h in (one.a, np.add(one.a, one.A)))
    row = {"steps": one.k, "m": one.m, "exact_degree": one.degree, **limits, "peak_gain": peak, "noise_gain": noise}
    if macro_step is not None:
        in_rad = np.pi / macro_step / 100.0
        row |= {f"{key}_rad_s": None if share is None else share * in_rad for key, share in limits.items()}
    return row | {"a": list(one.a), "A": list(one.A)}
