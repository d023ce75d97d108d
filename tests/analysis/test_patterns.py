"""Patterns of messages: the graph by hand, and its macro steps against coupling FMUs that get just these messages."""

import numpy as np
import pytest

from couplant.analysis import generic
from couplant.analysis.macro_map import discretise
from couplant.analysis.patterns import Rules, patterns_of
from couplant.analysis.system import Connection, Prototype, System
from tests.runtime.runs import coupling

LEFT = Prototype("left", [[0.0, 1.0], [-4.0, -0.6]], [[0.0], [1.5]], [[1.0, 0.1]], [[0.2]], ("f",), ("x",))
RIGHT = Prototype("right", [[-3.0]], [[2.0]], [[1.0]], [[0.0]], ("x",), ("f",))
STEP = 0.05


def system(name, k, timing, **more):
    ends = (("left.x", "right.x"), ("right.f", "left.f"))
    return System((LEFT, RIGHT), tuple(Connection(*one, generic(name, k), **more) for one in ends), STEP, timing)


def walk(patterns, steps, random):
    """Return the numbers of edges of a random pattern of one way, which begins with regular messages."""
    first = patterns.edges[0].start
    after = {}
    for number, edge in enumerate(patterns.edges):
        after.setdefault(edge.start, []).append(number)
    path, node = [], first
    for _ in range(steps):
        path.append(int(random.choice(after[node])))
        node = patterns.edges[path[-1]].end
    return path


def regular(patterns, steps):
    """Return the numbers of edges along which each message takes as long as the first."""
    loop = next(i for i, one in enumerate(patterns.edges) if one.start == one.end == patterns.edges[0].start)
    return [loop] * steps


def follow_fmus(one, patterns, paths, before, x):
    """Return the states of the prototypes when FMUs get the messages of `paths`; `x` is put in after `before` steps."""
    A, B, C, _ = one.matrices()
    phi, gamma, change = discretise(A, B[:, one.targets], STEP)
    C, D = C[one.sources], one.feedthrough()[0]
    rules, stamps = patterns.rules, patterns.rules.constant is None
    latency = {"mode": "stamps"} if stamps else {}
    latency |= {"coast_steps": rules.coast}
    fmus = [coupling(c.algorithm.name, rules.constant or 0, one.timing, STEP, latency=latency, burst=rules.burst)
            if stamps else coupling(c.algorithm.name, rules.constant, one.timing, STEP, latency=latency)
            for c in one.connections]  # fmt: skip
    sent, u, found = np.zeros((len(paths[0]) + 1, len(fmus))), np.zeros(len(fmus)), []
    state = np.zeros(len(A))
    for n in range(len(paths[0])):
        if n == before:
            state = x
        if n >= before:
            found.append(state)
        if one.timing == "step":
            sent[n] = C @ state + D @ u
        made, rise = np.zeros(len(fmus)), np.zeros(len(fmus))
        for order in reversed(range(len(fmus))):  # what feeds through is set before it is read
            if one.timing == "event":
                sent[n] = C @ state + D @ made
            made[order], rise[order] = receive(fmus[order], patterns, paths[patterns.ways[order]][n], n, sent[:, order])
        if one.timing == "event":
            state = phi @ state + gamma @ made + change @ rise
        else:
            state, u = phi @ state + gamma @ u, made + rise
    return np.array(found)


def receive(fmu, patterns, edge, n, sent):
    """Step an FMU with what arrives on an edge, and return its line."""
    event = patterns.edges[edge].event
    fmu.set("y_valid", event is not None and n >= event)
    if event is not None and n >= event:
        fmu.set("y", sent[n - event])
        if patterns.rules.constant is None:
            fmu.set("y_time", STEP * (n - event))
        for i in range(2, patterns.rules.burst + 1):
            told = n - event - i + 1 >= 0
            fmu.set(f"y_valid[{i}]", told)
            if told:
                fmu.set(f"y[{i}]", sent[n - event - i + 1])
                fmu.set(f"y_time[{i}]", STEP * (n - event - i + 1))
    assert fmu.step(n * STEP, STEP)
    line = fmu.state.algorithm
    return line.level - line.slope * line.shift, line.slope


CASES = [
    ("zoh", Rules(1, 3, 1)),
    ("foh", Rules(1, 3, 1)),
    ("eros3", Rules(2, 4, 1)),
    ("eros4", Rules(1, 2, 1)),
    ("eros3", Rules(1, 3, 1, burst=2)),
    ("foh", Rules(2, 4, 1, burst=8)),
    ("eros3", Rules(1, 3, 1, in_order=True)),
    ("eros3", Rules(1, 2, 2, coast=1)),
    ("foh", Rules(1, 3, 2, coast=0)),
    ("eros3", Rules(1, 3, 1, constant=2)),
    ("foh", Rules(0, 2, 1, constant=1)),
]


@pytest.mark.sample(4)
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize(("name", "rules"), CASES)
def test_macro_steps_are_what_fmus_do(name, rules, timing):
    """All runs are exact up to rounding: holes, late values, repeated ones, holds and what comes after them."""
    one, random = system(name, max(rules.first, 1), timing), np.random.default_rng(5)
    patterns = patterns_of(one, rules)
    before, count = 80, 150
    paths = [regular(patterns, before) + walk(patterns, count, random) for _ in range(2)]
    x = random.standard_normal(3)
    found = follow_fmus(one, patterns, paths, before, x)
    state = np.zeros(patterns.size)
    state[:3] = x
    for n in range(count):
        assert found[n] == pytest.approx(state[:3], rel=1e-9, abs=1e-9 * np.abs(found).max())
        state = patterns.matrix(patterns.modes_of((paths[0][before + n], paths[1][before + n]))) @ state
