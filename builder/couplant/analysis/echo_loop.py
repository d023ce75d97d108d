"""Two prototypes that send each other late signals, each with the model of the other at its input: stable or not.

The exact map of a macro step in event timing, with echo; local signals are known up to the step before (`late`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from couplant.analysis.macro_map import discretise
from couplant.analysis.observer import Observer
from couplant.analysis.prediction_error import Linear
from couplant.arrays import Matrix

State = dict[str, Matrix]


@dataclass(frozen=True, eq=False)
class Side:
    """A prototype, and the observer that the other side has of it."""

    prototype: Linear
    model: Observer


def radius(one: Side, other: Side, steps: int, macro_step: float) -> float:
    """Return the largest size of a mode of the loop in a macro step [-]; the loop dies out below 1.

    Parameters
    ----------
    one, other : Side
        The outputs of each are the inputs of the other.
    steps : int
        Latency each way, 1 to 64 [macro steps].
    macro_step : float
        ΔT, s.
    """
    sides = (one, other)
    sizes: dict[str, int] = {}
    for i, side in enumerate(sides):
        p, m = side.prototype.D.shape
        sizes |= {f"x{i}": len(side.prototype.A), f"z{i}": len(side.model.phi)}
        sizes |= {f"y{i}": (steps + 1) * p, f"given{i}": steps * m, f"rise{i}": steps * m}
    parts = np.split(np.eye(sum(sizes.values())), np.cumsum(list(sizes.values()))[:-1])
    state = dict(zip(sizes, parts, strict=True))
    after = _after(state, sides, steps, macro_step)
    return float(np.abs(np.linalg.eigvals(np.concatenate([after[name] for name in sizes]))).max())


def undelayed(one: Linear, other: Linear, macro_step: float) -> float:
    """Return the same of two prototypes that are connected directly, every `macro_step` [s]; infinite if none is.

    `one` and `other` are as in `radius`.
    """
    closed = np.eye(len(one.C)) - one.D @ other.D
    if np.linalg.cond(closed) > 1e9:
        return float("inf")
    y = np.linalg.solve(closed, np.hstack([one.C, one.D @ other.C]))
    u = np.hstack([np.zeros((len(other.C), len(one.A))), other.C]) + other.D @ y
    n = len(one.A)
    whole = np.zeros((n + len(other.A),) * 2)
    whole[:n, :n], whole[n:, n:] = one.A, other.A
    whole += np.vstack([one.B @ u, other.B @ y])
    return float(np.exp(np.linalg.eigvals(whole).real.max() * macro_step))


def _after(state: State, sides: tuple[Side, Side], steps: int, macro_step: float) -> State:
    """Return the state a macro step later."""
    found, estimates = {}, []
    for i, side in enumerate(sides):
        value, rise, found[f"z{i}"] = _estimate(side, state, i, steps)
        estimates.append((value, rise))
    for i, side in enumerate(sides):
        own, (value, rise) = side.prototype, estimates[1 - i]
        phi, level, change = discretise(own.A, own.B, macro_step)
        y = own.C @ state[f"x{i}"] + own.D @ value
        found[f"x{i}"] = phi @ state[f"x{i}"] + level @ value + change @ rise
        for name, newest in (("y", y), ("given", value), ("rise", rise)):
            past = state[f"{name}{i}"]
            found[f"{name}{i}"] = np.vstack([newest, past])[: len(past)]
    return found


def _estimate(side: Side, state: State, i: int, steps: int) -> tuple[Matrix, Matrix, Matrix]:
    """Return the estimate of what side `i` sends, its rise in a macro step, and the observer's next states."""
    model, mine, sent = side.model, state[f"y{i}"], state[f"y{1 - i}"]
    p, m = model.D.shape

    def local(age: int) -> Matrix:
        """Return what went to the side `age` macro steps ago; the newest that is known is of the step before."""
        if age >= 1:
            return sent[(age - 1) * m : age * m]
        return (2 - age) * sent[:m] - (1 - age) * sent[m : 2 * m]

    y, last = mine[(steps - 1) * p : steps * p], (steps - 1) * m
    given, rise = state[f"given{i}"][last : last + m], state[f"rise{i}"][last : last + m]
    x = state[f"z{i}"]
    x = x + model.gain @ (y - model.C @ x - model.D @ given)
    kept = model.phi @ x + model.level @ given + model.change @ rise
    for age in range(steps, 0, -1):
        x = model.phi @ x + model.level @ local(age) + model.change @ (local(age - 1) - local(age))
    value = model.C @ x + model.D @ local(0)
    x = model.phi @ x + model.level @ local(0) + model.change @ (local(-1) - local(0))
    return value, model.C @ x + model.D @ local(-1) - value, kept
