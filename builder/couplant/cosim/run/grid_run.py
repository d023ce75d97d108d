"""A grid of communication points, and a run on one in C."""

from collections.abc import Callable, Iterator, Sequence
from ctypes import POINTER, Structure, c_double, c_int32, c_size_t
from dataclasses import dataclass

import numpy as np

from couplant.base.arrays import Matrix, Vector
from couplant.cosim.fmu.component import Component
from couplant.cosim.fmu.native import fields
from couplant.cosim.run.engine import Engine, NativeFailure, NativePlan, in_parts, integers
from couplant.cosim.run.exchange import Exchange


class NativeRun(Structure):
    """`engine_run`: a grid, what happens at its points, and where it is recorded."""

    _fields_ = fields(
        ("point step log", NativePlan), ("shown logged", POINTER(c_double)),
        ("watched bounded", POINTER(c_int32)), ("n_watched n_bounded n_logged", c_size_t), ("bound", c_double),
        ("watched_rows logged_rows", POINTER(c_double)), ("n_rows n_logs", c_size_t),
        ("start macro_step h", c_double), ("micro_steps", c_size_t), ("fine diverged", c_int32),
        ("failure", NativeFailure),
    )


@dataclass(frozen=True)
class Grid:
    """Times of a run: macro steps, each of equal communication steps; macro points are recorded, or all of them."""

    macro_step: float  # ΔT [s]
    count: int  # number of macro steps; there are count + 1 macro points
    micro_steps: int = 1  # communication steps in a macro step
    start: float = 0.0  # t_0 [s]
    fine: bool = False  # whether communication points between macro points are recorded too

    @property
    def h(self) -> float:
        """Return the communication step δT [s]."""
        return self.macro_step / self.micro_steps

    @property
    def end(self) -> float:
        """Return the time of the last macro point [s]."""
        return self.start + self.count * self.macro_step

    def members(self) -> dict[str, float]:
        """Return the members that structures of the C library have of it, by name."""
        return {"start": self.start, "macro_step": self.macro_step, "h": self.h, "micro_steps": self.micro_steps}

    def macro_points(self) -> Vector:
        """Return t_n, shape (count + 1,) [s]."""
        return self.start + self.macro_step * np.arange(self.count + 1, dtype=np.float64)

    def times(self, count: int) -> Vector:
        """Return the points that are recorded, however many were reached, shape (N,) [s]."""
        if not self.fine:
            return self.macro_points()
        within = self.h * np.arange(float(self.micro_steps))
        return np.append((self.macro_points()[:-1, None] + within).ravel(), self.end)

    def points(self, n: int) -> list[float]:
        """Return the communication points of macro step `n`, shape (micro_steps,) [s]."""
        t_n = self.start + n * self.macro_step
        return [t_n + i * self.h for i in range(self.micro_steps)]

    def walk(self, exchange: Exchange) -> Iterator[tuple[float, float, bool]]:
        """Return time and length of each communication step [s], and whether its beginning is recorded."""
        for n in range(self.count):
            for i, t in enumerate(self.points(n)):
                yield t, self.h, i == 0 or self.fine


@dataclass(frozen=True)
class Places:
    """Places of recorded values in those of an exchange."""

    watched: Sequence[int]  # recorded at points, before their step
    bounded: Sequence[int]  # what ends the run beyond `bound`
    bound: float
    logged: Sequence[tuple[Component, Sequence[str]]]  # outputs that are read and recorded after a step


class GridRun:
    """Runs an `exchange` that has begun on a `grid`, and records what `places` say."""

    def __init__(self, exchange: Exchange, places: Places, grid: Grid) -> None:
        self._engine, self._grid = Engine(), grid
        logged = sum(len(names) for _, names in places.logged)
        values = (c_double * logged)()
        points, fine = grid.count * (grid.micro_steps if grid.fine else 1), grid.fine
        self._points, self._steps = np.empty((points + 1, len(places.watched))), np.empty((points, logged))
        self._native = NativeRun(
            point=self._engine.plan(exchange.point), step=self._engine.plan(exchange.after),
            log=self._engine.logs(places.logged, values), shown=exchange.shown, logged=values,
            watched=integers(places.watched), bounded=integers(places.bounded), n_watched=len(places.watched),
            n_bounded=len(places.bounded), n_logged=logged, bound=places.bound,
            watched_rows=self._points.ctypes.data_as(POINTER(c_double)),
            logged_rows=self._steps.ctypes.data_as(POINTER(c_double)), **grid.members(), fine=fine,
        )

    def run(self, progress: Callable[[float], None]) -> tuple[Matrix, Matrix]:
        """Run to the end, or until a value leaves its bound; `progress` hears the share that is done, 0 to 1.

        Returns what was recorded at the points that were reached, shape (N, watched), and after their steps, shape (N
        or N - 1, logged). Raises CouplantError if a component refuses a step or ends the run.
        """
        native, engine, count = self._native, self._engine, self._grid.count
        for first, end in in_parts(count):
            progress(first / count)
            engine.call("engine_run_steps", native, c_size_t(first), c_size_t(end))
        if not native.diverged:
            engine.call("engine_run_last", native, c_double(self._grid.end))
        return self._points[: native.n_rows], self._steps[: native.n_logs]
