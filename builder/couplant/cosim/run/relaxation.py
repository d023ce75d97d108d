"""Waveform relaxation in C: micro steps whose inputs are linear in time and fit at both ends."""

from collections.abc import Mapping, Sequence
from ctypes import POINTER, Structure, c_double, c_int32, c_size_t

from couplant.base.arrays import Matrix
from couplant.cosim.fmu.component import Component
from couplant.cosim.fmu.native import fields
from couplant.cosim.run.engine import Engine, NativeFailure, NativePlan, integers
from couplant.cosim.run.exchange import Exchange, Values, Write
from couplant.cosim.run.grid_run import Grid

MOST_REPEATS = 10
SETTLED = 1e-9
"""Change of an input at the end of a step, of its largest value so far, from which on a step is not repeated. [-]"""
TINIEST = 1e-300  # largest value of an input before there is one [its unit]


class Course:
    """The course of all connected inputs of one component over a step.

    The `targets` are its inputs with the places of their links. It is told by slopes where the component takes them,
    else by mean values; what is not real keeps the value that it has when the step begins.
    """

    def __init__(self, component: Component, targets: Mapping[str, int]) -> None:
        sloped = {f"{name}.slope": place for name, place in targets.items() if f"{name}.slope" in component.ports}
        real = {name: place for name, place in targets.items() if component.ports[name].kind == "real"}
        plain = {name: place for name, place in real.items() if f"{name}.slope" not in component.ports}
        self.component, self.names = component, [*sloped, *plain]
        self.links, self.sloped = [*sloped.values(), *plain.values()], [True] * len(sloped) + [False] * len(plain)
        self.write = component.writer(self.names)

    def numbers(self, values: Sequence[float], slopes: Sequence[float], half: float) -> list[float]:
        """Return numbers to set: slopes, or mean values over a step of which `half` is given [s].

        `values` at its beginning and `slopes` are those of links.
        """
        pairs = zip(self.links, self.sloped, strict=True)
        return [slopes[link] if sloped else values[link] + slopes[link] * half for link, sloped in pairs]


class Native(Structure):
    """`engine_relaxation`."""

    _fields_ = fields(
        ("save restore write step point", NativePlan), ("values", POINTER(c_double)),
        ("sources inputs sloped", POINTER(c_int32)),
        ("course begin slopes guess before largest", POINTER(c_double)), ("n n_course", c_size_t),
        ("watched", POINTER(c_int32)), ("n_watched", c_size_t), ("rows", POINTER(c_double)),
        ("start macro_step h", c_double), ("micro_steps", c_size_t), ("settled", c_double),
        ("most restorable", c_int32), ("failure", NativeFailure),
    )


class NativeRelaxation:
    """Runs an `exchange` that has begun on a `grid`; `links` are the places of what its links lead from."""

    def __init__(self, exchange: Exchange, links: Sequence[int], courses: Sequence[Course], grid: Grid) -> None:
        components, self._engine = list(exchange.components.values()), Engine()
        inputs = [link for course in courses for link in course.links]
        numbers = (c_double * len(inputs))()
        self._native = Native(
            save=self._engine.states(components, restore=False),
            restore=self._engine.states(components, restore=True),
            write=self._engine.plan(_writes(courses, numbers)), step=self._engine.plan(exchange.after),
            point=self._engine.plan(exchange.point), values=exchange.values, sources=integers(links),
            inputs=integers(inputs),
            sloped=integers([sloped for course in courses for sloped in course.sloped]), course=numbers,
            **{name: (c_double * len(links))() for name in ("begin", "slopes", "guess", "before")},
            largest=(c_double * len(links))(*[TINIEST] * len(links)), n=len(links), n_course=len(inputs),
            **grid.members(), settled=SETTLED, most=MOST_REPEATS,
            restorable=all(component.restorable for component in components),
        )

    def run(self, first: int, end: int, watched: Sequence[int], rows: Matrix) -> None:
        """Run macro steps `first` up to `end`; `rows` get the `watched` values at the end of step n in row n + 1.

        Raises CouplantError if a component refuses a step or ends the run.
        """
        native = self._native
        native.watched, native.n_watched = integers(watched), len(watched)
        native.rows = rows.ctypes.data_as(POINTER(c_double))
        self._engine.call("engine_relax_steps", native, c_size_t(first), c_size_t(end))


def _writes(courses: Sequence[Course], numbers: Values) -> list[Write]:
    """Return the settings of inputs, whose `numbers` lie one after the other."""
    writes: list[Write] = []
    for course in courses:
        place = sum(len(write.names) for write in writes)
        writes.append(Write(course.component, course.names, numbers, range(place, place + len(course.names))))
    return writes
