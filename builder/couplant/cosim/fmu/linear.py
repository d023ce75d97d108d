"""FMUs as linear prototypes about a point: directional derivatives where the FMU gives them, responses to small steps.

An FMU for co-simulation that lists the derivatives of its states and gives directional derivatives tells A, B, C, D.
Of any other one each input gets a small step, up and down, at the point; what that adds to the outputs at the following
communication points is realised as a state space (`couplant.analysis.realisation`). D is that of the directional
derivatives, or what the outputs show when they are read after the input is set.
"""

import logging
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from couplant.analysis.realisation import realise_steps, step_responses
from couplant.analysis.system import Prototype
from couplant.base.arrays import Matrix
from couplant.base.errors import CouplantError, UsageError, require
from couplant.base.isolation import call_isolated
from couplant.cosim.fmu.instance import FmuComponent
from couplant.cosim.fmu.load import FmuLibrary
from couplant.pack.archive.write import is_own

_log = logging.getLogger(__name__)

DERIVATIVES, RESPONSES = "directional derivatives", "responses"

MOST_COUNT = 1000

_CHANGES = (float(np.cbrt(np.finfo(float).eps)), 1e-4, 1e-3, 1e-2)
"""Steps of inputs that are tried until steps up and down agree."""
_AGREE = 1e-4
"""Difference of responses to steps up and down that is none."""
_ROUNDING = 4.0 * float(np.finfo(float).eps)
_SCATTER = 5.0  # difference of two responses over the scatter of their mean
_SLOPE = ".slope"  # behind the name of an input: its slope over the communication step, as our prototypes have it


@dataclass(frozen=True)
class Point:
    """Where and how an FMU is made linear."""

    path: Path  # the FMU
    # inputs, outputs: those of the prototype; all that are real if not given, without inputs that are slopes of others
    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()
    values: Mapping[str, Any] = field(default_factory=dict)  # parameters, and inputs that are not at their start value
    time: float = 0.0  # until when it runs with these inputs before, at least 0, s
    step: float | None = None  # communication step, above 0, s; that of its default experiment if not given
    count: int = 200  # steps of a response, 8 to 1000
    # size of the step of an input, relative to its value or 1, above 0; else one at which steps up and down agree, -
    change: float | None = None
    order: int | None = None  # number of states; as many as the responses show if not given

    def __post_init__(self) -> None:
        """Check the numbers."""
        require(self.time >= 0 and math.isfinite(self.time), f"time = {self.time}, allowed 0 s and more")
        require(self.step is None or 0 < self.step < math.inf, f"step = {self.step}, allowed above 0 s")
        require(8 <= self.count <= MOST_COUNT, f"count = {self.count}, allowed 8 to {MOST_COUNT}")
        require(self.change is None or 0 < self.change < math.inf, f"change = {self.change}, allowed above 0")
        require(self.order is None or self.order >= 0, f"order = {self.order}, allowed 0 and more")


@dataclass(frozen=True, eq=False)
class Linearised:
    """A linear prototype of an FMU, and how well it fits."""

    prototype: Prototype  # its inputs and outputs have names that a SYSTEM.toml takes
    way: str  # `DERIVATIVES` or `RESPONSES`
    step: float  # communication step of the responses, s
    # largest difference between the responses of the FMU and of the prototype, over the largest of each output, -
    deviation: float
    asymmetry: float  # the same between steps up and down: 0 for what is linear, -


def linearise_fmu(point: Point) -> Linearised:
    """Return the linear prototype of an FMU about a point.

    FMUs that this process did not build run in a process of their own. Raises UsageError if the file is no FMU for
    co-simulation, or has no such variables; CouplantError if the FMU refuses to run, ends its process, or shows
    responses of no continuous system.
    """
    if is_own(point.path):
        return _linearise_here(point)
    found: Linearised = call_isolated(_linearise_here, point)
    return found


def _linearise_here(point: Point, *_: Any) -> Linearised:
    with tempfile.TemporaryDirectory(prefix="couplant-") as folder, FmuLibrary(Path(folder)) as library:
        return _Experiment(point, library).result()


class _Experiment:
    """Runs of one FMU from the same point on."""

    def __init__(self, point: Point, library: FmuLibrary) -> None:
        self._point, self._library = point, library
        self._name = _plain_names([point.path.stem])[0]
        one = self._open()
        step = point.step or one.default_step
        if step is None:
            raise UsageError(f"{point.path}: has no default step: give one")
        self._step, self._before = step, round(point.time / step)
        self._inputs = _choose_ports(one, point.inputs, "input")
        self._outputs = _choose_ports(one, point.outputs, "output")

    def result(self) -> Linearised:
        """Return the linear prototype and how well it fits."""
        rest, known = self._run({}), self._at_point(self._partials)
        up, down, change = self._responses(rest)
        steps, apart = 0.5 * (up + down), _apart(up, down)
        names = _plain_names(self._inputs), _plain_names(self._outputs)
        if isinstance(known, tuple):
            A, B, C, D = known
            one, way = Prototype(self._name, A, B, C, D, *names), DERIVATIVES
        else:
            steps[0] = steps[0] if known is None else known
            largest = np.maximum(np.abs(steps).max(axis=(0, 2)), np.finfo(float).tiny)
            rounding = _ROUNDING * (1.0 + float((np.abs(rest).max(axis=0) / largest).max()) / change)
            accuracy = max(rounding, apart / _SCATTER)
            order, way = self._point.order, RESPONSES
            one = realise_steps(self._name, steps, self._step, *names, order=order, accuracy=accuracy)
        again = step_responses(one, self._step, self._point.count)
        return Linearised(one, way, self._step, _apart(steps, again), apart)

    def _responses(self, rest: Matrix) -> tuple[Matrix, Matrix, float]:
        """Return responses to steps up and down at `rest`, for each 1 of them, and the step at which both agree."""
        found: list[tuple[Matrix, Matrix, float]] = []
        # a small step may lie below the tolerance of the solver of the FMU
        for change in _CHANGES if self._point.change is None else (self._point.change,):
            found.append((*self._respond(rest, change), change))
            if _apart(*found[-1][:2]) <= _AGREE:
                break
        return min(found, key=lambda one: _apart(*one[:2]))

    def _respond(self, rest: Matrix, share: float) -> tuple[Matrix, Matrix]:
        """Return additions to the outputs at `rest` by steps of a `share` up and down, for each 1 of them."""
        up, down = [], []
        for name, value in zip(self._inputs, self._present(), strict=True):
            change = share * max(1.0, abs(value))
            up.append((self._run({name: value + change}) - rest) / change)
            down.append((rest - self._run({name: value - change})) / change)
        return np.stack(up, axis=2), np.stack(down, axis=2)

    def _run(self, changed: Mapping[str, float]) -> Matrix:
        """Return the outputs from the point on, shape (N + 1, ny), with inputs that are changed there."""

        def follow(one: FmuComponent) -> Matrix:
            read, rows = one.reader(self._outputs), []
            one.writer(list(changed) or self._inputs)(list(changed.values()) or one.reader(self._inputs)())
            for i in range(self._before, self._before + self._point.count + 1):
                rows.append(list(read()))
                if not np.isfinite(rows[-1]).all():
                    raise CouplantError(f"{self._name} gives outputs that are no finite numbers.")
                one.step(i * self._step, self._step)
            return np.array(rows)

        return np.asarray(self._at_point(follow))

    def _present(self) -> list[float]:
        return [float(value) for value in self._at_point(lambda one: one.reader(self._inputs)())]

    def _partials(self, one: FmuComponent) -> tuple[Matrix, Matrix, Matrix, Matrix] | Matrix | None:
        """Return A, B, C, D of an FMU that tells them, D alone if it has no states that are known, else None."""
        if not one.has_partials:
            return None
        states, rates = (list(names) for names in zip(*one.states, strict=True)) if one.states else ([], [])
        try:
            whole = np.array([one.partial([*rates, *self._outputs], known) for known in [*states, *self._inputs]]).T
        except CouplantError as error:
            _log.warning("%s Its responses are used instead.", error)
            return None
        n = len(states)
        return (whole[:n, :n], whole[:n, n:], whole[n:, :n], whole[n:, n:]) if n else whole

    def _at_point(self, work: Callable[[FmuComponent], Any]) -> Any:
        """Return the result of `work` on a new instance that has run to the point."""
        one = self._open()
        try:
            one.start(0.0, self._point.values)
            one.begin()
            for i in range(self._before):
                one.step(i * self._step, self._step)
            return work(one)
        finally:
            one.free()

    def _open(self) -> FmuComponent:
        return self._library.open(self._point.path, self._name)


def _choose_ports(one: FmuComponent, names: Sequence[str], causality: str) -> list[str]:
    every = [port.name for port in one.ports.values() if port.causality == causality and port.kind == "real"]
    every = [name for name in every if name.removesuffix(_SLOPE) not in every or not name.endswith(_SLOPE)]
    wrong = [name for name in names if name not in one.ports or one.ports[name].causality != causality]
    if wrong or not every:
        missing = (wrong or ["that is real"])[0]
        raise UsageError(f"{one.name} has no {causality} {missing}, allowed {', '.join(every)}")
    return list(names) or every


def _plain_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names as a SYSTEM.toml takes them."""
    plain = ["".join(c if c.isalnum() and c.isascii() else "_" for c in name) for name in names]
    return tuple(name if name[:1].isalpha() or name[:1] == "_" else f"_{name}" for name in plain)


def _apart(one: Matrix, other: Matrix) -> float:
    """Return the largest difference of responses, over the largest of each output."""
    largest = np.maximum(np.abs(one).max(axis=(0, 2)), np.finfo(float).tiny)
    return float((np.abs(one - other).max(axis=(0, 2)) / largest).max())
