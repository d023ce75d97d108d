"""Frame, bench and specimen of example 13 against scipy, and against the published check of the damping."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from tests.native import OK

H = 1.0 / 4096.0
K = np.array(
    [
        [26054883.8796, -23133938.8771, 5937035.4633],
        [-23133938.8771, 32560774.1864, -14419970.7772],
        [5937035.4633, -14419970.7772, 9267275.5062],
    ]
)
C = np.array([[14084.276, -7873.031, 440.451], [-7873.031, 14943.623, -6348.672], [440.451, -6348.672, 7223.101]])
PART = {"missing.mass": 29.13, "missing.stiffness": 1.19e6, "missing.damping": 114.2}


@pytest.fixture
def make(built):
    return built


def frame_by_hand(part, a_g, f, duration):
    """Return displacements and rates of the frame after a time, from rest; `a_g`, `f` are value and slope."""
    m, c, k = 1000.0 * np.eye(3), C.copy(), K.copy()
    if part:
        m[0, 0] -= PART["missing.mass"]
        c[0, 0] -= PART["missing.damping"]
        k[0, 0] -= PART["missing.stiffness"]

    def rates(t, z):
        force = -1000.0 * (a_g[0] + a_g[1] * t) * np.ones(3) - (f[0] + f[1] * t) * np.array([1.0, 0.0, 0.0])
        return np.concatenate([z[3:], np.linalg.solve(m, force - c @ z[3:] - k @ z[:3])])

    z = solve_ivp(rates, (0.0, duration), np.zeros(6), rtol=1e-11, atol=1e-16).y[:, -1]
    return z, rates(duration, z)


@pytest.mark.sample(4)
@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("part", [False, True])
@pytest.mark.parametrize("step", [H, 20 * H])
def test_a_step_of_the_frame_is_exact(make, fmi, part, step):
    a_g, f = (2.0, -30.0), (500.0, 4e4)
    inputs = {"a_g": a_g[0], "a_g.slope": a_g[1], "f": f[0], "f.slope": f[1]}
    frame = make("frame", fmi, **(PART if part else {})).initialise(**inputs)
    assert frame.step(0.0, step) == OK
    z, rates = frame_by_hand(part, a_g, f, step)
    assert [frame.get(f"x[{i}]") for i in (1, 2, 3)] == pytest.approx(z[:3], rel=1e-6)
    assert [frame.get("v"), frame.get("a")] == pytest.approx([z[3], rates[3]], rel=1e-6)


def test_without_slopes_the_ground_goes_on_and_the_force_stays(make):
    one = make("frame", scale=0.5).initialise(a_g=1.0, f=100.0)
    other = make("frame").initialise(**{"a_g": 0.5, "a_g.slope": 0.0, "f": 100.0, "f.slope": 0.0})
    assert one.step(0.0, H) == other.step(0.0, H) == OK
    assert one.get("x[1]") == other.get("x[1]")
    one.set("a_g", 1.2)
    other.set("a_g", 0.6)
    other.set("a_g.slope", 0.1 / H)
    assert one.step(H, H) == other.step(H, H) == OK
    assert one.get("x[1]") == pytest.approx(other.get("x[1]"), rel=1e-12)


def test_a_part_as_heavy_as_its_storey_is_refused(make):
    frame = make("frame", mass=20.0)
    frame.set("missing.mass", 20.0)
    assert frame.enter() == OK
    assert frame.call("ExitInitializationMode") != OK
    assert any("missing.mass is not below mass" in text for _, _, text in frame.messages)


def plant(step):
    """Return what a step of the actuator with the specimen does to x, x', F, q, q' under u, from their equations."""
    m, c, k = 29.13, 114.22086714782024, 1.19e6
    a = np.zeros((6, 6))
    a[0, 1] = a[2, 3] = a[3, 4] = 1.0
    a[1, :3] = -k / m, -c / m, 1.0 / m
    a[2, 1:3] = -4.2297e6, -3.3
    a[4, [0, 3, 4, 5]] = -2.1283e13, -9.9976e4, -425.0, 2.1283e13 * 1.0261
    scale = np.array([1.0, 1e3, 1e7, 1e10, 1e13, 1.0])
    return expm(step * a * scale / scale[:, None])[0], scale, expm(step * a * scale / scale[:, None])


@pytest.mark.sample(2)
@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("compensated", [False, True])
def test_the_bench_is_its_equations(make, fmi, compensated):
    quiet = {"noise.x": 0.0, "noise.f": 0.0, "compensated": compensated}
    bench = make("frame_bench", fmi, **quiet).initialise()
    _, _, advance = plant(H)
    z, total, before, forces, places = np.zeros(6), 0.0, np.zeros(3), [0.0, 0.0], [0.0, 0.0]
    for n in range(200):
        command = 1e-3 * np.sin(0.05 * n)
        led = command
        if compensated:
            num = 50.8 * ((2 + 168.6 * H) * command - (2 - 168.6 * H) * before[0])
            led = (num + (2 - 8570 * H) * before[1]) / (2 + 8570 * H)
        error = led - z[0]
        total += 95.0 * H / 2 * (error + before[2])
        before = command, led, error
        z[5] = 2.0 * error + total
        z = advance @ z
        places.append(z[0])
        v, a = (places[-1] - places[-2]) / H, (places[-1] - 2 * places[-2] + places[-3]) / H**2
        forces.append(1.19e6 * z[0] + 114.22086714782024 * v + 29.13 * a)
        bench.set("command", command)
        assert bench.step(n * H, H) == OK
        assert bench.get("x") == bench.get("x_m") == pytest.approx(z[0], rel=1e-8, abs=1e-13)
        assert bench.get("f") == pytest.approx(forces[-2], rel=1e-6, abs=1e-4)
    assert bench.get("actuator.force") == pytest.approx(z[2] * 1e7, rel=1e-8)


def test_the_noise_is_white_and_of_the_density_that_is_set(make):
    bench = make("frame_bench", **{"noise.x": 2.5e-7, "noise.f": 0.034, "seed": 3}).initialise()
    x, x_m = np.array(bench.run(4096, H, "x", "x_m")).T
    noise = (x_m - x) * np.sqrt(H) / 2.5e-7
    assert noise.std() == pytest.approx(1.0, rel=0.05)
    assert abs(noise.mean()) < 0.06 and abs(np.corrcoef(noise[1:], noise[:-1])[0, 1]) < 0.06
    assert np.mean(np.abs(noise) < 0.6745) == pytest.approx(0.5, abs=0.03)


@pytest.mark.sample(1)
@pytest.mark.parametrize("fmi", ["2", "3"])
def test_the_specimen_answers_at_once(make, fmi):
    specimen = make("frame_specimen", fmi).initialise()
    for name, value in (("x", 1e-3), ("v", 0.1), ("a", 2.0)):
        specimen.set(name, value)
    assert specimen.get("f") == pytest.approx(1190.0 + 11.422086714782024 + 58.26)
