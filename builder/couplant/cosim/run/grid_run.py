"""A grid of communication points, and a run on one in C."""

from collections.abc import Callable, Iterator, Sequence
from ctypes import POINTER, Structure, c_double, c_int32, c_size_t
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from couplant.cosim.fmu.component import Component
from couplant.cosim.run.engine import Engine, NativeFailure, NativePlan, in_parts, integers
from couplant.cosim.run.exchange import Exchange

Array = NDArray[np.float64]


class NativeRun(Structure):
    """`engine_run`: a grid, what happens at its points, and where it is recorded."""

    _fields_ = (
        ("point", NativePlan),
        ("step", NativePlan),
        ("log", NativePlan),
        ("shown", POINTER(c_double)),
        ("logged", POINTER(c_double)),
        ("watched", POINTER(c_int32)),
        ("bounded", POINTER(c_int32)),
        *((name, c_size_t) for name in ("n_watched", "n_bounded", "n_logged")),
        ("bound", c_double),
        ("watched_rows", POINTER(c_double)),
        ("logged_rows", POINTER(c_double)),
        ("n_rows", c_size_t),
        ("n_logs", c_size_t),
        *((name, c_double) for name in ("start", "macro_step", "h")),
        ("micro_steps", c_size_t),
        ("fine", c_int32),
        ("diverged", c_int32),
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

    def macro_points(self) -> Array:
        """Return t_n, shape (count + 1,) [s]."""
        return self.start + self.macro_step * np.arange(self.count + 1, dtype=np.float64)

    def times(self, count: int) -> Array:
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
            point=self._engine.plan(exchange.point),
            step=self._engine.plan(exchange.after),
            log=self._engine.logs(places.logged, values),
            shown=exchange.shown,
            logged=values,
            watched=integers(places.watched),
            bounded=integers(places.bounded),
            n_watched=len(places.watched),
            n_bounded=len(places.bounded),
            n_logged=logged,
            bound=places.bound,
            watched_rows=self._points.ctypes.data_as(POINTER(c_double)),
            logged_rows=self._steps.ctypes.data_as(POINTER(c_double)),
            start=grid.start,
            macro_step=grid.macro_step,
            h=grid.h,
            micro_steps=grid.micro_steps,
            fine=fine,
        )

    def run(self, progress: Callable[[float], None]) -> tuple[Array, Array]:
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
