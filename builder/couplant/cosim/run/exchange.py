"""The exchange of values at a communication point, in the order of dependencies.

The order comes from the model descriptions: an output is read after the inputs that act on it at the same instant have
been set. Coupling FMUs with step timing declare no such inputs, so the same rule gives the Jacobi scheme in step timing
and the sequence of event timing. A component in `early` is stepped as soon as its inputs are set, so that its receivers
get the slope over the coming step besides the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from couplant.config.hosts import JACOBI, READS_AGAIN, SEQUENTIAL
from couplant.config.ref import Ref
from couplant.cosim.fmu.component import Component, Reader, Writer, has_stage
from couplant.cosim.wiring.order import Link, Order, Value

_SOON = 2.0**-13
"""Part of a step after which a slope is read where energy is booked: the conjugate there is still that before. [-]"""

Action = Callable[[float, float], None]
"""What happens at a time t before a step h [s]."""


@dataclass(frozen=True)
class _Read:
    """Read several outputs of one component into `values`."""

    values: list[float]
    call: Reader
    slots: list[int]

    def __call__(self, t: float, h: float) -> None:
        for slot, value in zip(self.slots, self.call(), strict=True):
            self.values[slot] = value


@dataclass(frozen=True)
class _Write:
    """Set several inputs of one component from `values`."""

    values: list[float]
    call: Writer
    slots: list[int]

    def __call__(self, t: float, h: float) -> None:
        self.call([self.values[slot] for slot in self.slots])


@dataclass(frozen=True)
class _EarlyStep:
    """Step a component and store the slopes of its outputs; h = 0 while initialising: slopes stay 0.

    They are read on the way: at the end an FMU of FMI 2 in event timing shows what its inputs of before mean there.
    """

    values: list[float]
    component: Component
    call: Reader
    before: list[int]
    slopes: list[int]
    part: float  # of the step after which they are read, -

    def __call__(self, t: float, h: float) -> None:
        if h == 0.0:
            return
        first = self.part * h
        self.component.step(t, first)
        for before, slope, after in zip(self.before, self.slopes, self.call(), strict=True):
            self.values[slope] = (after - self.values[before]) / first
        self.component.step(t + first, h - first)


class Exchange:
    """Reads outputs and sets inputs of connected components.

    Parameters
    ----------
    components : mapping of str to Component
        All components, in the order in which they step.
    links : sequence of Link
        Their connections; components that are asked for slopes step in the exchange.
    watched : sequence of Ref
        Outputs that are read in addition.

    Attributes
    ----------
    values : list of float
        What was read last, at the places that `slot` tells.
    shown : list of float
        What receivers are given for the step that begins, at the same places.

    Raises
    ------
    UsageError
        If a variable does not exist, or the dependencies form an algebraic loop.
    """

    def __init__(self, components: Mapping[str, Component], links: Sequence[Link], watched: Sequence[Ref] = ()) -> None:
        self._components, self._links = components, links
        slopes = [link.source for link in links if link.source.slope]
        self._early = {value.ref.component for value in slopes}
        wanted = [*(Value(link.source.ref) for link in links), *map(Value, watched), *slopes]
        self._slots = {value: slot for slot, value in enumerate(dict.fromkeys(wanted))}
        self.values = self.shown = [0.0] * len(self._slots)
        self._actions = self._plan()

    def slot(self, value: Value) -> int:
        """Return the place of `value`, an output or its slope, in `values`."""
        return self._slots[value]

    def begin(self, t_0: float) -> None:
        """Exchange while the components initialise at `t_0` [s]."""
        for action in self._actions:
            action(t_0, 0.0)

    def read_first(self) -> None:
        """Take the outputs of components that have left initialisation: nothing, they are read before they are used."""

    def run(self, t: float, h: float) -> None:
        """Exchange at time `t` [s]; early components step by `h` [s], with 0 (at the end) nothing steps."""
        for action in self._actions:
            action(t, h)

    def step(self, t: float, h: float) -> None:
        """Step all components that have not been stepped in the exchange from `t` by `h` [s]."""
        for name, component in self._components.items():
            if name not in self._early:
                component.step(t, h)

    def _plan(self) -> list[Action]:
        order = Order(self._components, self._links)
        depths = {value: order.depth(value) for value in self._slots}
        levels = range(max(depths.values(), default=-1) + 1)
        return [action for level in levels for action in self._level([v for v in depths if depths[v] == level])]

    def _level(self, due: Sequence[Value]) -> list[Action]:
        """Read, step ahead, set: what can be done once all earlier levels are done."""
        reads = [self._read(*group) for group in groups(v.ref for v in due if not v.slope)]
        steps = [self._early_step(*group) for group in groups(v.ref for v in due if v.slope)]
        ready = {link.target: link.source for link in self._links if link.source in due}
        return [*reads, *steps, *(self._write(name, targets, ready) for name, targets in groups(ready))]

    def _read(self, name: str, refs: Sequence[Ref]) -> Action:
        read = self._components[name].reader([ref.variable for ref in refs])
        return _Read(self.values, read, [self._slots[Value(ref)] for ref in refs])

    def _early_step(self, name: str, refs: Sequence[Ref]) -> Action:
        component = self._components[name]
        before, slopes = ([self._slots[Value(ref, slope)] for ref in refs] for slope in (False, True))
        read = component.reader([ref.variable for ref in refs])
        part = _SOON if has_stage(component) else 0.5
        return _EarlyStep(self.values, component, read, before, slopes, part)

    def _write(self, name: str, targets: Sequence[Ref], sources: Mapping[Ref, Value]) -> Action:
        write = self._components[name].writer([ref.variable for ref in targets])
        return _Write(self.values, write, [self._slots[sources[ref]] for ref in targets])


def groups(refs: Iterable[Ref]) -> list[tuple[str, list[Ref]]]:
    """Return variables by component, in the order of their first ones."""
    groups: dict[str, list[Ref]] = {}
    for ref in refs:
        groups.setdefault(ref.component, []).append(ref)
    return list(groups.items())


class Jacobi(Exchange):
    """Set all inputs to what was read last, step everything, read all outputs.

    It starts as every importer does, with values that fit together; from then on inputs get what was read after a step.
    """

    def __init__(self, components: Mapping[str, Component], links: Sequence[Link], watched: Sequence[Ref] = ()) -> None:
        super().__init__(components, links, watched)
        self._sources = {link.target: link.source for link in links}
        self._writes = {name: self._write(name, targets, self._sources) for name, targets in groups(self._sources)}
        self._reads: dict[str, Action] = {
            name: self._read(name, refs) for name, refs in groups(value.ref for value in self._slots)
        }

    def begin(self, t_0: float) -> None:
        """Exchange at `t_0` [s] until all is settled: some outputs depend on inputs at once only while they begin."""
        for _ in self._components:
            super().begin(t_0)

    def read_first(self) -> None:
        """Read everything."""
        for read in self._reads.values():
            read(0.0, 0.0)

    def run(self, t: float, h: float) -> None:
        """Set all inputs."""
        for write in self._writes.values():
            write(t, h)

    def step(self, t: float, h: float) -> None:
        """Step everything, then read."""
        super().step(t, h)
        for read in self._reads.values():
            read(t, h)


class Sequential(Jacobi):
    """One component after the other gets its inputs, steps and is read.

    `shown` has what a receiver was given for the step, also where its sender had its turn before.
    """

    def __init__(self, components: Mapping[str, Component], links: Sequence[Link], watched: Sequence[Ref] = ()) -> None:
        super().__init__(components, links, watched)
        self.shown = list(self.values)
        self._given = {name: [self.slot(self._sources[ref]) for ref in refs] for name, refs in groups(self._sources)}
        self._h = 0.0

    def run(self, t: float, h: float) -> None:
        """Let all components take their turns; at the end of a run too, for what they are given there."""
        self._h = h or self._h
        self.shown[:] = self.values
        for name, component in self._components.items():
            if name in self._writes:
                self._writes[name](t, h)
                for slot in self._given[name]:
                    self.shown[slot] = self.values[slot]
            component.step(t, self._h)
            if name in self._reads:
                self._reads[name](t, h)

    def step(self, t: float, h: float) -> None:
        """Nothing is left to do."""


EXCHANGES: dict[str, type[Exchange]] = {READS_AGAIN: Exchange, JACOBI: Jacobi, SEQUENTIAL: Sequential}
"""How an importer exchanges values, by its kind."""
