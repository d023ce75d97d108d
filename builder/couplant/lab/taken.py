"""Plants as other libraries have them: matrices, transfer functions, systems of python-control and scipy.signal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.arrays import Matrix
from couplant.base.errors import UsageError

Names = str | int | Sequence[str] | None

TAKEN = (
    "a function f(t, x, u), a tuple (A, B, C, D), (num, den) or (zeros, poles, gain), a system of python-control or of "
    "scipy.signal, or the path of an FMU"
)


@dataclass(frozen=True, eq=False)
class Taken:
    """A plant in one of the three forms that there are."""

    matrices: tuple[Matrix, Matrix, Matrix, Matrix] | None = None
    functions: tuple[Callable[..., Any], Callable[..., Any] | None] | None = None
    fmu: Path | None = None
    dt: float = 0.0  # period of a discrete plant, 0 for a continuous one, s
    inputs: Sequence[str] | int = ()  # names or number, as the system tells them
    outputs: Sequence[str] | int = ()
    states: int | None = None  # how many; None: as many as the start has
    parameters: Mapping[str, float] = field(default_factory=dict)


def take(system: Any, g: Callable[..., Any] | None) -> Taken:
    """Return a `system` in a form of ours; `g` are the outputs of one that is a function.

    Raises UsageError if it is none that is known.
    """
    found = _take(system, g)
    if g is not None and found.functions is None:
        raise UsageError("g is given, allowed with a function f(t, x, u) only: this plant has its outputs")
    return found


def _take(system: Any, g: Callable[..., Any] | None) -> Taken:
    if isinstance(system, str | Path):
        return _take_fmu(Path(system))
    if isinstance(system, tuple | list):
        return _take_tuple(tuple(system))
    if hasattr(system, "ninputs") and hasattr(system, "noutputs"):
        return _take_control(system)
    if hasattr(system, "to_ss"):
        return _take_signal(system)
    if callable(system):
        return Taken(functions=(system, g))
    raise UsageError(f"a plant of {type(system).__name__} is not known, allowed {TAKEN}")


def _take_fmu(path: Path) -> Taken:
    if path.suffix.lower() != ".fmu":
        raise UsageError(f"plant = {path}, allowed the path of an FMU, which ends in .fmu")
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file")
    return Taken(fmu=path)


def _take_tuple(parts: tuple[Any, ...]) -> Taken:
    """Take a system as the functions of scipy.signal do: by the number of its parts."""
    if len(parts) == 4:
        return _linear(*parts)
    if len(parts) not in (2, 3):
        raise UsageError(f"a plant of {len(parts)} parts, allowed (A, B, C, D), (num, den) or (zeros, poles, gain)")
    from scipy import signal

    try:
        return _linear(*(signal.tf2ss(*parts) if len(parts) == 2 else signal.zpk2ss(*parts)))
    except (TypeError, ValueError) as error:
        raise UsageError(f"transfer function: {' '.join(str(error).split())}") from None


def _take_control(system: Any) -> Taken:
    """Take a StateSpace, TransferFunction or NonlinearIOSystem of python-control."""
    inputs = _labels(getattr(system, "input_labels", ()), system.ninputs)
    outputs = _labels(getattr(system, "output_labels", ()), system.noutputs)
    dt = system.dt
    if dt is True:
        raise UsageError("a system of python-control with dt = True, allowed 0 or a period in s")
    if hasattr(system, "num") and not hasattr(system, "A"):
        import control

        system = control.ss(system)
    if hasattr(system, "A"):
        return _linear(system.A, system.B, system.C, system.D, float(dt or 0.0), inputs, outputs)
    if not (hasattr(system, "updfcn") and hasattr(system, "outfcn")):
        raise UsageError(f"a {type(system).__name__} of python-control has no states to step, allowed {TAKEN}")
    whole = hasattr(system, "syslist")  # several systems: their functions alone do not know the connections
    f = system.dynamics if whole else system.updfcn
    g = system.output if whole else system.outfcn
    return Taken(
        functions=(f, g), dt=float(dt or 0.0), inputs=inputs, outputs=outputs, states=int(system.nstates),
        parameters={name: float(value) for name, value in (system.params or {}).items()},
    )  # fmt: skip


def _take_signal(system: Any) -> Taken:
    """Take an lti or dlti of scipy.signal, whatever its representation."""
    one = system.to_ss()
    return _linear(one.A, one.B, one.C, one.D, float(one.dt or 0.0))


def _linear(
    A: Any, B: Any, C: Any, D: Any, dt: float = 0.0, inputs: Sequence[str] | int = (), outputs: Sequence[str] | int = ()
) -> Taken:
    matrices = []
    for name, one in zip("ABCD", (A, B, C, D), strict=True):
        try:
            matrix = np.array(one, dtype=float, ndmin=2)
        except (TypeError, ValueError):
            raise UsageError(f"plant: {name} is no matrix of real numbers") from None
        if matrix.ndim != 2 or not np.isfinite(matrix).all():
            raise UsageError(f"plant: {name} is no matrix of finite numbers")
        matrices.append(matrix)
    a, b, c, d = matrices
    nx = len(a)
    if nx == 0 or a.size == 0:  # a gain alone
        a, b, c, nx = np.zeros((0, 0)), np.zeros((0, d.shape[1])), np.zeros((d.shape[0], 0)), 0
    expected = {"A": (a, (nx, nx)), "B": (b, (nx, d.shape[1])), "C": (c, (d.shape[0], nx))}
    for name, (matrix, shape) in expected.items():
        if matrix.shape != shape:
            raise UsageError(f"plant: {name} is {matrix.shape}, allowed {shape} with A {a.shape} and D {d.shape}")
    return Taken((a, b, c, d), dt=dt, inputs=inputs or d.shape[1], outputs=outputs or d.shape[0], states=nx)


def _labels(labels: Sequence[str], count: int) -> Sequence[str] | int:
    """Return the labels of a system, the number alone where nobody has given any."""
    given = list(labels)
    usual = any(given == [f"{letter}[{i}]" for i in range(count)] for letter in "uy")
    return count if usual or len(given) != count else given
