"""The benchmark of example 13: its cases, its indices, runs of its FMUs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from types import MappingProxyType

import numpy as np

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu, build_model_fmu
from tests.cosim import fast_host
from tests.cosim.conftest import EXAMPLES
from tests.native import Native
from tests.prototypes import PUBLISHED

SAMPLE = 1.0 / 4096.0
CASES = {1: (1000.0, 0.05), 2: (1100.0, 0.04), 3: (1300.0, 0.03), 4: (1000.0, 0.03)}
"""Mass of a storey [kg] and damping of the modes."""

STIFFNESS = np.array(
    [
        [26054883.8796, -23133938.8771, 5937035.4633],
        [-23133938.8771, 32560774.1864, -14419970.7772],
        [5937035.4633, -14419970.7772, 9267275.5062],
    ]
)
"""Of the frame in one piece [N/m]."""

SPECIMEN = {"mass": 29.13, "stiffness": 1.19e6}
ORDER = (
    *(f"{name}.x[{i}]" for name in ("frame", "whole") for i in (1, 2, 3)),
    *("bench.x_m", "bench.f", "bench.actuator.force"),
    *("frame.a_g = given", "whole.a_g = given", "frame.f = bench.f"),
)
UNCOUPLED = ("bench.command = frame.x[1]",)
LEARNT = ("coupling.latency.lag", "coupling.latency.gain", "coupling.latency.deviation")
COUPLED = ("coupling.y = frame.x[1]", "coupling.y_hat", "bench.command = coupling.y_hat")


def ground(duration: float = 41.18) -> np.ndarray:
    """Return the acceleration of the ground at the samples, shape (N,) [m/s²]."""
    time, value = np.loadtxt(EXAMPLES / "13_rths" / "el_centro.csv", delimiter=",", skiprows=1).T
    return 0.4 * np.interp(np.arange(int(duration / SAMPLE) + 1) * SAMPLE, time, value)


class Laboratory:
    """Builds the FMUs once and runs them.

    Parameters
    ----------
    folder : Path
        For the FMUs.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._count = folder, count()
        self._models = {name: build_model_fmu(PUBLISHED / name, folder) for name in ("frame", "frame_bench")}
        self._couplings: dict[str, Path] = {}

    def coupling(self, name: str, macro_step: float, **settings) -> str:
        """Build a coupling FMU for event timing; return its name."""
        signal = {"latency": {"mode": "constant", "constant_steps": 0}, **settings}
        common = {"name": name, "macro_step": macro_step, "timing": "event"}
        made = parse_interface({"interface": common, "signals": {"x": signal}}, "test")
        self._couplings[name] = build_coupling_fmu(made, "x", self._folder / name, fmi="2")
        return name

    def run(self, case: int, coupling: str | None, acceleration: np.ndarray, **bench: float) -> dict[str, np.ndarray]:
        """Run a case; `bench` are parameters of the bench, dots as ``__``."""
        return self.learn(case, coupling, acceleration, UNCOUPLED if coupling is None else COUPLED, bench=bench)

    def learn(
        self,
        case: int,
        coupling: str | None,
        acceleration: np.ndarray,
        order: Sequence[str],
        start: float | None = None,
        bench: Mapping[str, float] = MappingProxyType({}),
        **more,
    ) -> dict[str, np.ndarray]:
        """Run a case whose coupling is connected as `order` says, its lag `start` [s] to begin with.

        `more` is what `fast_host.run` takes besides.
        """
        mass, damping = CASES[case]
        bench = {key.replace("__", "."): value for key, value in (SPECIMEN | bench).items()}
        bench["damping"] = 2 * 0.0097 * np.sqrt(bench["stiffness"] * bench["mass"])
        missing = {f"missing.{key}": bench[key] for key in ("mass", "stiffness", "damping")}
        with ExitStack() as stack:
            begin = lambda path, **values: stack.enter_context(self._started(path, values))  # noqa: E731
            frame = {"mass": mass, "damping": damping}
            fmus = {"frame": begin(self._models["frame"], **frame, **missing)}
            fmus["whole"] = begin(self._models["frame"], **frame)
            fmus["bench"] = begin(self._models["frame_bench"], **bench)
            if coupling is not None:
                offset = {} if start is None else {"latency.offset": start}
                fmus["coupling"] = begin(self._couplings[coupling], **offset)
            return fast_host.run(fmus, (*ORDER, *order), acceleration, SAMPLE, **more)

    @contextmanager
    def _started(self, path: Path, values: dict[str, float]) -> Iterator[Native]:
        fmu = Native(path, self._folder / str(next(self._count)))
        try:
            yield fmu.initialise(**values)
        finally:
            fmu.free()


UNTOLD = ""
"""Answer of a receiver that tells nothing."""


def answering(answer: str = "bench.x_m", command: str = "coupling.y_hat") -> tuple[str, ...]:
    """Return the order of a coupling that learns from an `answer`."""
    return (
        COUPLED[0],
        *((f"coupling.applied = {answer}",) if answer else ()),
        *("coupling.y_hat", *LEARNT, f"bench.command = {command}"),
    )


def indices(found: dict[str, np.ndarray]) -> np.ndarray:
    """Return J1 [ms] to J9 [%], shape (9,)."""
    x, whole = ([found[f"{name}.x[{i}]"] for i in (1, 2, 3)] for name in ("frame", "whole"))
    x_m = found["bench.x_m"]
    lag = np.argmax([x_m[n:] @ x[0][: len(x_m) - n] for n in range(50)])
    pairs = [(x_m, x[0]), (x_m, whole[0]), *zip(x[1:], whole[1:], strict=True)]
    spread, peak = ([_share(size, *pair) for pair in pairs] for size in (_spread, _peak))
    return np.array([1e3 * lag * SAMPLE, spread[0], peak[0], spread[1], peak[1], *spread[2:], *peak[2:]])


def _share(size, one, truth):
    return 100.0 * size(one - truth) / size(truth)


def _spread(values):
    return values.std(ddof=1)


def _peak(values):
    return np.abs(values).max()


def frame_model(case: int) -> dict[str, list]:
    """Return A, B, C, D and the disturbance of the frame without its part, by the equation in the model `frame`.

    The last state is the acceleration of the ground, which is driven by what is not known and acts on all storeys.
    """
    mass, damping = CASES[case]
    square, shapes = np.linalg.eigh(STIFFNESS / mass)
    damp = mass * shapes @ np.diag(2 * damping * np.round(np.sqrt(square), 2)) @ shapes.T
    inertia, part = mass * np.eye(3), np.diag([1.0, 0.0, 0.0])
    inertia, stiff = inertia - SPECIMEN["mass"] * part, STIFFNESS - SPECIMEN["stiffness"] * part
    damp = damp - 2 * 0.0097 * np.sqrt(SPECIMEN["stiffness"] * SPECIMEN["mass"]) * part
    A = np.block([[np.zeros((3, 3)), np.eye(3)], [-np.linalg.solve(inertia, stiff), -np.linalg.solve(inertia, damp)]])
    B = np.append(np.zeros(3), -part[0] / inertia[0, 0])[:, None]
    C = np.array([np.eye(6)[0], np.eye(6)[3], A[3]])
    ground = np.append(np.zeros(3), -mass / np.diag(inertia))
    A = np.block([[A, ground[:, None]], [np.zeros((1, 6)), -np.ones((1, 1))]])
    C = np.column_stack([C, ground[[0, 1, 3]]])
    found = {"A": A, "B": np.append(B, [[0.0]], axis=0), "C": C, "D": B[[0, 0, 3]], "disturbance": np.eye(7)[6]}
    return {key: value.tolist() for key, value in found.items()}
