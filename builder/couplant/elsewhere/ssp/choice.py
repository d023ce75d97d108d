"""Which connections get a coupling FMU: those that a user names by their two ends."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from couplant.base.archives import one_line
from couplant.base.errors import UsageError
from couplant.elsewhere.ssp.description import REALS, Description, Flow, Part, Place, mark_of, printable_name

ARROW = "->"  # between the ends of a signal

_SHOWN = 8
_COMMA = re.compile(r",(?![^\[]*\])")
_OF_FMUS = (*REALS, "Float32")  # types of variables that connectors of the type Real can be of


@dataclass(frozen=True)
class Wanted:
    """A connection as a user names it."""

    signal: str  # name of its settings
    source: str
    target: str

    @property
    def name(self) -> str:
        """Return both ends."""
        return f"{self.source}{ARROW}{self.target}"


@dataclass(frozen=True)
class Chosen:
    """A connection that gets a coupling FMU."""

    signal: str
    flow: Flow  # to the input, of which the last connection becomes two
    source: Place  # output that the signal comes from, before the components that only pass it on
    through: tuple[Part, ...] = ()  # such components, a network for instance


def parse_signals(texts: Sequence[str]) -> list[Wanted]:
    """Return connections written as ``a.x[1,2]->b.u,..``, a signal each; raise `UsageError` if a text is none."""
    found: list[Wanted] = []
    for text in (part.strip() for one in texts for part in _COMMA.split(one)):
        source, arrow, target = (part.strip() for part in text.partition(ARROW))
        if not (source and arrow and target):
            raise UsageError(f'signals: "{one_line(text, 100)}", allowed a.x->b.u with the names of couplant ssp list')
        name = identifier(target)
        found.append(Wanted(unique(name, [one.signal for one in found], 55), source, target))
    return found


def identifier(text: str) -> str:
    """Return a text as a name that settings and FMUs take."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")[-40:].strip("_")
    return plain if plain[:1].isalpha() else f"s_{plain}".rstrip("_")


def unique(name: str, taken: Sequence[str], longest: int = 200) -> str:
    """Return a name, with a number behind it if it is taken, in capitals or not; `longest` is in characters [-]."""
    known, found, n = {one.lower() for one in taken}, name[:longest], 1
    while found.lower() in known:
        n += 1
        found = f"{name[: longest - len(str(n)) - 1]}_{n}"
    return found


def choose(
    description: Description,
    wanted: Sequence[Wanted],
    passes: Callable[[Part], bool],
    unread: Mapping[str, str] | None = None,
) -> list[Chosen]:
    """Return the connections that a user names, in that order.

    `passes` tells whether a component is a network, so that a signal comes from what is before it; `unread` why FMUs
    cannot be read, by source. Raise `UsageError` if there is no such connection, it cannot be coupled or is so already,
    or it is named twice.
    """
    flows = description.flows()
    into: dict[str, list[Flow]] = {}
    for flow in flows:
        into.setdefault(str(flow.target), []).append(flow)
    found = []
    for named in wanted:
        if printable_name(named.target) not in into:
            text = f"{_silence(description, named, unread or {})}; {_allowed_flows(flows)}"
            raise UsageError(f"{printable_name(named.name)}: {one_line(named.target, 100)} gets no signal{text}")
        flow = _flow_of(description, into[printable_name(named.target)], named)
        found.append(_choose(description, flow, flows, named, passes))
    for i, one in enumerate(found):
        if any(one.flow is other.flow for other in found[:i]):
            raise UsageError(f"{wanted[i].name} is named twice")
    return found


def _flow_of(description: Description, flows: Sequence[Flow], wanted: Wanted) -> Flow:
    """Return which signal is meant of those to inputs of one name: dots in names can let two inputs have the same."""
    named = [flow for flow in flows if str(flow.source) == printable_name(wanted.source)] or flows
    if len({flow.target for flow in named}) > 1:
        raise UsageError(f"{wanted.name}: {description.name} has {len(named)} connections of this name, allowed is one")
    if sum(flow.target == named[0].target for flow in flows) > 1:
        raise UsageError(f"{description.name}: {named[0].target} gets more than one signal, allowed is one")
    return named[0]


def _silence(description: Description, wanted: Wanted, unread: Mapping[str, str]) -> str:
    """Return why an input gets no signal where it is connected all the same; else nothing."""
    for ends in description.unclear:
        for here, there in (ends, ends[::-1]):
            if str(here) == printable_name(wanted.target):
                reasons = list(dict.fromkeys(filter(None, (_unknown(place.part, unread) for place in ends))))
                return ": ".join([f": its connection with {there} has no direction", *reasons[:1]])
    return ""


def _unknown(part: Part, unread: Mapping[str, str]) -> str:
    """Return why the connectors of a part do not tell their direction."""
    if part.node.local == "SignalDictionaryReference":
        return f"{part.name} is a signal dictionary, through which signals are not followed"
    return f"{one_line(part.source, 100)}: {unread[part.source]}" if part.source and part.source in unread else ""


def _choose(
    description: Description, flow: Flow, flows: Sequence[Flow], wanted: Wanted, passes: Callable[[Part], bool]
) -> Chosen:
    source = printable_name(wanted.source)
    for place in (flow.source, flow.target):
        if mark_of(place.part) is not None:
            text = f"there is the coupling FMU {place.part.name} already; couplant ssp remove takes it out"
            raise UsageError(f"{wanted.name}: {text}")
    why = unfit(description, flow)
    if why:
        raise UsageError(f"{flow.name} {why}")
    through: list[Part] = []
    place, reached = flow.source, str(flow.source) == source
    while not reached or passes(place.part):
        before = [one for one in flows if one.target.part is place.part]
        others = {one.source for one in flows if one.source.part is place.part} - {place}
        if len(before) != 1 or others or place.part in through or mark_of(place.part) is not None:
            if reached:
                break
            raise UsageError(f"{printable_name(wanted.name)}: no such connection; {flow.target} gets {flow.source}")
        through.append(place.part)
        place = before[0].source
        reached = reached or str(place) == source
    return Chosen(wanted.signal, flow, place, tuple(reversed(through)))


def unfit(description: Description, flow: Flow) -> str:
    """Return why no coupling FMU can be at a connection; empty if one can."""
    for link in flow.links:
        if "startIndices" in link.node.attributes or "endIndices" in link.node.attributes:
            return "connects elements of an array, allowed are scalars"
    for place in (flow.source, flow.target):
        found = description.connector(place)
        if found is not None and found.is_array:
            return f"has an array at {place}, allowed are scalars"
        if found is None or found.type not in REALS:
            kind = found.type if found is not None and found.type else "unknown"
            return f"is {kind} at {place}, allowed {', '.join(REALS)}"
        own = description.own(place)
        if own is not None and (own.is_array or own.type not in _OF_FMUS):
            kind = "an array" if own.is_array else own.type
            return f"is {kind} in the FMU at {place}, allowed {', '.join(_OF_FMUS)}"
    return ""


def _allowed_flows(flows: Sequence[Flow]) -> str:
    names = [flow.name for flow in flows[:_SHOWN]]
    more = f" and {len(flows) - _SHOWN} more" if len(flows) > _SHOWN else ""
    return f"allowed are {', '.join(names) or 'none'}{more}"
