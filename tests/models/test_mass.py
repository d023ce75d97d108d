"""The linear halves of the oscillator against matrix exponentials and a dense integration with scipy."""

import itertools

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

FREE = {"force.amplitude": 0.0}


def exact(m, c, d, x, v, force, slope, h):
    """Motion of m x'' = -c x - d x' + force + slope t after h, by scipy's exponential."""
    a = np.zeros((4, 4))
    a[0, 1], a[1, 0], a[1, 1], a[1, 2], a[2, 3] = 1.0, -c / m, -d / m, 1.0 / m, 1.0
    return (expm(a * h) @ [x, v, force, slope])[:2]


@pytest.mark.parametrize("h", [1e-6, 0.001, 0.02, 0.3, 2.0, 50.0])
@pytest.mark.parametrize(("m", "c", "d"), [(1.0, 1.0, 0.01), (0.1, 10.0, 0.001), (2.0, 0.0, 0.0), (1.0, 300.0, 4.0)])
def test_one_step_is_exact(make, h, m, c, d):
    values = {"m1": m, "c1": c, "d1": d, "x1.start": 0.3, "v1.start": -1.2, "f": 0.7, "f.slope": -2.0, **FREE}
    ((x, v),) = make("mass_1", **values).run(1, h, "x1", "v1")
    expected = exact(m, c, d, 0.3, -1.2, 0.7, -2.0, h)
    assert [x, v] == pytest.approx(expected, rel=1e-12, abs=1e-12 * (1.0 + max(abs(expected))))


def pulse(t, amplitude, start, period):
    return amplitude / 2 * (1 - np.cos(2 * np.pi * (t - start) / period)) if start <= t <= start + period else 0.0


def dense(m, c, d, start, stop, force):
    """Motion under any force by a dense integration, from rest; the corners of the pulse are steps of it."""
    z = np.zeros(2)
    for a, b in itertools.pairwise([0.0, start, stop, 4.0]):
        rates = lambda t, z: [z[1], (-c * z[0] - d * z[1] + force(t)) / m]  # noqa: E731
        z = solve_ivp(rates, (a, b), z, method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    return z


@pytest.mark.parametrize("h", [0.01, 0.07, 0.5, 4.0])
@pytest.mark.parametrize(("amplitude", "start", "period"), [(1.0, 1.0, 0.5), (-3.0, 0.333, 0.77), (2.0, 0.0, 3.9)])
def test_the_force_is_exact_at_any_step(make, h, amplitude, start, period):
    force = {"force.amplitude": amplitude, "force.start": start, "force.period": period}
    instance = make("mass_1", **force)
    steps = int(4.0 / h)
    instance.run(steps, h)
    instance.step(steps * h, 4.0 - steps * h) if steps * h < 4.0 - 1e-9 else None
    expected = dense(1.0, 1.0, 0.01, start, start + period, lambda t: pulse(t, amplitude, start, period))
    assert [instance.get("x1"), instance.get("v1")] == pytest.approx(expected, rel=1e-10, abs=1e-11)


@pytest.mark.parametrize("name", ["mass_1", "mass_1_stop", "mass_2"])
def test_a_step_split_in_two_equals_one(make, name):
    inputs = {"mass_2": {"x1": 0.2, "v1": -0.4}}.get(name, {"f": -2.0})
    slopes = {"mass_2": {"x1.slope": 1.0, "v1.slope": 3.0}}.get(name, {"f.slope": 1.5})
    outputs = ("f", "x2", "v2") if name == "mass_2" else ("x1", "v1")
    whole, split = (make(name, **inputs, **slopes, **{"force.amplitude": 4.0, "force.start": 0.35}) for _ in range(2))
    h = 0.1
    for n in range(20):
        whole.step(n * h, h)
        for t, part in ((n * h, 0.3 * h), (n * h + 0.3 * h, 0.7 * h)):
            for (key, value), slope in zip(inputs.items(), slopes.values(), strict=True):
                split.set(key, value + slope * (t - n * h))
            split.step(t, part)
        assert [split.get(key) for key in outputs] == pytest.approx([whole.get(key) for key in outputs], abs=1e-12)


def test_the_second_half_is_exact_and_its_force_follows_the_input(make):
    m, c, d, cc, dc = 0.1, 10.0, 0.001, 2.0, 0.001
    inputs = {"x1": 0.5, "x1.slope": -0.3, "v1": 0.2, "v1.slope": 4.0}
    instance = make("mass_2", **inputs, **{"x2.start": 0.1, "v2.start": -0.2})
    assert instance.get("f") == cc * (0.1 - 0.5) + dc * (-0.2 - 0.2)
    ((f, x2, v2),) = instance.run(1, 0.02, "f", "x2", "v2")
    drive = cc * 0.5 + dc * 0.2, cc * -0.3 + dc * 4.0
    assert [x2, v2] == pytest.approx(exact(m, c + cc, d + dc, 0.1, -0.2, *drive, 0.02), abs=1e-13)
    assert f == pytest.approx(cc * (x2 - (0.5 - 0.3 * 0.02)) + dc * (v2 - (0.2 + 4.0 * 0.02)), abs=1e-15)
    assert instance.set("x1.slope", 0.0) == instance.set("v1.slope", 0.0) == 0
    assert instance.get("f") == cc * (x2 - 0.5) + dc * (v2 - 0.2)


def test_the_halves_together_are_the_oscillator(make):
    """Coupled every 0.1 ms without delay they approach the undivided system."""
    one, two = make("mass_1", **FREE, **{"x1.start": 1.0}), make("mass_2", x1=1.0)
    h = 1e-4
    for n in range(5000):
        x1, v1, f = one.get("x1"), one.get("v1"), two.get("f")
        one.set("f", f)
        two.set("x1", x1), two.set("x1.slope", v1), two.set("v1", v1)
        one.step(n * h, h), two.step(n * h, h)
        two.set("x1", one.get("x1")), two.set("v1", one.get("v1"))
    a = np.array([[0, 1, 0, 0], [-3, -0.011, 2, 0.001], [0, 0, 0, 1], [20, 0.01, -120, -0.02]], dtype=float)
    expected = expm(a * 0.5) @ [1.0, 0.0, 0.0, 0.0]
    assert [one.get("x1"), one.get("v1"), two.get("x2"), two.get("v2")] == pytest.approx(expected, abs=1e-3)


def test_an_endless_force_ends_the_run_with_a_sentence(make):
    instance = make("mass_1", **FREE, **{"c1": 0.0, "d1": 0.0, "f.slope": 1e300})
    assert instance.step(0.0, 1e200) == 3
    assert "finite" in instance.messages[-1][2]
