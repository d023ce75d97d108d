"""Parameters of the extrapolation tolerance e_tol = (|f'| + ζ |f''|) δ κ ΔT (dissertation 5.2.2, corrected).

The printed (5-11) forgets ω and table 5.1 used Hz for rad/s. With ω the limit frequency of the coupling process,
e_es and e_wp the errors of the estimate at an extreme point and at an inflection of a sine of that frequency:
ζ = e_es/(ω e_wp), δ = e_wp/(ω κ ΔT).
"""

import math
from collections.abc import Iterable

from couplant.analysis.algorithms import MAX_STEPS, Algorithm, SlidingModeObserver, check_timing, generic
from couplant.analysis.coupling_process import estimate_error
from couplant.analysis.exact.response import Response, error_of_observer, error_of_weights
from couplant.analysis.exact.tolerance import STETTINGER as STETTINGER
from couplant.analysis.exact.tolerance import tolerance
from couplant.analysis.limits import observer_of, response_of, weights_of
from couplant.base.errors import UsageError


def tolerance_parameters(algorithm: Algorithm, timing: str = "event") -> tuple[float, float]:
    """Return ζ/ΔT and δ of an algorithm at its latency [-]; the horizon κ is k in event timing, k + 1 in step timing.

    Both are 0 at horizon 0. Without a limit below Nyquist the Nyquist frequency counts; weights that do not hold a
    constant within 3 % have limit 0 and get `STETTINGER`. The observer in event timing counts up to the limit of its
    published transfer function (0-5), which is a little lower than that of the recursion.
    """
    # in step timing an estimate is judged one step after it is given out
    horizon = algorithm.k + (check_timing(timing) == "step")
    if horizon == 0:
        return 0.0, 0.0
    counted = algorithm
    if isinstance(algorithm, SlidingModeObserver) and timing == "event":
        # published tables of the observer come from its transfer function (0-5)
        counted = SlidingModeObserver(algorithm.k, "transfer", algorithm.gain_ratio)
    response, reach = response_of(counted, timing)
    return tolerance(response, _error_of(algorithm, timing), reach, horizon)


def quality_table(
    algorithm: str | Algorithm, timing: str = "event", horizons: Iterable[int] | None = None
) -> list[tuple[float, float]]:
    """Return (ζ/ΔT, δ) for each horizon, (0, 0) at horizon 0 [-].

    An algorithm is the name of a generic one, or one at a latency: then only its own horizon is allowed. The `horizons`
    κ are macro steps, in event timing k, 0 to 64, in step timing k + 1, 1 to 65; all of the timing if not given, the
    only one for an algorithm at one latency. Raises UsageError if a horizon is not allowed.
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


def _error_of(algorithm: Algorithm, timing: str) -> Response:
    """Return the error of the estimate valid at a macro point at ω ΔT [rad]."""
    step = timing == "step"
    weights, fraction = weights_of(algorithm)
    if weights:
        return error_of_weights(weights, fraction, step)
    if isinstance(algorithm, SlidingModeObserver):
        return error_of_observer(observer_of(algorithm), step)

    def error(omega: float) -> tuple[float, float]:
        found = complex(estimate_error(algorithm, omega / math.pi, timing))
        return found.real, found.imag

    return error
