"""Connections, the order in which values can be read and set at one instant, and units: one quantity has one scale."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from couplant.base.errors import UsageError
from couplant.base.units import check_scale, doubt
from couplant.config.ref import Ref
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.component import Component


class AlgebraicLoopError(UsageError):
    """An output that acts on itself at the same instant."""


class Value(NamedTuple):
    """Quantity that a connection carries: an output, or its slope over the step that begins."""

    ref: Ref
    slope: bool = False


class Link(NamedTuple):
    """A connection: at every communication point the target is set to the source."""

    source: Value
    target: Ref


class Order:
    """Finds the depth of values: how many settings of inputs must come before they can be read.

    Raises UsageError if a variable does not exist or an input has two sources.
    """

    def __init__(self, components: Mapping[str, Component], links: Sequence[Link]) -> None:
        self._components = components
        self._sources = {link.target: link.source for link in links}
        self._depths: dict[Value, int] = {}
        wrong = [check_ref(components, link.source.ref, "output") for link in links]
        wrong += [check_ref(components, link.target, "input") for link in links]
        seen: dict[Ref, Value] = {}
        for source, target in links:
            if seen.setdefault(target, source) != source:
                wrong.append(f"{target} is connected twice: to {seen[target].ref} and to {source.ref}.")
        if found := list(dict.fromkeys(text for text in wrong if text)):
            raise UsageError("\n".join(found))

    def depth(self, value: Value, above: tuple[Value, ...] = ()) -> int:
        """Return the depth of a value, 0 for an output that depends on no connected input.

        An output is read after the inputs that act on it; its slope is known after a step, so after all inputs. Raises
        AlgebraicLoopError if the value acts on itself.
        """
        if value in above:
            raise AlgebraicLoopError(_loop([*above[above.index(value) :], value]))
        if value not in self._depths:
            before = [self._sources[ref] for ref in self._inputs(value) if ref in self._sources]
            self._depths[value] = max((1 + self.depth(source, (*above, value)) for source in before), default=0)
        return self._depths[value]

    def _inputs(self, value: Value) -> list[Ref]:
        component = self._components[value.ref.component]
        names = component.inputs() if value.slope else component.feedthrough(value.ref.variable)
        return [Ref(value.ref.component, name) for name in names]


def check_ref(components: Mapping[str, Component], ref: Ref, causality: str) -> str:
    """Return the mistake in a reference to an input or output, or an empty text."""
    ports = components[ref.component].ports
    if ref.variable in ports and ports[ref.variable].causality == causality:
        return ""
    known = ", ".join(name for name, port in ports.items() if port.causality == causality)
    return f"{ref.component} has no {causality} {ref.variable}; allowed are: {known or 'none'}."


def _loop(path: Sequence[Value]) -> str:
    chain = " <- ".join(str(value.ref) for value in path)
    return (
        f"Algebraic loop: {chain}. Delay one of these connections, or state the direct feedthrough of a component "
        "in its table (feedthrough = { output = [inputs] }) where its model description does not."
    )


def check_connections(loaded: Loaded, components: Mapping[str, Component]) -> None:
    """Check signals and direct connections between `components`.

    Raises UsageError if two ends of one differ in scale, or an end and the unit of its signal.
    """
    scenario = loaded.scenario
    for name, table in scenario.signals.items():
        at, ends = f"{loaded.path}: signals.{name}", [table.source, *([table.reference] if table.reference else [])]
        own = table.unit if "unit" in table.model_fields_set else ""
        for end in (*ends, *table.to):
            check_scale(f"{at}.unit", own, str(end), _unit(components, end))
        for end in (*table.to, *ends[1:]):
            check_scale(f"{at}: {table.source}", _unit(components, table.source), str(end), _unit(components, end))
    for end, source in scenario.connections.items():
        at = f"{loaded.path}: connections: {source}"
        check_scale(at, _unit(components, source), str(end), _unit(components, end))


def check_coupled(loaded: Loaded, components: Mapping[str, Component], name: str, coupling: Component) -> None:
    """Check the coupling FMU of the signal `name` against what it gets and what takes its estimate.

    Raises UsageError if they differ in scale.
    """
    table = loaded.scenario.signals[name]
    for end in (table.source, *table.to):
        at = f"{loaded.path}: signals.{name}: the coupling FMU"
        check_scale(at, coupling.ports["y"].unit, str(end), _unit(components, end))


def unit_advice(loaded: Loaded) -> Iterator[str]:
    """Yield a sentence for each signal whose unit is not known."""
    for name, table in loaded.scenario.signals.items():
        if text := doubt(table.unit):
            yield f"signals.{name}.unit: {text}"


def _unit(components: Mapping[str, Component], ref: Ref) -> str:
    ports = components[ref.component].ports if ref.component in components else {}
    return ports[ref.variable].unit if ref.variable in ports else ""
