"""Units along the connections of a scenario: what is one quantity has one scale."""

from collections.abc import Iterator, Mapping

from couplant.base.units import check_scale, doubt
from couplant.config.ref import Ref
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.component import Component


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
