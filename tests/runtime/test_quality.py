"""Stage 3: how wrong was the estimate made for the value that has just arrived? (docs/reference.md 5)"""

import math
import random

import pytest

from couplant.base.paths import resource
from couplant.config import load_interface
from couplant.pack.settings import runtime_settings
from tests.drivers import PythonDriver
from tests.vectors.reader import Setup

from .runs import GENERIC, STEP, coupling, estimates, give, interface, limit

PUBLISHED = {
    "zoh": (0.0300, 1.000),
    "foh": (2.211, 0.0179),
    "smb": (4.639, 0.00975),
    "eros3": (0.00885, 0.1324),
    "eros4": (0.1282, 0.0928),
}


def share_of_ok(algorithm, omega, k=3, timing="event", **quality):
    """Return the share of judged steps within tolerance on a sine of `omega` [rad per macro step]."""
    driver = coupling(algorithm, k, timing, quality=quality)
    values = [math.sin(omega * (n - k)) for n in range(1500)]
    estimates(driver, values[:40])
    judged = []
    for n, y in enumerate(values[40:], start=40):
        estimates(driver, [y], first=n)
        judged.append(driver.committed("quality.ok"))
    return sum(judged) / len(judged)


@pytest.mark.parametrize("algorithm", PUBLISHED)
def test_the_table_of_the_fmu_has_the_published_values(algorithm):
    settings = runtime_settings(interface(algorithm, 3, "event", macro_step=0.02), "s")
    zeta, delta = PUBLISHED[algorithm]
    assert settings.zeta[algorithm][3] * 0.02 == pytest.approx(zeta, rel=0.01)
    assert settings.delta[algorithm][3] == pytest.approx(delta, rel=0.01)
    assert settings.delta[algorithm][0] * 0 == 0.0


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("algorithm", ["foh", "eros3"])
def test_below_the_limit_frequency_estimates_are_ok(algorithm, timing):
    assert share_of_ok(algorithm, 0.9 * limit(algorithm, 3, timing), timing=timing) >= 0.9


def test_above_the_limit_frequency_they_are_not():
    assert share_of_ok("eros3", 1.2 * limit("eros3", 3, "event")) <= 0.3


def test_the_tolerance_of_stettinger_can_be_chosen():
    driver = coupling("foh", 2, quality={"zeta": 0.0, "delta": 0.1})
    values = [math.sin(0.2 * n) for n in range(40)]
    estimates(driver, values)
    slope = abs(values[-1] - values[-2]) / STEP
    assert driver.committed("quality.tolerance") == pytest.approx(slope * 0.1 * 3 * STEP, rel=1e-12)


def test_without_horizon_there_is_no_tolerance_and_no_error():
    driver = coupling("eros3", 0, "event")
    estimates(driver, [math.sin(n) for n in range(40)])
    assert (driver.committed("quality.error"), driver.committed("quality.tolerance")) == (0.0, 0.0)
    assert driver.committed("quality.ok")


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("k", [0, 1, 5])
@pytest.mark.parametrize("algorithm", GENERIC)
def test_the_error_is_that_of_the_estimate_given_out_for_the_sending_time(algorithm, k, timing):
    driver = coupling(algorithm, k, timing, output={"max": 0.9, "min": -0.5})
    source = random.Random(1)
    values = [source.uniform(-1.0, 1.0) for _ in range(60)]
    given = {}
    for n, y in enumerate(values):
        give(driver, y)
        if timing == "event":
            given[n] = driver.get("debug.unlimited")
        driver.step(n * STEP, STEP)
        if timing == "step":
            given[n + 1] = driver.get("debug.unlimited")
        made_too_late = timing == "event" and k == 0
        judged = n - 1 if made_too_late else n - k
        if n > 3 * k + 8:
            error = abs(given[judged] - values[judged + k])
            assert driver.committed("quality.error") == pytest.approx(error, abs=1e-12)


def test_each_estimate_is_judged_once_after_a_drop_out():
    """The errors of estimates for lost values are never known; those on both sides are."""
    driver = coupling("foh", 2)
    state = driver.slave.state
    before = 0.0
    for n in range(40):
        give(driver, float(n * n), valid=n not in (20, 21))
        driver.step(n * STEP, STEP)
        judged = state.quality.hold_power != before
        assert judged == (n > 5 and n not in (20, 21)) or n <= 5
        before = state.quality.hold_power


@pytest.mark.parametrize("section", [{}, {"discontinuity": {"enabled": True}}])
def test_estimates_of_start_up_and_ladder_are_not_judged(section):
    driver = coupling("eros4", 3, **section)
    errors = set()
    for n in range(60):
        estimates(driver, [5.0 if n < 30 else 70.0], first=n)
        errors.add(driver.committed("quality.error"))
    if section:
        assert errors == {0.0, 65.0}
    else:
        assert len(errors) > 3


@pytest.mark.parametrize(
    ("algorithm", "low", "high"), [("zoh", -1e-12, 1e-12), ("foh", 0.5, 0.99), ("eros3", 1.0 - 1e-9, 1.0)]
)
def test_skill_on_a_parabola(algorithm, low, high):
    driver = coupling(algorithm, 3)
    estimates(driver, [0.01 * n * n for n in range(200)])
    assert low <= driver.committed("quality.skill_zoh") <= high


def test_skill_is_negative_where_the_algorithm_harms():
    source = random.Random(2)
    driver = coupling("eros4", 3)
    estimates(driver, [source.gauss(0.0, 1.0) for _ in range(300)])
    assert driver.committed("quality.skill") < -1.0


@pytest.mark.parametrize("action", ["ignore", "warn", "stop"])
def test_actions(action):
    driver = coupling("foh", 1, quality={"action": action, "zeta": 0.0, "delta": 0.001})
    results = []
    for n in range(20):
        give(driver, math.sin(2.0 * n))
        results.append(driver.step(n * STEP, STEP))
        if not results[-1]:
            break
    texts = [message.msg for message in driver.slave.log_queue]
    assert all(results) == (action != "stop")
    assert any("exceeds its tolerance" in text for text in texts) == (action != "ignore")
    assert any("ends the run" in text for text in texts) == (action == "stop")


@pytest.mark.parametrize("factor", [-4.0, 1024.0])
def test_scaling_the_signal_scales_error_and_tolerance_and_keeps_the_skill(factor):
    runs = []
    for scale in (1.0, factor):
        driver = coupling("eros3", 2, quality={"zeta": 0.01, "delta": 0.2})
        estimates(driver, [scale * math.sin(0.2 * n) for n in range(90)])
        runs.append([driver.get(f"quality.{name}") for name in ("error", "tolerance", "skill")])
    assert runs[1] == [abs(factor) * runs[0][0], abs(factor) * runs[0][1], runs[0][2]]


@pytest.mark.parametrize("offset", [0.25, 0.5])
def test_values_between_the_senders_steps_are_interpolated(offset):
    driver = coupling("foh", 2, "event", latency={"offset": offset * STEP})
    values = [0.001 * n * n for n in range(60)]
    given = {}
    for n, y in enumerate(values):
        give(driver, y)
        given[n] = driver.get("y_hat")
        driver.step(n * STEP, STEP)
        if n > 20:
            judged = n - 3
            true = values[n - 1] + offset * (values[n] - values[n - 1])
            assert driver.committed("quality.error") == pytest.approx(abs(given[judged] - true), abs=1e-12)


def test_a_change_of_the_algorithm_does_not_judge_the_old_one_by_the_new_tolerance():
    driver = coupling("foh", 3)
    estimates(driver, [math.sin(0.1 * n) for n in range(40)])
    driver.set("algorithm.selected", 1)
    judged = []
    for n in range(40, 46):
        estimates(driver, [math.sin(0.1 * n)], first=n)
        judged.append((driver.committed("quality.error"), driver.committed("quality.tolerance")))
    assert len(set(judged[:4])) == 1
    assert len(set(judged[3:])) == 3


LED = [
    ({"host_lead": 1.0}, 1.0),
    ({"hold_lead": 0.25}, 0.25),
    ({"host_lead": 1.0, "hold_lead": 0.25}, 1.25),
    ({"host_lead": -1.0}, -1.0),
    ({"offset": 0.005, "hold_lead": -0.25}, 0.25),
]


def judged(algorithm, k, timing, latency, signal, steps=400):
    """Return errors, tolerances and skills of the second half of a run, and the errors of the estimates themselves."""
    driver = coupling(algorithm, k, timing, latency=latency)
    stamped = "mode" in latency
    ahead = (timing == "step") + sum(latency.get(key, 0.0) for key in ("host_lead", "hold_lead"))
    ahead += latency.get("offset", 0.0) / STEP
    found = []
    for n in range(steps):
        give(driver, signal(n - k), (n - k) * STEP if stamped else None, valid=not stamped or n >= k)
        driver.step(n * STEP, STEP)
        one, line = driver.state.quality, driver.state.algorithm
        estimate = line.level + line.slope * ((timing == "step") - line.shift)
        found.append((one.error, one.tolerance, one.skill, abs(estimate - signal(n + ahead))))
    return [list(column) for column in zip(*found[steps // 2 :], strict=True)]


@pytest.mark.parametrize(("latency", "lead"), LED, ids=[str(latency) for latency, _ in LED])
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("mode", ["constant", "stamps"])
def test_a_led_estimate_is_compared_with_the_value_of_its_own_time(latency, lead, timing, mode):
    """A sine of 100 steps a period changes by .063 a step: what is judged against a wrong time is that wrong."""
    given = {**latency, "mode": mode} if mode == "stamps" else latency
    errors, tolerances, skills, own = judged("eros3", 2, timing, given, lambda n: math.sin(0.0628 * n))
    assert max(errors) == pytest.approx(max(own), abs=0.0005)  # of the value between two that arrive, on a chord
    assert max(errors) < 0.3 * 0.0628 * abs(lead) or max(errors) < 0.01
    assert min(skills) > 0.9
    assert all(tolerance > 0.0 for tolerance in tolerances)


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("algorithm", [*GENERIC, "irregular"])
def test_a_lead_of_whole_steps_has_the_quality_of_so_much_more_latency(algorithm, timing):
    values = [math.sin(0.1 * n) + 0.2 * math.sin(0.37 * n) for n in range(500)]
    led = coupling(algorithm, 2, timing, latency={"host_lead": 2.0, "hold_lead": -1.0})
    late = coupling(algorithm, 3, timing)
    for n, y in enumerate(values):
        for driver in (led, late):
            give(driver, y)
            driver.step(n * STEP, STEP)
        if n > 30:
            assert led.state.quality.error == late.state.quality.error
            assert led.state.quality.tolerance == late.state.quality.tolerance
            assert led.state.reconstruction.y_hat == late.state.reconstruction.y_hat


def test_an_estimate_for_an_earlier_time_is_tolerated_too():
    """Event timing without latency: the line through the newest values goes back by a quarter of a step."""
    errors, tolerances, _, _ = judged("foh", 0, "event", {"host_lead": -0.25}, lambda n: math.sin(0.0628 * n))
    assert all(error <= tolerance for error, tolerance in zip(errors, tolerances, strict=True))


def warned(driver, values):
    """Run through `values`; return the errors and tolerances of the estimates that were judged, and the log."""
    seen = []
    for n, y in enumerate(values):
        give(driver, y)
        before = driver.state.quality.measured
        driver.step(n * STEP, STEP)
        one = driver.state.quality
        if one.measured > before:
            seen.append((one.error, one.tolerance + 1e-9 * abs(y)))
    driver.close()
    return seen, [message.msg for message in driver.slave.log_queue if message.category == "quality"]


def glitches(steps, every, first=100):
    """Return a slow line with a value that is far off every so many steps: an error, and the errors that it causes."""
    return [0.01 * n + (5.0 if n >= first and (n - first) % every == 0 else 0.0) for n in range(steps)]


def loose(action="warn", algorithm="zoh", k=1):
    return coupling(algorithm, k, quality={"action": action, "zeta": 0.0, "delta": 2.0})


def test_a_warning_begins_ends_and_is_summed_up_with_counts():
    seen, log = warned(loose(), glitches(300, 1000))
    errors = [error for error, tolerance in seen if error > tolerance]
    first, last = (i for i in range(len(seen)) if seen[i][0] == errors[0]), len(seen)
    begin = next(first)
    over = [i for i in range(begin, last) if seen[i][0] > seen[i][1]]
    counts = len(over), over[-1] - over[0] + 1, f"{max(errors):.9g}"
    assert [line.partition(": ")[2] for line in log] == [
        f"the error of an estimate exceeds its tolerance ({errors[0]:.9g}): later ones are counted",
        "errors are tolerated again: {} of {} estimates exceeded their tolerance, the largest error {}".format(*counts),
        f"in this run {len(errors)} of {len(seen)} estimates exceeded their tolerance, the largest error {counts[2]}",
    ]


@pytest.mark.parametrize(("good", "lines"), [(49, 1), (50, 2), (51, 2)])
def test_a_warning_ends_after_fifty_good_estimates_in_succession(good, lines):
    driver = loose()
    values = glitches(100 + 4, 1000)
    estimates(driver, values)
    while not driver.state.quality.warned or driver.state.quality.calm == 0:
        estimates(driver, [0.01 * len(values)], first=len(values))
        values.append(0.0)
    calm = driver.state.quality.calm
    for _ in range(good - calm):
        estimates(driver, [0.01 * len(values)], first=len(values))
        values.append(0.0)
    assert len([message for message in driver.slave.log_queue if message.category == "quality"]) == lines


def test_flicker_is_told_a_few_times_only():
    """Each warning takes twice as long to end: one glitch in 70 steps is two warnings, the second one stays."""
    seen, log = warned(loose(), glitches(20000, 70))
    bad = sum(error > tolerance for error, tolerance in seen)
    assert bad > 280
    assert ["exceeds" in line for line in log] == [True, False, True, False]
    assert ("again" in log[1], "in this run" in log[3]) == (True, True)
    _, log = warned(loose(), glitches(20000, 500))
    assert len(log) == 2 * 4 + 1 + 1  # 50, 100, 200 and 400 good ones, then 800 are too many


def test_a_run_with_the_shipped_settings_does_not_fill_the_log():
    """3000 steps of a torque with noise, hundreds of them beyond the tolerance: as many lines once."""
    start = load_interface(resource("templates/start/interface.toml"))
    shaft = start.signals["shaft_torque"].model_copy(update={"debug": True})
    driver = PythonDriver(Setup(), start.model_copy(update={"signals": {"s": shaft}}))
    source = random.Random(4)
    values = [80.0 * math.sin(0.05 * n) + source.gauss(0.0, 2.0) for n in range(3000)]
    seen, log = warned(driver, values)
    assert sum(error > tolerance for error, tolerance in seen) > 400
    assert len(log) <= 5


@pytest.mark.parametrize("action", ["ignore", "hold"])
def test_nothing_is_summed_up_without_warnings(action):
    _, log = warned(loose(action), glitches(300, 70))
    assert [line for line in log if "tolerance" in line] == []
    _, log = warned(loose("warn"), [0.01 * n for n in range(300)])
    assert log == []


def test_counting_goes_on_in_a_restored_state():
    values = glitches(400, 90)
    whole, other = loose(), loose()
    estimates(whole, values[:210])
    other.restore(whole.save())
    logs = []
    for driver in (whole, other):
        driver.slave.log_queue.clear()
        estimates(driver, values[210:], first=210)
        driver.close()
        logs.append([message.msg for message in driver.slave.log_queue])
    assert logs[0] == logs[1]
    assert "in this run" in logs[0][-1]


@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_given_noise_is_tolerated_in_both_values_that_are_compared(noise):
    sections = {"signal": {"noise": noise}} if noise else {}
    plain, driver = coupling("foh", 3), coupling("foh", 3, **sections)
    for n in range(40):
        for one in (plain, driver):
            give(one, math.sin(0.3 * n))
            one.step(n * STEP, STEP)
    assert driver.get("quality.tolerance") == pytest.approx(plain.get("quality.tolerance") + 4.25 * noise)
