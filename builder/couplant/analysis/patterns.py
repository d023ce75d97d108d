"""Every pattern in which messages may come, as a graph, and the exact macro step of a coupled system along its edges.

The messages of a way have latencies within a range, may overtake each other and get lost, up to so many in a row. What
a coupling FMU knows of them after a macro step is a node, what may come next an edge. Its history is a register on the
sender's grid, in which empty slots are interpolated anew whenever a value comes (docs/certify.md).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import NamedTuple

import numpy as np

from couplant.analysis.algorithms import MAX_STEPS, LinearAlgorithm, Recursive, generic, lead_by
from couplant.analysis.macro_map import Recursion, macro_map
from couplant.analysis.system import System
from couplant.base.arrays import Matrix
from couplant.base.errors import UsageError, require
from couplant_runtime.algorithms.rows import PURE

MESSAGES = ("way", "signal", "all")
"""What comes in one message: all from one prototype to another, each signal by itself, or all alike in both ways."""

_MOST_NODES = 20_000
_COMING, _PASSED, _SEEN = range(3)  # a message that may still come, that a newer one has passed, that came


@dataclass(frozen=True)
class Rules:
    """Rules for the messages of a way, and how coupling FMUs take them. Raises UsageError if out of range."""

    least: int  # latency, 0 to 64 macro steps
    most: int  # latency, at least `least`, macro steps
    loss: int = 0  # how many messages in a row may get lost
    burst: int = 1  # values in a message, 1 to 8
    coast: int = 3  # `latency.coast_steps`: steps without news that are bridged
    in_order: bool = False  # no message overtakes another one
    constant: int | None = None  # `latency.constant_steps` of FMUs that see no stamps, macro steps

    def __post_init__(self) -> None:
        """Check the fields."""
        require(0 <= self.least <= self.most <= MAX_STEPS // 2, f"latencies = {self.least} to {self.most} macro steps, "
                f"allowed 0 to {MAX_STEPS // 2}, the least one first")  # fmt: skip
        require(0 <= self.loss <= 8, f"loss = {self.loss}, allowed 0 to 8 in a row")
        require(1 <= self.burst <= 8, f"burst = {self.burst}, allowed 1 to 8")
        require(0 <= self.coast <= MAX_STEPS, f"coast_steps = {self.coast}, allowed 0 to {MAX_STEPS}")
        require(self.burst == 1 or self.constant is None, f"burst = {self.burst}, allowed 1 without stamps")

    @property
    def farthest(self) -> int:
        """Return an age that the newest value never exceeds, macro steps."""
        return max(self.most, self.constant or 0) + self.loss + self.most - self.least

    @property
    def forgets(self) -> int:
        """Return the longest silence behind which the history goes on, macro steps."""
        return 2 * self.coast

    @property
    def first(self) -> int:
        """Return the youngest slot that a value can fill, macro steps."""
        return self.least if self.constant is None else self.constant


class Node(NamedTuple):
    """State of the messages of a way after a macro step, as far as it matters; ages in macro steps."""

    age: int  # of the newest value, as the FMU sees it
    came: tuple[int, ...]  # what has become of the messages sent 0, 1, .. `Rules.most` steps ago
    lost: int  # how many before these got lost in a row
    holes: frozenset[int]  # ages of empty slots that later messages may fill, and of those beside them
    missing: int  # macro steps without news
    usable: int  # slots since the last long hold, as many as matter at most
    held: bool  # the output is held


Event = int | None  # how many steps ago what arrives was sent; None: nothing new arrives


Label = Callable[[Node], object]
"""What tells nodes apart."""


class Edge(NamedTuple):
    """A macro step of the messages of a way."""

    start: Node
    event: Event
    end: Node


def explore(rules: Rules, enough: int) -> list[Edge]:
    """Return all edges that go on without end, from messages that come with the least latency.

    `enough` is the number of slots after which a hold no longer matters. Raises UsageError if there are too many.
    """
    came = tuple(_SEEN if age >= rules.least else _COMING for age in range(rules.most + 1))
    first = Node(rules.first, came, 0, frozenset(), 0, enough, False)
    known, todo, edges = {first}, [first], []
    while todo:
        node = todo.pop()
        for event, end in _advance(rules, node, enough):
            edges.append(Edge(node, event, end))
            if end not in known:
                known.add(end)
                todo.append(end)
        require(len(known) <= _MOST_NODES, "too many patterns, allowed fewer latencies or losses")
    while True:
        going = {edge.start for edge in edges}
        kept = [edge for edge in edges if edge.end in going]
        if len(kept) == len(edges):
            return edges
        edges = kept


def _advance(rules: Rules, node: Node, enough: int) -> Iterator[tuple[Event, Node]]:
    """Yield each event that may follow a node, and the node after it."""
    *came, gone = (_COMING, *node.came)
    lost = node.lost + 1 if gone == _COMING else 0
    if lost > rules.loss:
        return
    newest = came.index(_SEEN) if _SEEN in came else len(came)
    for event in (None, *range(rules.least, rules.most + 1)):
        after = list(came)
        if event is not None:
            if came[event] == _SEEN or (rules.in_order and event > newest):
                continue
            # what is older may have come in this step too, unseen
            after[event:] = [_SEEN, *(_PASSED if one == _COMING else one for one in came[event + 1 :])]
        yield event, _receive(rules, node, event, tuple(after), lost, enough)


def _receive(rules: Rules, node: Node, event: Event, came: tuple[int, ...], lost: int, enough: int) -> Node:
    age, missing, usable = node.age + 1, node.missing + 1, node.usable
    holes = {hole + 1 for hole in node.holes}
    at = event if rules.constant is None or event is None else rules.constant
    if at is not None and at < age:
        holes |= set(range(at + 1, age))
        # after a long hold nothing before it enters an estimate
        usable = 1 if node.missing > rules.forgets else min(usable + age - at, enough)
        age, missing = at, 0
    if event is not None and rules.constant is None:
        holes -= set(range(event, event + rules.burst))
    held = missing > rules.coast
    usable = enough if missing > rules.forgets else usable
    return Node(age, came, lost, _open_holes(rules, holes), missing, usable, held)


def _open_holes(rules: Rules, holes: set[int]) -> frozenset[int]:
    """Return the holes that may still be filled, with those that are interpolated anew along with them."""
    if rules.constant is not None or (rules.in_order and rules.burst == 1):
        return frozenset()
    found: set[int] = set()
    for hole in holes:
        if hole <= rules.most + rules.burst - 2:
            for step in (-1, 1):
                near = hole
                while near in holes:
                    found.add(near)
                    near += step
    return frozenset(found)


@dataclass(frozen=True)
class Taker:
    """How the coupling FMU of a connection makes estimates at each latency."""

    make: Callable[[int], LinearAlgorithm | None]  # at an age, leads included; None where FOH takes its place
    lead: float  # what it looks further ahead, macro steps

    def choose(self, node: Node) -> LinearAlgorithm:
        """Return the algorithm that runs: ZOH and FOH until there are enough values."""
        one = self.make(node.age)
        if one is not None and node.usable >= one.m:
            return one
        name = "zoh" if node.usable <= 1 else "foh"
        return _linear(lead_by(lambda k: generic(name, k), node.age, self.lead), name)

    def reach(self, ages: set[int]) -> tuple[int, int]:
        """Return the most values that it takes, and the age of the oldest one, of all `ages`."""
        sizes = {age: max(2, one.m if (one := self.make(age)) else 2) for age in ages}
        return max(sizes.values()), max(age + size - 1 for age, size in sizes.items())


def takers(system: System, by_k: Callable[[int], Recursive] | None = None) -> list[Taker]:
    """Return how the FMUs of a system's connections make estimates, with algorithms `by_k` instead if they are given.

    Raises UsageError if an algorithm is not linear, or has a state of its own.
    """
    return [_taker(system, i, by_k) for i in range(len(system.connections))]


def _taker(system: System, place: int, by_k: Callable[[int], Recursive] | None) -> Taker:
    connection = system.connections[place]
    own, lead = connection.algorithm, connection.lead
    if connection.wired:
        raise UsageError(f"connection to {connection.target} has no coupling FMU")
    if by_k is not None or own.name in PURE:
        make = by_k or (lambda k: generic(own.name, k))
        return Taker(lambda age: _linear(lead_by(make, age, lead), own.name), lead)
    linear = _linear(own, own.name)
    # weights are for one latency: FOH takes over at others
    return Taker(lambda age: linear if age == linear.k else None, lead)


def _linear(one: object, name: str) -> LinearAlgorithm:
    if not isinstance(one, LinearAlgorithm) or one.b:
        raise UsageError(f"algorithm = {name!r}, allowed {', '.join(PURE)} and own weights of one signal")
    return one


def _recursion(rules: Rules, edge: Edge, taker: Taker, oldest: int) -> Recursion:
    """Return a macro step of the FMU of a connection, driven by y, with slots up to the age `oldest`.

    Its state: values that were sent 1, 2, .. steps ago, slots of the history by their ages, and what is held.
    """
    first = rules.first
    sent = max(rules.most + rules.burst - 1, first)
    size = sent + oldest - first + 1
    # columns: the state, then y
    basis = np.eye(size + 1)
    true = [basis[size], *basis[:sent]]
    slots = {first: true[first]} | {age: basis[sent + age - first - 1] for age in range(first + 1, oldest + 1)}
    _store(rules, edge, true, slots)
    if edge.end.held:
        level, slope = basis[size - 1], 0.0 * basis[0]
    else:
        one = taker.choose(edge.end)
        past = np.array([slots[edge.end.age + i] for i in range(one.m)])
        level, slope = np.array(one.a) @ past, np.array(one.A) @ past
    rows = [*true[:sent], *(slots[age] for age in range(first, oldest)), level + slope]
    whole = np.array(rows)
    return Recursion(whole[:, :size], whole[:, size:], level[:size], slope[:size], level[size:], slope[size:])


def _store(rules: Rules, edge: Edge, true: list[Matrix], slots: dict[int, Matrix]) -> None:
    """Store a message in its slots, and interpolate those between."""
    if edge.event is None:
        return
    age, holes = edge.start.age + 1, {hole + 1 for hole in edge.start.holes}
    at = edge.event if rules.constant is None else rules.constant
    if rules.constant is not None:
        slots[at] = true[edge.event]
    else:
        for slot in holes & set(range(edge.event, edge.event + rules.burst)):
            slots[slot] = true[slot]
    holes |= set(range(at + 1, age))
    holes -= set(range(edge.event, edge.event + rules.burst)) if rules.constant is None else set()
    for hole in sorted(holes):
        newer, older = hole - 1, hole + 1
        while newer in holes:
            newer -= 1
        while older in holes:
            older += 1
        if older in slots:
            slots[hole] = slots[older] + (slots[newer] - slots[older]) * ((older - hole) / (older - newer))


def _shorten(parts: list[Recursion]) -> list[Recursion]:
    """Return recursions without the numbers in their state that no estimate depends on."""
    used = np.any([(one.h != 0) | (one.h_slope != 0) for one in parts], axis=0)
    while True:
        more = used | np.any([(one.F[used] != 0).any(axis=0) for one in parts], axis=0)
        if np.array_equal(more, used):
            break
        used = more
    cut = np.ix_(used, used)
    return [replace(one, F=one.F[cut], g=one.g[used], h=one.h[used], h_slope=one.h_slope[used]) for one in parts]


@dataclass(frozen=True, eq=False)
class Patterns:
    """All patterns of a coupled system: the same graph for each of its ways, independent of each other."""

    system: System
    rules: Rules
    edges: list[Edge]
    ways: list[int]  # of each connection
    names: tuple[str, ...]  # of the ways
    modes: list[list[int]]  # for each way the mode of each edge: edges of one mode do the same to the system
    parts: list[list[Recursion]]  # of each connection, for each edge
    _known: dict[tuple[int, ...], Matrix] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Return the number of states."""
        return len(self.matrix((0,) * len(self.modes)))

    def matrix(self, modes: tuple[int, ...]) -> Matrix:
        """Return the macro step, shape (N, N), for a mode of each way, `modes`."""
        if modes not in self._known:
            edges = [one.index(mode) for one, mode in zip(self.modes, modes, strict=True)]
            taken = [part[edges[way]] for part, way in zip(self.parts, self.ways, strict=True)]
            self._known[modes] = macro_map(self.system, taken)
        return self._known[modes]

    def modes_of(self, edges: tuple[int, ...]) -> tuple[int, ...]:
        """Return the modes of `edges`, the number of one for each way."""
        return tuple(modes[edge] for modes, edge in zip(self.modes, edges, strict=True))

    def lift(self, label: Label, memory: int) -> tuple[int, list[tuple[int, int, tuple[int, ...]]]]:
        """Return the number of sorts of nodes, and pairs of them that follow each other with the modes between.

        Nodes are told apart by their `label`, and by the last modes, as many as `memory` says.
        """
        every = [self._lift_way(way, label, memory) for way in range(len(self.modes))]
        rows = []
        for chosen in product(*(found for _, found in every)):
            i = j = 0
            for (count, _), (start, end, _) in zip(every, chosen, strict=True):
                i, j = i * count + start, j * count + end
            rows.append((i, j, tuple(mode for _, _, mode in chosen)))
        return int(np.prod([count for count, _ in every])), rows

    def _lift_way(self, way: int, label: Label, memory: int) -> tuple[int, list[tuple[int, int, int]]]:
        after: dict[Node, list[tuple[Node, int]]] = {}
        for edge, mode in zip(self.edges, self.modes[way], strict=True):
            after.setdefault(edge.start, []).append((edge.end, mode))
        todo: list[tuple[Node, tuple[int, ...]]] = [(node, ()) for node in after]
        known, names = set(todo), dict[object, int]()
        rows: set[tuple[int, int, int]] = set()
        while todo:
            node, past = todo.pop()
            for end, mode in after[node]:
                then = (*past, mode)[-memory:] if memory else ()
                if len(past) == memory:
                    start = names.setdefault((label(node), past), len(names))
                    rows.add((start, names.setdefault((label(end), then), len(names)), mode))
                if (end, then) not in known:
                    known.add((end, then))
                    todo.append((end, then))
        return len(names), sorted(rows)


def patterns_of(
    system: System, rules: Rules, messages: str = "way", by_k: Callable[[int], Recursive] | None = None
) -> Patterns:
    """Return the patterns of a system, with all that one of `MESSAGES` says in one message.

    `by_k` gives the algorithm for each k in place of the system's own. Raises UsageError if an algorithm is not linear
    or there are too many patterns.
    """
    require(messages in MESSAGES, f"messages = {messages!r}, allowed {', '.join(MESSAGES)}")
    every = takers(system, by_k)
    ages = set(range(rules.first, rules.farthest + 1))
    enough = max(one.reach(ages)[0] for one in every)
    edges = explore(rules, enough)
    ages = {edge.end.age for edge in edges}
    parts = []
    for one in every:
        oldest = max(one.reach(ages)[1], rules.first + 1)
        parts.append(_shorten([_recursion(rules, edge, one, oldest) for edge in edges]))
    ends = [(c.source, c.target) for c in system.connections]
    to = [f"{a.partition('.')[0]}_to_{b.partition('.')[0]}" for a, b in ends]
    names = {"way": to, "signal": [b for _, b in ends], "all": ["all"] * len(ends)}[messages]
    order = list(dict.fromkeys(names))
    ways = [order.index(name) for name in names]
    modes = []
    for way in range(len(order)):
        own = [part for part, at in zip(parts, ways, strict=True) if at == way]
        keys = [b"".join(_key(part[edge]) for part in own) for edge in range(len(edges))]
        unique = list(dict.fromkeys(keys))
        modes.append([unique.index(key) for key in keys])
    return Patterns(system, rules, edges, ways, tuple(order), modes, parts)


def _key(one: Recursion) -> bytes:
    every = one.F, one.g, one.h, one.h_slope, one.j, one.j_slope
    return b"".join((np.round(part, 13) + 0.0).tobytes() for part in every)
