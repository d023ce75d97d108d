"""Stage 2 in the pipeline: store the value at the macro step at which it was sent."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .runs import STEP, coupling, estimates, give, names


def stamped(algorithm="foh"):
    return coupling(algorithm, 0, latency={"mode": "stamps"})


def past(driver, count=20):
    return driver.slave.state.history.past[:count]


def deliver(driver, messages, n=100):
    """Hand over (slot, value) pairs at communication points within macro step n."""
    points = [(n + i / len(messages)) * STEP for i in range(len(messages) + 1)]
    for (slot, value), begin, end in zip(messages, points, points[1:], strict=False):
        give(driver, value, slot * STEP)
        assert driver.step(begin, end - begin)


def reference(messages):
    """Past values, newest first, with straight lines across what never arrived."""
    known = {80: 0.5, **dict(messages)}
    newest = max(known)
    out = []
    for slot in range(newest, newest - 20, -1):
        if slot in known or slot < 80:
            out.append(known.get(slot, 0.5))
            continue
        older = max(s for s in known if s < slot)
        newer = min(s for s in known if s > slot)
        out.append(known[older] + (known[newer] - known[older]) * (slot - older) / (newer - older))
    return out


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.integers(81, 99), st.integers(-640, 640).map(lambda i: i / 64), min_size=1), st.randoms())
def test_the_order_of_arrival_does_not_matter(values, shuffle):
    messages = list(values.items())
    shuffle.shuffle(messages)
    driver = stamped()
    for n in range(100):
        driver.step(n * STEP, STEP)
    deliver(driver, [(80, 0.5), *messages])
    assert past(driver) == pytest.approx(reference(messages), abs=1e-12)


def test_a_duplicate_changes_nothing():
    driver = stamped()
    for n in range(100):
        driver.step(n * STEP, STEP)
    deliver(driver, [(80, 1.0), (82, 3.0)])
    before = past(driver)
    deliver(driver, [(82, 9.0), (80, 9.0)], n=101)
    assert past(driver) == before == [3.0, 2.0] + [1.0] * 18


def test_before_the_first_value_there_are_no_zeros():
    driver = coupling("foh", 0)
    estimates(driver, [4.0, 5.0])
    assert past(driver, 64) == [5.0] + [4.0] * 63


@pytest.mark.parametrize("gap", [1, 5, 30, 62])
def test_a_hole_is_filled_along_the_line(gap):
    driver = coupling("zoh", 0)
    estimates(driver, [float(n) for n in range(110)], drop=range(100 - gap, 100))
    assert past(driver, 64) == pytest.approx([109.0 - i for i in range(64)], abs=1e-9)


@pytest.mark.parametrize("gap", [63, 64, 500])
def test_a_hole_as_long_as_the_history_begins_it_anew(gap):
    driver = coupling("eros3", 0)
    estimates(driver, [float(n) for n in range(901)], drop=range(900 - gap, 900))
    assert past(driver, 64) == [900.0] * 64
    assert names(driver) == ("zoh", "starting")


def test_a_value_older_than_the_history_is_refused():
    driver = stamped()
    for n in range(200):
        if n >= 5:
            give(driver, float(n), (n - 5) * STEP)
        driver.step(n * STEP, STEP)
    before = past(driver, 64)
    give(driver, -1.0, 100 * STEP)
    driver.step(200 * STEP, STEP)
    assert past(driver, 64) == before
    assert any("older" in message.msg for message in driver.slave.log_queue)
