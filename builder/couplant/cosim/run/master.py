"""The co-simulation master: start, exchange, step, record; and free whatever happened.

What senders give out first are the values of signals before the first one arrives.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from couplant.base.arrays import Vector
from couplant.config.hosts import READS_AGAIN
from couplant.config.ref import Ref
from couplant.cosim.fmu.component import Component
from couplant.cosim.run.engine import is_native
from couplant.cosim.run.exchange import EXCHANGES, Exchange, groups
from couplant.cosim.run.grid_run import Grid as Grid
from couplant.cosim.run.grid_run import GridRun, Places
from couplant.cosim.wiring.order import AlgebraicLoopError, Link, Value

Rows = Any  # a value for each column: a list of lists, or an array

DIVERGED = 1e100
"""Size of a signal at which an unstable run is ended, before components refuse what is not finite. [signal unit]"""


class Course(Protocol):
    """When a run steps."""

    @property
    def start(self) -> float:
        """Return the time t_0 at which it begins [s]."""

    @property
    def end(self) -> float:
        """Return the time at which it ends [s]."""

    def walk(self, exchange: Exchange) -> Iterator[tuple[float, float, bool]]:
        """Return time and length of each communication step [s], and whether it is recorded.

        It goes on when the step is done: the values in the `exchange` are those at its end.
        """

    def times(self, count: int) -> Vector:
        """Return the times that a recording has of which `count` points were reached, shape (N,), N >= count [s]."""


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


def part_for(whole: Wiring, names: set[str]) -> Wiring:
    """Return the part of a system that acts on the components with these `names`, and these."""
    needed = names
    while more := {link.source.ref.component for link in whole.links if link.target.component in needed} - needed:
        needed = needed | more
    return replace(
        whole,
        components={name: one for name, one in whole.components.items() if name in needed},
        links=[link for link in whole.links if link.target.component in needed],
        watched=[ref for ref in whole.watched if ref.component in needed],
    )


@dataclass(frozen=True)
class Recording:
    """Recorded values of a run: arrays of shape (N,) for watched and (N - 1,) for logged outputs.

    After the end of a run that diverged real outputs are NaN, others 0.
    """

    time: Vector  # macro points [s]
    watched: dict[Ref, NDArray[Any]]
    logged: dict[Ref, NDArray[Any]]
    units: dict[Ref, str] = field(default_factory=dict)  # of watched outputs, as the components say; empty: none


@contextmanager
def start_components(wiring: Wiring, t_0: float) -> Iterator[Exchange]:
    """Start all components at `t_0` [s], hand out the exchange, free all components at the end, also after an error.

    Raises UsageError if connections or parameters are wrong; CouplantError if a component refuses to start.
    """
    components = wiring.components
    try:
        for name, component in components.items():
            component.start(t_0, wiring.parameters.get(name, {}))
        exchange = EXCHANGES[wiring.host](components, wiring.links, wiring.watched)
        exchange.begin(t_0)
        for component in components.values():
            component.begin()
        exchange.read_first()
        yield exchange
    finally:
        for component in reversed(components.values()):
            component.free()


def run(wiring: Wiring, course: Course, progress: Callable[[float], None] = lambda share: None) -> Recording:
    """Co-simulate from t_0 to the end of a `course`, or until a signal diverges.

    `progress` hears the share that is done, 0 to 1, a hundred times a run. Raises CouplantError if a component refuses
    a step or ends the run.
    """
    told = 0
    with start_components(wiring, course.start) as exchange:
        recorder = Recorder(wiring, exchange, course)
        if isinstance(course, Grid) and is_native(wiring.components.values()):
            recorder.take(*GridRun(exchange, recorder.places, course).run(progress))
            return recorder.recording()
        for t in recorded_steps(course, exchange, recorder):
            done = (t - course.start) / (course.end - course.start)
            if 100.0 * done >= told - 1e-6:
                progress(done)
                told = int(100.0 * done + 1e-6) + 1
    return recorder.recording()


def recorded_steps(course: Course, exchange: Exchange, recorder: "Recorder") -> Iterator[float]:
    """Take the steps of a `course` with an `exchange` that has begun, and return when each began [s], once it is done.

    The `recorder` keeps them, and the end; behind a step in which a signal diverges there is none.
    """
    for t, h, recorded in course.walk(exchange):
        exchange.run(t, h)
        if recorded:
            recorder.point()
        exchange.step(t, h)
        if recorded:
            recorder.step()
        if recorder.diverged():
            return
        yield t
    exchange.run(course.end, 0.0)
    recorder.point()


class Recorder:
    """Keeps the values of a `wiring`, whose exchange has begun, at those points of a `course` that are recorded."""

    def __init__(self, wiring: Wiring, exchange: Exchange, course: Course) -> None:
        self._components, self._values, self._course = wiring.components, exchange.shown, course
        self._watched, self._logged = wiring.watched, [ref for _, refs in groups(wiring.logged) for ref in refs]
        logged = [(wiring.components[n], [ref.variable for ref in refs]) for n, refs in groups(wiring.logged)]
        watched, bounded = ([exchange.slot(Value(ref)) for ref in refs] for refs in (wiring.watched, wiring.signals))
        self.places = Places(watched, bounded, DIVERGED, logged)
        self._readers = [component.reader(names) for component, names in logged]
        self._points: Rows = []
        self._steps: Rows = []

    def point(self) -> None:
        """Keep the watched values."""
        self._points.append([self._values[slot] for slot in self.places.watched])

    def step(self) -> None:
        """Read and keep the logged values."""
        self._steps.append([value for read in self._readers for value in read()])

    def take(self, points: Vector, steps: Vector) -> None:
        """Take rows of watched values, `points`, and of logged ones, `steps`, in place of those that it kept."""
        self._points, self._steps = points, steps

    def diverged(self) -> bool:
        """Tell whether a signal is out of all bounds."""
        return not all(abs(self._values[slot]) <= self.places.bound for slot in self.places.bounded)

    def recording(self) -> Recording:
        """Return everything by output."""
        time = self._course.times(len(self._points))
        watched = self._columns(self._watched, self._points, time.size)
        logged = self._columns(self._logged, self._steps, time.size - 1)
        units = {ref: self._components[ref.component].ports[ref.variable].unit for ref in watched}
        return Recording(time, watched, logged, units)

    def _columns(self, refs: Sequence[Ref], rows: Rows, count: int) -> dict[Ref, NDArray[Any]]:
        """Return `rows` as a column of `count` values for each of `refs`, NaN where there are no more rows."""
        columns = np.full((len(refs), count), np.nan)
        if len(rows):
            columns[:, : len(rows)] = np.array(rows).T
        found: dict[Ref, NDArray[Any]] = {}
        for ref, values in zip(refs, columns, strict=True):
            # values of a port that is not real are whole numbers
            is_real = self._components[ref.component].ports[ref.variable].kind == "real"
            found[ref] = values if is_real else np.nan_to_num(values).astype(np.int64)
        return found


def first_values(wiring: Wiring, sources: Sequence[Ref], t_0: float) -> dict[Ref, float]:
    """Start a system at `t_0` [s] and return what its outputs `sources` show then, in their units.

    What is not finite is left out, and all of them where the system has an algebraic loop: a network may break it.
    Raises UsageError if connections or parameters are wrong; CouplantError if a component refuses to start.
    """
    try:
        with start_components(replace(wiring, watched=list(sources)), t_0) as exchange:
            exchange.run(t_0, 0.0)
            found = {ref: exchange.values[exchange.slot(Value(ref))] for ref in sources}
    except AlgebraicLoopError:
        return {}
    return {ref: value for ref, value in found.items() if math.isfinite(value)}
