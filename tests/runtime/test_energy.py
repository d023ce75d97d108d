"""Stage 7: the books of a power bond, energy that is taken back, the budget."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from couplant_runtime.generated.numbers import ENERGY_CREATES, ENERGY_LOSES, ENERGY_NEUTRAL, HARMFUL
from tests.networks.loop import C1, D1, M1, MASS_1
from tests.networks.loop import STEP as MACRO

from .runs import ALL, STEP, coupling, give, shown

EFFORT, FLOW = {"effort": "s"}, {"flow": "s"}
VELOCITY = {"flow_is": "velocity"}
ENDS = {
    "effort": EFFORT,
    "effort, velocity": EFFORT | VELOCITY,
    "displacement": FLOW,
    "velocity": FLOW | VELOCITY,
}
EACH_END = pytest.mark.parametrize("end", ENDS)
TIMINGS = pytest.mark.parametrize("timing", ["step", "event"])


def wave(t):
    return math.cos(3.0 * t)


def run(driver, count=150, size=1.0, conjugate=wave, first=0):
    """Run a coupling whose signal is a wave of any `size`; return E after each step."""
    out = []
    for n in range(first, first + count):
        give(driver, size * math.sin(3.0 * n * STEP))
        driver.set("conjugate", conjugate(n * STEP))
        assert driver.step(n * STEP, STEP)
        out.append(driver.committed("energy.given"))
    return out


def test_without_a_bond_nothing_of_it_is_shown():
    assert not [name for name in shown(coupling("foh", 1)) if "energy" in name or name == "conjugate"]


@EACH_END
@TIMINGS
def test_scaling_the_signal_scales_its_energy(end, timing):
    one, four = (run(coupling("eros3", 2, timing, bond=ENDS[end]), size=size) for size in (1.0, 4.0))
    assert four == pytest.approx([4.0 * e for e in one], rel=1e-12, abs=1e-15)


@EACH_END
@TIMINGS
def test_reversing_sign_and_conjugate_changes_nothing(end, timing):
    one = run(coupling("eros3", 2, timing, bond=ENDS[end]))
    other = run(coupling("eros3", 2, timing, bond=ENDS[end] | {"sign": -1}), conjugate=lambda t: -wave(t))
    assert one == other


@EACH_END
def test_a_step_split_in_two_books_the_same(end):
    """Estimate and conjugate are lines here, so that nothing jumps."""
    one, two, four = (books_of_lines(end, parts) for parts in (1, 2, 4))
    assert one != 0.0
    assert two == pytest.approx(one, rel=1e-12) and four == pytest.approx(one, rel=1e-12)


def books_of_lines(end, parts):
    """Return the energy that is booked for the time from 1 s to 4 s."""
    driver, books = coupling("foh", 1, "event", macro_step=0.25, bond=ENDS[end]), {}
    for i in range(20 * parts):
        t = i * 0.25 / parts
        give(driver, float(i // parts - 1))
        driver.set("conjugate", 0.5 * t)
        assert driver.step(t, 0.25 / parts)
        books[driver.committed("energy.time")] = driver.committed("energy.given")
    return books[4.0] - books[1.0]


@pytest.mark.parametrize("algorithm", ["zoh", "foh", "eros3"])
def test_the_energy_of_a_held_effort_is_what_its_receiver_has_gained(algorithm):
    """A mass without friction on an exact map: what f has done is the change of its mechanical energy."""
    driver = coupling(algorithm, 1, macro_step=MACRO, bond=EFFORT)
    x, held, gained = np.zeros(2), 0.0, 0.0
    for n in range(200):
        give(driver, math.sin(0.1 * n))
        driver.set("conjugate", x[0])
        assert driver.step(n * MACRO, MACRO)
        assert driver.committed("energy.given") == pytest.approx(gained, abs=1e-12)
        before = energy_of(x)
        after = MASS_1 @ np.concatenate([x, [held, 0.0], [0.0, 0.0, 0.0]])
        gained += energy_of(after) - before + lost(x, held)
        x, held = after, driver.get("y_hat")


def energy_of(x):
    return 0.5 * (M1 * x[1] ** 2 + C1 * x[0] ** 2)


def lost(x, held):
    """Return what friction takes in a step of mass 1, the integral of d v^2, by Gauss' rule with eight points, J."""
    matrix = np.array([[0.0, 1.0], [-C1 / M1, -D1 / M1]])
    rest = np.array([held / C1, 0.0])
    values, vectors = np.linalg.eig(matrix)
    start = np.linalg.solve(vectors, (x - rest).astype(complex))
    points, weights = np.polynomial.legendre.leggauss(8)
    times = 0.5 * MACRO * (points + 1.0)
    speeds = [(vectors @ (start * np.exp(values * t))).real[1] for t in times]
    return float(0.5 * MACRO * sum(w * D1 * v * v for w, v in zip(weights, speeds, strict=True)))


@EACH_END
@TIMINGS
@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_books_nothing_and_is_told_once(end, timing, odd):
    driver = coupling("eros3", 2, timing, bond=ENDS[end] | {"budget": 1.0, "stiffness": 1.0})
    run(driver, 20)
    run(driver, 1, conjugate=lambda t: odd, first=20)  # in event timing a flow is booked a step late
    before = driver.committed("energy.given")
    assert run(driver, 20, conjugate=lambda t: odd, first=21) == [before] * 20
    assert run(driver, 1, first=41) == [before]
    assert run(driver, 2, first=42)[-1] != before
    assert sum("conjugate" in message.msg for message in driver.slave.log_queue) == 1
    assert math.isfinite(driver.get("y_hat"))


@EACH_END
@TIMINGS
def test_a_saved_state_goes_on_as_if_nothing_had_been(end, timing):
    bond = ENDS[end] | {"budget": 0.01} | ({"take_back": 0.1} if "effort" in ENDS[end] else {})
    driver = coupling("eros3", 2, timing, bond=bond)
    run(driver, 30)
    saved = driver.save()
    one = run(driver, 30, first=30)
    driver.restore(saved)
    assert run(driver, 30, first=30) == one


@EACH_END
@TIMINGS
def test_without_budget_and_take_back_the_estimate_is_as_without_a_bond(end, timing):
    plain, bonded = coupling("eros3", 2, timing), coupling("eros3", 2, timing, bond=ENDS[end])
    for n in range(100):
        for driver in (plain, bonded):
            give(driver, math.sin(0.3 * n))
            driver.step(n * STEP, STEP)
        assert plain.get("y_hat") == bonded.get("y_hat")


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(sorted(ENDS)),
    st.sampled_from(["step", "event"]),
    st.sampled_from(ALL),
    st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), min_size=5, max_size=30),
    st.floats(1e-6, 1e6),
)
def test_the_account_is_right_whatever_comes(end, timing, algorithm, rows, budget):
    """T = B - E - S + what the far end has sent, which is nothing here."""
    driver = coupling(algorithm, 1, timing, bond=ENDS[end] | {"budget": budget})
    for n, (y, conjugate) in enumerate(rows):
        give(driver, y)
        driver.set("conjugate", conjugate)
        assert driver.step(n * STEP, STEP)
        state = driver.state.energy
        scale = max(abs(state.given), abs(state.passed), budget, abs(state.left))
        assert abs(state.left - (budget - state.given - state.passed)) <= 1e-9 * scale
        assert state.left <= budget * (1.0 + 1e-12)


def test_messages_of_the_far_end_are_taken_in_order():
    driver = coupling("zoh", 0, bond=EFFORT | {"budget": 8.0, "source": "bond"})
    messages = ((0.0, 1.0, 1.0), (-0.01, 5.0, 1.0), (0.02, 2.0, 2.0), (0.03, math.nan, 2.0))
    for n, (time, far, expected) in enumerate(messages):
        give(driver, 0.0)
        driver.set("conjugate", 0.0)
        driver.set("energy.far_given", far)
        driver.set("energy.far_time", time)
        assert driver.step(n * STEP, STEP)
        assert driver.get("energy.residual") == expected


def share_of_what_comes(shift, count=150, **sections):
    """Run an effort end whose far end tells as much as it got here and a share more, until it stops."""
    driver = coupling("zoh", 0, bond=EFFORT | {"source": "bond"}, **sections)
    for n in range(count):
        give(driver, 1.0)
        driver.set("conjugate", 0.1 * n)
        far = driver.get("energy.given")
        driver.set("energy.far_given", (shift(n) - 1.0) * far)
        driver.set("energy.far_time", driver.get("energy.time"))
        if not driver.step(n * STEP, STEP):
            return driver, n
    return driver, count


def told(driver, text):
    """Return how often the log says `text`."""
    return sum(text in message.msg for message in driver.slave.log_queue)


@pytest.mark.parametrize(("shift", "grade"), [(0.4, ENERGY_CREATES), (0.0, ENERGY_NEUTRAL), (-0.4, ENERGY_LOSES)])
def test_the_grade_says_whether_energy_is_created(shift, grade):
    early, _ = share_of_what_comes(lambda n: shift, 50)
    assert early.get("energy.grade") == 0 and early.get("quality.grade") != HARMFUL
    driver, _ = share_of_what_comes(lambda n: shift)
    assert driver.get("energy.grade") == grade
    assert (driver.get("quality.grade") == HARMFUL) == (grade == ENERGY_CREATES)
    assert told(driver, "creates energy") == int(grade == ENERGY_CREATES)


def test_what_is_told_to_be_created_is_that_of_late_even_where_more_was_lost_before():
    driver, _ = share_of_what_comes(lambda n: -0.4 if n < 200 else -0.1, 300)
    texts = [message.msg for message in driver.slave.log_queue if "creates energy" in message.msg]
    assert driver.get("energy.residual") < 0.0
    assert [float(text.split("energy: ")[1].split()[0]) > 0.0 for text in texts] == [True]


def test_created_energy_ends_the_run_where_quality_does():
    driver, n = share_of_what_comes(lambda n: 0.4, quality={"action": "stop"})
    assert 100 <= n < 150 and told(driver, "ends the run") == 1
    assert share_of_what_comes(lambda n: 0.0, quality={"action": "stop"})[1] == 150


@pytest.mark.parametrize(("action", "times"), [("ignore", 1), ("warn", 2)])
def test_a_warning_is_told_each_time_that_energy_is_created_after_it_was_lost(action, times):
    driver, _ = share_of_what_comes(lambda n: -0.4 if 200 < n < 400 else 0.4, 600, quality={"action": action})
    assert told(driver, "creates energy") == times


def test_the_newest_value_is_held_while_energy_is_created():
    driver, _ = share_of_what_comes(lambda n: 0.4, quality={"action": "hold"})
    assert told(driver, "is held meanwhile") == 1


def far_end(driver, messages):
    """Hand over what the far end has passed on and its time, one message in a step; return T after each step."""
    left = []
    for n, (passed, time) in enumerate(messages):
        give(driver, 0.0)
        driver.set("conjugate", 0.0)
        driver.set("energy.far_passed", passed)
        driver.set("energy.far_time", time)
        assert driver.step(n * STEP, STEP)
        left.append(driver.committed("energy.left"))
    return left


def overdrawn(messages):
    """Return T of an effort end, from -91 J of a budget of 10 J on."""
    driver = coupling("zoh", 0, bond=EFFORT | {"budget": 10.0})
    driver.state.energy.left, driver.state.energy.granted = -91.0, 10.0
    return [left + 91.0 for left in far_end(driver, messages)]


def counted(start, count, first=0):
    """Return messages that pass on 1 J more each."""
    return [(start + i, (first + i) * STEP) for i in range(count)]


def test_what_two_messages_say_is_added():
    assert overdrawn(counted(1.0, 5)) == [0.0, 1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize("wild", [1e6, -1e6, 0.0, math.nan, 1e300])
def test_a_single_wild_message_adds_nothing(wild):
    messages = counted(1.0, 40)
    for n in (5, 10, 11 + 7, 30):
        messages[n] = (wild, messages[n][1])
    assert overdrawn(messages)[-1] <= 39.0 and overdrawn(messages)[-1] >= 37.0


@pytest.mark.parametrize("time", [1e9, -1e9, math.nan])
def test_a_single_wild_time_costs_some_messages_only(time):
    messages = counted(1.0, 60)
    messages[5] = (messages[5][0], time)
    assert 37.0 <= overdrawn(messages)[-1] <= 59.0


def test_a_far_end_that_begins_anew_is_heard_again_and_adds_only_what_is_new():
    left = overdrawn(counted(1.0, 40) + counted(1.0, 40, first=-1000))
    assert left[39] == 39.0 and left[39 + 15] == 39.0
    assert 39.0 + 20.0 <= left[-1] <= 39.0 + 40.0


def test_an_old_block_that_comes_again_adds_nothing():
    messages = counted(1.0, 40)
    assert overdrawn(messages + messages[10:25])[-1] == 39.0


def test_a_wild_energy_of_the_far_end_is_not_taken_back():
    driver = coupling("zoh", 0, bond=EFFORT | {"source": "bond", "take_back": 0.5})
    for n in range(20):
        give(driver, 1.0)
        driver.set("conjugate", 0.1 * n)
        driver.set("energy.far_given", 1e6 if n == 10 else -driver.get("energy.given"))
        driver.set("energy.far_time", driver.get("energy.time"))
        assert driver.step(n * STEP, STEP)
        assert abs(driver.get("energy.correction")) < 1e-12


def test_an_end_that_has_overdrawn_gives_out_only_what_brings_energy_back():
    for flow, limited in ((2.0, True), (-2.0, False)):
        driver = coupling("zoh", 0, bond=EFFORT | VELOCITY | {"budget": 10.0, "alert": 0.0})
        driver.state.energy.left, driver.state.energy.granted = -91.0, 10.0
        for n in range(5):
            give(driver, float(n > 0))
            driver.set("conjugate", flow)
            assert driver.step(n * STEP, STEP)
        assert driver.get("y_hat") == (0.0 if limited else 1.0)
        assert (driver.committed("energy.left") > -91.0) == (not limited)


def test_what_a_step_under_way_brings_back_adds_nothing_to_a_whole_budget():
    driver = coupling("zoh", 0, bond=EFFORT | {"budget": 10.0, "alert": 0.0})
    for n in range(5):
        give(driver, -5.0 if n < 4 else 14.0)
        driver.set("conjugate", float(n))
        assert driver.step(n * STEP, STEP)
    assert driver.get("y_hat") == 10.0


def test_a_displacement_must_be_able_to_afford_its_jump():
    """A line that goes back to where it came from costs nothing in the end, its jump 1 of .5 J."""
    back = {"selected": "linear", "steps": 0, "a": [1.0, 0.0], "A": [-1.0, 1.0]}
    driver = coupling(back, 0, "event", bond=FLOW | {"budget": 0.5, "alert": 0.0, "stiffness": 1e-9})
    left = []
    for n in range(8):
        give(driver, float(n > 3))
        driver.set("conjugate", -1.0)
        assert driver.step(n * STEP, STEP)
        left.append(driver.committed("energy.left"))
    assert min(left) >= -1e-6
