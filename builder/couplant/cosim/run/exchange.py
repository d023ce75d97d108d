"""The exchange of values at a communication point, in the order of dependencies.

The order comes from the model descriptions: an output is read after the inputs that act on it at the same instant have
been set. Coupling FMUs with step timing declare no such inputs, so the same rule gives the Jacobi scheme in step timing
and the sequence of event timing. A component in `early` is stepped as soon as its inputs are set, so that its receivers
get the slope over the coming step besides the value.
"""

from collections.abc import Callable, Iterable, Mapping, MutableSequence, Sequence
from ctypes import Array, c_double

from couplant.config.hosts import JACOBI, READS_AGAIN, SEQUENTIAL
from couplant.config.ref import Ref
from couplant.cosim.fmu.component import Component, has_stage
from couplant.cosim.wiring.order import Link, Order, Value

_SOON = 2.0**-13
"""Part of a step after which a slope is read where energy is booked: the conjugate there is still that before. [-]"""

Values = MutableSequence[float] | Array[c_double]
"""Numbers at places; an array of C where the C library works on them too."""


Action = Callable[[float, float], None]
"""An act at a communication point, at the time t before a step h [s], 0 at the end of a run."""


class Read:
    """Read the outputs `names` of one component to their `slots` in `values`."""

    def __init__(self, component: Component, names: Sequence[str], values: Values, slots: Sequence[int]) -> None:
        self.component, self.names, self.values, self.slots = component, names, values, slots
        self._call = component.reader(names)

    def __call__(self, t: float, h: float) -> None:
        """Read."""
        for slot, value in zip(self.slots, self._call(), strict=True):
            self.values[slot] = value


class Write:
    """Set the inputs `names` of one component from their `slots` in `values`."""

    def __init__(self, component: Component, names: Sequence[str], values: Values, slots: Sequence[int]) -> None:
        self.component, self.names, self.values, self.slots = component, names, values, slots
        self._call = component.writer(names)

    def __call__(self, t: float, h: float) -> None:
        """Set."""
        self._call([self.values[slot] for slot in self.slots])


class Step:
    """Step a component; in its turn (`turns`) at the end of a run too, by the step before."""

    def __init__(self, component: Component, turns: bool = False) -> None:
        self.component, self.turns, self._last = component, turns, 0.0

    def __call__(self, t: float, h: float) -> None:
        """Step."""
        self._last = h or self._last
        self.component.step(t, self._last if self.turns else h)


class EarlyStep:
    """Step a component and store the `slopes` of its outputs `names`; h = 0 while initialising: slopes stay 0.

    Outputs are read after a `part` of the step: at the end an FMU of FMI 2 in event timing shows what its inputs of
    before mean there. `before` are the slots of their values at the beginning.
    """

    def __init__(
        self, component: Component, names: Sequence[str], values: Values, before: Sequence[int], slopes: Sequence[int]
    ) -> None:
        self.component, self.names, self.values, self.before, self.slopes = component, names, values, before, slopes
        self.part = _SOON if has_stage(component) else 0.5
        self._call = component.reader(names)

    def __call__(self, t: float, h: float) -> None:
        """Step in two parts."""
        if h == 0.0:
            return
        first = self.part * h
        self.component.step(t, first)
        for before, slope, after in zip(self.before, self.slopes, self._call(), strict=True):
            self.values[slope] = (after - self.values[before]) / first
        self.component.step(t + first, h - first)


class Show:
    """Copy the values at some `slots` to `shown`."""

    def __init__(self, values: Values, shown: Values, slots: Sequence[int]) -> None:
        self.values, self.shown, self.slots = values, shown, slots

    def __call__(self, t: float, h: float) -> None:
        """Copy."""
        for slot in self.slots:
            self.shown[slot] = self.values[slot]


class Exchange:
    """Reads outputs and sets inputs of connected components, which are in the order in which they step.

    Components that a link asks for slopes step in the exchange; `watched` are outputs that are read in addition. What
    was read last is in `values`, at the places that `slot` tells, and what receivers are given for the step that begins
    in `shown`, at the same places; the C library of runs works on both too. At a communication point the actions
    `point` happen, in the step that begins there those of `after`. Raises UsageError if a variable does not exist, or
    the dependencies form an algebraic loop.
    """

    def __init__(self, components: Mapping[str, Component], links: Sequence[Link], watched: Sequence[Ref] = ()) -> None:
        self.components, self._links = components, links
        slopes = [link.source for link in links if link.source.slope]
        self._early = {value.ref.component for value in slopes}
        wanted = [*(Value(link.source.ref) for link in links), *map(Value, watched), *slopes]
        self._slots = {value: slot for slot, value in enumerate(dict.fromkeys(wanted))}
        self.values: Values = (c_double * len(self._slots))()
        self.shown = self.values
        order = Order(self.components, self._links)
        depths = {value: order.depth(value) for value in self._slots}
        levels = range(max(depths.values(), default=-1) + 1)
        self._first = [action for level in levels for action in self._level([v for v in depths if depths[v] == level])]
        self.point: Sequence[Action] = self._first
        late = (one for name, one in components.items() if name not in self._early)
        self.after: Sequence[Action] = [Step(one) for one in late]

    def slot(self, value: Value) -> int:
        """Return the place of `value`, an output or its slope, in `values`."""
        return self._slots[value]

    def begin(self, t_0: float) -> None:
        """Exchange while the components initialise at `t_0` [s]."""
        for action in self._first:
            action(t_0, 0.0)

    def read_first(self) -> None:
        """Take the outputs of components that have left initialisation: nothing, they are read before they are used."""

    def run(self, t: float, h: float) -> None:
        """Exchange at time `t` [s]; components that have their turn step by `h` [s]; 0 at the end of a run."""
        for action in self.point:
            action(t, h)

    def step(self, t: float, h: float) -> None:
        """Step all components that have not been stepped in the exchange from `t` by `h` [s]."""
        for action in self.after:
            action(t, h)

    def _level(self, due: Sequence[Value]) -> list[Action]:
        """Read, step ahead, set: what can be done once all earlier levels are done."""
        reads = [self._read(*group) for group in groups(v.ref for v in due if not v.slope)]
        steps = [self._early_step(*group) for group in groups(v.ref for v in due if v.slope)]
        ready = {link.target: link.source for link in self._links if link.source in due}
        return [*reads, *steps, *(self._write(name, targets, ready) for name, targets in groups(ready))]

    def _read(self, name: str, refs: Sequence[Ref]) -> Action:
        slots = [self._slots[Value(ref)] for ref in refs]
        return Read(self.components[name], [ref.variable for ref in refs], self.values, slots)

    def _early_step(self, name: str, refs: Sequence[Ref]) -> Action:
        before, slopes = ([self._slots[Value(ref, slope)] for ref in refs] for slope in (False, True))
        return EarlyStep(self.components[name], [ref.variable for ref in refs], self.values, before, slopes)

    def _write(self, name: str, targets: Sequence[Ref], sources: Mapping[Ref, Value]) -> Action:
        slots = [self._slots[sources[ref]] for ref in targets]
        return Write(self.components[name], [ref.variable for ref in targets], self.values, slots)


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
        self._reads = {name: self._read(name, refs) for name, refs in groups(value.ref for value in self._slots)}
        self.point = [*self._writes.values()]
        self.after = [*self.after, *self._reads.values()]

    def begin(self, t_0: float) -> None:
        """Exchange at `t_0` [s] until all is settled: some outputs depend on inputs at once only while they begin."""
        for _ in self.components:
            super().begin(t_0)

    def read_first(self) -> None:
        """Read everything."""
        for read in self._reads.values():
            read(0.0, 0.0)


class Sequential(Jacobi):
    """One component after the other gets its inputs, steps and is read.

    `shown` has what a receiver was given for the step, also where its sender had its turn before. At the end of a run
    all have their turns once more, for what they are given there.
    """

    def __init__(self, components: Mapping[str, Component], links: Sequence[Link], watched: Sequence[Ref] = ()) -> None:
        super().__init__(components, links, watched)
        self.shown = (c_double * len(self._slots))()
        start = Show(self.values, self.shown, range(len(self._slots)))
        self.point = [start, *(action for name in components for action in self._turn(name))]
        self.after = []

    def _turn(self, name: str) -> Iterable[Action]:
        if name in self._writes:
            given = [self.slot(source) for target, source in self._sources.items() if target.component == name]
            yield from (self._writes[name], Show(self.values, self.shown, given))
        yield Step(self.components[name], turns=True)
        if name in self._reads:
            yield self._reads[name]


EXCHANGES: dict[str, type[Exchange]] = {READS_AGAIN: Exchange, JACOBI: Jacobi, SEQUENTIAL: Sequential}
"""How an importer exchanges values, by its kind."""
