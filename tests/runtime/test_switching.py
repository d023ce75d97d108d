"""Stage 5: which algorithm may run now, so that no estimate mixes values from both sides of a jump?"""

import math
import random

import pytest

from .runs import STEP, coupling, estimates, give, names

TAPS = {
    "zoh": lambda k: 1,
    "foh": lambda k: 2,
    "smb": lambda k: k + 2,
    "eros3": lambda k: k + 3,
    "eros4": lambda k: k + 4,
}


def ladder(algorithm, k, c):
    """The rule of docs/switching.md for c usable slots."""
    if c >= TAPS[algorithm](k):
        return algorithm
    return "zoh" if c == 1 else "foh"


@pytest.mark.parametrize("algorithm", TAPS)
@pytest.mark.parametrize("k", [0, 1, 2, 5, 16])
def test_start_up(algorithm, k):
    driver = coupling(algorithm, k)
    for n in range(2 * k + 10):
        estimates(driver, [float(n)], first=n)
        c = n - k + 1
        running = c >= TAPS[algorithm](k)
        expected = ladder(algorithm, k, c) if c > 0 else "none"
        assert names(driver) == (expected, "running" if running else "starting")


@pytest.mark.parametrize("hold", [False, True])
@pytest.mark.parametrize("algorithm", ["zoh", "foh", "eros3", "eros4"])
@pytest.mark.parametrize("k", [0, 1, 4])
def test_the_ladder_after_a_jump(algorithm, k, hold):
    driver = coupling(algorithm, k, discontinuity={"enabled": True, "hold": hold})
    estimates(driver, [1.0] * 40)
    for c in range(1, 20):
        estimates(driver, [9.0], first=39 + c)
        expected = ladder(algorithm, k, c)
        if hold and expected == "foh" and algorithm != "foh":
            expected = "zoh"
        assert names(driver) == (expected, "running")
        assert driver.get("discontinuity.detected") == (c == 1)


@pytest.mark.parametrize("algorithm", ["foh", "eros3", "eros4"])
def test_no_estimate_mixes_values_from_both_sides_of_a_jump(algorithm):
    source = random.Random(3)
    after = [1000.0 + source.random() for _ in range(30)]
    runs = []
    for _ in range(2):
        before = [source.random() for _ in range(40)]
        runs.append(estimates(coupling(algorithm, 3, discontinuity={"enabled": True}), before + after)[40:])
    assert runs[0] == runs[1]


@pytest.mark.parametrize("k", [0, 3])
@pytest.mark.parametrize("algorithm", ["foh", "eros3", "eros4"])
def test_no_estimate_spans_the_gap_of_a_long_drop_out(algorithm, k):
    source = random.Random(4)
    after = [source.random() for _ in range(30)]
    runs = []
    for _ in range(2):
        before = [source.random() for _ in range(40)]
        runs.append(estimates(coupling(algorithm, k), before + [0.0] * 9 + after, drop=range(40, 49))[49:])
    assert runs[0] == runs[1]


@pytest.mark.parametrize("coast", [0, 1, 3, 7])
def test_coast_hold_lost(coast):
    driver = coupling("foh", 1, latency={"coast_steps": coast, "lost_steps": 12})
    estimates(driver, [float(n) for n in range(20)])
    for missing in range(1, 20):
        n = 19 + missing
        give(driver, 0.0, valid=False)
        driver.step(n * STEP, STEP)
        state = names(driver)[1]
        if missing <= coast:
            assert state == "running"
            assert driver.get("y_hat") == pytest.approx(n + 2)
        else:
            assert state == ("holding" if missing <= 12 else "lost")
            assert driver.get("y_hat") == pytest.approx(19 + coast + 2)
        assert driver.get("quality.ok") == (missing <= coast)


def test_recovery_is_told():
    driver = coupling("eros3", 1)
    estimates(driver, [1.0] * 120, drop=range(30, 100))
    texts = [message.msg for message in driver.slave.log_queue]
    assert ["held" in texts[0], "lost_steps" in texts[1], "news arrived" in texts[2]] == [True] * 3
    assert len(texts) == 3


@pytest.mark.parametrize(("first", "then"), [("zoh", "eros4"), ("eros3", "foh"), ("foh", "smb"), ("smb", "eros3")])
def test_a_change_of_the_algorithm_begins_the_rule_anew(first, then):
    numbers = {"zoh": 1, "foh": 2, "smb": 3, "eros3": 4, "eros4": 5}
    driver = coupling(first, 2)
    estimates(driver, [float(n) for n in range(30)])
    driver.set("algorithm.selected", numbers[then])
    for c in range(1, 12):
        estimates(driver, [float(29 + c)], first=29 + c)
        assert names(driver)[0] == ladder(then, 2, c)


@pytest.mark.parametrize("wire", ["y_valid", "y_time"])
def test_what_never_arrives_is_told_once_with_the_likely_wire(wire):
    driver = coupling("foh", 1, latency={"mode": "stamps", "lost_steps": 20})
    driver.set("y_valid", wire != "y_valid")
    for n in range(60):
        assert driver.step(n * 0.01, 0.01)
        assert (driver.get("state"), driver.get("quality.ok")) == ((1, True) if n <= 20 else (4, False))
    (message,) = driver.slave.log_queue
    assert "nothing has arrived since the start" in message.msg
    assert wire in message.msg and message.status == 1
    give(driver, 3.0, 0.6)
    driver.step(0.6, 0.01)
    assert driver.get("state") == 1 and "news arrived" in driver.slave.log_queue[-1].msg


def test_the_first_start_is_no_discontinuity_and_later_ones_are_told_once():
    driver = coupling("eros3", 1, discontinuity={"enabled": True})
    values = [0.0] * 20 + [math.sin(0.1 * n) + 5.0 + 9.0 * (n > 40) - 9.0 * (n > 80) for n in range(120)]
    seen = 0
    for n, value in enumerate(values):
        give(driver, value)
        driver.step(n * 0.01, 0.01)
        seen += driver.get("discontinuity.detected")
        assert len(driver.slave.log_queue) == (n > 60)
    assert seen >= 3
    (message,) = driver.slave.log_queue
    assert message.status == 0 and "a discontinuity was detected" in message.msg
