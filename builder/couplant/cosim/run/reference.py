"""The delay-free reference: the prototypes connected to each other directly, as accurately as their FMUs allow.

At micro steps δT = ΔT/μ every input is a linear function of time that ends at the value which the sender has at the end
of the step. That value is found by iteration: the components step, the outputs at the end are read, the states are
restored and the step is repeated with the new slopes until the inputs at its end stay (waveform relaxation, Lelarasmee
et al., IEEE Trans. CAD 1(3), 1982). A receiver without an input NAME.slope gets the mean value over the step. The error
of the converged steps is even in δT, so two runs give a better one (Richardson): y = y_μ + (y_μ - y_{μ/2})/3.
μ is doubled until the improved solutions agree. Nothing in this is random: equal scenarios have equal references, which
`store` keeps.

Components that cannot restore a state step once, with slopes continued from the step before.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.config.ref import Ref
from couplant.cosim.run import store
from couplant.cosim.run.engine import in_parts, is_native
from couplant.cosim.run.exchange import Exchange
from couplant.cosim.run.master import Grid, Wiring, start_components
from couplant.cosim.run.relaxation import MOST_REPEATS, SETTLED, TINIEST, Course, NativeRelaxation
from couplant.cosim.wiring.order import AlgebraicLoopError, Value

_log = logging.getLogger(__name__)

AGREEMENT = 1e-5
"""Mean difference of two improved solutions, relative to the rms of a signal, at which the reference is accepted."""
_MOST_MICRO_STEPS = 64


@dataclass(frozen=True)
class Reference:
    """The delay-free solution."""

    values: dict[Ref, Vector]  # shape (N,): outputs at the macro points
    micro_steps: int  # micro steps in a macro step of the finest run
    # mean difference of the last two improved solutions, relative to the rms; the largest over the outputs [-]
    error: float


def solve(
    make_wiring: Callable[[], Wiring],
    macro_step: float,
    count: int,
    progress: Callable[[float], None] = lambda share: None,
) -> Reference:
    """Solve the directly connected system at `count` macro steps of `macro_step` ΔT [s].

    `make_wiring` makes fresh components with direct links; called for every run. `progress` hears the share of the run
    at hand that is done. Raises CouplantError if a component refuses a step, or the connections form an algebraic loop.
    """
    progress(0.0)
    key = store.key_of(wiring := make_wiring(), macro_step, count, AGREEMENT, _MOST_MICRO_STEPS)
    known = None if key is None else store.load(key, wiring.watched)
    found = _solve(make_wiring, macro_step, count, progress) if known is None else Reference(*known)
    if found.error > AGREEMENT:
        _log.warning("The delay-free reference is known to %.1e of the signals only.", found.error)
    if key is not None and known is None:
        store.save(key, found.values, found.micro_steps, found.error)
    return found


def _solve(
    make_wiring: Callable[[], Wiring], macro_step: float, count: int, progress: Callable[[float], None]
) -> Reference:
    coarse = better = None
    error, micro_steps = np.inf, 1
    while True:
        try:
            fine = _relax(make_wiring(), Grid(macro_step, count, micro_steps), progress)
        except AlgebraicLoopError as loop:  # the run may well have none: networks, and hosts that do not read again
            raise UsageError(f"the delay-free reference: {loop}") from None
        if coarse is not None:
            last, better = better, {ref: fine[ref] + (fine[ref] - coarse[ref]) / 3 for ref in fine}
            error = np.inf if last is None else _difference(last, better)
        if error <= AGREEMENT or micro_steps >= _MOST_MICRO_STEPS:
            break
        coarse, micro_steps = fine, 2 * micro_steps
    return Reference(better or fine, micro_steps, float(error))


def _difference(last: dict[Ref, Vector], better: dict[Ref, Vector]) -> float:
    largest = 0.0
    for ref, values in better.items():
        size = float(np.sqrt(np.mean(values**2)))
        largest = max(largest, float(np.mean(np.abs(values - last[ref]))) / size if size > 0.0 else 0.0)
    return largest


def _relax(wiring: Wiring, grid: Grid, progress: Callable[[float], None]) -> dict[Ref, Vector]:
    """Run once and return the watched outputs at the macro points."""
    with start_components(wiring, grid.start) as exchange:
        slots = {ref: exchange.slot(Value(ref)) for ref in wiring.watched}
        rows = np.empty((grid.count + 1, len(slots)))
        rows[0] = [exchange.values[slot] for slot in slots.values()]
        links = [exchange.slot(link.source) for link in wiring.links]
        # by component the inputs that links lead to, each with the place of its link
        targets: dict[str, dict[str, int]] = {}
        for place, link in enumerate(wiring.links):
            targets.setdefault(link.target.component, {})[link.target.variable] = place
        courses = [Course(wiring.components[name], chosen) for name, chosen in targets.items()]
        native = is_native(wiring.components.values())
        relaxation = (NativeRelaxation if native else _Relaxation)(exchange, links, courses, grid)
        for first, end in in_parts(grid.count):
            progress(first / grid.count)
            relaxation.run(first, end, list(slots.values()), rows)
    return {ref: rows[:, i] for i, ref in enumerate(slots)}


class _Relaxation:
    """Micro steps of all components with inputs that are linear in time and fit at both ends."""

    def __init__(self, exchange: Exchange, links: Sequence[int], courses: Sequence[Course], grid: Grid) -> None:
        self._exchange, self._slots, self._courses, self._grid, self._h = exchange, links, courses, grid, grid.h
        self._components = list(exchange.components.values())
        self._restorable = all(component.restorable for component in self._components)
        self._slopes = np.zeros(len(links))
        self._before = np.zeros(len(links))
        self._largest = np.full(len(links), TINIEST)

    def run(self, first: int, end: int, watched: Sequence[int], rows: Vector) -> None:
        """Run macro steps `first` up to `end`; `rows` get the `watched` values at the end of step n in row n + 1."""
        for n in range(first, end):
            for t in self._grid.points(n):
                # go from t to t + h [s], outputs exchanged at the end
                values = self._values()
                guess = 2.0 * self._slopes - self._before
                self._before = self._slopes
                if self._restorable:
                    for component in self._components:
                        component.save()
                for repeat in range(MOST_REPEATS):
                    if repeat:
                        for component in self._components:
                            component.restore()
                    # step with these slopes: `change` is how far the inputs at the end are from where they lead
                    for course in self._courses:
                        course.write(course.numbers(values.tolist(), guess.tolist(), self._h / 2))
                    self._exchange.step(t, self._h)
                    self._exchange.run(t + self._h, 0.0)
                    reached = self._values()
                    self._slopes = (reached - values) / self._h
                    self._largest = np.maximum(self._largest, np.abs(reached))
                    change = float(np.max(np.abs(reached - values - guess * self._h) / self._largest, initial=0.0))
                    guess = self._slopes
                    if change <= SETTLED or not self._restorable:
                        break
            rows[n + 1] = [self._exchange.values[slot] for slot in watched]

    def _values(self) -> Vector:
        return np.array([self._exchange.values[slot] for slot in self._slots])
