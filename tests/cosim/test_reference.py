"""The reference is the exact solution of the directly connected prototypes."""

import numpy as np
import pytest

from couplant.config.ref import Ref
from couplant.cosim.run.master import Wiring
from couplant.cosim.run.reference import solve
from couplant.cosim.wiring.order import Link, Value

X, V = Ref("x", "x"), Ref("v", "x")


def oscillator(components, sloped=True, restorable=True):
    """x' = v, v' = -9 x as two integrators and a gain."""

    def make():
        x, v = components["Integrator"]("x", 1.0, sloped), components["Integrator"]("v", 0.0, sloped)
        x.restorable = restorable
        parts = {"x": x, "v": v, "g": components["Gain"]("g", -9.0)}
        links = [
            Link(Value(V), Ref("x", "u")),
            Link(Value(X), Ref("g", "u")),
            Link(Value(Ref("g", "y")), Ref("v", "u")),
        ]
        return Wiring(parts, links, watched=[X, V])

    return make


@pytest.mark.parametrize("sloped", [True, False])
def test_an_oscillation_comes_out_as_sine_and_cosine(components, sloped):
    found = solve(oscillator(components, sloped), 0.05, 200)
    t = 0.05 * np.arange(201)
    assert np.allclose(found.values[X], np.cos(3 * t), rtol=0, atol=2e-6)
    assert np.allclose(found.values[V], -3 * np.sin(3 * t), rtol=0, atol=6e-6)
    assert found.error < 1e-5


def test_components_that_cannot_go_back_are_followed_with_continued_slopes(components):
    found = solve(oscillator(components, restorable=False), 0.05, 100)
    t = 0.05 * np.arange(101)
    assert np.allclose(found.values[X], np.cos(3 * t), rtol=0, atol=1e-4)


def test_halving_the_macro_step_leaves_the_reference_where_it_is(components):
    coarse = solve(oscillator(components), 0.1, 50).values[X]
    fine = solve(oscillator(components), 0.05, 100).values[X]
    assert np.allclose(coarse, fine[::2], rtol=0, atol=1e-5)


def test_the_same_scenario_has_the_same_reference(components):
    first, second = (solve(oscillator(components), 0.05, 50).values[X] for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_without_connections_nothing_is_approximated(components):
    def make():
        part = components["Integrator"]("x", 1.0)
        part.values["u"] = 2.0
        return Wiring({"x": part}, [], watched=[X])

    assert np.allclose(solve(make, 0.1, 10).values[X], 1.0 + 0.2 * np.arange(11), rtol=1e-14, atol=0)
