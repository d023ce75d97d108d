"""Two prototypes that send each other late signals, each with the model of the other at its input: stable or not."""

from dataclasses import dataclass

import numpy as np

from couplant.analysis.by_model import ByModel, Sender
from couplant.analysis.observer import Observer
from couplant.analysis.prediction_error import Linear
from couplant.analysis.stability import stability
from couplant.analysis.system import Connection, Prototype, System
from couplant_runtime.generated.algorithms import AUTO
from couplant_runtime.plant import Plant

_NAMES = ("one", "other")


@dataclass(frozen=True, eq=False)
class Side:
    """A prototype, and the observer that the other side has of it."""

    prototype: Linear
    model: Observer


def radius(one: Side, other: Side, steps: int, macro_step: float) -> float:
    """Return the largest size of a mode of the loop in a macro step [-], event timing; it dies out below 1.

    The outputs of each side are the inputs of the other; `steps` is the latency each way, 1 to 64 [macro steps],
    `macro_step` ΔT [s].
    """
    sides = (one, other)
    plants = [(name, side.prototype) for name, side in zip(_NAMES, sides, strict=True)]
    prototypes = (Prototype(name, one.A, one.B, one.C, one.D) for name, one in plants)
    connections = []
    for i, side in enumerate(sides):
        model, late = side.model, bool(sides[1 - i].prototype.D.any())
        parts = (model.phi, model.level, model.change, model.C, model.D, model.gain, model.start)
        plant = Plant(0, late, True, False, AUTO, 1.0, 1.0, *(tuple(map(tuple, part.tolist())) for part in parts))
        outputs, inputs = (
            tuple(f"{_NAMES[i]}.{letter}{j + 1}" for j in range(count))
            for letter, count in zip("yu", model.D.shape, strict=True)
        )
        sender = Sender(plant, outputs, inputs)
        for j, source in enumerate(sender.outputs):
            connections.append(Connection(source, f"{_NAMES[1 - i]}.u{j + 1}", ByModel(steps, sender, j)))
    return stability(System(tuple(prototypes), tuple(connections), macro_step)).radius


def radius_without_delay(one: Linear, other: Linear, macro_step: float) -> float:
    """Return the same of two prototypes that are connected directly, every `macro_step` [s]; infinite if none is.

    `one` and `other` are as in `radius`.
    """
    # y = C x + D u, u = C' x' + D' y: solved at once
    closed = np.eye(len(one.C)) - one.D @ other.D
    if np.linalg.cond(closed) > 1e9:
        # closed loop in continuous time, both prototypes' states
        return float("inf")
    y = np.linalg.solve(closed, np.hstack([one.C, one.D @ other.C]))
    u = np.hstack([np.zeros((len(other.C), len(one.A))), other.C]) + other.D @ y
    n = len(one.A)
    whole = np.zeros((n + len(other.A),) * 2)
    whole[:n, :n], whole[n:, n:] = one.A, other.A
    # inputs are outputs of the other one
    whole += np.vstack([one.B @ u, other.B @ y])
    # a mode grows by exp(Re s ΔT) in a macro step
    return float(np.exp(np.linalg.eigvals(whole).real.max() * macro_step))
