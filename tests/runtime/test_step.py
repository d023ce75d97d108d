"""The life cycle as a whole: time, saved states, reads after sets, drop-outs."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.drivers import PythonDriver

from .runs import ALL, STEP, coupling, estimates, give, limit, rms

RICH = {"quality": {"action": "warn"}, "output": {"min": -3.0, "max": 3.0, "rate_max": 400.0}}
OUTPUTS = ("y_hat", "latency.seconds", "algorithm.active", "quality.error", "quality.skill", "state", "output.limited")


def rich(algorithm, mode, timing="step"):
    sections = {} if algorithm == "smb" else {"discontinuity": {"enabled": True}}
    return coupling(algorithm, 3, timing, latency={"mode": mode}, **sections, **RICH)


def feed(driver: PythonDriver, n: int, source: random.Random) -> None:
    """Set inputs with jumps, drop-outs, jitter and values that are no numbers."""
    kind = source.random()
    y = math.sin(0.07 * n) + (2.0 if n % 50 > 25 else 0.0) + 0.01 * source.random()
    age = 3.0 + source.choice([0.0, 0.5, 1.0, 2.25])
    stamp = (n - age) * STEP
    give(driver, float("nan") if kind < 0.03 else y, stamp if n > age else None, valid=kind < 0.9)


def outputs(driver):
    return [driver.get(name) for name in OUTPUTS]


@pytest.mark.sample(6)
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("mode", ["constant", "stamps"])
@pytest.mark.parametrize("algorithm", ALL)
def test_a_restored_run_equals_the_uninterrupted_one(algorithm, mode, timing):
    whole, parts = rich(algorithm, mode, timing), rich(algorithm, mode, timing)
    sources = random.Random(8), random.Random(8)
    for n in range(200):
        for driver, source in zip((whole, parts), sources, strict=True):
            feed(driver, n, source)
        if n % 17 == 5:
            saved = parts.save()
            for ahead in range(n, n + 9):
                parts.step(ahead * STEP, STEP)
                give(parts, 77.0)
            parts.restore(saved)
        if n % 40 == 39:
            fresh = rich(algorithm, mode, timing)
            fresh.restore(parts.save())
            parts = fresh
        whole.step(n * STEP, STEP)
        parts.step(n * STEP, STEP)
        assert outputs(parts) == outputs(whole)
        assert parts.save() == whole.save()


@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("mode", ["constant", "stamps"])
def test_repeated_reads_and_sets_change_nothing(mode, timing):
    quiet, read = rich("eros3", mode, timing), rich("eros3", mode, timing)
    sources = random.Random(9), random.Random(9)
    for n in range(150):
        for driver, source in zip((quiet, read), sources, strict=True):
            feed(driver, n, source)
        wanted = [read.get(name) for name in ("y", "y_time", "y_valid")]
        read.set("y", 123.0)
        read.set("y_valid", True)
        outputs(read)
        for name, value in zip(("y", "y_time", "y_valid"), wanted, strict=True):
            read.set(name, value)
        assert outputs(read) == outputs(read)
        quiet.step(n * STEP, STEP)
        read.step(n * STEP, STEP)
        assert read.slave.state.pack() == quiet.slave.state.pack()


def test_a_read_in_event_timing_is_what_the_step_commits():
    driver = coupling("eros4", 2, "event")
    source = random.Random(10)
    for n in range(60):
        give(driver, source.random())
        seen = driver.get("debug.level"), driver.get("debug.slope"), driver.get("quality.error")
        assert driver.get("y_hat") == seen[0]
        driver.step(n * STEP, STEP)
        assert tuple(driver.committed(name) for name in ("debug.level", "debug.slope", "quality.error")) == seen
        assert driver.committed("y_hat") == seen[0] + seen[1]


@pytest.mark.parametrize(
    ("time", "size", "text"),
    [(0.28, STEP, "0.28"), (0.32, STEP, "0.32"), (0.3, -0.01, "-0.01"), (0.3, math.nan, "nan")],
)
def test_a_refused_step_names_the_times_and_leaves_the_state(time, size, text):
    driver = coupling("foh", 1)
    estimates(driver, [float(n) for n in range(30)])
    before, seen = driver.save(), outputs(driver)
    assert not driver.step(time, size)
    assert text in driver.slave.log_queue[-1].msg
    assert outputs(driver) == seen
    driver.restore(before)
    assert estimates(driver, [30.0], first=30) == [pytest.approx(32.0)]


def test_a_step_of_no_size_changes_nothing():
    driver = coupling("foh", 1)
    estimates(driver, [float(n) for n in range(30)])
    before = driver.save()
    assert driver.step(0.3, 0.0)
    assert driver.save() == before
    assert driver.slave.log_queue == []


def test_time_may_drift_by_rounding():
    driver = coupling("foh", 0)
    t = 0.0
    for n in range(2000):
        give(driver, float(n))
        assert driver.step(t, STEP)
        t = t + STEP
        assert driver.get("y_hat") == pytest.approx(n + 1 if n else 0.0, abs=1e-6)


def test_going_back_is_allowed_with_a_restored_state():
    driver = coupling("foh", 1)
    estimates(driver, [float(n) for n in range(10)])
    saved = driver.save()
    first = estimates(driver, [50.0, 60.0], first=10)
    assert not driver.step(10 * STEP, STEP)
    driver.restore(saved)
    assert estimates(driver, [50.0, 60.0], first=10) == first


@settings(max_examples=20, deadline=None)
@given(start=st.sampled_from([-1000.0, -0.37, 0.5, 86400.0]), algorithm=st.sampled_from(ALL))
def test_the_start_time_does_not_matter(start, algorithm):
    runs = []
    for begin in (0.0, start):
        driver = coupling(algorithm, 2, macro_step=0.125, start_time=begin)
        out = []
        for n in range(60):
            give(driver, math.sin(0.2 * n))
            assert driver.step(begin + n * 0.125, 0.125)
            out.append(driver.get("y_hat"))
        runs.append(out)
    assert runs[1] == pytest.approx(runs[0], abs=1e-7)


def test_inputs_are_taken_at_the_macro_point_and_the_last_one_counts():
    driver = coupling("zoh", 0, macro_step=0.25)
    give(driver, 1.0)
    give(driver, 2.0)
    driver.step(0.0, 0.125)
    give(driver, 9.0)
    driver.step(0.125, 0.125)
    assert driver.get("y_hat") == 2.0
    driver.step(0.25, 0.25)
    assert driver.get("y_hat") == 9.0


def drop_out_errors(algorithm, k, mode, omega, gap, phase):
    """Errors of the estimates around a drop-out on a tone of `omega` [rad per macro step]."""
    driver = coupling(algorithm, k, latency={"mode": mode})
    errors = []
    for n in range(130 + gap + 30):
        give(driver, math.sin(omega * (n - k) + phase), max(n - k, 0) * STEP, valid=n >= k and not 130 <= n < 130 + gap)
        driver.step(n * STEP, STEP)
        errors.append(driver.get("y_hat") - math.sin(omega * (n + 1) + phase))
    return errors[100:]


@pytest.mark.sample(16)
@pytest.mark.parametrize("mode", ["constant", "stamps"])
@pytest.mark.parametrize("k", [1, 3, 6])
@pytest.mark.parametrize("algorithm", ["foh", "smb", "eros3", "eros4"])
@pytest.mark.parametrize("gap", [1, 3, 4, 5, 10, 30, 62, 70])
def test_drop_outs_are_at_most_half_worse_than_without_compensation(algorithm, k, mode, gap):
    """The largest error over the phases of the tone, and the rms error of every single run, against those of zoh."""
    for share in (0.3, 0.95):
        omega = share * limit(algorithm, k)
        phases = [i * math.pi / 3 for i in range(3)] if gap < 60 else [0.7]
        own, hold = (
            [drop_out_errors(name, k, mode, omega, gap, phase) for phase in phases] for name in (algorithm, "zoh")
        )
        largest = [max(max(map(abs, errors)) for errors in runs) for runs in (own, hold)]
        assert largest[0] <= 1.5 * largest[1]
        assert all(rms(mine) <= 1.5 * rms(other) for mine, other in zip(own, hold, strict=True))


EXTREMES = (0.0, 1.0, -1e-300, 1.7e308, -1.7e308, math.nan, math.inf, 5e-324)
AGES = (0.0, 0.5, 1.0, 2.25, 3.0, 7.0, 40.0, 62.0, 63.5, 65.0, 200.0, -3.0, 1e12, math.nan, math.inf)
SIZES = (1.0, 1.0, 1.0, 1.0, 0.5, 0.1, 1.7, 3.0, 60.0, 1e7)


@pytest.mark.sample(12)
@pytest.mark.parametrize("mode", ["constant", "stamps"])
@pytest.mark.parametrize("algorithm", ALL)
@pytest.mark.parametrize("seed", range(4))
def test_no_sequence_of_inputs_breaks_the_run(algorithm, mode, seed):
    source = random.Random(seed)
    sections = {} if algorithm == "smb" else {"discontinuity": {"enabled": True}}
    latency = {"mode": mode, "offset": source.choice([0.0, 0.004])}
    driver = coupling(algorithm, source.choice([0, 3, 62]), latency=latency, quality={"action": "warn"}, **sections)
    t = 0.0
    for _ in range(400):
        rare = source.random() < 0.1
        y = source.choice(EXTREMES) if rare else source.gauss(0.0, 1.0)
        age = source.choice(AGES) if rare else source.choice(AGES[:5])
        give(driver, y, t - age * STEP, valid=source.random() < 0.9)
        outputs(driver)
        size = (source.choice(SIZES) if rare else 1.0) * STEP
        assert driver.step(t, size)
        t = t + size
        for name in ("y_hat", "quality.error", "quality.tolerance", "quality.skill", "latency.seconds"):
            assert math.isfinite(driver.get(name))
    assert len(driver.slave.log_queue) > 0
