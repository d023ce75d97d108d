"""Weights of a signal and its derivative together, from what is usual for signals.

    ŷ(t) = Σ a_l y_{n-k-l} + ΔT Σ b_l y'_{n-k-l} + θ (..),    l = 0 .. m - 1

With both a signal is known as well as from twice as many values (Papoulis 1977), and Hermite's polynomials continue it;
they are unstable in a loop from latencies of five steps on. So the weights are those of least squares: on the power of
the usual band, its tail above included, with noise on both signals and with power at all frequencies that nothing
predicts, which bounds the gain; exact on polynomials up to a degree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.arrays import ComplexArray, Vector

BAND = 0.24
"""Upper end of the usual band, radians per macro step: 26 values a period."""

_LOW, _TAIL, _FALL, _NODES = 0.01, 3e-3, 6, 200


@dataclass(frozen=True)
class Prior:
    """What is taken for granted about a signal and its derivative.

    Parameters
    ----------
    m : int
        Values, and derivatives, that are used.
    degree : int
        Of the polynomials that are continued exactly, at most 2 m - 1.
    noise : float
        Variance of the noise of either, over that of the signal and of its derivative, above 0, -.
    rough : float
        Power at all frequencies up to Nyquist that nothing predicts, over that of the signal, at least 0, -.
    """

    m: int
    degree: int
    noise: float = 1e-4
    rough: float = 1e-6


NEAR, FAR = Prior(5, 3), Prior(3, 2, noise=1e-2)
"""Cubics are worth more at short latencies, and unstable at long ones; so are weights that trust small noise."""

FARTHEST_NEAR = 3
"""Latency up to which cubics are continued, macro steps."""


@cache
def hermite(k: int, prior: Prior | None = None) -> LinearAlgorithm:
    """Return the weights for the latency `k`, 0 to 64 [macro steps], with the usual `prior` if none is given.

    Raises
    ------
    UsageError
        If k is out of range.
    """
    prior = prior or (NEAR if k <= FARTHEST_NEAR else FAR)
    here, there = (_weights(float(k + end), prior) for end in (0, 1))
    parts = here[: prior.m], (there - here)[: prior.m], here[prior.m :], (there - here)[prior.m :]
    a, A, b, B = (tuple(float(x) for x in part) for part in parts)
    return LinearAlgorithm(k, a, A, "linear", b, B)


def _weights(horizon: float, prior: Prior) -> Vector:
    """Return the weights of values, then of derivatives, for an estimate `horizon` macro steps after the newest."""
    if horizon == 0.0:
        return np.eye(1, 2 * prior.m).ravel()
    omega, power = _usual()
    every, rough = _nodes(0.0, np.pi)
    seen, unseen = _answers(omega, prior.m), _answers(every, prior.m)
    square = np.real((seen.conj().T * power) @ seen)
    square += prior.rough / np.pi * np.real((unseen.conj().T * rough) @ unseen)
    noisy = np.repeat([1.0, power @ omega**2], prior.m)
    right = np.real((seen.conj().T * power) @ np.exp(1j * omega * horizon))
    rows, sides = _exactness(prior, horizon)
    whole = np.block([[square + prior.noise * np.diag(noisy), rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    solved: Vector = np.linalg.solve(whole, np.concatenate([right, sides]))[: 2 * prior.m]
    return solved


def _answers(omega: Vector, m: int) -> ComplexArray:
    """Return what values and derivatives, newest first, are of exp(jωn) at n = 0, shape (N, 2 m)."""
    turns = np.exp(-1j * np.outer(omega, np.arange(m)))
    both: ComplexArray = np.hstack([turns, 1j * omega[:, None] * turns])
    return both


def _exactness(prior: Prior, horizon: float) -> tuple[Vector, Vector]:
    """Return the rows of Σ a_l (-l)^i + Σ b_l i (-l)^(i-1) = horizon^i, i = 0 .. degree, and their right sides."""
    ages, powers = -np.arange(prior.m, dtype=float), np.arange(prior.degree + 1)[:, None]
    rows = np.hstack([ages**powers, powers * ages ** np.maximum(powers - 1, 0)])
    return rows, np.asarray(horizon ** powers[:, 0], dtype=float)


@cache
def _nodes(low: float, high: float) -> tuple[Vector, Vector]:
    node, weight = np.polynomial.legendre.leggauss(_NODES)
    half = 0.5 * (high - low)
    place, share = low + half * (node + 1.0), half * weight
    return np.asarray(place), np.asarray(share)


@cache
def _usual() -> tuple[Vector, Vector]:
    """Return frequencies [radians per macro step] and the power at each, in total 1 [-]."""
    inside, equal = _nodes(_LOW, BAND)
    above, falling = _nodes(BAND, np.pi)
    power = np.concatenate([equal, _TAIL * falling * (BAND / above) ** _FALL])
    return np.concatenate([inside, above]), power / power.sum()
