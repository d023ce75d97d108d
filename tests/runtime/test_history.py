"""Stage 2 in the pipeline: store the value at the macro step at which it was sent."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from couplant_runtime.generated.constants import MOST_COUNTED

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
    own, slots = driver.slave.state.history, [slot for slot, _ in messages]
    overtaken = sum(slot < max(slots[:i], default=0) for i, slot in enumerate(slots))
    assert (own.lost, own.reordered) == (max(slots) - 80 - len(slots), overtaken)


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


def test_a_value_that_comes_with_a_newer_one_is_late_and_not_lost():
    driver = coupling("foh", 0, latency={"mode": "stamps"}, burst=2)
    for n, (slot, repeated) in enumerate([(-9, -10), (-8, -9), (-6, -7), (-5, -6), (-3, -5)]):
        give(driver, 1.0, slot * STEP)
        for name, value in (("y[2]", 1.0), ("y_time[2]", repeated * STEP), ("y_valid[2]", True)):
            driver.set(name, value)
        assert driver.step(n * STEP, STEP)
    found = [driver.get(f"messages.{name}") for name in ("lost", "late", "reordered")]
    assert found == [1, 1, 0]


def test_counters_end_somewhere():
    driver = stamped()
    for n, slot in enumerate([0, 3, 2]):
        own = driver.slave.state.history
        own.lost = own.late = own.reordered = MOST_COUNTED
        give(driver, 1.0, slot * STEP)
        assert driver.step((n + 9) * STEP if n else 0.0, STEP if n else 10 * STEP)
    assert (own.lost, own.late, own.reordered) == (MOST_COUNTED - 1, MOST_COUNTED, MOST_COUNTED)


def test_an_fmu_has_the_counters_with_stamps():
    names = [variable.name for variable in stamped().slave.settings.variables()]
    assert "messages.lost" in names
    quiet = coupling("foh", 1, debug=False)
    assert "messages.lost" not in [variable.name for variable in quiet.slave.settings.variables()]
