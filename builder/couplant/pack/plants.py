"""From the model of a prototype in the configuration to the one in the settings of an FMU."""

import numpy as np

from couplant.analysis.observer import observer
from couplant.base.arrays import Matrix
from couplant.base.errors import UsageError
from couplant.config.hosts import READS_AGAIN
from couplant.config.interface import Interface
from couplant.config.models import MODEL, model_of
from couplant_runtime.plant import BETWEEN, FALLBACKS, Plant

Rows = tuple[tuple[float, ...], ...]

_AT_REST = 1e-6  # share that a mode loses in a macro step of a prototype that comes to rest by itself [-]


def plant_of(interface: Interface, signal: str) -> Plant | None:
    """Return the model that the FMU of a `signal` runs, None where its algorithm needs none.

    Raises UsageError if no observer follows it.
    """
    model = model_of(interface.models, signal)
    if model is None or interface.signals[signal].algorithm.selected != MODEL:
        return None
    if not interface.macro_step > 0.0:
        raise UsageError(f"signals.{signal}: {MODEL} needs interface.macro_step above 0")
    A, B, C = (np.array(matrix, dtype=float) for matrix in (model.A, model.B, model.C))
    D = np.zeros((len(C), B.shape[1])) if model.D is None else np.array(model.D, dtype=float)
    b = B[:, 0] if model.disturbance is None else np.array(model.disturbance, dtype=float)
    noise = np.array(model.noise * (len(C) if len(model.noise) == 1 else 1))
    try:
        found = observer(
            A, B, C, D, interface.macro_step, disturbance=b,
            order=model.order, leak=model.leak, drive=model.drive, noise=noise, process=model.process,
        )  # fmt: skip
    except UsageError as error:
        raise UsageError(f"signals.{signal}: its model has {error}") from None
    matrices = (found.phi, found.level, found.change, found.C, found.D, found.gain, found.start)
    stale = model.stale or interface.host not in (None, READS_AGAIN)
    own, step = model.outputs.index(signal), interface.micro_step if interface.timing == "step" else None
    # how long receivers are given each estimate [macro steps]
    held = 1.0 if step is None else min(1.0, step / interface.macro_step)
    restless = float(np.linalg.eigvals(A).real.max()) * interface.macro_step > -_AT_REST
    echo, variance = BETWEEN if model.echo and restless else int(model.echo), float(found.variance[own])
    return Plant(own, model.late, echo, stale, FALLBACKS[model.fallback], held, variance, *map(_rows, matrices))


def _rows(matrix: Matrix) -> Rows:
    return tuple(tuple(float(one) for one in row) for row in matrix)
