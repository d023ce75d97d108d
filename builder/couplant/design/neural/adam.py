"""Training of a neural network by Adam (Kingma and Ba 2014; dissertation 3.5.2): mean squared error, batches, epochs.

    minimise   Σ g_i (t_i - f(x_i))²,    g_i = 1 for absolute errors, 1 / max(|e_i|, median |e|)² for relative ones

with e the errors of the weights to start from. In the second half of the epochs training for absolute errors leaves
out what the first half has not halved, if it is large: what no past value tells, such as the time of a jump. In
training for relative errors the large ones together count as SHARE of all.

The inputs are decorrelated first: differences of a smooth signal are nearly parallel, and gradient steps would hardly
get anywhere across.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.design.neural.trainer import gradients, outputs, samples_over_range
from couplant_runtime.generated.constants import IDLE, OUTLIER
from couplant_runtime.learning.neural import Neural

FADING, SPREADING = 0.9, 0.999
"""Weights that the mean of the gradients and that of their squares keep in an update, as published. [-]"""

SMALLEST = 1e-8  # what is added to the root of the mean square, as published [-]
SHARE = 0.3  # share of the large errors in the sum of relative squares [-]
LARGE = 8.0  # errors of the start above so many usual ones are large [-]
FEWEST = 50  # samples without which nothing is learnt [-]
FEWEST_OF_BATCH, MOST_OF_BATCH = 8, 4096  # samples in an update [-]
MOST_UPDATES = 50_000  # updates of one training at most: a server has others waiting [-]


@dataclass(frozen=True)
class Adam:
    """How to train. Raises UsageError if a number is out of range."""

    rate: float = 0.005  # how far a weight goes in an update at first; it falls to zero, -
    epochs: int = 30  # passes over the samples
    batch: int = 128  # samples in an update
    relative: bool = False  # make relative errors small instead of absolute ones

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name, value, low, high in (("rate", self.rate, 1e-9, 1), ("epochs", self.epochs, 1, 1000)):
            if not low <= value <= high:
                raise UsageError(f"{name} = {value}, allowed {low:g} to {high}")
        if not FEWEST_OF_BATCH <= self.batch <= MOST_OF_BATCH:
            raise UsageError(f"batch = {self.batch}, allowed {FEWEST_OF_BATCH} to {MOST_OF_BATCH}")


def train_by_adam(
    net: Neural, base: Vector, stretches: Sequence[Vector], horizon: int, how: Adam, span: float = 0.0
) -> Vector:
    """Return weights that fit stretches of a signal better than the base weights.

    `base` are the weights to start from, shape (P,) [-]. The `stretches` have one value a macro step, oldest first,
    `span` is the range that the network divides by, 0 for theirs [signal unit]; `horizon` is how far to predict [macro
    steps]; `how` are the settings of the method. Raises UsageError if there are too few samples, or so many that it
    would take too long.
    """
    x, t = samples_over_range(net, stretches, horizon, span)
    start = np.abs(t - outputs(net, base, x))
    # samples in which nothing moves would only teach standing still
    moving = (np.abs(t) > IDLE) | (start > IDLE)
    x, t, start = x[moving], t[moving], start[moving]
    if t.size < FEWEST:
        raise UsageError(f"{t.size} samples in which the signal changes, {FEWEST} are needed to learn from")
    if how.epochs * (t.size // how.batch + 1) > MOST_UPDATES:
        raise UsageError(f"epochs = {how.epochs} of {t.size} samples, allowed up to {MOST_UPDATES} updates")
    # decorrelated inputs: neighbouring values are nearly equal, so that plain gradients would crawl
    mixed = _correlation(x)
    weights = _mix_inputs(net, base, mixed)
    # u = root⁻¹ x
    u: Vector = np.asarray(np.linalg.solve(mixed, x.T).T, float)
    if how.relative:
        weights = _descend(net, weights, u, t, _relative(start), how, how.epochs)
    else:
        # errors as shares of those at the start
        one = np.full(t.size, t.size / float(start @ start))
        # half the epochs on everything, then without outliers
        weights = _descend(net, weights, u, t, one, how, how.epochs - how.epochs // 2)
        # which samples are learnt from further
        error = np.abs(t - outputs(net, weights, u))
        # far off and not half as good as at the start: noise, which is not to be learnt
        kept = np.asarray(~((error > OUTLIER * np.median(error)) & (error > 0.5 * start)))
        weights = _descend(net, weights, u[kept], t[kept], one[kept], how, how.epochs // 2)
    # weights back to the inputs that the FMU has
    return _mix_inputs(net, weights, np.asarray(np.linalg.inv(mixed)))


def better_by_adam(net: Neural, base: Vector, signals: Sequence[Vector], horizon: int, how: Adam) -> bool:
    """Return whether training has less absolute error than the base weights on what it did not see, one half each.

    Arguments as those of `train_by_adam`: `base` weights, shape (P,) [-], `signals` [signal unit], `horizon` [macro
    steps], and `how` to train. Halves that are too short to train on tell nothing: then it has.
    """
    # two halves, each judged by what the other one taught
    parts = list(signals) if len(signals) > 1 else np.array_split(signals[0], 2)
    before = after = 0.0
    for rest, left_out in ((parts[::2], parts[1::2]), (parts[1::2], parts[::2])):
        try:
            weights = train_by_adam(net, base, rest, horizon, how)
            x, t = samples_over_range(net, left_out, horizon)
        except UsageError:
            continue
        after += float(np.abs(t - outputs(net, weights, x)).sum())
        before += float(np.abs(t - outputs(net, base, x)).sum())
    return after <= before


def _relative(start: Vector) -> Vector:
    """Return the weights of the squares of relative errors."""
    # never below the usual error: samples without one would weigh without bound
    usual = max(float(np.median(start)), SMALLEST)
    share = 1.0 / np.maximum(start, usual) ** 2
    counts, large = share * start**2, start > LARGE * usual
    if large.any() and counts[~large].sum() > 0.0:
        # all large errors together have `SHARE` of the sum
        share[large] *= SHARE / (1.0 - SHARE) * counts[~large].sum() / counts[large].sum()
    # the sum at the start is 1 per sample
    return np.asarray(share / np.mean(share * start**2))


def _correlation(x: Vector) -> Vector:
    """Return a root of the correlation of usual inputs, shape (m - 1, m - 1)."""
    usual = float(np.median(np.abs(x[:, -1]))) or 1.0
    # rare large inputs count less: the correlation is that of usual ones
    weight = 1.0 / (1.0 + (np.abs(x).max(axis=1) / (3.0 * usual)) ** 2)
    square = (x * weight[:, None]).T @ x / weight.sum()
    # Cholesky needs all of it positive: a little on the diagonal
    return np.asarray(np.linalg.cholesky(square + 1e-6 * np.trace(square) * np.eye(x.shape[1])))


def _mix_inputs(net: Neural, weights: Vector, root: Vector) -> Vector:
    """Return the weights for other inputs: x = root u."""
    middle = net.first * net.inputs
    first = np.asarray(weights[:middle]).reshape(net.first, net.inputs) @ root
    return np.concatenate([first.ravel(), weights[middle:]])


def _descend(net: Neural, weights: Vector, x: Vector, t: Vector, share: Vector, how: Adam, epochs: int) -> Vector:
    """Return the weights after some epochs of updates, in an order that is always the same."""
    # seeded: the same weights each time
    chance = np.random.default_rng(epochs)
    batches = max(1, t.size // how.batch)
    mean, square, total = np.zeros(net.size), np.zeros(net.size), epochs * batches
    for update in range(total):
        # new order in each epoch
        if update % batches == 0:
            order = np.array_split(chance.permutation(t.size), batches)
        batch = order[update % batches]
        error = share[batch] * (t[batch] - outputs(net, weights, x[batch]))
        # gradient of the mean of squares
        slope = -2.0 / batch.size * gradients(net, weights, x[batch]).T @ error
        mean += (1.0 - FADING) * (slope - mean)
        square += (1.0 - SPREADING) * (slope * slope - square)
        # both means begin at 0: Adam divides by what they lack
        largest = np.sqrt(square / (1.0 - SPREADING ** (update + 1))) + SMALLEST
        # the rate falls to 0 over the training: updates end where they are best
        weights = weights - how.rate * (1.0 - update / total) * mean / (1.0 - FADING ** (update + 1)) / largest
    return weights
