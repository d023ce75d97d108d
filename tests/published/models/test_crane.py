"""The hydraulic crane against its equations, written anew: equilibrium, single steps, and motions solved by scipy."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from tests.native import ERROR, OK
from tests.published.models.crane import accelerations, cylinder, flows, length_and_rate, spool


@pytest.fixture
def make(built):
    return built


@pytest.mark.parametrize("fmi", ["2", "3"])
def test_it_starts_in_the_published_equilibrium(make, fmi):
    arm = make("crane_arm", fmi).initialise()
    pistons = make("crane_cylinder", fmi, **{"spool.amplitude": 0.0}).initialise()
    assert [arm.get("s"), arm.get("v")] == pytest.approx([0.5, 0.0], abs=1e-15)
    assert [pistons.get("p"), pistons.get("p[2]")] == pytest.approx([3.1708e6, 4.5292e6], rel=2e-5)
    assert pistons.get("f") == pytest.approx(8829.0, abs=0.1)
    assert pistons.get("spool") == 0.4543456
    for n in range(100):
        assert arm.step(n * 0.01, 0.01) == OK and pistons.step(n * 0.01, 0.01) == OK
    assert arm.get("s") == pytest.approx(0.5, abs=1e-12)
    assert pistons.get("f") == pytest.approx(8829.0, abs=0.1)


@pytest.mark.parametrize("slope", [0.0, 2e4])
@pytest.mark.parametrize("parts", [1, 3])
def test_a_step_of_the_arm_is_symplectic_euler_in_parts(make, parts, slope):
    starts = {"angle_1.start": -2.5, "angle_2.start": 7.0, "parts": parts}
    arm = make("crane_arm", **starts).initialise(f=4e3, **{"f.slope": slope})
    angles, rates, h = np.array([-2.5, 7.0]), np.zeros(2), 0.05 / parts
    for start in range(2):
        assert arm.step(0.05 * start, 0.05) == OK
        for i in range(parts):
            rates = rates + h * accelerations(angles, rates, 4e3 + slope * (i + 0.5) * h)
            angles = angles + h * rates
    assert [arm.get("angle"), arm.get("angle[2]")] == pytest.approx(list(angles), rel=1e-12)
    assert [arm.get("s"), arm.get("v")] == pytest.approx(length_and_rate(angles, rates), rel=1e-12)


def test_small_parts_of_the_arm_give_the_exact_motion(make):
    arm = make("crane_arm", parts=1000).initialise(f=7e3)
    start = [math.pi / 6, 1.5 * math.pi, 0.0, 0.0]
    exact = solve_ivp(
        lambda t, z: [*z[2:], *accelerations(z[:2], z[2:], 7e3)], (0.0, 0.5), start, rtol=1e-10, atol=1e-12
    ).y[:, -1]
    arm.run(10, 0.05, "s")
    assert [arm.get("angle"), arm.get("angle[2]")] == pytest.approx(list(exact[:2]), abs=5e-5)


@pytest.mark.parametrize("extrapolation", [False, True])
def test_a_step_of_the_cylinder_is_euler_along_the_line_through_the_last_two_values(make, extrapolation):
    parts, h = 40, 0.01 / 40
    pistons = make("crane_cylinder", extrapolation=extrapolation).initialise()
    p, before = [pistons.get("p"), pistons.get("p[2]")], None
    for n, (s, v) in enumerate([(0.5, 0.0), (0.501, 0.1), (0.503, 0.2)]):
        assert (pistons.set("s", s), pistons.set("v", v)) == (OK, OK)
        assert pistons.get("f") == pytest.approx(cylinder(p, v), rel=1e-12)
        assert pistons.step(n * 0.01, 0.01) == OK
        slopes = [(now - then) / 0.01 for now, then in zip((s, v), before, strict=True)] if before else [0.0, 0.0]
        slopes = slopes if extrapolation else [0.0, 0.0]
        for i in range(parts):
            rise = flows(p, s + slopes[0] * i * h, v + slopes[1] * i * h, spool(n * 0.01 + i * h))
            p = [one + h * d for one, d in zip(p, rise, strict=True)]
        before = s, v
        assert [pistons.get("p"), pistons.get("p[2]")] == pytest.approx(p, rel=1e-12)
        assert pistons.get("f") == pytest.approx(cylinder(p, v + slopes[1] * (parts - 1) * h), rel=1e-12)
        assert pistons.get("spool") == pytest.approx(spool((n + 1) * 0.01), rel=1e-12)


def test_slopes_that_the_importer_gives_take_the_place_of_the_line(make):
    one, other = (make("crane_cylinder", **starts).initialise() for starts in ({}, {"extrapolation": False}))
    for n, (s, v) in enumerate([(0.5, 0.0), (0.501, 0.1)]):
        for pistons in (one, other):
            assert {pistons.set(*pair) for pair in (("s", s), ("v", v), ("s.slope", 0.3), ("v.slope", -2.0))} == {OK}
            assert pistons.step(n * 0.01, 0.01) == OK
    assert one.get("f") == other.get("f")
    assert one.get("f") == pytest.approx(cylinder([one.get("p"), one.get("p[2]")], 0.1 - 2.0 * 0.01 * 39 / 40))


def test_a_piston_at_its_end_is_told(make):
    pistons = make("crane_cylinder").initialise(s=0.722)
    assert pistons.step(0.0, 0.01) == ERROR
    assert "the piston is at an end of the cylinder" in pistons.messages[-1][2]


def test_pressures_that_do_not_fit_are_refused(make):
    pistons = make("crane_cylinder", **{"pressure.tank": 8e6})
    assert pistons.enter() == OK
    assert pistons.call("ExitInitializationMode") == ERROR
    assert "pressure.supply is below pressure.tank" in pistons.messages[-1][2]
