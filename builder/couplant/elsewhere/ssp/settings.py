"""Settings of the coupling FMUs: what the user says, and what the importer adds, worked out for the whole system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from couplant.base.errors import UsageError
from couplant.config import Interface, parse_interface
from couplant.config.frame.read import Content, Source, merge, read_source, refuse, schema_lines, source_name
from couplant.config.hosts import HOSTS, READS_AGAIN, SEQUENTIAL, HostLead, Way, host_leads, left_late
from couplant.config.interface import Common
from couplant.config.leads import with_lead
from couplant.config.load import all_with_learnt
from couplant.config.network import Seconds, steps_in
from couplant.config.ref import Ref
from couplant.elsewhere.ssp.choice import Chosen, Wanted, identifier, parse_signals, unique
from couplant.elsewhere.ssp.description import Description, Place, printable_name
from couplant.elsewhere.ssp.fmus import Fmus

_REFUSED = {"bonds": "a power bond connects more than one value", "models": "a model needs more than one value"}


@dataclass(frozen=True)
class Request:
    """Request of a user."""

    signals: Sequence[str] = ()  # connections, ``a.x->b.u``; or a settings file with ``from`` and ``to`` in its place
    settings: Source | None = None  # of an interface
    host: str | None = None  # kind of importer, instead of that of the settings
    # components in the order in which a sequential importer steps them, instead of that of the settings
    order: Sequence[str] = ()
    macro_step: float | None = None  # period of the data exchange, instead of that of the settings [s]
    steps: int | Seconds | None = None  # latency of each signal, instead of those of the settings
    assignments: Sequence[str] = field(default_factory=tuple)  # changes of the settings in the form ``key=TOML value``


@dataclass(frozen=True)
class Plan:
    """The settings of all coupling FMUs, with what the importer adds."""

    interface: Interface
    leads: Mapping[str, HostLead]
    late: Mapping[Ref, set[Ref]]  # outputs that go on directly a step late


class Wishes:
    """The settings of a request, and the connections that it names.

    Raise `UsageError` if it names none, or what is wrong with the settings.
    """

    def __init__(self, request: Request, archive: str) -> None:
        self._request = request
        given = request.settings
        if (given is None) == (not request.signals):
            raise UsageError("signals = a.x->b.u,.. or settings = FILE is missing, allowed one of them")
        self.origin = source_name(given if given is not None else {})
        named = parse_signals(request.signals)
        start: Source = given if given is not None else _content(archive, named)
        content = all_with_learnt(read_source(start, self._assignments()), self.origin.parent)
        self._check(content)
        self.wanted, self._content = (named, content) if given is None else _spread(content, self.origin)
        self.common = Common.model_validate(content["interface"])
        self.host = str(self.common.host)
        self.order = tuple(request.order or self.common.order)
        if self.host == SEQUENTIAL and not self.order:
            raise UsageError("order is missing: host = sequential needs the components in the order in which they step")

    def plan(self, description: Description, fmus: Fmus, chosen: Sequence[Chosen], names: Mapping[str, str]) -> Plan:
        """Return the settings; `names` are those of the coupling FMUs among the components, by signal.

        Raise `UsageError` if a unit does not fit, the order has a wrong name, or the latency does not fit the settings.
        """
        content = merge(self._content, {"signals": {c.signal: self._unit(description, c) for c in chosen}})
        own = content["interface"]
        content = content | {"interface": {k: v for k, v in own.items() if k not in ("host", "order", "micro_step")}}
        alone = parse_interface(content, self.origin)
        through = {part for one in chosen for part in one.through}
        ways = {c.signal: _way(c, names[c.signal], alone) for c in chosen}
        taken = {one.flow.target for one in chosen}
        direct = {
            _ref(flow.target): _ref(flow.source)
            for flow in description.flows()
            if flow.target not in taken and flow.target.part not in through
        }
        others = [part for part in description.components if part not in through]
        feedthrough = {o: i for part in others for o, i in fmus.feedthrough(part).items()}
        order = self._order(description, chosen, tuple(names.values()))
        leads = host_leads(self.host, ways, feedthrough, direct, order)
        led = {name: with_lead(alone.signals[name], leads[name], self.common.step) for name in ways}
        found = {
            name: {"latency": {"host_lead": signal.latency.host_lead, "hold_lead": signal.latency.hold_lead}}
            for name, signal in led.items()
            if self.host != READS_AGAIN
        }
        told = merge(content, {"interface": {"host": self.host}, "signals": found})
        interface = parse_interface(told, self.origin)
        return Plan(interface, leads, left_late(self.host, ways, feedthrough, direct, order))

    def _assignments(self) -> list[str]:
        request = self._request
        if request.host is not None and request.host not in HOSTS:
            raise UsageError(f"host = {request.host}, allowed {', '.join(HOSTS)}")
        own = [] if request.host is None else [f'interface.host="{request.host}"']
        step = [] if request.macro_step is None else [f"interface.macro_step={request.macro_step!r}"]
        return [*own, *step, *request.assignments]

    def _check(self, content: Content) -> None:
        """Refuse settings that are wrong whatever the importer adds, and those that one connection cannot have."""
        interface = content.get("interface")
        if isinstance(interface, dict) and "macro_step" not in interface:
            raise UsageError("macro_step is missing: an SSD has no step size; give it in seconds")
        for key, reason in _REFUSED.items():
            if content.get(key):
                raise UsageError(f"{self.origin}: {key} cannot be inserted: {reason}")
        signals = content.get("signals")
        step = interface.get("macro_step") if isinstance(interface, dict) else None
        late = None if self._request.steps is None else steps_in(self._request.steps, step)
        for signal in signals.values() if isinstance(signals, dict) and late is not None else ():
            if isinstance(signal, dict):
                before = signal.get("latency")
                rest = before if isinstance(before, dict) else {}
                signal["latency"] = {**rest, "constant_steps": late}
        content.pop("components", None)
        content = _with_other_ends(content)
        if isinstance(interface, dict):
            interface.setdefault("inputs", "needed")
        host = {"host": READS_AGAIN, "order": []} if isinstance(interface, dict) else {}
        parse_interface(merge(content, {"interface": host}) if host else content, self.origin)
        lines = schema_lines(Common, interface, ("interface",))
        if lines:
            refuse(self.origin, lines)

    def _unit(self, description: Description, chosen: Chosen) -> dict[str, Any]:
        """Return the unit of a signal where the settings have none: that of the input."""
        said, unit = self._unit_said(chosen), _unit_of(description, chosen)
        if said is not None and unit is not None and said != unit:
            text = f'unit = "{said}", allowed "{printable_name(unit)}", the unit of {chosen.flow.target}'
            raise UsageError(f"{self.origin}: signals.{chosen.signal}.{text}")
        fits = unit is not None and not any(sign.isspace() for sign in unit)
        return {"unit": unit} if said is None and unit and fits else {}

    def unit(self, description: Description, chosen: Chosen) -> str | None:
        """Return the unit of a signal: that of the settings or of the input, None where neither has one."""
        return self._unit_said(chosen) or _unit_of(description, chosen)

    def _unit_said(self, chosen: Chosen) -> str | None:
        said: str | None = self._content["signals"][chosen.signal].get("unit")
        return said

    def _order(self, description: Description, chosen: Sequence[Chosen], couplings: Sequence[str]) -> tuple[str, ...]:
        if self.host != SEQUENTIAL:
            return ()
        known = {part.name for part in description.components}
        touched = {part.name for c in chosen for part in (c.source.part, *c.through, c.flow.target.part)} & known
        for name in self.order:
            if name not in known | set(couplings):
                raise UsageError(f'order has "{name}", allowed {", ".join(sorted(known | set(couplings)))}')
            if self.order.count(name) > 1:
                raise UsageError(f'order has "{name}" twice')
        missing = sorted(touched - set(self.order))
        if missing:
            raise UsageError(f"order lacks {', '.join(missing)}, at which coupling FMUs are inserted")
        return (*self.order, *(name for name in couplings if name not in self.order))


def _content(archive: str, wanted: Sequence[Wanted]) -> Content:
    """Return settings that say nothing but names, for an engineer who does not know the signals."""
    signals = {one.signal: {"algorithm": "auto", "latency": {"constant_steps": 0}} for one in wanted}
    return {"interface": {"name": identifier(archive)}, "signals": signals}


def _with_other_ends(content: Content) -> Content:
    """Return settings for a check in which all ends have names that settings allow: those of an SSP may be any text."""
    signals = content.get("signals")
    if not isinstance(signals, dict):
        return content
    found: Content = {}
    for i, (name, table) in enumerate(signals.items()):
        found[name] = table
        if isinstance(table, dict):
            source, targets = table.get("from"), table.get("to")
            ends: Content = {"from": f"sender_{i}.y"} if source and isinstance(source, str) else {}
            if isinstance(targets, list):
                texts = (f"receiver_{i}.u_{j}" if to and isinstance(to, str) else to for j, to in enumerate(targets))
                ends["to"] = list(texts)
            found[name] = {**table, **ends}
    return {**content, "signals": found}


def _spread(content: Content, origin: Path) -> tuple[list[Wanted], Content]:
    """Return the connections that settings name, and the settings with a signal of its own for each of them."""
    wanted: list[Wanted] = []
    signals: Content = {}
    for name, table in content["signals"].items():
        if "from" not in table or not table.get("to"):
            raise UsageError(f"{origin}: signals.{name}: from and to are missing, which name its connection")
        rest = {key: value for key, value in table.items() if key not in ("from", "to")}
        for target in table["to"]:
            own = name if len(table["to"]) == 1 else identifier(f"{name}_{target}")
            taken = [one for one in [*signals, *content["signals"]] if one != name or len(table["to"]) > 1]
            own = unique(own, taken, 55)
            signals[own] = rest
            wanted.append(Wanted(own, table["from"], target))
    return wanted, content | {"signals": signals}


def _unit_of(description: Description, chosen: Chosen) -> str | None:
    found = description.connector(chosen.flow.target)
    return found.unit or None if found else None


def _way(chosen: Chosen, coupling: str, interface: Interface) -> Way:
    passed = (*(part.name for part in chosen.through), coupling)
    source = _ref(chosen.source) if chosen.source.part.path else None
    stamped = interface.signals[chosen.signal].latency.mode != "constant"
    return Way(source, passed, (_ref(chosen.flow.target),), stamped)


def _ref(place: Place) -> Ref:
    return Ref(place.part.name, place.connector)
