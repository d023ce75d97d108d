"""Patterns that a coupled system does not bear: cycles in the graph of patterns whose product grows.

Short ones are products of matrices, the largest first; long ones follow states that grow most, which finds patterns
in step with a slow oscillation, and are closed where the messages of all ways are as they were.
"""

import csv
import io
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

import numpy as np

from couplant.analysis.patterns import Event, Node, Patterns
from couplant.base.arrays import Matrix, Vector

_DEEPEST = 12  # macro steps of short cycles
_WIDEST = 60  # products that are followed at each depth
_BEAM, _ALIKE = 16, 3  # states that are followed, and those of them with the same messages
_LONGEST = 2400  # macro steps of a long cycle
_GROWS = 1.0 + 1e-9
_STARTS = 24

Nodes = tuple[Node, ...]
Edges = tuple[int, ...]  # the number of an edge for each way


@dataclass(frozen=True, eq=False)
class Cycle:
    """A pattern that repeats itself and grows."""

    radius: float  # growth in a macro step, -
    events: tuple[tuple[Event, ...], ...]  # by macro step what arrives on each way: how many steps ago it was sent
    names: tuple[str, ...]  # of the ways
    macro_step: float  # ΔT, s

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        arrives = {name: [one[i] for one in self.events] for i, name in enumerate(self.names)}
        return {"radius": self.radius, "arrives": arrives}

    def latencies(self, way: int) -> list[int]:
        """Return the latencies of the messages of a `way` sent in one period [macro steps].

        What never reaches the FMU arrives together with the next newer one that does.
        """
        events = [one[way] for one in self.events]
        count, span = len(events), max(event or 0 for event in events) + len(events)
        first = count * (span // count + 1)
        given: dict[int, int] = {}
        for step in range(first + count + 2 * span):
            event = events[step % count]
            if event is not None:
                given.setdefault(step - event, step)
        sent = range(first, first + count)
        return [min(step for other, step in given.items() if other >= one and step >= one) - one
                if one not in given else given[one] - one for one in sent]  # fmt: skip

    def tables(self) -> Mapping[str, str]:
        """Return for each way a table of latencies, as ``network.replay`` of a scenario reads it."""
        found = {}
        for way, name in enumerate(self.names):
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(["latency_s", "latency_steps"])
            writer.writerows([repr(round(k * self.macro_step, 12)), k] for k in self.latencies(way))
            found[name] = text.getvalue()
        return found


def find_cycle(patterns: Patterns, short: float, until: float) -> Cycle | None:
    """Return a pattern that grows, None if none is found.

    Short ones are looked for until the CPU time `short` [s], then long ones for a while; where that time is over, long
    ones alone until `until` [s].
    """
    graph, now = _Graph(patterns), time.process_time()
    until = until if short <= now else short + 0.1 * (until - now)
    for edges in chain(_short_cycles(graph, short), _long_cycles(graph, until, 1 if short > now else 4)):
        product_of = graph.product(edges)
        radius = float(np.abs(np.linalg.eigvals(product_of)).max())
        if radius > _GROWS ** len(edges) + 1e-7:
            events = tuple(tuple(patterns.edges[edge].event for edge in one) for one in edges)
            return Cycle(radius ** (1.0 / len(edges)), events, patterns.names, patterns.system.macro_step)
    return None


class _Graph:
    """The graph of all ways together, with macro steps in coordinates in which the mean step shrinks states."""

    def __init__(self, patterns: Patterns) -> None:
        self._patterns, self._ways = patterns, len(patterns.modes)
        self._after: dict[Node, list[int]] = {}
        for number, edge in enumerate(patterns.edges):
            self._after.setdefault(edge.start, []).append(number)
        self._steps: dict[tuple[int, ...], Matrix] = {}
        self._forward: Any = np.eye(patterns.size)
        self._back: Any = self._forward
        self._forward = _coordinates([self.step((edge,) * self._ways) for edge in range(len(patterns.edges))])
        self._back, self._steps = np.linalg.inv(self._forward), {}

    @property
    def starts(self) -> list[Nodes]:
        """Return nodes to begin at: all ways alike."""
        return [(node,) * self._ways for node in self._after]

    def after(self, nodes: Nodes) -> Iterator[tuple[Edges, Nodes]]:
        """Yield the edges that begin at the nodes, and where they end."""
        for edges in product(*(self._after[node] for node in nodes)):
            yield edges, tuple(self._patterns.edges[edge].end for edge in edges)

    def start_of(self, edges: Edges) -> Nodes:
        """Return where edges begin."""
        return tuple(self._patterns.edges[edge].start for edge in edges)

    def step(self, edges: Edges) -> Matrix:
        """Return the macro step along an edge of each way."""
        modes = self._patterns.modes_of(edges)
        if modes not in self._steps:
            self._steps[modes] = self._forward @ self._patterns.matrix(modes) @ self._back
        return self._steps[modes]

    def product(self, path: list[Edges]) -> Matrix:
        """Return the macro steps of a path together."""
        found = np.eye(len(self._back))
        for edges in path:
            found = self.step(edges) @ found
        return found


def mean_step(steps: Sequence[Matrix]) -> Matrix:
    """Return the mean of `steps`, shape (N, N) each, made smaller where it would not shrink states."""
    mean = sum(steps[1:], steps[0]) / len(steps)
    radius = np.abs(np.linalg.eigvals(mean)).max()
    return np.asarray(mean * min(1.0, (1.0 - 1e-4) / max(radius, 1e-9)))


def _coordinates(steps: list[Matrix]) -> Any:
    from scipy.linalg import cholesky, solve_discrete_lyapunov  # takes long to load

    mean = mean_step(steps)
    form = solve_discrete_lyapunov(mean.T, np.eye(len(mean)))
    return np.asarray(cholesky((form + form.T) / 2))


def _short_cycles(graph: _Graph, until: float) -> Iterator[list[Edges]]:
    """Yield cycles, those that return first at first."""
    paths: list[tuple[Nodes, Nodes, Matrix, list[Edges]]] = []
    size = len(graph._back)
    for nodes in graph.starts[:_STARTS]:
        paths.append((nodes, nodes, np.eye(size), []))
    for _ in range(_DEEPEST):
        longer = []
        for first, nodes, found, path in paths:
            for edges, then in graph.after(nodes):
                grown = graph.step(edges) @ found
                longer.append((first, then, grown, [*path, edges]))
                if then == first:
                    yield longer[-1][3]
            if time.process_time() > until:
                return
        longer.sort(key=lambda one: -float(np.linalg.norm(one[2])))
        paths = longer[:_WIDEST]


def _long_cycles(graph: _Graph, until: float, parts: int) -> Iterator[list[Edges]]:
    """Yield cycles out of the path along which states grow most."""
    random = np.random.default_rng(0)
    size = len(graph._back)
    states = random.standard_normal((_BEAM, size))
    nodes, logs = [graph.starts[0]] * _BEAM, np.zeros(_BEAM)
    path: list[tuple[Any, Edges]] = [()] * _BEAM  # type: ignore[list-item]
    levels = []
    for step in range(1, parts * _LONGEST // 4 + 1):
        rows = [(i, edges, then) for i, one in enumerate(nodes) for edges, then in graph.after(one)]
        grown = np.array([graph.step(edges) @ states[i] for i, edges, _ in rows])
        norms = np.linalg.norm(grown, axis=1)
        total = logs[[i for i, _, _ in rows]] + np.log(norms)
        chosen = _choose(total, [then for _, _, then in rows])
        states, logs = grown[chosen] / norms[chosen, None], total[chosen]
        path = [(path[rows[q][0]], rows[q][1]) for q in chosen]
        nodes = [rows[q][2] for q in chosen]
        levels.append(float(logs.max()))
        if step % (_LONGEST // 4) == 0:
            half = levels[step // 2]
            if levels[-1] < half - 1e-3 * step:
                return
            yield from _loops_of(graph, _unwound(path[int(np.argmax(logs))]))
        if time.process_time() > until:
            return


def _choose(total: Vector, ends: list[Nodes]) -> list[int]:
    """Return the numbers of the states that are followed: the largest, but not all with the same messages."""
    chosen, alike = [], dict[Nodes, int]()
    for number in np.argsort(-total).tolist():
        if alike.get(ends[number], 0) < _ALIKE:
            alike[ends[number]] = alike.get(ends[number], 0) + 1
            chosen.append(number)
        if len(chosen) == _BEAM:
            break
    return chosen


def _unwound(path: Any) -> list[Edges]:
    found = []
    while path:
        path, edges = path
        found.append(edges)
    return found[::-1]


def _loops_of(graph: _Graph, path: list[Edges]) -> Iterator[list[Edges]]:
    """Yield the parts of a path, from its middle on, that end where they began: the longest at first."""
    first = len(path) // 3
    start = graph.start_of(path[first])
    ends = [i for i in range(first + 1, len(path)) if graph.start_of(path[i]) == start]
    for end in ends[:-60:-1]:
        yield path[first:end]
