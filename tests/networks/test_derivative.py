"""The oscillator whose x1 is sent with v1: what the derivative is worth, event timing, k from stamps."""

from functools import lru_cache

import numpy as np
import pytest

from couplant.analysis.algorithms import generic
from couplant.analysis.hermite import hermite
from couplant.analysis.stability import stability
from couplant.analysis.system import Connection, Prototype, System, scattered
from tests.kernel.library import needs_compiler
from tests.networks.loop import (
    C1,
    C2,
    CC,
    COUNT,
    D1,
    D2,
    DC,
    M1,
    M2,
    MASS_1,
    MASS_2,
    STEP,
    Coupling,
    Link,
    Network,
    force_at,
    reference,
)  # fmt: skip

pytestmark = needs_compiler
MASSES = (
    Prototype("m1", [[0, 1], [-C1 / M1, -D1 / M1]], [[0], [1 / M1]], np.eye(2), np.zeros((2, 1)), ("f",), ("x", "v")),
    Prototype(
        "m2", [[0, 1], [-(C2 + CC) / M2, -(D2 + DC) / M2]], [[0, 0], [CC / M2, DC / M2]], [[CC, DC]], [[-CC, -DC]],
        ("x", "v"), ("f",),
    ),
)  # fmt: skip


class Messages:
    """What passes a network: values of x1, with those of v1 that were sent at the same time."""

    def __init__(self, network: Network, seed: int, noise: float) -> None:
        self.link, self.rates, self.chance = Link(network, seed), [], np.random.default_rng(seed)
        self.noise = noise * reference(False).std(axis=0)

    def pass_on(self, n: int, value: float, rate: float = 0.0, which: int = 2):
        """Return what arrives at macro step `n`, values and derivatives, newest first."""
        self.rates.append(rate + self.noise[1] * self.chance.standard_normal())
        values = self.link.pass_on(n, value + self.noise[which] * self.chance.standard_normal())
        return values, [self.rates[sent] for sent, _ in values]


@lru_cache
def error(derived: bool, low: int, high: int, loss=0.0, both=0, noise=0.0, seed=1, other="irregular") -> float:
    """Return the mean of rms error over standard deviation of x1, v1 and f; all that is no x1 with v1 is `other`."""
    network = Network(low, high, loss)
    couplings = [Coupling("linear", derivative="v") if derived else Coupling(other), Coupling(other), Coupling(other)]
    links = [Messages(network, 100 * seed + i, noise) for i in range(3)]
    x, z, given, slope = np.zeros(2), np.zeros(2), np.zeros((COUNT, 3)), np.zeros(3)
    for n in range(COUNT):
        for i in range(3):
            f = CC * (z[0] - given[n, 0]) + DC * (z[1] - given[n, 1])
            messages, rates = links[i].pass_on(n, f if i == 2 else x[i], x[1], i)
            if derived and i == 0 and rates:
                couplings[0].kernel.state.plant.companion[0] = rates[0]
            given[n, i], slope[i] = couplings[i].estimate(n, messages)
        if np.abs(given[n]).max() > 1e6:
            return np.inf
        force = force_at(n)
        x = MASS_1 @ np.concatenate([x, given[n, 2:], slope[2:], force])
        z = MASS_2 @ np.concatenate([z, given[n, :2], slope[:2], force if both else [0.0] * 3])
    truth = reference(bool(both))
    return float((np.sqrt(((given - truth) ** 2).mean(axis=0)) / truth.std(axis=0)).mean())


def oscillator(k, other="eros3", timing="event"):
    rest = generic(other, k)
    derived = Connection("m1.x", "m2.x", hermite(k), derivative="m1.v")
    return System(MASSES, (derived, Connection("m1.v", "m2.v", rest), Connection("m2.f", "m1.f", rest)), STEP, timing)


@pytest.mark.parametrize(("k", "most"), [(1, 0.0006), (3, 0.006), (5, 0.07), (7, 0.11)])
def test_what_the_derivative_is_worth_without_noise(k, most):
    found = error(True, k, k)
    assert found <= most
    assert found <= 1.05 * error(False, k, k)


@pytest.mark.parametrize(("k", "most"), [(1, 0.03), (3, 0.07), (5, 0.16)])
def test_noise_of_one_per_cent_costs_far_less(k, most):
    """All signals noisy, `eros3` on those without a derivative."""
    found = error(True, k, k, noise=0.01, other="eros3")
    assert found <= most
    assert found <= 0.4 * error(False, k, k, noise=0.01, other="eros3")


@pytest.mark.parametrize(("line", "most"), [((2, 4), 0.025), ((3, 3, 0.05), 0.025), ((4, 6), 0.1)])
def test_jitter_and_loss(line, most):
    found = [error(True, *line, seed=seed) for seed in range(3)]
    alone = [error(False, *line, seed=seed, other="eros3") for seed in range(3)]
    assert np.median(found) <= most
    assert np.median(found) <= 0.5 * np.median(alone)


@pytest.mark.parametrize("k", [1, 3, 5])
def test_all_plants_within_five_per_cent_are_stable(k):
    assert all(stability(plant).stable for plant in scattered(oscillator(k), 10))


def test_theory_and_kernel_end_at_the_same_latency():
    """The radius by theory is that of the loop, step by step: it leaves the circle where the loop grows."""
    assert stability(oscillator(6)).stable
    assert not stability(oscillator(7)).stable
    assert error(True, 6, 6, other="eros3") < 0.1
    assert error(True, 7, 7, other="eros3") > 100.0


def test_a_derivative_that_does_not_exist_is_named():
    with pytest.raises(ValueError, match=r"m1\.a"):
        System(MASSES, (Connection("m1.x", "m2.x", hermite(3), derivative="m1.a"),), STEP)
