"""Parameters of the extrapolation tolerance e_tol = (|f'| + ζ |f''|) δ κ ΔT (dissertation 5.2.2, corrected).

The printed (5-11) forgets ω and table 5.1 used Hz for rad/s. With ω the limit frequency of the coupling process,
e_es and e_wp the errors of the estimate at an extreme point and at an inflection of a sine of that frequency:
ζ = e_es/(ω e_wp), δ = e_wp/(ω κ ΔT).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from couplant.analysis.algorithms import MAX_STEPS, Algorithm, SlidingModeObserver, check_timing, generic
from couplant.analysis.coupling_process import estimate_error
from couplant.analysis.limits import limit_frequencies
from couplant.errors import UsageError

STETTINGER = (0.0, 0.1)
"""(ζ/ΔT, δ) of the tolerance of Stettinger et al. 2017, for comparison, -."""


def tolerance_parameters(algorithm: Algorithm, timing: str = "event") -> tuple[float, float]:
    """Return ζ and δ of an algorithm at its latency; the horizon κ is k in event timing and k + 1 in step timing.

    Returns
    -------
    (float, float)
        ζ/ΔT and δ, -; (0, 0) at horizon 0. Without a limit below Nyquist the Nyquist frequency counts; weights that
        do not hold a constant within 3 % have limit 0 and get `STETTINGER`. The observer in event timing counts up
        to the limit of its published transfer function (0-5), which is a little lower than that of the recursion.
    """
    horizon = algorithm.k + (check_timing(timing) == "step")
    if horizon == 0:
        return 0.0, 0.0
    share = _limit_share(algorithm, timing)
    if share == 0.0:
        return STETTINGER
    error = complex(estimate_error(algorithm, share, timing))
    return _from_errors(abs(error.real), abs(error.imag), math.pi * share, horizon)


def quality_table(
    algorithm: str | Algorithm, timing: str = "event", horizons: Iterable[int] | None = None
) -> list[tuple[float, float]]:
    """Return ζ and δ for each horizon.

    Parameters
    ----------
    algorithm : str or Algorithm
        Name of a generic algorithm, or an algorithm at one latency: then only its own horizon is allowed.
    timing : {"event", "step"}
        Event: κ = k, 0 to 64. Step: κ = k + 1, 1 to 65.
    horizons : iterable of int, optional
        The horizons κ in macro steps; all of the timing if not given, the only one for an algorithm at one latency.

    Returns
    -------
    list of (float, float)
        (ζ/ΔT, δ) for each horizon, -; (0, 0) at horizon 0.

    Raises
    ------
    UsageError
        If a horizon is not allowed.
    """
    late = int(check_timing(timing) == "step")
    if isinstance(algorithm, str):
        wanted = range(late, MAX_STEPS + 1 + late) if horizons is None else horizons
        return [tolerance_parameters(generic(algorithm, kappa - late), timing) for kappa in wanted]
    own = algorithm.k + late
    wanted = [own] if horizons is None else list(horizons)
    if any(kappa != own for kappa in wanted):
        raise UsageError(
            f"horizons = {wanted}, allowed {own}: the weights of {algorithm.name} hold for k = {algorithm.k}"
        )
    return [tolerance_parameters(algorithm, timing) for _ in wanted]


def _limit_share(algorithm: Algorithm, timing: str) -> float:
    if isinstance(algorithm, SlidingModeObserver) and timing == "event":
        algorithm = SlidingModeObserver(algorithm.k, "transfer", algorithm.gain_ratio)
    share = limit_frequencies(algorithm, timing).limit
    return 1.0 if share is None else share


def _from_errors(e_es: float, e_wp: float, omega_dt: float, horizon: int) -> tuple[float, float]:
    # an error without any part at the inflection needs δ > 0 to keep the part at the extreme point
    e_wp = max(e_wp, 1e-9 * e_es, np.finfo(float).tiny)
    return e_es / (omega_dt * e_wp), e_wp / (omega_dt * horizon)
