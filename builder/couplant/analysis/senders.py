"""Models of the prototypes of a system, as coupling FMUs with the algorithm `model` have them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from couplant.analysis.by_model import ByModel, Sender
from couplant.analysis.observer import observer
from couplant.analysis.system import Connection, Prototype, System
from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import UsageError
from couplant_runtime.generated.algorithms import AUTO
from couplant_runtime.generated.numbers import COMPANIONS, PLANT_INPUTS, PLANT_STATES
from couplant_runtime.plant import Plant


@dataclass(frozen=True)
class Weights:
    """Parts of an observer besides the matrices of its prototype."""

    order: int = 1  # integrators that the noise passes before it excites the prototype, 1 or 2
    drive: float = 1.0  # spectral density of this noise
    # standard deviations of the noise of the outputs, one for all or each, in their units
    noise: tuple[float, ...] = (0.01,)
    leak: float = 0.0  # of the integrators, 1/s
    process: float = 1e-6  # noise that acts on the states directly, over the drive, -
    disturbance: tuple[float, ...] | None = None  # how the excitation acts on the states; None: as the first input
    echo: bool = True  # whether messages tell what the prototype was given


def acting(one: Prototype, weights: Weights, inputs: tuple[str, ...]) -> Vector:
    """Return how the excitation acts on the states of a prototype, shape (nx,): else as the first of its `inputs`."""
    own = weights.disturbance
    if own is not None and len(own) != len(one.A):
        raise UsageError(f"model of {one.name}: disturbance has {len(own)} numbers, allowed {len(one.A)}")
    if own is not None:
        return np.array(own)
    return one.B[:, _places(one.inputs, inputs)[0]]


def coupled_signals(system: System, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the outputs of the prototype `name` that are sent, and its inputs that connections lead to."""
    head = f"{name}."
    outputs = dict.fromkeys(c.source for c in system.connections if c.source.startswith(head))
    return tuple(outputs), tuple(c.target for c in system.connections if c.target.startswith(head))


def with_models(
    system: System, weights: Mapping[str, Weights], jacobi: bool = False, only: Collection[str] | None = None
) -> System:
    """Return the same system with models of the prototypes in `weights` at the latencies of their connections.

    `jacobi` tells that the host reads outputs before it sets inputs. `only` names the inputs whose connections get
    them, else all do. Estimates look ahead by the lead of a connection. Raises UsageError if a prototype is too large
    for a model, nothing is sent to it, or no observer follows it.
    """
    senders: dict[Sender, Sender] = {}

    def with_model(c: Connection) -> Connection:
        name = c.source.partition(".")[0]
        if name not in weights or (only is not None and c.target not in only):
            return c
        # models of one prototype are one object: the map follows them once
        D, head = system.matrices()[3], c.source.partition(".")[0] + "."
        column = system.input_names.index(c.target)
        back = [system.output_names.index(one.source) for one in system.connections if one.target.startswith(head)]
        # direct feedthrough from this input to what goes back
        found = _sender(system, name, weights[name], bool(np.any(D[back, column])), jacobi)
        one = senders.setdefault(found, found)
        return replace(c, algorithm=ByModel(c.algorithm.k, one, one.outputs.index(c.source), c.lead))

    return replace(system, connections=tuple(with_model(c) for c in system.connections))


def _sender(system: System, name: str, weights: Weights, late: bool, stale: bool) -> Sender:
    one = next(p for p in system.prototypes if p.name == name)
    outputs, inputs = coupled_signals(system, name)
    sizes = ("states", len(one.A) + weights.order, PLANT_STATES), ("inputs", len(inputs), PLANT_INPUTS)
    for what, count, most in (*sizes, ("outputs", len(outputs), COMPANIONS + 1)):
        if not 1 <= count <= most:
            raise UsageError(f"model of {name}: {count} {what}, allowed 1 to {most}")
    rows, columns = _places(one.outputs, outputs), _places(one.inputs, inputs)
    C, D = one.C[rows], one.D[np.ix_(rows, columns)]
    noise = np.array(weights.noise * (len(outputs) if len(weights.noise) == 1 else 1))
    if noise.shape != (len(outputs),):
        raise UsageError(f"model of {name}: noise has {len(noise)} numbers, allowed 1 or {len(outputs)}")
    try:
        found = observer(
            one.A, one.B[:, columns], C, D, system.macro_step, disturbance=acting(one, weights, inputs), noise=noise,
            order=weights.order, leak=weights.leak, drive=weights.drive, process=weights.process,
        )  # fmt: skip
    except UsageError as error:
        raise UsageError(f"model of {name}: {error}") from None
    matrices = found.phi, found.level, found.change, found.C, found.D, found.gain, found.start
    plant = Plant(0, late, weights.echo, stale, AUTO, 1.0 / system.micro_steps, 1.0, *map(_rows, matrices))
    return Sender(plant, outputs, inputs)


def _places(names: tuple[str, ...], signals: tuple[str, ...]) -> list[int]:
    return [names.index(signal.partition(".")[2]) for signal in signals]


def _rows(matrix: Matrix) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(one) for one in row) for row in matrix)
