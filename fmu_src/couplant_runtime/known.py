"""Knowledge of algorithms before the run: weights by latency, and the spectrum of the signal."""

from dataclasses import dataclass

from .generated.numbers import HORIZONS, KNOTS, MAX_DEGREE, TERMS


@dataclass(frozen=True)
class Weights:
    """Weights of a linear algorithm for one latency."""

    steps: int  # latency k [macro steps] for which the weights hold
    a: tuple[float, ...]  # a, weights of the level, newest first, 1 to 64 of them [-]
    slopes: tuple[float, ...]  # A, weights of the slope, newest first, as many [-]
    b: tuple[float, ...] = ()  # the same of the derivative times the macro step, for the level; none: not used [-]
    b_slopes: tuple[float, ...] = ()  # B, for the slope, as many [-]


@dataclass(frozen=True)
class Spectrum:
    """Spectrum of the signal for the algorithm `irregular`."""

    values: int  # number of received values used, 2 to TERMS
    degree: int  # largest degree of the polynomials that are continued exactly, 0 to MAX_DEGREE
    # variance of the noise as a share of the signal's, above 0, by the usual lead in macro steps; HORIZONS values
    noise: tuple[float, ...]
    correlation: tuple[float, ...]  # r at x = 0, 1/CELLS, 2/CELLS .. macro steps, KNOTS values; r(0) = 1 [-]
    gradient: tuple[float, ...]  # dr/dx at the same places [1/macro step]

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises
        ------
        ValueError
            If a number is out of range or a list has another length.
        """
        _count("irregular values", self.values, 2, TERMS)
        _count("irregular degree", self.degree, 0, MAX_DEGREE)
        if len(self.noise) != HORIZONS or not all(0.0 < value <= 1e6 for value in self.noise):
            raise ValueError(f"irregular noise needs {HORIZONS} numbers above 0")
        if len(self.correlation) != KNOTS or len(self.gradient) != KNOTS:
            raise ValueError(f"correlation and gradient need {KNOTS} numbers each")


def _count(name: str, number: int, low: int, high: int) -> None:
    if not low <= number <= high:
        raise ValueError(f"{name} = {number}, allowed {low} to {high}")
