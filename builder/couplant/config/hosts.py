"""Latency that an importer, the host, adds to each signal, worked out from how it steps its components.

An FMU with step timing predicts across its own communication step, so that a host which sets all inputs, steps
everything and reads all outputs adds nothing, with two exceptions:

- An output with direct feedthrough, read after its step and not again once the inputs are set (`jacobi`,
  `sequential`), follows inputs that are a communication step old. Each path from an input through such an output costs
  one step, which is made up for on one side only: at the inputs where coupling FMUs stand at all of them, else behind
  the output; at those inputs that have one where no coupling FMU is behind the output either.
- In a `sequential` host a component gets values that are one step newer from those that are stepped before it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from couplant.config.ref import Ref

READS_AGAIN = "reads_again"
JACOBI = "jacobi"
SEQUENTIAL = "sequential"
HOSTS = (READS_AGAIN, JACOBI, SEQUENTIAL)
"""Kinds of importers: those that read outputs again after they have set inputs, set all and step all, or take turns."""


class Way(NamedTuple):
    """A coupled signal: where it comes from, what it passes, where it goes to; empty where that is unknown."""

    source: Ref | None
    through: tuple[str, ...]  # names of network, if there is one, and coupling FMU
    targets: tuple[Ref, ...]
    stamped: bool = False  # the coupling FMU knows the age of a value from its stamp


class HostLead(NamedTuple):
    """Latency that a host adds to a signal."""

    steps: int  # communication steps, negative where values are newer than a coupling FMU expects
    reasons: tuple[str, ...] = ()  # one for each thing that adds or takes off a step, or that is assumed
    before: tuple[Ref, ...] = ()  # inputs where what the sender is late by is made up for already
    hold: float = 0.0  # lead for the receiver's hold that comes with it by default, macro steps


def host_leads(
    host: str,
    ways: Mapping[str, Way],
    feedthrough: Mapping[Ref, Collection[Ref]],
    connections: Mapping[Ref, Ref] | None = None,
    order: Sequence[str] = (),
    whole: bool = True,
) -> dict[str, HostLead]:
    """Return the latency that a `host`, one of `HOSTS`, adds to each signal.

    `ways` has the coupled signals, `feedthrough` by output the inputs of the same component that act on it at once,
    `connections` inputs with the outputs that they are connected to directly, without a coupling FMU. A sequential host
    steps components, networks and coupling FMUs in the `order` of their names. `whole` tells whether `ways` and
    `connections` are all there is: if not, inputs that nothing here drives are taken for coupled and made up for
    elsewhere.
    """
    if host == READS_AGAIN:
        return {name: HostLead(0) for name in ways}
    places = _places(host, order)
    paths = _Paths(ways, feedthrough, connections or {}, whole, places)
    return {name: _in_turn(paths.lead(way), way, places) for name, way in ways.items()}


def left_late(
    host: str,
    ways: Mapping[str, Way],
    feedthrough: Mapping[Ref, Collection[Ref]],
    connections: Mapping[Ref, Ref],
    order: Sequence[str] = (),
) -> dict[Ref, set[Ref]]:
    """Return the outputs that go on by a direct connection a step late, with the inputs that nothing leads.

    The parameters are those of `host_leads`.
    """
    if host == READS_AGAIN:
        return {}
    return _Paths(ways, feedthrough, connections, True, _places(host, order)).open_outputs(set(connections.values()))


def _places(host: str, order: Sequence[str]) -> dict[str, int]:
    """Return the turn of each component, nothing where all step at once."""
    return {name: place for place, name in enumerate(order)} if host == SEQUENTIAL else {}


class _Paths:
    """The paths from inputs through outputs, in groups that hang together and are made up for on one side."""

    def __init__(
        self,
        ways: Mapping[str, Way],
        feedthrough: Mapping[Ref, Collection[Ref]],
        connections: Mapping[Ref, Ref],
        whole: bool,
        places: Mapping[str, int],
    ) -> None:
        self._whole = whole
        self._coupled = {target for way in ways.values() for target in way.targets}
        self._sent = {way.source for way in ways.values()}
        # what a direct connection hands over from a turn before is as new as the step that it is used for
        late = {i for i, o in connections.items() if not _is_early((o.component, i.component), places)}
        driven, used = self._coupled | late, self._sent | set(connections.values())
        self._inputs: dict[Ref, set[Ref]] = {}
        for output, inputs in feedthrough.items():
            acting = {i for i in inputs if i in driven or not whole}
            if acting and (output in used or not whole):
                self._inputs[output] = acting
        self._led = self._choose(ways)

    def lead(self, way: Way) -> HostLead:
        """Return the steps for the paths that a signal ends or begins."""
        steps, reasons = 0, []
        led = [target for target in way.targets if target in self._led]
        if led:
            steps += 1
            followers = [output for output, acting in self._inputs.items() if acting & set(led)]
            reasons.append(f"{_names_of(followers)} depends on it at once")
        inputs = self._inputs.get(way.source, set()) if way.source else set()
        if inputs and not inputs <= self._led:
            steps += 1
            reasons.append(f"{way.source} depends at once on {_names_of(inputs)}, which cannot be led alone")
        elsewhere = inputs - self._coupled if inputs <= self._led and not self._whole else ()
        if elsewhere:
            reasons.append(f"assumed: {_names_of(elsewhere)}, on which {way.source} depends at once, made up for there")
        return HostLead(steps, tuple(reasons), tuple(sorted(inputs)) if inputs <= self._led else ())

    def open_outputs(self, direct: Collection[Ref]) -> dict[Ref, set[Ref]]:
        """Return which of the outputs `direct` have inputs that are not led, with these."""
        return {o: late for o, acting in self._inputs.items() if o in direct and (late := acting - self._led)}

    def _choose(self, ways: Mapping[str, Way]) -> set[Ref]:
        """Return the inputs that are led: whole groups, and none of a signal that has targets besides."""
        led = {i for inputs, outputs in self._groups() for i in self._leadable(inputs, outputs)}
        while True:
            split = {i for way in ways.values() if not set(way.targets) <= led for i in way.targets if i in led}
            if not split:
                return led
            led -= {i for inputs, _ in self._groups() if inputs & split for i in inputs}

    def _leadable(self, inputs: set[Ref], outputs: set[Ref]) -> set[Ref]:
        """Return the inputs of a group to lead: all or none, unless nothing can be done behind its outputs."""
        if not self._whole or inputs <= self._coupled:
            return inputs
        return set() if outputs & self._sent else inputs & self._coupled

    def _groups(self) -> Iterator[tuple[set[Ref], set[Ref]]]:
        """Return (inputs, outputs) that paths connect with one another."""
        left = dict(self._inputs)
        while left:
            output, inputs = left.popitem()
            inputs, outputs = set(inputs), {output}
            while more := [o for o, acting in left.items() if acting & inputs]:
                for o in more:
                    inputs |= left.pop(o)
                    outputs.add(o)
            yield inputs, outputs


def _in_turn(lead: HostLead, way: Way, places: Mapping[str, int]) -> HostLead:
    """Take off a step for every component that has its turn before the one that it gives values to."""
    source = way.source.component if way.source else ""
    first = [source, *way.through]
    hops = list(pairwise(first))
    if way.stamped:
        hops = hops[:-1]
    early = [hop for hop in hops if _is_early(hop, places)]
    last = [(first[-1], target.component) for target in way.targets]
    if last and all(_is_early(hop, places) for hop in last):
        early.append(last[0])
    reasons = tuple(f"{before} has its turn before {after}" for before, after in early)
    return HostLead(lead.steps - len(early), (*lead.reasons, *reasons), lead.before)


def _is_early(hop: tuple[str, str], places: Mapping[str, int]) -> bool:
    before, after = (places.get(name) for name in hop)
    return before is not None and after is not None and before < after


def _names_of(refs: Collection[Ref]) -> str:
    return ", ".join(sorted(map(str, refs)))
