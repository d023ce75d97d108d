"""Training of a neural network on a stretch of a signal, for server and recordings: the embedded method in numpy.

    minimise   Σ (r_i - f_i' d)² + |d|² (Σ r_i²) / prior²

with r the errors of the base weights and f the gradient there; errors above four times their median are left out.
"""

from collections.abc import Sequence

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.design.neural.ridge import samples
from couplant_runtime.generated.constants import IDLE, OUTLIER, ROUNDING
from couplant_runtime.learning.neural import Neural

PRIORS = (1e-5, 0.03, 0.1, 0.3, 1.0, 3.0)
"""The first one leaves the weights where they start: what learning only makes worse stays as it is. [-]"""


def outputs(net: Neural, weights: Vector, x: Vector) -> Vector:
    """Return the changes that a neural network expects for many inputs, shape (N,), in their unit.

    `weights` are all of its weights, shape (P,) [-], `x` the differences to the newest value, shape (N, m - 1).
    """
    first, second, output, offsets = layers(net, weights)
    z = x @ first.T @ second.T + offsets
    return (_leaky(net, z) * z - _leaky(net, offsets) * offsets) @ output


def gradients(net: Neural, weights: Vector, x: Vector) -> Vector:
    """Return the derivatives of `outputs` by the `weights` for inputs `x`, shape (N, P)."""
    first, second, output, offsets = layers(net, weights)
    h = x @ first.T
    z = h @ second.T + offsets
    slope, rest = _leaky(net, z), _leaky(net, offsets)
    back = slope * output
    by_first = ((back @ second)[:, :, None] * x[:, None, :]).reshape(len(x), -1)
    by_second = (back[:, :, None] * h[:, None, :]).reshape(len(x), -1)
    by_offsets = [back - rest * output] if net.offsets else []
    return np.hstack([by_first, by_second, slope * z - rest * offsets, *by_offsets])


def _leaky(net: Neural, z: Vector) -> Vector:
    return np.where(z >= 0.0, 1.0, net.leak)


def train(net: Neural, base: Vector, stretches: Sequence[Vector], horizon: int, prior: float) -> Vector:
    """Return weights that fit stretches of a signal better than the base weights.

    `base` are the weights to start from and to stay near, shape (P,), `prior` is the expected change of one [-]. The
    `stretches` have one value a macro step, oldest first [signal unit]; `horizon` is how far to predict [macro steps].
    Raises UsageError if the stretches have no sample.
    """
    x, t = samples_over_range(net, stretches, horizon)
    error = t - outputs(net, base, x)
    moving = (np.abs(t) > IDLE) | (np.abs(error) > IDLE)
    if not moving.any():
        raise UsageError("the signal does not change: there is nothing to learn from")
    kept = moving & (np.abs(error) <= OUTLIER * np.median(np.abs(error[moving])))
    features, r = gradients(net, base, x[kept]), error[kept]
    normal = features.T @ features
    damping = float(r @ r) / prior**2 + ROUNDING * float(np.trace(normal))
    return base + np.linalg.solve(normal + damping * np.eye(net.size), features.T @ r)


def choose_prior(net: Neural, base: Vector, signals: Sequence[Vector], horizon: int) -> float:
    """Return the prior with the least absolute error on signals that were left out; of a single one, on its half.

    `base` are the weights to start from, shape (P,), `signals` have one value a macro step [signal unit]; `horizon` is
    how far the neural network predicts [macro steps].
    """
    parts = list(signals) if len(signals) > 1 else np.array_split(signals[0], 2)

    def error(prior: float) -> float:
        total = 0.0
        for i, left_out in enumerate(parts):
            x, t = samples_over_range(net, [left_out], horizon)
            weights = train(net, base, parts[:i] + parts[i + 1 :], horizon, prior)
            total += float(np.abs(t - outputs(net, weights, x)).sum())
        return total

    return min(PRIORS, key=error)


def layers(net: Neural, weights: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """Return the matrices of both hidden layers, (first, m - 1) and (second, first), the output and offsets, (second,).

    `weights` are all weights one after the other, shape (P,) [-].
    """
    middle = net.first * net.inputs
    last = middle + net.second * net.first
    offsets = weights[last + net.second :] if net.offsets else np.zeros(net.second)
    first = np.asarray(weights[:middle], float).reshape(net.first, net.inputs)
    second = np.asarray(weights[middle:last], float).reshape(net.second, net.first)
    return first, second, np.asarray(weights[last : last + net.second], float), np.asarray(offsets, float)


def samples_over_range(
    net: Neural, stretches: Sequence[Vector], horizon: int, span: float = 0.0
) -> tuple[Vector, Vector]:
    """Return inputs, shape (N, m - 1), and changes, shape (N,), over the range of the signal.

    `stretches` have one value a macro step, oldest first [signal unit]; `horizon` is how far to predict [macro steps],
    `span` the running range of the signal, 0 for that of the stretches [signal unit]. Raises UsageError if the
    stretches have no sample.
    """
    low, high = min(float(np.min(s)) for s in stretches), max(float(np.max(s)) for s in stretches)
    long_enough = [s for s in stretches if s.size > net.inputs + 1 + horizon]
    if not long_enough:
        raise UsageError(f"too few values to learn from: more than {net.inputs + 1 + horizon} are needed in a row")
    parts = [samples(np.asarray(s, float), net.inputs + 1, horizon) for s in long_enough]
    x, t = (np.concatenate(column) for column in zip(*parts, strict=True))
    span = span or high - low or 1.0
    return x / span, t / span
