"""Proofs for all patterns of messages, checked in whole numbers, and patterns that refute, replayed by the network."""

import copy
import json
import runpy
import secrets
import sys

import numpy as np
import pytest

import couplant
from couplant.analysis import LinearAlgorithm, generic
from couplant.analysis.certify import CHECKER, certify
from couplant.analysis.pattern_search import Cycle
from couplant.analysis.patterns import Rules, patterns_of
from couplant.analysis.stability import stability
from couplant.analysis.system import Connection, Prototype, System
from couplant.analysis.system_file import read_system
from couplant.base.errors import UsageError
from couplant.base.paths import resource
from couplant.cosim import simulate
from tests import commands
from tests.analysis.conftest import OSCILLATOR

SCENARIO = "examples/01_two_mass_oscillator/scenario.toml"


def integrator(gain, k=1, algorithm="zoh"):
    """Return an integrator that a late value of its own brings back: x' = -gain y, ΔT 1 s."""
    plant = Prototype("p", [[0.0]], [[-gain]], [[1.0]], [[0.0]])
    return System((plant,), (Connection("p.y1", "p.u1", generic(algorithm, k)),), 1.0)


def test_an_integrator_by_hand():
    """ZOH, y two steps late: z³ - z² + g has its double root on the circle at g = .618, later is worse."""
    one = certify(integrator(0.6), (2, 2))
    assert one.verdict == certify(integrator(0.3), (1, 2), loss=1).verdict == "proven"
    assert one.words().startswith("stable for every pattern: proven, with one form and a margin of ")
    found = certify(integrator(0.63), (2, 2))
    assert found.verdict == "refuted" and found.cycle.radius == pytest.approx(stability(integrator(0.63, 2)).radius)


def test_what_is_stable_at_each_latency_may_not_be_at_all(oscillator):
    """Three steps in turn, 3, 4, 5, as theory has them: 1.0000038, while each alone dies out."""
    one = oscillator("eros3", 3)
    assert all(stability(oscillator("eros3", k)).radius < 0.9999 for k in (3, 4, 5))
    found = certify(one, (2, 4), loss=1, messages="all", burst=8)
    assert found.verdict == "refuted" and found.cycle.radius == pytest.approx(1.00000377, abs=1e-8)
    assert sorted(found.cycle.latencies(0))[0] >= 2 and len(found.cycle.events) % 3 == 0


@pytest.mark.landing("a proof of 22 states: 3 s of CPU")
@pytest.mark.parametrize("latencies", [(1, 2), (2, 3)])
def test_known_proofs_on_the_oscillator(latencies, oscillator, tmp_path):
    """EROS3 with all values known: one form for both latencies does."""
    found = certify(oscillator(), latencies, messages="all", burst=8)
    assert (found.verdict, found.forms) == ("proven", 1) and found.margin > 1e-5
    check_file(found, tmp_path)


def check_file(found, folder):
    """Run the checker that is written beside a proof, in a Python of its own."""
    proof, checker = found.save(folder / "proof.json")
    text = proof.read_text(encoding="utf-8")
    words = [sys.executable, "-I", str(checker)]
    assert commands.run(words, input=text, capture_output=True, text=True, check=True).stdout == "proven\n"
    return json.loads(text)


def test_the_checker_refuses_what_proves_nothing(tmp_path):
    assert len(resource(CHECKER).read_text(encoding="utf-8").splitlines()) <= 30
    proof = check_file(certify(integrator(0.3), (1, 2), loss=1), tmp_path)
    check = runpy.run_path(str(resource(CHECKER)))["check"]
    assert check(copy.deepcopy(proof))
    bad = []
    for change in ("forms", "steps", "symmetry"):
        one = copy.deepcopy(proof)
        if change == "forms":
            one["P"] = [[[-p for p in row] for row in form] for form in one["P"]]
        elif change == "steps":
            one["steps"] = [[[2 * a for a in row] for row in step] for step in one["steps"]]
        else:
            one["P"][0][0][1] += 1 << 72
        bad.append(check(one))
    assert bad == [False, False, False]


def test_a_proof_is_about_the_macro_steps_of_the_system(tmp_path):
    """Undoing the units of the states gives the matrices back to the last bit that is written."""
    one, rules = integrator(0.3), Rules(1, 2, 1)
    proof, patterns = certify(one, (1, 2), loss=1).proof, patterns_of(one, rules)
    units = 2.0 ** np.array(proof["states"])
    steps = [np.array(step, dtype=float) / 2.0 ** proof["bits"] * units / units[:, None] for step in proof["steps"]]
    known = {patterns.matrix((mode,)).round(12).tobytes() for mode in patterns.modes[0]}
    assert {(step.round(12) + 0.0).tobytes() for step in steps} == {k for k in known}


def test_margins_are_real():
    """No random pattern of a proven system grows: the form falls in each step."""
    one, random = integrator(0.3), np.random.default_rng(1)
    found, patterns = certify(one, (1, 3), loss=1), patterns_of(one, Rules(1, 3, 1))
    assert found.verdict == "proven"
    node, state = patterns.edges[0].start, np.ones(patterns.size)
    for _ in range(400):
        number = int(random.choice([i for i, edge in enumerate(patterns.edges) if edge.start == node]))
        state, node = patterns.matrix((patterns.modes[0][number],)) @ state, patterns.edges[number].end
    assert np.abs(state).max() < 1e-6


def test_latencies_of_a_pattern():
    """What is lost arrives with the next newer one: then the network gives that alone."""
    cycle = Cycle(1.1, ((2,), (None,), (2,)), ("all",), 0.5)
    assert cycle.latencies(0) == [2, 2, 3]
    assert cycle.tables()["all"].splitlines() == ["latency_s,latency_steps", "1.0,2", "1.0,2", "1.5,3"]


@pytest.mark.landing("builds and runs FMUs: 10 s of CPU")
def test_the_network_replays_what_refutes(tmp_path):
    """EROS4 at three steps and one lost message in a row: the run grows as the product of the matrices says."""
    found = certify(OSCILLATOR, (3, 3), loss=1, assignments=['algorithm="eros4"'])
    assert found.verdict == "refuted" and found.cycle.radius > 1.001
    files = found.save(tmp_path / "pattern")
    assert [path.name for path in files] == ["pattern.mass_1_to_mass_2.csv", "pattern.mass_2_to_mass_1.csv"]
    ways = {"x1": files[0], "v1": files[0], "f": files[1]}
    replays = [f"signals.{name}.network={{replay='{path}'}}" for name, path in ways.items()]
    runs = simulate(SCENARIO, [*replays, "timing=['event']", "algorithms=['eros4']", "duration=60.0"]).runs
    run = next(run for run in runs if run.algorithm == "eros4")
    assert run.metrics["growth"] == pytest.approx(found.cycle.radius**250, rel=0.03)


def test_own_weights_hold_for_one_latency():
    """FOH takes over where the newest value is older."""
    one = integrator(0.3).with_algorithm(LinearAlgorithm(1, (1.5, -0.5), (0.0, 0.0)))
    patterns = patterns_of(one, Rules(1, 1, 1))
    rows = {edge.end.age: part for edge, part in zip(patterns.edges, patterns.parts[0], strict=True)}
    assert np.abs(rows[1].h).max() == 1.5 and np.abs(rows[2].h).max() == 3.0


def test_undecided_says_so():
    found = certify(integrator(0.3), (1, 2), loss=1, seconds=1e-9)
    assert found.verdict == "undecided" and found.proof is None and "undecided" in repr(found)
    with pytest.raises(UsageError, match="neither a proof nor a pattern"):
        found.save("x.json")


def test_models_at_their_latency():
    """Example 14's loop with models of both sides, and what is refused of them."""
    one = read_system(OSCILLATOR, ['algorithm="model"', "latency_steps=2", "timing='event'"])
    found = certify(one, (2, 2))
    assert found.verdict == ("proven" if stability(one).stable else "refuted")
    for latencies, loss in (((1, 2), 0), ((2, 2), 1), ((3, 3), 0)):
        with pytest.raises(UsageError, match="model: "):
            certify(one, latencies, loss=loss)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"loss": 9}, "loss = 9"),
        ({"burst": 0}, "burst = 0"),
        ({"coast_steps": 65}, "coast_steps = 65"),
        ({"messages": "some"}, "allowed way, signal, all"),
        ({"burst": 2, "stamps": False}, "without stamps"),
        ({"latencies": (3, 2)}, "least one first"),
    ],
)
def test_refusals(more, message):
    with pytest.raises(UsageError, match=message):
        certify(integrator(0.3), more.pop("latencies", (1, 2)), **more)
    with pytest.raises(UsageError, match="allowed zoh"):
        certify(integrator(0.3, 1, "smb"), (1, 2))


def test_the_face():
    assert couplant.certify(integrator(0.3), (1, 1)).to_dict()["verdict"] == "proven"


ALGORITHMS = ("zoh", "foh", "eros3")


def some_loop(random):
    """Return two lags or oscillators that drive each other, with an algorithm of chance."""
    sides, algorithm = [], generic(str(random.choice(ALGORITHMS)), 1)
    for name in "ab":
        speed, damped, gain = np.exp(random.uniform(np.log([0.02, 0.05, 0.1]), np.log([0.5, 1.0, 1.2])))
        if random.uniform() < 0.5:
            sides.append(Prototype(name, [[-speed]], [[speed * gain]], [[1.0]], [[0.0]]))
        else:
            A = [[0.0, 1.0], [-(speed**2), -2.0 * damped * speed]]
            sides.append(Prototype(name, A, [[0.0], [gain * speed**2]], [[1.0, 0.0]], [[0.0]]))
    sign = random.choice([-1.0, 1.0])
    sides[1] = Prototype("b", sides[1].A, sign * np.array(sides[1].B), sides[1].C, sides[1].D)
    ways = (Connection("a.y1", "b.u1", algorithm), Connection("b.y1", "a.u1", algorithm))
    return System(tuple(sides), ways, 1.0)


def grown(patterns, random, count, steps):
    """Return by how much `count` patterns of chance, half of them periodic, change states in the end."""
    after = {}
    for number, edge in enumerate(patterns.edges):
        after.setdefault(edge.start, []).append(number)
    ends = []
    for one in range(count):
        nodes, state = [patterns.edges[0].start] * len(patterns.modes), random.standard_normal(patterns.size)
        habit = {node: [int(random.choice(numbers)) for _ in nodes] for node, numbers in after.items()}
        for _ in range(steps):
            chosen = [
                habit[node][way] if one % 2 else int(random.choice(after[node])) for way, node in enumerate(nodes)
            ]
            state = patterns.matrix(patterns.modes_of(tuple(chosen))) @ state
            nodes = [patterns.edges[edge].end for edge in chosen]
        ends.append(np.linalg.norm(state))
    return np.array(ends)


@pytest.mark.parametrize(
    ("seed", "loops", "patterns"),
    [
        pytest.param(5, 6, 20, marks=pytest.mark.landing("six proofs and their patterns: 8 s of CPU")),
        pytest.param(
            secrets.randbits(32),
            100,
            100,
            marks=[pytest.mark.night("10 000 pairs: 200 s of CPU"), pytest.mark.timeout(3600)],
            id="fresh-100-100",
        ),
    ],
)
def test_nothing_that_is_proven_grows(seed, loops, patterns):
    """Loops with latencies of 1 and 2 and one loss in a row, both ways by themselves."""
    random = np.random.default_rng(seed)
    proven = undecided = refuted = 0
    while proven < loops:
        one = some_loop(random)
        found = certify(one, (1, 2), loss=1)
        refuted, undecided = refuted + (found.verdict == "refuted"), undecided + (found.verdict == "undecided")
        if found.verdict != "proven":
            assert found.cycle is None or found.cycle.radius > 1.0
            continue
        proven += 1
        ends = grown(patterns_of(one, Rules(1, 2, 1)), random, patterns, 1500)
        assert ends.max() < 1e3
    print(f"\nseed {seed}: {proven} proven, {refuted} refuted, {undecided} undecided")
    assert undecided <= 0.1 * (proven + refuted + undecided)
