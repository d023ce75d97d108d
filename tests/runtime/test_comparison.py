"""The adaptive algorithms of the literature: identification, its bounds, prediction, and the pipeline around them."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.algorithms.rows import LEARN
from couplant_runtime.comparison.identification import REACH, SETTLING
from couplant_runtime.comparison.least_squares import CONFIDENCE, GROWTH, start, update
from couplant_runtime.config import Settings
from couplant_runtime.errors import ParameterRefused, StateRefused
from couplant_runtime.sound import restore
from couplant_runtime.state import Clock, State
from couplant_runtime.step import init, reset

from .runs import STEP, coupling, estimates, give, names, rms

BOTH = ("recursive_fir", "coupling_element")
SIZE = 5


def tones(n):
    return math.sin(0.1 * n) + 0.3 * math.cos(0.37 * n)


def plant(count, seed=3):
    """Return output and input of a second-order plant under random input."""
    chance = random.Random(seed)
    y, u = [0.0, 0.0], [0.0, 0.0]
    for _ in range(count):
        y.append(1.6 * y[-1] - 0.8 * y[-2] + 0.1 * u[-1] + 0.05 * u[-2])
        u.append(chance.uniform(-1.0, 1.0))
    return y, u


def square(triangle):
    """Return the symmetric matrix of a lower triangle, shape (5, 5)."""
    matrix = np.zeros((SIZE, SIZE))
    matrix[np.tril_indices(SIZE)] = triangle
    return matrix + np.tril(matrix, -1).T


def scales_of(s, which):
    own = s.model
    y, u = (own.high[i] - own.low[i] or 1.0 for i in (0, 1))
    return np.array([y, y, y, y, 1.0] if which == BY_NAME["recursive_fir"].number else [y, y, u, u, 1.0])


def driven(algorithm, values, inputs=None, k=3, timing="step", **sections):
    """Return a coupling that has taken these values, and the estimates at the end of each macro step."""
    driver, out = coupling(algorithm, k, timing, **sections), []
    for n, y in enumerate(values):
        give(driver, y)
        if inputs is not None:
            driver.set("u", inputs[n])
        assert driver.step(n * STEP, STEP)
        out.append(driver.committed("y_hat"))
    return driver, out


def test_parameters_are_found():
    chance, p, covariance = random.Random(1), [0.0] * 3, [0.0] * 6
    start(covariance, [1.0] * 3)
    for _ in range(50):
        phi = [chance.gauss(0.0, 1.0) for _ in range(3)]
        assert update(p, covariance, phi, 2.0 * phi[0] - 0.5 * phi[1] + 3.0 * phi[2], 0.99, [1.0] * 3)
    assert p == pytest.approx([2.0, -0.5, 3.0], abs=1e-6)


def test_without_forgetting_it_is_the_regularised_least_squares_solution():
    chance, p, covariance = np.random.default_rng(2), [0.0] * 3, [0.0] * 6
    phi, y = chance.normal(size=(40, 3)), chance.normal(size=40)
    start(covariance, [1.0] * 3)
    for row, value in zip(phi.tolist(), y.tolist(), strict=True):
        update(p, covariance, row, value, 1.0, [1.0] * 3)
    information = phi.T @ phi + np.eye(3) / CONFIDENCE
    assert np.allclose(p, np.linalg.solve(information, phi.T @ y), rtol=0, atol=1e-7)


def test_forgetting_takes_information_away_only_where_the_sample_lies():
    phi, covariance = [1.0, 1.0], [4.0, 1.0, 3.0]
    before = np.linalg.inv([[4.0, 1.0], [1.0, 3.0]])
    update([0.0, 0.0], covariance, phi, 0.0, 0.9, [1.0, 1.0])
    after = np.linalg.inv([[covariance[0], covariance[1]], [covariance[1], covariance[2]]])
    power = 9.0
    assert after - before == pytest.approx((0.9 - 0.1 / power) * np.ones((2, 2)))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32),
    st.floats(0.5, 1.0),
    st.sampled_from(["noise", "constant", "tone", "silence"]),
    st.sampled_from([1e-3, 1.0, 1e3]),
)
def test_the_covariance_stays_positive_and_bounded_whatever_the_signal(seed, forgetting, kind, scale):
    chance, p, covariance = random.Random(seed), [0.0] * 4, [0.0] * 10
    value = {
        "noise": lambda n: chance.uniform(-1.0, 1.0),
        "constant": lambda n: 1.0,
        "tone": lambda n: math.sin(0.2 * n),
        "silence": lambda n: chance.uniform(-1.0, 1.0) if n < 20 else 0.0,
    }[kind]
    past, scales = [scale * value(n) for n in range(4)], [scale] * 4
    start(covariance, scales)
    for n in range(4, 300):
        y = scale * value(n)
        assert update(p, covariance, past, y, forgetting, scales)
        past = [y, *past[:3]]
        matrix = np.zeros((4, 4))
        matrix[np.tril_indices(4)] = covariance
        matrix = (matrix + np.tril(matrix, -1).T) * scale * scale
        assert np.diag(matrix).max() <= GROWTH * CONFIDENCE
        eigenvalues = np.linalg.eigvalsh(matrix)
        assert eigenvalues[0] >= -1e-12 * eigenvalues[-1]


@pytest.mark.landing("a hundred thousand steps: 7 s of CPU")
@pytest.mark.parametrize("scale, offset", [(1.0, 0.0), (1e-3, 1e4), (1e3, 0.0)])
@pytest.mark.parametrize("algorithm", BOTH)
def test_nothing_winds_up_in_a_hundred_thousand_steps(algorithm, scale, offset):
    """Tones, rest, another rest for long, a move: the covariance is bounded and the move is no surprise."""
    driver = coupling(algorithm, 3)
    c, s = driver.slave.settings, driver.slave.state
    s.history.filled, s.history.newest, s.latency.steps, chance = 1, -1, 3, random.Random(5)
    s.model.first = s.history.past[0] = offset
    largest = 0.0
    for n in range(100_000 if (algorithm, scale) == ("recursive_fir", 1e-3) else 8000):
        value = tones(n) if n < 600 else 0.5 if n < 3000 else -1.0 if n % 4000 > 60 else chance.uniform(-1.0, 1.0)
        s.grid.n, s.history.newest, s.history.past[:] = n, n, [offset + scale * value, *s.history.past[:63]]
        s.model.u = scale * math.sin(0.05 * n) if n < 600 else 0.0
        LEARN[c.compared](c, s)
        if n % 50 == 0 and s.model.samples:
            scales = scales_of(s, c.compared)
            matrix = square(s.model.covariance) * np.outer(scales, scales)
            eigenvalues = np.linalg.eigvalsh(matrix)
            assert eigenvalues[0] >= -1e-9 * eigenvalues[-1]
            largest = max(largest, eigenvalues[-1]) if n > 300 else 0.0
    assert 0.0 < largest < 1e-2 * CONFIDENCE
    assert all(map(math.isfinite, s.model.parameters))


@pytest.mark.parametrize("algorithm", BOTH)
def test_a_move_after_a_long_rest_ends_in_no_burst(algorithm):
    values = [tones(n) for n in range(400)] + [1.0] * 6000
    u = [math.sin(0.05 * n) for n in range(400)] + [0.0] * 6200
    driver, _ = driven(algorithm, values, u if algorithm == "coupling_element" else None)
    out = []
    for n in range(6400, 6600):
        give(driver, 1.0 + 0.001 * math.sin(0.1 * (n - 6400)))
        driver.step(n * STEP, STEP)
        out.append(driver.get("y_hat"))
    assert max(abs(value - 1.0) for value in out) < 0.005


@pytest.mark.parametrize("algorithm", BOTH)
@pytest.mark.parametrize("scale, offset", [(1e-3, 0.0), (1e3, 0.0), (1.0, 1e4), (1e3, 1e4)])
def test_unit_and_offset_do_not_matter(algorithm, scale, offset):
    chance = random.Random(9)
    values = [tones(n) if n < 300 else 0.4 if n < 400 else chance.uniform(-1.0, 1.0) for n in range(600)]
    u = [math.sin(0.05 * n) + 0.2 * math.sin(n) for n in range(600)]
    inputs = [None, None] if algorithm == "recursive_fir" else [u, [7.0 - 20.0 * value for value in u]]
    _, plain = driven(algorithm, values, inputs[0])
    _, moved = driven(algorithm, [offset + scale * value for value in values], inputs[1])
    assert [(value - offset) / scale for value in moved[3:]] == pytest.approx(plain[3:], abs=1e-6)


@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("k", [0, 1, 3, 6])
def test_two_tones_are_continued_exactly_after_identification(k, timing):
    driver, out = driven("recursive_fir", [tones(n - k) for n in range(600)], k=k, timing=timing)
    assert names(driver) == ("recursive_fir", "running")
    assert out[400:] == pytest.approx([tones(n + 1) for n in range(400, 600)], abs=1e-5)
    assert driver.committed("debug.level") == pytest.approx(tones(599), abs=1e-5)


@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("k", [0, 1, 2, 5])
def test_the_element_predicts_what_the_input_will_do(k, timing):
    y, u = plant(400)
    driver, out = driven("coupling_element", [0.0] * k + y[: 400 - k], u[:400], k=k, timing=timing)
    assert names(driver) == ("coupling_element", "running")
    assert out[300:] == pytest.approx(y[301:401], abs=1e-4)


@pytest.mark.parametrize("algorithm, k", [("recursive_fir", 1), ("recursive_fir", 3), ("coupling_element", 2)])
def test_it_holds_until_the_model_has_settled(algorithm, k):
    y, u = plant(400)
    driver, seen = coupling(algorithm, k), []
    for n in range(300):
        give(driver, y[n])
        if algorithm == "coupling_element":
            driver.set("u", u[n])
        driver.step(n * STEP, STEP)
        settled = driver.get("identification.samples") >= SETTLING * k
        assert driver.get("identification.settled") == settled
        seen.append(names(driver))
        if names(driver)[0] == "zoh":
            assert driver.get("y_hat") == (y[n] if n >= k else driver.get("y"))
    assert seen[k : SETTLING * k] == [("zoh", "starting")] * (SETTLING * k - k)
    assert seen[-1] == (algorithm, "running")


def test_a_signal_at_rest_teaches_nothing():
    driver, out = driven("recursive_fir", [2.5] * 500)
    assert driver.get("identification.samples") == 0
    assert names(driver) == ("zoh", "starting")
    assert out[-1] == 2.5


def test_an_estimate_out_of_reach_is_not_given_out():
    driver, _ = driven("recursive_fir", [tones(n) for n in range(300)], k=3)
    driver.slave.state.model.parameters[:] = [50.0, 0.0, 0.0, 0.0, 0.0]
    give(driver, 1.0)
    driver.step(300 * STEP, STEP)
    assert names(driver)[0] == "zoh"
    assert driver.get("y_hat") == 1.0


@pytest.mark.parametrize("algorithm", BOTH)
def test_missing_values_are_predicted_by_the_model(algorithm):
    y, u = plant(500, 4) if algorithm == "coupling_element" else ([tones(n) for n in range(503)], None)
    driver, chance = coupling(algorithm, latency={"mode": "stamps"}), random.Random(6)
    errors, seen = [], set()
    for n in range(500):
        lost = n < 2 or (100 < n and chance.random() < 0.2)
        give(driver, y[max(n - 2, 0)], (n - 2) * STEP, valid=not lost)
        if u:
            driver.set("u", u[n])
        assert driver.step(n * STEP, STEP)
        if n > 350:
            errors.append(driver.get("y_hat") - y[n + 1])
            seen.add(names(driver)[0])
    assert algorithm in seen
    assert driver.get("latency.steps") >= 2
    # Models are recovered well; what is left is the noise of estimates that span several losses.
    assert np.median(np.abs(errors)) < 1e-4


def test_a_fraction_of_a_step_lies_on_the_line_between_two_estimates():
    driver, _ = driven("recursive_fir", [tones(n) for n in range(500)], k=2, latency={"offset": 0.4 * STEP})
    level, slope = driver.get("debug.level"), driver.get("debug.slope")
    between = lambda at: 0.6 * tones(at) + 0.4 * tones(at + 1)  # noqa: E731
    assert level == pytest.approx(0.6 * tones(501) + 0.4 * tones(502), abs=1e-6)
    assert level + slope == pytest.approx(between(502), abs=1e-6)


def test_after_a_flagged_jump_the_ladder_runs_and_the_model_stays():
    driver = coupling("recursive_fir", 2, discontinuity={"enabled": True})
    values, seen = [tones(n) + (8.0 if n >= 300 else 0.0) for n in range(320)], []
    for n, y in enumerate(values):
        give(driver, y)
        driver.step(n * STEP, STEP)
        seen.append((driver.get("discontinuity.detected"), names(driver)[0]))
    assert seen[300] == (True, "zoh")
    assert [name for _, name in seen[301:304]] == ["foh", "foh", "recursive_fir"]
    assert driver.get("identification.settled")


def test_inputs_that_are_no_numbers_and_steps_left_out_repeat_the_last_one():
    driver, _ = driven("coupling_element", [0.0, 1.0, 2.0], [4.0, 5.0, 6.0], k=0)
    driver.set("u", float("nan"))
    driver.step(3 * STEP, STEP)
    own = driver.slave.state.model
    assert own.inputs[:5] == [2.0, 2.0, 1.0, 0.0, 0.0]
    driver.set("u", 9.0)
    driver.step(4 * STEP, 3 * STEP)
    driver.step(7 * STEP, STEP)
    assert own.inputs[:6] == [5.0, 5.0, 5.0, 5.0, 2.0, 2.0]


def test_the_present_input_shapes_the_step_and_not_its_start():
    y, u = plant(300)
    driver, _ = driven("coupling_element", y[:200], u[:200], k=0, timing="event")
    levels, slopes = set(), set()
    for value in (-5.0, 0.0, 5.0):
        driver.set("y", y[200])
        driver.set("u", value)
        levels.add((driver.get("y_hat"), driver.get("algorithm.active"), driver.get("output.limited")))
        slopes.add(driver.get("debug.slope"))
    assert len(levels) == 1
    assert len(slopes) == 3


@pytest.mark.parametrize("algorithm", BOTH)
def test_what_is_saved_in_the_middle_goes_on_the_same(algorithm):
    y, u = plant(300)
    u = u if algorithm == "coupling_element" else None
    whole, out = driven(algorithm, y[:300], u)
    half, _ = driven(algorithm, y[:150], u)
    other = coupling(algorithm, 3)
    other.restore(half.save())
    for n in range(150, 300):
        give(other, y[n])
        if u:
            other.set("u", u[n])
        other.step(n * STEP, STEP)
        assert other.get("y_hat") == out[n]
    assert other.save() == whole.save()


def test_states_of_other_fmus_do_not_fit():
    data = coupling("recursive_fir", 3).save()
    driver = coupling("eros3", 3)
    before = driver.save()
    driver.restore(data)
    assert driver.save() == before
    assert "serialised state has" in driver.slave.log_queue[-1].msg


def test_a_fresh_state_knows_nothing():
    driver, _ = driven("recursive_fir", [tones(n) for n in range(100)])
    fresh = reset(driver.slave.settings).model
    assert (fresh.samples, fresh.settled, fresh.forgetting) == (0, 0, 0.99)
    assert fresh.parameters == [0.0] * SIZE


def test_fmus_without_it_have_no_model_and_no_such_number():
    driver = coupling("eros3", 3)
    assert driver.slave.state.model is None
    assert State().pack() == State(with_model=False).pack()
    driver.set("algorithm.selected", BY_NAME["recursive_fir"].number)
    assert driver.get("algorithm.selected") == 4
    assert driver.slave.log_queue[-1].msg.startswith("algorithm.selected = 10, allowed 1 (zoh), 2 (foh)")
    assert "recursive_fir" not in driver.slave.log_queue[-1].msg


def test_an_fmu_has_the_one_that_it_was_built_with_and_can_switch():
    driver, _ = driven("recursive_fir", [tones(n) for n in range(200)])
    driver.set("algorithm.selected", BY_NAME["coupling_element"].number)
    assert "11" in driver.slave.log_queue[-1].msg
    driver.set("algorithm.selected", 4)
    out = estimates(driver, [tones(n) for n in range(200, 220)], first=200)
    assert names(driver)[0] == "eros3"
    driver.set("algorithm.selected", BY_NAME["recursive_fir"].number)
    out += estimates(driver, [tones(n) for n in range(220, 240)], first=220)
    assert names(driver)[0] == "recursive_fir"
    assert out[-1] == pytest.approx(tones(239 + 4), abs=1e-5)


def test_the_settings_come_through_their_text():
    for algorithm, number in zip(BOTH, (BY_NAME[name].number for name in BOTH), strict=True):
        c = coupling(algorithm, 3).slave.settings
        assert isinstance(c, Settings)
        assert c.compared == number
        assert set(c.delta[algorithm]) == {0.1}
        assert set(c.zeta[algorithm]) == {0.0}


@pytest.mark.parametrize("value", [0.49, 1.01])
def test_a_forgetting_factor_out_of_range_is_refused(value):
    c = coupling("recursive_fir", 3).slave.settings
    s = reset(c)
    s.model.forgetting = value
    with pytest.raises(ParameterRefused, match=rf"identification.forgetting = {value}, allowed 0.5 to 1"):
        init(c, s, 0.0)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 1e308, -1e308])
def test_a_value_of_any_size_leaves_a_finite_estimate_behind(bad):
    driver, _ = driven("recursive_fir", [tones(n) for n in range(200)])
    out = estimates(driver, [bad, *(tones(n) for n in range(201, 260))], first=200)
    assert all(map(math.isfinite, out))
    assert max(abs(value) for value in out[10:]) <= (1.0 + 2.0 * REACH) * 2.0


def test_stationary_noise_harms_it_less_than_eros3():
    chance = random.Random(2)
    noisy = [math.sin(0.1 * n) + 0.3 * math.cos(0.17 * n) + chance.gauss(0.0, 0.01) for n in range(1000)]
    error = {}
    for algorithm in ("eros3", "recursive_fir"):
        _, out = driven(algorithm, noisy, timing="event")
        true = [math.sin(0.1 * n) + 0.3 * math.cos(0.17 * n) for n in range(4, 1004)]
        error[algorithm] = rms([a - b for a, b in zip(out[400:], true[400:], strict=True)])
    assert error["recursive_fir"] < 0.7 * error["eros3"]


@pytest.mark.parametrize("algorithm", BOTH)
def test_a_changed_state_is_refused_or_harmless(algorithm):
    """Whatever one of the numbers of the model is: no step fails."""
    inputs = plant(60)[1]
    driver, _ = driven(algorithm, [tones(n) for n in range(60)], inputs if algorithm == "coupling_element" else None)
    slave, chance, taken = driver.slave, random.Random(3), 0
    honest = slave.state.copy()
    for name, code, count in honest.model.FIELDS * 4:
        wrong = honest.copy()
        value = chance.choice((-1, 0, 1, 127, 10**6) if code != "d" else (-1.0, 0.0, 1e300, -1e-300, float("nan")))
        value = value if count == 1 else [value] * count
        setattr(wrong.model, name, value)
        try:
            slave.state, _ = restore(slave.settings, wrong.serialise(slave.settings.fingerprint, Clock(0.0, 1, 0)))
        except StateRefused:
            continue
        taken += 1
        for n in range(60, 70):
            give(driver, tones(n))
            assert driver.step(n * STEP, STEP)
    assert taken > 10
