"""Engine bench and hybrid vehicle against their equations, written anew and solved by scipy."""

import itertools

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from couplant.pack.check import check_fmu
from couplant.pack.models import build_model_fmu
from tests.models import hybrid
from tests.models.hybrid import Plan
from tests.native import OK

EARLY = Plan(shift=0.4, release=1.2)
LINKS = ("speed", "pedal", "cut", "engaged")


@pytest.fixture
def make(built):
    return lambda name, fmi="2", **starts: built(name, fmi).initialise(**starts)


@pytest.mark.sample(1)
@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("name", ["engine_bench", "hybrid_vehicle"])
def test_nothing_is_wrong_with_the_fmu(tmp_path, name, fmi):
    assert check_fmu(build_model_fmu(name, tmp_path, fmi=fmi)).problems == ()


@pytest.mark.parametrize("fmi", ["2", "3"])
def test_both_start_at_rest(make, fmi):
    car, engine = make("hybrid_vehicle", fmi), make("engine_bench", fmi, speed=hybrid.VEHICLE[0], pedal=0.0912)
    assert car.get("speed") == pytest.approx(267.6, abs=0.06)
    assert car.get("v") == pytest.approx(8.6) and car.get("cut") == 1.0 and car.get("engaged")
    assert [engine.get(name) for name in ("torque", "torque_shaft", "torque_clean")] == pytest.approx([5.714] * 3)
    for n in range(250):
        assert car.step(n * 0.001, 0.001) == OK and engine.step(n * 0.001, 0.001) == OK
    assert car.get("speed") == pytest.approx(hybrid.VEHICLE[0], rel=1e-5)
    assert engine.get("torque") == pytest.approx(5.714, abs=0.01)


def torque(t):
    return 40.0 + 20.0 * t


def speed(t):
    return 250.0 + 60.0 * t - 40.0 * t * t


@pytest.mark.parametrize("h", [0.001, 0.01])
def test_the_vehicle_under_a_torque_of_its_own(make, h):
    """40 N.m and more through a shift and a release; the integration of 1 ms is of second order."""
    car = make("hybrid_vehicle", **{"shift.start": EARLY.shift, "release": EARLY.release})
    edges = [0.0, 0.4, 0.55, 0.73, 0.85, 1.2, 1.28, 1.6]
    z = hybrid.VEHICLE
    for first, last in itertools.pairwise(edges):
        exact = solve_ivp(
            lambda t, x: hybrid.vehicle(t, x, torque(t), EARLY), (first, last), z, method="LSODA", rtol=1e-8, atol=1e-8
        )
        z = exact.y[:, -1]
        for n in range(round(first / h), round(last / h)):
            assert (car.set("torque", torque(n * h)), car.set("torque.slope", 20.0)) == (OK, OK)
            assert car.step(n * h, h) == OK
        found = [car.get(name) for name in ("speed", "v", "pedal", "distance", "energy")]
        assert found == pytest.approx([z[0], 0.305 * z[3], z[5], z[6], z[7]], rel=2e-4, abs=1e-5), last
    assert not car.get("engaged") and car.get("v_ref") == pytest.approx(hybrid.wanted(1.6))


def test_the_bench_at_a_speed_of_its_own(make):
    engine, x, h = make("engine_bench", speed=250.0, pedal=0.3), hybrid.at_rest(250.0), 0.001
    for n in range(50):
        t, pedal = n * 0.01, 0.3 + 0.004 * n
        asked = hybrid.demand(0.0, x, pedal, Plan())
        exact = solve_ivp(
            lambda t, x, asked=asked: hybrid.bench(x, speed(t), asked, 0.05), (t, t + 0.01), x, rtol=1e-9, atol=1e-9
        )
        x = exact.y[:, -1]
        for i in range(10):
            now = t + i * h
            engine.set("pedal", pedal if i == 0 else 0.9)  # between its periods the control unit does not look
            engine.set("speed", speed(now))
            engine.set("speed.slope", (speed(now + h) - speed(now)) / h)
            assert engine.step(now, h) == OK
        found = [engine.get(name) for name in ("torque_demand", "torque_shaft", "torque", "energy")]
        assert found == pytest.approx([asked, hybrid.shaft(x, speed(t + 0.01)), x[2], x[4]], rel=1e-4, abs=1e-2)


def test_without_slope_the_bench_follows_the_line_through_the_last_two_speeds(make):
    line, given, held = (make("engine_bench", extrapolation=one) for one in (True, True, False))
    for n, value in enumerate([260.0, 260.5, 261.1]):
        for engine in (line, given, held):
            engine.set("speed", value)
        given.set("speed.slope", [0.0, 500.0, 600.0][n])
        assert {engine.step(n * 0.001, 0.001) for engine in (line, given, held)} == {OK}
    assert line.get("torque_shaft") == pytest.approx(given.get("torque_shaft"), rel=1e-12)
    assert line.get("torque_shaft") == pytest.approx(held.get("torque_shaft") - 0.09 * 0.6 / 0.012, rel=0.1)


@pytest.mark.sample(1)
@pytest.mark.parametrize("delay", [0.05, 0.0])
def test_both_together_are_the_system(make, delay):
    """Exchanged every 0.2 ms as they are: late by that step, so near the solution of all at once."""
    plan, h = Plan(EARLY.shift, EARLY.release, delay), 0.0002
    car = make("hybrid_vehicle", **{"shift.start": plan.shift, "release": plan.release})
    engine = make("engine_bench", speed=hybrid.VEHICLE[0], **{"filter.delay": delay})
    rows = []
    for n in range(round(1.5 / h)):
        if n % round(0.01 / h) == 0:
            rows.append([car.get("speed"), car.get("v"), car.get("energy"), engine.get("torque"), engine.get("energy")])
        car.set("torque", engine.get("torque"))
        for name in LINKS:
            engine.set(name, car.get(name))
        assert car.step(n * h, h) == OK and engine.step(n * h, h) == OK
    exact = hybrid.together(1.5, plan)[:-1]
    sent = exact[:, 10] if delay else [hybrid.shaft(row[8:], row[0]) for row in exact]
    columns = [exact[:, 0], 0.305 * exact[:, 3], exact[:, 7], sent, exact[:, 12]]
    for found, column in zip(np.array(rows).T, columns, strict=True):
        assert np.abs(found - column).mean() < 2e-3 * np.abs(column).max()


def test_the_disturbance_is_what_it_says(make):
    clean, engine = make("engine_bench"), make("engine_bench", **{"noise.amplitude": 2.0, "noise.seed": 7})
    rows = [np.array(one.run(4096, 0.01, "torque", "torque_clean")) for one in (clean, engine)]
    assert np.array_equal(rows[0][:, 0], rows[0][:, 1]) and np.array_equal(rows[0][:, 1], rows[1][:, 1])
    d = rows[1][:, 0] - rows[1][:, 1]
    assert np.sqrt(np.mean(d * d)) == pytest.approx(2.0, rel=0.05)
    power = np.abs(np.fft.rfft(d * np.hanning(d.size))) ** 2
    frequency = 2 * np.pi * np.fft.rfftfreq(d.size, 0.01)
    inside = (frequency > 29.5) & (frequency < 55.5)
    assert power[~inside].sum() / power.sum() == pytest.approx(0.01 * (~inside).mean(), rel=0.2)
    quarters = [one.sum() for one in np.array_split(power[inside], 4)]
    assert max(quarters) < 2 * min(quarters)


def test_other_seeds_disturb_otherwise_and_torque_comes_in_whole_steps(make):
    one, other = (make("engine_bench", **{"noise.amplitude": 1.0, "noise.seed": seed}) for seed in (1, 2))
    steps = make("engine_bench", **{"noise.amplitude": 1.0, "quantum": 0.25})
    rows = [np.array(engine.run(100, 0.01, "torque", "torque_clean")) for engine in (one, other, steps)]
    a, b, c = (row[:, 0] for row in rows)
    assert abs(np.corrcoef(a - rows[0][:, 1], b - rows[1][:, 1])[0, 1]) < 0.5
    assert np.array_equal(c, 0.25 * np.round(c / 0.25)) and np.abs(a - c).max() <= 0.125
