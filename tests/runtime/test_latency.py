"""Stage 1 in the pipeline: how many macro steps late is the newest value?"""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .runs import ALL, GENERIC, STEP, coupling, estimates, give, names

NAN, INF = float("nan"), float("inf")


def stamped(algorithm="foh", **latency):
    return coupling(algorithm, 0, latency={"mode": "stamps", **latency})


@settings(max_examples=40, deadline=None)
@given(offset=st.floats(0.0, 0.999), late=st.integers(0, 20), own=st.floats(0.0, 3.0))
def test_a_sender_off_the_grid_costs_foh_nothing_on_a_line(offset, late, own):
    """Stamps anywhere between the receiver's steps, and a known delay; 1e-6 steps count as none (docs/lateness.md)."""
    driver = stamped(offset=own * STEP)
    for n in range(late + 30):
        sent = (n - late - offset) * STEP
        if sent >= 0.0:
            give(driver, 3.0 + 2.0 * (sent - own * STEP), sent)
        driver.step(n * STEP, STEP)
        if n > late + 3:
            assert driver.get("y_hat") == pytest.approx(3.0 + 2.0 * (n + 1) * STEP, abs=1e-6 * 2.0 * STEP + 1e-12)


@pytest.mark.parametrize("offset", [0.0, 0.5])
def test_half_a_step_off_the_grid(offset):
    driver = stamped()
    errors = []
    for n in range(100):
        sent = (n - offset) * STEP - 3 * STEP
        if sent >= 0.0:
            give(driver, sent, sent)
        driver.step(n * STEP, STEP)
        errors.append(driver.get("y_hat") - (n + 1) * STEP)
    assert max(map(abs, errors[10:])) < 1e-14


@pytest.mark.sample(5)
@pytest.mark.parametrize("late", [0.1, 0.25, 0.5, 0.75, 1.3, 2.5, 3.9])
@pytest.mark.parametrize("algorithm", ["foh", "smb"])
def test_a_latency_between_whole_steps_keeps_lines_and_stays_stable(algorithm, late):
    driver = stamped(algorithm)
    errors = []
    for n in range(700):
        sent = n - late
        if sent >= 0.0:
            give(driver, sent if n > 40 else 7.0 * (n % 3), sent * STEP)
        driver.step(n * STEP, STEP)
        errors.append(abs(driver.get("y_hat") - (n + 1)))
    assert max(errors[600:]) < 1e-8


@pytest.mark.parametrize("algorithm", ALL)
@pytest.mark.parametrize("k", [1, 3, 6])
def test_stamps_of_a_constant_latency_give_the_same_as_constant_latency(algorithm, k):
    counted, seen = coupling(algorithm, k), stamped(algorithm)
    for n in range(200):
        y = math.sin(0.03 * n) + 0.2 * math.cos(0.11 * n)
        give(counted, y)
        if n >= k:
            give(seen, y, (n - k) * STEP)
        counted.step(n * STEP, STEP)
        seen.step(n * STEP, STEP)
        if n >= k:
            assert seen.get("latency.steps") == counted.get("latency.steps") == k
            assert seen.get("y_hat") == pytest.approx(counted.get("y_hat"), abs=1e-9)


@given(lead=st.floats(0.0, 64.0))
@settings(max_examples=60, deadline=None)
def test_k_and_fraction_make_up_the_lead(lead):
    driver = coupling("zoh", 0, latency={"offset": lead * STEP})
    estimates(driver, [1.0])
    k, fraction = driver.get("latency.steps"), driver.get("debug.fraction")
    assert k == max(0, math.ceil(lead * STEP / STEP - 1e-6))
    assert -1e-6 <= fraction < 1.0
    assert k - fraction == pytest.approx(lead, abs=1.1e-6)
    assert driver.get("latency.seconds") == pytest.approx(lead * STEP, abs=1e-15)


@pytest.mark.parametrize("bad", [NAN, INF, -INF])
@pytest.mark.parametrize("mode", ["constant", "stamps"])
def test_a_value_that_is_no_number_is_a_step_without_news_and_is_logged_once(bad, mode):
    driver = coupling("foh", 1, latency={"mode": mode})
    twin = coupling("foh", 1, latency={"mode": mode})
    for n in range(60):
        broken = n % 3 == 2
        stamp = (n - 1) * STEP if n else None
        give(driver, bad if broken else float(n), stamp)
        give(twin, 0.0 if broken else float(n), stamp, valid=not broken)
        driver.step(n * STEP, STEP)
        twin.step(n * STEP, STEP)
        assert driver.get("y_hat") == twin.get("y_hat")
    assert sum("finite" in message.msg for message in driver.slave.log_queue) == 1


@pytest.mark.parametrize(("stamp", "text"), [(NAN, "finite"), (INF, "finite"), (9.9, "future"), (-0.5, "older")])
def test_a_useless_stamp_is_not_stored_and_is_logged_once(stamp, text):
    driver = stamped()
    for n in range(40):
        useless = n > 10 and n % 2
        give(driver, 1e6 if useless else float(n), stamp if useless else n * STEP)
        driver.step(n * STEP, STEP)
        assert driver.get("y_hat") in ([float(n)] if n == 0 else [float(n + 1)])
    assert sum(text in message.msg for message in driver.slave.log_queue) == 1


def test_a_stamp_a_hair_ahead_of_the_receiver_is_no_future():
    driver = stamped()
    for n in range(9):
        give(driver, float(n), n * STEP * (1.0 + 1e-12))
        driver.step(n * STEP, STEP)
    assert driver.get("debug.missing") == 0


@pytest.mark.parametrize("gap", [1, 2, 3])
@pytest.mark.parametrize("mode", ["constant", "stamps"])
@pytest.mark.parametrize("algorithm", GENERIC)
def test_a_late_host_is_a_drop_out_of_the_same_length(algorithm, gap, mode):
    late, present = (coupling(algorithm, 2, latency={"mode": mode}) for _ in range(2))
    absent = range(30, 30 + gap)
    for n in range(80):
        y = math.sin(0.05 * n)
        stamp = (n - 2) * STEP if n >= 2 else None
        give(present, y, stamp, valid=n not in absent)
        present.step(n * STEP, STEP)
        if n not in absent:
            give(late, y, stamp)
            late.step(n * STEP, STEP * (gap + 1) if n == 29 else STEP)
            if n != 29:
                assert late.get("y_hat") == pytest.approx(present.get("y_hat"), abs=1e-12)
    assert sum("left out" in message.msg for message in late.slave.log_queue) == 1


def test_a_late_host_starts_the_ladder_anew_as_a_long_drop_out_does():
    late, present = coupling("eros3", 2), coupling("eros3", 2)
    absent = range(30, 50)
    for n in range(80):
        give(present, math.sin(0.05 * n), valid=n not in absent)
        present.step(n * STEP, STEP)
        if n not in absent:
            give(late, math.sin(0.05 * n))
            late.step(n * STEP, 21 * STEP if n == 29 else STEP)
            if n != 29:
                assert names(late) == names(present)


def test_a_first_step_as_macro_step():
    driver = coupling("foh", 1, macro_step=0.0)
    for n, y in enumerate([5.0, 1.0, 2.0, 3.0]):
        give(driver, y)
        driver.step(n * 0.3, 0.3)
    assert driver.get("y_hat") == 5.0
    assert driver.get("latency.seconds") == 0.3


@pytest.mark.parametrize("late", [0.0, 2.0, 2.5, 6.0])
def test_the_usual_lead_is_that_of_values_as_they_arrive_and_losses_do_not_count(late):
    driver = stamped("zoh")
    for n in range(300):
        if n >= late and n % 7 not in (3, 4):
            give(driver, 1.0, (n - late) * STEP)
        else:
            give(driver, NAN, 0.0)
        driver.step(n * STEP, STEP)
    state = driver.state
    assert state.latency.usual_lead == pytest.approx(late)
    assert state.latency.usual_reach == math.floor(late) + 1


def test_the_usual_lead_follows_a_network_that_changes_and_does_not_sway_with_jitter():
    driver, found = stamped("zoh"), []
    for n in range(600):
        late = (2 + n * 7919 % 3) if n < 300 else 6
        if n >= late:
            give(driver, 1.0, (n - late) * STEP)
        driver.step(n * STEP, STEP)
        found.append(driver.state.latency.usual_reach)
    assert set(found[40:300]) == {3}
    assert found[-1] == 6


LEADS = st.floats(-3.0, 3.0)


@settings(max_examples=60, deadline=None)
@given(k=st.integers(0, 6), host=LEADS, hold=st.floats(-1.0, 1.0), own=LEADS, timing=st.sampled_from(("step", "event")))
def test_foh_is_exact_on_a_line_at_any_lead(k, host, hold, own, timing):
    """Micro steps too: the estimate for t is the value that is sent at t + latency.offset + leads."""
    added = own + host + hold
    if k + added < -3.0:
        added, host = added - host, 0.0
    own, added = (0.0, added - own) if k + added < -3.0 else (own, added)
    latency = {"offset": own * STEP, "host_lead": host, "hold_lead": hold}
    driver = coupling("foh", k, timing, latency=latency)
    for micro in range(4 * (k + 8)):
        n = micro // 4
        give(driver, 3.0 + 2.0 * (n - k))
        driver.step(micro * STEP / 4.0, STEP / 4.0)
        if n > k + 2:
            end = (micro + 1) / 4.0
            assert driver.committed("y_hat") == pytest.approx(3.0 + 2.0 * (end + added), abs=3e-6)
            assert driver.committed("latency.seconds") == pytest.approx((k + added) * STEP, abs=1e-12)


@pytest.mark.parametrize("algorithm", ALL)
@pytest.mark.parametrize("k", [0, 1, 4])
@pytest.mark.parametrize("lead", [-3.0, -1.6, -1.0, -0.25, 0.25, 1.0, 1.25, 4.5])
def test_a_constant_stays_at_any_lead(algorithm, k, lead):
    driver = coupling(algorithm, k, latency={"host_lead": lead})
    assert estimates(driver, [5.0] * 40) == [5.0] * 40


@pytest.mark.sample(12)
@pytest.mark.parametrize("mode", ["constant", "stamps"])
@pytest.mark.parametrize("host", [-2.5, -1.0, -0.5, 0.25, 1.0, 2.0])
@pytest.mark.parametrize("algorithm", ["foh", "smb", "irregular", "auto"])
def test_lines_are_kept_and_steps_without_news_bridged_with_leads(algorithm, host, mode):
    driver = coupling(algorithm, 1, latency={"mode": mode, "host_lead": host, "hold_lead": 0.25})
    for n in range(460):
        news = n < 400 or n % 7 != 3
        give(driver, float(n - 1) if n > 9 else 7.0 * (n % 3), (n - 1) * STEP if n else None, valid=news)
        driver.step(n * STEP, STEP)
        if n > 380:
            assert driver.get("y_hat") == pytest.approx(n + 1.25 + host, abs=1e-6)


def test_a_lead_of_a_whole_step_is_a_latency_of_one_more():
    """The same algorithm on the same values: only what the values are called differs."""
    y = [math.sin(0.1 * n) for n in range(60)]
    late = coupling("eros3", 3)
    led = coupling("eros3", 2, latency={"host_lead": 1.0})
    assert estimates(late, y)[9:] == estimates(led, y)[9:]


def test_values_that_wait_get_the_lead_once():
    """The estimate stays `constant_steps` and the lead ahead, however late the values are."""
    driver = coupling("foh", 3, latency={"mode": "resequenced", "host_lead": 1.0, "offset": 0.5 * STEP})
    for n in range(80):
        late = 1 + n % 3
        if n >= late:
            give(driver, float(n - late), (n - late) * STEP)
        driver.step(n * STEP, STEP)
        if n > 20:
            assert driver.get("latency.seconds") == pytest.approx(4.5 * STEP)
            assert driver.get("y_hat") == pytest.approx(n + 1 + 1.5)
