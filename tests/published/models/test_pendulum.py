"""Pendula: a step by hand, the period of small swings, and two of them tied by a spring."""

import math
from functools import partial

import numpy as np
import pytest

from tests.native import OK

TIP = ("x", "y", "v_x", "v_y")
H = 1e-3


@pytest.fixture
def make(built):
    return partial(built, "pendulum")


def tip(pin, length, angle, rate):
    """Return place and velocity of the tip."""
    along = np.array([math.sin(angle), -math.cos(angle)])
    return np.array(pin) + length * along, length * rate * np.array([math.cos(angle), math.sin(angle)])


@pytest.mark.sample(2)
@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("parts", [1, 3])
def test_a_step_is_symplectic_euler_in_parts(make, parts, fmi):
    starts = {"mass": 2.0, "length": 1.5, "pin.x": 1.0, "pin.y": -2.0, "angle.start": 0.4, "rate.start": -3.0}
    spring = {"spring.stiffness": 70.0, "spring.damping": 5.0, "spring.length": 3.0}
    inputs = {"far_x": 4.0, "far_y": -1.0, "far_v_x": 0.5, "far_v_y": 2.0, "force_x": 9.0, "force_y": -4.0}
    pendulum = make(fmi, parts=parts, **starts, **spring).initialise(**inputs)
    angle, rate, h = 0.4, -3.0, 0.02 / parts

    def pull():
        place, velocity = tip((1.0, -2.0), 1.5, angle, rate)
        d, change = np.array([4.0, -1.0]) - place, np.array([0.5, 2.0]) - velocity
        distance = math.hypot(*d)
        return (70.0 * (distance - 3.0) + 5.0 * float(d @ change) / distance) * d / distance

    assert [pendulum.get("f_x"), pendulum.get("f_y")] == pytest.approx(list(-pull()), rel=1e-12)
    assert pendulum.step(0.0, 0.02) == OK
    for _ in range(parts):
        force = pull() + np.array([9.0, -4.0 - 2.0 * 9.81])
        rate += h * float(force @ [math.cos(angle), math.sin(angle)]) / (2.0 * 1.5)
        angle += h * rate
    expected = [*tip((1.0, -2.0), 1.5, angle, rate), -pull()]
    names = (*TIP, "f_x", "f_y")
    assert [pendulum.get(name) for name in names] == pytest.approx(list(np.concatenate(expected)), rel=1e-12)


def test_small_swings_have_their_period(make):
    pendulum = make(**{"angle.start": 1e-3, "length": 2.0, "parts": 10}).initialise()
    quarter = math.pi / 2 * math.sqrt(2.0 / 9.81)
    for n in range(40):
        assert pendulum.step(n * quarter / 10, quarter / 10) == OK
    assert pendulum.get("angle") == pytest.approx(1e-3, rel=1e-4)


def test_a_spring_without_length_pulls_nowhere(make):
    pendulum = make(**{"angle.start": 0.0, "spring.stiffness": 1e3}).initialise(far_y=-1.0)
    assert (pendulum.get("f_x"), pendulum.get("f_y")) == (0.0, 0.0)


def mechanical(one, other, stiffness, rest):
    """Return the energy of both pendula of 1 kg and of the spring between them [J]."""
    (x, y, v, w), (far_x, far_y, far_v, far_w) = one, other
    kinetic = 0.5 * (v * v + w * w + far_v * far_v + far_w * far_w)
    return kinetic + 9.81 * (y + far_y) + 0.5 * stiffness * (math.hypot(far_x - x, far_y - y) - rest) ** 2


FAR = ("far_x", "far_y", "far_v_x", "far_v_y")


def run(one, other, fresh, steps=10000):
    """Step both; return the mechanical energy after each second and the residual energy of the spring's bond [J].

    The force is read before the other tip is told, as plain importers do, or `fresh`, after it.
    """
    far, energies, residual = [other.get(name) for name in TIP], [], 0.0
    force = [one.get("f_x"), one.get("f_y")]
    for n in range(steps):
        if n % 1000 == 0:
            energies.append(mechanical([one.get(name) for name in TIP], far, 100.0, 8.756))
        assert {other.set("force_x", force[0]), other.set("force_y", force[1])} == {OK}
        assert {each.step(n * H, H) for each in (one, other)} == {OK}
        before, held = far, force
        far, force = [other.get(name) for name in TIP], [one.get("f_x"), one.get("f_y")]
        residual += H * (held[0] * far[2] + held[1] * far[3] - force[0] * before[2] - force[1] * before[3])
        for name, value in zip(FAR, far, strict=True):
            assert one.set(name, value) == OK
        force = [one.get("f_x"), one.get("f_y")] if fresh else force
    return energies, residual


@pytest.mark.parametrize("fresh", [False, True])
def test_tied_pendula_gain_energy_slowly_and_steadily_where_forces_are_stale(make, fresh):
    """Figures 33 and 34 of Rodríguez et al. 2022 in kind; their lengths, masses and stiffness are not known to us."""
    other = make(**{"length": 2.0, "pin.x": 10.5, "angle.start": -math.pi / 18}).initialise()
    tied = {"length": 2.0, "angle.start": math.pi / 4, "spring.stiffness": 100.0, "spring.length": 8.756}
    one = make(**tied).initialise(**{end: other.get(name) for end, name in zip(FAR, TIP, strict=True)})
    energies, residual = run(one, other, fresh)
    gained = np.array(energies) - energies[0]
    if fresh:
        assert np.abs(gained).max() < 5e-3
    else:
        assert np.diff(gained).min() > 0.05 and gained[-1] > 0.9
        assert residual > 0.1
