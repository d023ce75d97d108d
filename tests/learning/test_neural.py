"""The algorithm network: exact morphism, invariance, gradient, constants."""

import math
import random

import numpy as np
import pytest

from couplant.analysis.morphism import Shape, morphism
from couplant.base.errors import UsageError
from couplant_runtime.algorithms import BY_NAME, TABLED
from couplant_runtime.learning.judge import gain
from couplant_runtime.learning.neural import Neural, forward, gradient
from tests.learning.coupling import EROS3, Coupling, settings_of

ORIGINS = ", ".join(str(BY_NAME[name].number) for name in TABLED)
SHAPES = [Shape(), Shape(1, 2), Shape(3, 4, 0.2), Shape(5, 1, 1.0), Shape(2, 3, 1.0)]
SHAPES += [Shape(offsets=True), Shape(3, 4, 0.2, True)]


def signal(n):
    return math.sin(0.11 * n) + 0.3 * math.sin(0.3 * n + 1.0)


def estimates(settings, values):
    coupling = Coupling(settings)
    return np.array([coupling.take(value) for value in values])


@pytest.mark.parametrize("shape", SHAPES)
def test_morphism_is_exact_and_its_copies_differ(shape, chance):
    a = np.array(EROS3[0])
    net = Neural(3, shape.first, shape.second, shape.leak, False, 4, tuple(a), tuple(EROS3[1]), shape.offsets)
    weights = list(morphism(a, shape, seed=3))
    for x in chance.normal(size=(50, 5)):
        assert forward(net, weights, list(x)) == pytest.approx(a[1:] @ x, abs=1e-12)
    rows = [tuple(weights[i * 5 : i * 5 + 5]) for i in range(shape.first)]
    assert len(set(rows)) == shape.first


def test_a_pair_of_leaky_neurons_is_needed():
    with pytest.raises(UsageError, match="even number"):
        morphism(np.ones(3), Shape(4, 3))


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize(
    ("start", "k"), [("foh", 3), ("eros3", 3), ("eros3", 0), ("eros4", 6), ("eros3", 11), ("zoh", 3)]
)
def test_before_learning_it_is_the_algorithm_that_it_started_as(timing, start, k):
    values = [signal(n) for n in range(36)]
    shape = {"start": start, "first": 4 if k <= 6 else 2}
    ours = estimates(settings_of(timing, k, network=shape, learning={"enabled": False}), values)
    theirs = estimates(settings_of(timing, k, algorithm=start), values)
    begun = slice(k + 6 if start == "zoh" else 0, None)  # it needs as many values as eros3
    assert np.abs(ours - theirs)[begun].max() <= 1e-12 * max(1.0, np.abs(theirs).max())


def test_it_starts_as_a_designed_algorithm_too():
    values = [signal(n) for n in range(60)]
    long_form = {"a": [3.0, -2.5, 0.5], "A": [0.5, -0.25, -0.25]}
    ours = settings_of(
        algorithm={"selected": "network", **long_form}, network={"start": "linear"}, learning={"enabled": False}
    )
    theirs = settings_of(algorithm={"selected": "linear", **long_form})
    assert estimates(ours, values) == pytest.approx(estimates(theirs, values), abs=1e-12)


@pytest.mark.parametrize(("factor", "offset"), [(1e-3, 0.0), (1e3, 0.0), (1.0, 1e4), (1e3, 1e4), (1e-3, 1e4)])
def test_unit_and_offset_do_not_matter(factor, offset):
    plain = estimates(settings_of(), [signal(n) for n in range(600)])
    other = estimates(settings_of(), [factor * signal(n) + offset for n in range(600)])
    assert np.abs((other - offset) / factor - plain).max() <= 1e-6 * np.abs(plain).max()


def test_learning_happened_in_that_test():
    coupling = Coupling(settings_of())
    for n in range(600):
        coupling.take(signal(n))
    assert coupling.state.neural.accepted > 0
    assert coupling.state.neural.use != coupling.state.neural.base


@pytest.mark.parametrize("offsets", [False, True])
def test_constants_are_kept_exactly_whatever_the_weights(chance, offsets):
    coupling = Coupling(settings_of(network={"offsets": offsets}))
    coupling.state.neural.use[:] = list(chance.normal(size=64))
    for n in range(60):
        coupling.take(0.1 * n if n < 30 else 3.7)
    assert (coupling.state.algorithm.level, coupling.state.algorithm.slope) == (3.7, 0.0)


def test_the_gradient_is_that_of_finite_differences(either, chance):
    weights = list(chance.normal(size=either.size))
    x = list(chance.normal(size=either.inputs))
    found = gradient(either, weights, x)
    assert len(found) == either.size
    for i in range(either.size):
        up, down = list(weights), list(weights)
        up[i] += 1e-6
        down[i] -= 1e-6
        slope = (forward(either, up, x) - forward(either, down, x)) / 2e-6
        assert found[i] == pytest.approx(slope, rel=1e-6, abs=1e-8)


def test_no_signal_is_amplified_more_than_the_gain_says(either):
    chance = random.Random(1)
    weights = [chance.gauss(0.0, 1.0) for _ in range(either.size)]
    bound = gain(either, weights)
    for _ in range(2000):
        past = [chance.choice((-1.0, 1.0)) for _ in range(either.inputs + 1)]
        assert abs(past[0] + forward(either, weights, [y - past[0] for y in past[1:]])) <= bound * (1.0 + 1e-12)


def test_the_gain_of_a_linear_algorithm_is_the_sum_of_its_weights():
    linear = Neural(3, 4, 1, 1.0, False, 4, tuple(EROS3[0]), tuple(EROS3[1]))
    assert gain(linear, list(morphism(np.array(EROS3[0]), Shape(4, 1, 1.0)))) == pytest.approx(np.abs(EROS3[0]).sum())


def test_away_from_its_latency_foh_runs():
    settings = settings_of()
    coupling = Coupling(settings)
    coupling.state.parameter.constant_steps = 4
    for n in range(60):
        coupling.take(signal(n))
    assert coupling.state.switching.active == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": 65}, "network.steps = 65, allowed 0 to 64 macro steps"),
        ({"steps": -1}, "network.steps = -1, allowed 0 to 64 macro steps"),
        ({"first": 0}, "network.first = 0, allowed 1 to 64 neurons"),
        ({"second": 5}, "network.second = 5, allowed 1 to 4 neurons"),
        ({"leak": 0.0}, "network.leak = 0.0, allowed 0 to 1, above 0"),
        ({"leak": 1.5}, "network.leak = 1.5, allowed 0 to 1, above 0"),
        ({"leak": math.nan}, "network.leak = nan, allowed 0 to 1, above 0"),
        ({"origin": 0}, f"network.origin = 0, allowed {ORIGINS}"),
        ({"origin": 7}, f"network.origin = 7, allowed {ORIGINS}"),
        ({"a": (1.0,), "slopes": (1.0,)}, "network.start = 1, allowed 2 to 64 weights"),
        ({"slopes": (1.0,)}, "network.start has 6 weights, 1 slopes, allowed as many"),
        ({"first": 20}, "network.weights = 142, allowed 3 to 64 of this shape"),
    ],
)
def test_what_is_out_of_range_is_named(net, change, message):
    with pytest.raises(ValueError) as found:
        Neural(**{**{name: getattr(net, name) for name in net.__dataclass_fields__}, **change})
    assert str(found.value) == message
