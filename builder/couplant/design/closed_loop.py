"""Designs for a known plant: slope of the bound, gain bound, lead and number of values chosen by the closed loop.

Where the gain bound alone does not keep all plants stable, or what is sent has noise, more is tried: a band that ends
lower, so that the loop passes less above it, exactness on constants or lines only, more values, other slopes.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from couplant.analysis.loop_error import close_undelayed, noise_of_estimates, usual_sizes
from couplant.analysis.macro_map import macro_map
from couplant.analysis.stability import stability, stable_share
from couplant.analysis.system import System
from couplant.base.arrays import ComplexArray
from couplant.base.errors import CouplantError
from couplant.base.grid import latency_in_steps
from couplant.design.optimal import Design, design
from couplant.design.task import DesignTask

PEAKS = (6.0, 4.0, 3.0, 2.0)  # gain bounds g0 that the default rule tries, largest first, -
LEADS = (0.0, 0.125, 0.25, 0.375, 0.5)  # leads that the default rule tries in step timing, macro steps

WIDER = {
    "band": (0.15, 0.2, 0.27, 0.35, 0.6),
    "degree": (1, 2),
    "m": (16, 32),
    "peak": (1.5, 2.5, 4.0),
    "slope": (0.0, 1.0, 2.0),
}
"""What the wider search tries: the upper end of the band as a share of the given one, and fields of the task, -."""

_WIDER_LEAD = 0.25
_SCREENED, _SCREEN, _JUDGED = 6, 5, 3
"""Designs looked at for their error and for their radius, the share of plants for that, and how many see all plants."""


@dataclass(frozen=True)
class Robustness:
    """How a design fares on the plant."""

    stable_share: float  # share of stable plants among those with scattered parameters, 0 to 1
    mode_error: float  # see `mode_error`
    radius: float  # spectral radius of the nominal loop, -
    noise: float = 0.0  # see `noise_share`; 0 for a task without noise


def with_design(system: System, one: Design) -> System:
    """Return the system with the designed algorithm on every connection and the task's timing and macro step.

    A connection with a lead gets the design of the same task that predicts so much further.
    """
    plant = replace(system, timing=one.task.timing, macro_step=one.task.macro_step)
    return plant.with_algorithms(cache(lambda k: at_latency(one, k).algorithm), one.task.k)


def at_latency(one: Design, k: int) -> Design:
    """Return the design of the same task for the latency `k` [macro steps]."""
    return one if k == one.task.k else design(replace(one.task, k=k))


def other_latencies(system: System, k: int) -> list[int]:
    """Return the latencies that algorithms on connections with a lead make up for, besides `k` [macro steps]."""
    return sorted({max(0, latency_in_steps(k + c.lead)) for c in system.connections} - {k})


def loop_slope(system: System, band: tuple[float, float]) -> float:
    """Return r: twice the slope at which the loop falls between the `band` of the signal [rad/s] and Nyquist.

    With every signal passing one algorithm, the gain once around is that of the plant times |G_p| for each signal; the
    share of one signal is the spectral radius of the matrix from inputs to inputs, and it may be used up by |G_p|.
    """
    omega = np.geomspace(band[1], np.pi / system.macro_step, 40)
    around = system.response(omega)[:, system.sources][:, :, system.targets]
    gain = np.abs(np.linalg.eigvals(around)).max(axis=1)
    if np.any(gain <= 0):
        return 0.0
    return float(max(0.0, -2.0 * np.polyfit(np.log(omega), np.log(gain), 1)[0]))


def ideal_modes(system: System) -> ComplexArray:
    """Return the modes of the system coupled without sampling and latency, shape (nx,), 1/s.

    Raises CouplantError if the ideal coupling has an algebraic loop without a unique solution.
    """
    try:
        closed, _ = close_undelayed(system)
    except CouplantError:
        text = "the ideal coupling of this system has an algebraic loop without a unique solution"
        raise CouplantError(text) from None
    return np.linalg.eigvals(closed).astype(complex)


def mode_error(system: System, highest: float) -> float:
    """Return how far the coupled modes lie from those of the ideal coupling, up to the frequency `highest` [rad/s].

    That is the largest |s - s_ideal|/|s_ideal| over the modes, s = ln(z)/ΔT of the nearest mode of the macro map, -.
    """
    return error_of_modes(np.linalg.eigvals(macro_map(system)).astype(complex), system, highest)


def error_of_modes(modes: ComplexArray, system: System, highest: float) -> float:
    """Return the `mode_error` of a system whose macro map has these `modes`, z [-], up to `highest` [rad/s]."""
    modes = np.asarray(np.log(modes[np.abs(modes) > 1e-12]) / system.macro_step, dtype=complex)
    wanted = ideal_modes(system)
    wanted = wanted[(np.abs(wanted) <= highest) & (wanted.imag >= 0) & (np.abs(wanted) > 1e-9)]
    if wanted.size == 0:
        return 0.0
    return float(np.max(np.min(np.abs(wanted[:, None] - modes), axis=1) / np.abs(wanted)))


def noise_share(system: System, noise: float) -> float:
    """Return the standard deviation of the estimates by noise over that of the signals, root mean square of all, -.

    The `noise` of what is sent is relative to the standard deviation of each signal too; infinite for unstable loops.
    """
    if not noise:
        return 0.0
    sizes = usual_sizes(system)
    return float(np.sqrt(np.mean((noise_of_estimates(system, noise * sizes) / sizes) ** 2)))


def robustness(
    system: System, one: Design, count: int = 100, spread: float = 0.05, seed: int = 0, *, highest: float | None = None
) -> Robustness:
    """Return how a design fares on a plant and its scatter; `count`, `spread` and `seed` as in `scattered`.

    Modes count up to `highest` [rad/s], half as far again as the band of the task if not given.
    """
    coupled = with_design(system, one)
    return Robustness(
        stable_share(coupled, count, spread, seed),
        mode_error(coupled, highest or 1.5 * one.task.band[1]),
        stability(coupled).radius,
        noise_share(coupled, one.task.noise),
    )


def robust_design(
    task: DesignTask,
    system: System,
    count: int = 100,
    spread: float = 0.05,
    seed: int = 0,
    *,
    peaks: Sequence[float] = PEAKS,
    leads: Sequence[float] | None = None,
    fixed: Collection[str] = (),
) -> Design:
    """Return the design with the largest gain bound g0 for which all scattered plants are stable.

    `count`, `spread` and `seed` are those of `couplant.analysis.system.scattered`; `peaks` are the gain bounds to try,
    largest first [-]; `leads` those of `best_lead`. Where no g0 keeps all plants stable, or the task has noise, `WIDER`
    is tried but for the fields `fixed`: of the designs with the largest share of stable plants the one with the least
    error, that of the modes and that of the noise through the loop together.
    """
    tried: list[tuple[float, Design]] = []
    for peak in peaks:
        one = best_lead(replace(task, peak=peak), system, leads)
        coupled = with_design(system, one)
        tried.append((stable_share(coupled, count, spread, seed) if stability(coupled).stable else 0.0, one))
        if tried[-1][0] == 1.0:
            break
    share, best = max(tried, key=lambda pair: pair[0])
    if share == 1.0 and not task.noise:
        return best
    # all designs of `WIDER`, in step timing with one lead
    low, high = task.band
    lead = 0.0 if task.timing == "event" else (leads or [_WIDER_LEAD])[0]
    rows = []
    for part, *row in product(*((None,) if key in fixed else tried for key, tried in WIDER.items())):
        fields: dict[str, Any] = {key: value for key, value in zip([*WIDER][1:], row, strict=True) if value is not None}
        band = (low, high) if part is None else (min(low, 0.5 * part * high), part * high)
        rows.append(replace(task, band=band, lead=lead, **fields))
    designs = [one for _, one in tried] + [design(one) for one in rows if one.degree < one.m]
    return _search(designs, system, 1.5 * high, lambda one, some: stable_share(one, some, spread, seed), count)


def _search(
    designs: Sequence[Design], system: System, highest: float, share: Callable[[System, int], float], count: int
) -> Design:
    """Return the design with the largest share of stable plants, of several that with the least error.

    Modes count up to `highest` [rad/s]; `share` is that of so many plants, `count` of them in the end.
    """
    coupled, judged = [with_design(system, one) for one in designs], []
    for one, loop in zip(designs, coupled, strict=True):
        found = stability(loop)
        # the error is infinite for an unstable loop
        error = np.hypot(mode_error(loop, highest), noise_share(loop, one.task.noise)) if found.stable else np.inf
        judged.append((float(error), found.radius))
    errors = sorted(range(len(designs)), key=lambda i: judged[i])
    radii = sorted(range(len(designs)), key=lambda i: judged[i][1])
    some = dict.fromkeys([*errors[:_SCREENED], *radii[:_SCREENED]])
    screened = sorted(some, key=lambda i: (-share(coupled[i], max(1, count // _SCREEN)), judged[i]))
    shares: dict[int, float] = {}
    for i in screened[:_JUDGED]:
        shares[i] = share(coupled[i], count)
        if shares[i] == 1.0:
            break
    return designs[max(shares, key=shares.__getitem__)]


def best_lead(task: DesignTask, system: System, leads: Sequence[float] | None = None) -> Design:
    """Return the design with the lead that brings the modes closest to those of the ideal coupling.

    `leads` are those to try [macro steps], `LEADS` if not given; used in step timing only.
    """
    if task.timing == "event":
        return design(task)
    tried = [design(replace(task, lead=lead)) for lead in leads or LEADS]

    def cost(one: Design) -> tuple[bool, float]:
        coupled = with_design(system, one)
        return not stability(coupled).stable, mode_error(coupled, 1.5 * task.band[1])

    return min(tried, key=cost)
