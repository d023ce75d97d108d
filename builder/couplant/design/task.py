"""Tasks of designs, and the defaults where the user leaves something open."""

import math
from dataclasses import dataclass

import numpy as np

from couplant.analysis.algorithms import MAX_STEPS, check_timing
from couplant.base.arrays import Vector
from couplant.base.errors import require
from couplant.design.predictor import Task

DEFAULT_SLOPE = 2.0
DEFAULT_PEAK = 4.0
DEFAULT_LEAD = 0.25
DEFAULT_DEGREE = 2
MOST_LEAD = 1.0


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Power of a signal over frequency, as weights of the design."""

    omega: Vector  # shape (N,): frequencies above 0, rad/s
    power: Vector  # shape (N,): power at each, at least 0, any unit


@dataclass(frozen=True, eq=False)
class DesignTask:
    """Settings of a design (RESEARCH: two predictors, one for each end of the macro step)."""

    macro_step: float  # ΔT, above 0, s
    k: int  # latency, 0 to 64 macro steps
    band: tuple[float, float]  # band of the useful signal: value and phase are kept, rad/s
    timing: str = "event"  # {"event", "step"}: when the estimate takes effect
    m: int = 7  # number of past values
    degree: int = DEFAULT_DEGREE  # exact on polynomials up to this degree d; 2 for clean signals, 0 for noisy ones
    peak: float = DEFAULT_PEAK  # g0 of the bound max(1, g0 (ω/ω_g)^(r/2)) above the band, at least 1, -
    slope: float = DEFAULT_SLOPE  # r of the bound, at least 0, -
    # upper end of the band in which only the gain is kept (disturbances), rad/s; the bound starts above it
    gain_band: float | None = None
    gain_limit: float = 1.0  # largest gain between the band and `gain_band`, at least 1, -
    # step timing only: predict this much further, 0 to 1 macro steps, to make up for the receiver's hold
    lead: float = 0.0
    # weights of the squared error; all frequencies of the band count the same without it
    spectrum: Spectrum | None = None
    # standard deviation of the white noise of what is sent, relative to that of the signal, at least 0, -
    noise: float = 0.0

    def __post_init__(self) -> None:
        """Check ranges."""
        check_timing(self.timing)
        nyquist = math.pi / self.macro_step if self.macro_step > 0 else 0.0
        low, high = self.band
        require(self.macro_step > 0, f"macro_step = {self.macro_step}, allowed above 0 s")
        require(0 <= self.k <= MAX_STEPS, f"latency in macro steps = {self.k}, allowed 0 to {MAX_STEPS}")
        inside = f"allowed low below high, inside 0 to {nyquist:.6g} (Nyquist)"
        require(0 <= low < high < nyquist, f"band = {low} to {high} rad/s, {inside}")
        require(self.peak >= 1, f"peak = {self.peak}, allowed at least 1")
        require(self.slope >= 0, f"slope = {self.slope}, allowed at least 0")
        require(self.gain_limit >= 1, f"gain_limit = {self.gain_limit}, allowed at least 1")
        require(0 <= self.noise < math.inf, f"noise = {self.noise}, allowed at least 0")
        require(0 <= self.lead <= MOST_LEAD, f"lead = {self.lead}, allowed 0 to {MOST_LEAD} macro steps")
        require(not (self.lead and self.timing == "event"), "lead is for step timing, allowed 0 in event timing")
        top = self.gain_band
        require(top is None or high <= top <= nyquist, f"gain_band = {top} rad/s, allowed {high} to {nyquist:.6g}")

    @property
    def horizons(self) -> tuple[float, ...]:
        """Horizons to predict, macro steps: both ends of the macro step, or the one that step timing gives out."""
        # what the algorithm gives out: a line between both ends, or in step timing the value at the end
        return (self.k, self.k + 1) if self.timing == "event" else (self.k + 1 + self.lead,)

    def bound(self, omega: Vector) -> Vector:
        """Return the largest gain allowed at frequencies `omega` above the band, shape (N,), rad/s."""
        start = self.gain_band or self.band[1]
        # |P| <= peak (ω/start)^(slope/2): the bound rises by half of what the signal falls
        rise = np.maximum(1.0, self.peak * (omega / start) ** (self.slope / 2))
        return np.where(omega <= (self.gain_band or 0.0), self.gain_limit, rise)

    def predictor_task(self) -> Task:
        """Return the problem in rad per macro step on grids fine enough for m values."""
        low, high = self.band
        # eight points of the grid per value: |P| is a polynomial of degree m in cos ω
        fine = max(160, 8 * self.m)
        above = np.linspace(high, np.pi / self.macro_step, fine + 1)[1:]
        # the corner of the bound is a point of the grid
        above = np.union1d(above, [self.gain_band]) if self.gain_band else above
        omega, weight = self._weights(low, high)
        step = self.macro_step
        return Task(omega * step, weight, above * step, self.bound(above), self.m, self.degree, self.noise)

    def _weights(self, low: float, high: float) -> tuple[Vector, Vector]:
        if self.spectrum is None:
            omega = np.linspace(low, high, max(80, 4 * self.m))
            # a flat spectrum, of sum 1
            return omega, np.full(omega.size, 1.0 / omega.size)
        total = float(np.sum(self.spectrum.power))
        require(total > 0 and math.isfinite(total), "the spectrum of the recording has no power: a constant signal")
        return self.spectrum.omega, self.spectrum.power / total
