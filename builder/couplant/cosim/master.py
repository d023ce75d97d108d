"""The co-simulation master: start, exchange, step, record; and free whatever happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from couplant.config.hosts import READS_AGAIN
from couplant.config.ref import Ref
from couplant.cosim.component import Component, Reader
from couplant.cosim.exchange import Exchange
from couplant.cosim.hosts import EXCHANGES
from couplant.cosim.order import Link, Value

Array = NDArray[np.float64]

DIVERGED = 1e100
"""Size of a signal at which an unstable run is ended, before components refuse what is not finite. [signal unit]"""


@dataclass(frozen=True)
class Grid:
    """Times of a run."""

    macro_step: float  # ΔT [s]
    count: int  # number of macro steps; there are count + 1 macro points
    micro_steps: int = 1  # communication steps in a macro step
    start: float = 0.0  # t_0 [s]

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

    def points(self, n: int) -> list[float]:
        """Return the communication points of macro step `n`, shape (micro_steps,) [s]."""
        t_n = self.start + n * self.macro_step
        return [t_n + i * self.h for i in range(self.micro_steps)]


@dataclass(frozen=True)
class Wiring:
    """Components and their connections."""

    components: dict[str, Component]  # in the order in which they step
    links: list[Link]
    parameters: dict[str, dict[str, Any]] = field(default_factory=dict)  # values to set, by component and variable
    # outputs that are recorded at every macro point, after the exchange
    watched: list[Ref] = field(default_factory=list)
    signals: list[Ref] = field(default_factory=list)  # the watched outputs whose size beyond `DIVERGED` ends the run
    # outputs that are recorded after the communication step that begins at a macro point: what that step did
    logged: list[Ref] = field(default_factory=list)
    host: str = READS_AGAIN  # the importer in whose way values are exchanged


@dataclass(frozen=True)
class Recording:
    """What a run recorded: arrays of shape (N,) for watched and (N - 1,) for logged outputs.

    After the end of a run that diverged real outputs are NaN, others 0.
    """

    time: Array  # macro points [s]
    watched: dict[Ref, NDArray[Any]]
    logged: dict[Ref, NDArray[Any]]


@contextmanager
def started(wiring: Wiring, t_0: float) -> Iterator[Exchange]:
    """Start all components at `t_0` [s], hand out the exchange, free all components at the end, also after an error.

    Raises
    ------
    UsageError
        If connections or parameters are wrong.
    CouplantError
        If a component refuses to start.
    """
    components = wiring.components
    try:
        for name, component in components.items():
            component.start(t_0, wiring.parameters.get(name, {}))
        exchange = EXCHANGES[wiring.host](components, wiring.links, wiring.watched)
        exchange.begin(t_0)
        for component in components.values():
            component.begin()
        exchange.begun()
        yield exchange
    finally:
        for component in reversed(components.values()):
            component.free()


def run(wiring: Wiring, grid: Grid, progress: Callable[[float], None] = lambda share: None) -> Recording:
    """Co-simulate from t_0 to the last macro point, or until a signal diverges.

    `progress` hears the share that is done, 0 to 1, a hundred times a run.

    Raises
    ------
    CouplantError
        If a component refuses a step or ends the run.
    """
    with started(wiring, grid.start) as exchange:
        recorder = _Recorder(wiring, exchange, grid)
        for n in range(grid.count):
            if n % max(1, grid.count // 100) == 0:
                progress(n / grid.count)
            for t in grid.points(n):
                exchange.run(t, grid.h)
                recorder.point(n)
                exchange.step(t, grid.h)
                recorder.step(n)
            if recorder.diverged():
                return recorder.recording()
        exchange.run(grid.end, 0.0)
        recorder.point(grid.count)
    return recorder.recording()


class _Recorder:
    """Keeps what the first communication point of each macro step shows."""

    def __init__(self, wiring: Wiring, exchange: Exchange, grid: Grid) -> None:
        self._components, self._values = wiring.components, exchange.shown
        self._slots = {ref: exchange.slot(Value(ref)) for ref in wiring.watched}
        self._logs = [(refs, _reader(wiring, refs)) for refs in _by_component(wiring.logged)]
        self._signals = [exchange.slot(Value(ref)) for ref in wiring.signals]
        self._time = grid.macro_points()
        self._watched = np.full((grid.count + 1, len(self._slots)), np.nan)
        self._logged = [np.full((grid.count, len(refs)), np.nan) for refs, _ in self._logs]
        self._points = self._steps = 0

    def point(self, n: int) -> None:
        """Keep the watched values unless macro point n has them already."""
        if n == self._points:
            self._watched[n] = [self._values[slot] for slot in self._slots.values()]
            self._points += 1

    def step(self, n: int) -> None:
        """Read and keep the logged values unless macro step n has them already."""
        if n == self._steps:
            for rows, (_, read) in zip(self._logged, self._logs, strict=True):
                rows[n] = read()
            self._steps += 1

    def diverged(self) -> bool:
        """Tell whether a signal is out of all bounds."""
        return not all(abs(self._values[slot]) <= DIVERGED for slot in self._signals)

    def recording(self) -> Recording:
        """Return everything by output."""
        logged = {
            ref: rows[:, i]
            for (refs, _), rows in zip(self._logs, self._logged, strict=True)
            for i, ref in enumerate(refs)
        }
        watched = {ref: self._watched[:, i] for i, ref in enumerate(self._slots)}
        return Recording(self._time, *({ref: self._typed(ref, v) for ref, v in d.items()} for d in (watched, logged)))

    def _typed(self, ref: Ref, values: Array) -> NDArray[Any]:
        """Return the values of a port that is not real as whole numbers."""
        is_real = self._components[ref.component].ports[ref.variable].kind == "real"
        return values if is_real else np.nan_to_num(values).astype(np.int64)


def _by_component(refs: Sequence[Ref]) -> list[list[Ref]]:
    names = dict.fromkeys(ref.component for ref in refs)
    return [[ref for ref in refs if ref.component == name] for name in names]


def _reader(wiring: Wiring, refs: Sequence[Ref]) -> Reader:
    return wiring.components[refs[0].component].reader([ref.variable for ref in refs])
