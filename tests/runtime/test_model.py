"""The algorithm `model`: what it knows exactly it gives exactly, whatever becomes of messages."""

import random

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from couplant.analysis.macro_map import discretise
from couplant.analysis.observer import observer
from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant_runtime.algorithms import model
from couplant_runtime.generated.constants import PLANT_NEAR
from tests.drivers import PythonDriver
from tests.vectors.reader import Setup

STEP = 0.02
A = np.array([[0.0, 1.0, 0.0], [-9.0, -0.3, 2.0], [0.0, 0.0, -5.0]])
B = np.array([[0.0, 0.0], [1.0, 0.5], [3.0, 0.0]])
C = np.array([[1.0, 0.0, 0.0], [0.5, 1.0, 0.0]])
D = np.array([[0.0, 0.2], [0.1, 0.0]])
STEPS = 220
RESTLESS = A + np.diag([0.0, 0.0, 5.0])
"""The same with an integrator: it does not come to rest by itself."""


def signals(n):
    """Return what goes to the sender at macro step `n`."""
    return np.array([np.sin(0.11 * n), np.cos(0.07 * n) - 1.0])


def sent(inputs, A=A):
    """Return the outputs of the sender, integrated by another method, with inputs linear in a macro step."""
    x, values = np.zeros(3), []
    for n in range(STEPS):
        here, there = inputs(n), inputs(n + 1)
        values.append(C @ x + D @ here)

        def slope(t, x, here=here, there=there, A=A):
            return A @ x + B @ (here + (there - here) * t / STEP)

        x = solve_ivp(slope, (0.0, STEP), x, rtol=1e-11, atol=1e-13).y[:, -1]
    return np.array(values)


TRUTH = sent(signals)


def coupling(k, timing="event", **more):
    latency = {"mode": "constant", "constant_steps": k, "hold_lead": 0.0, **more.pop("latency", {})}
    model = {"A": A.tolist(), "B": B.tolist(), "C": C.tolist(), "D": D.tolist(), "noise": [1e-3]}
    signal = {"algorithm": "model", "latency": latency, "debug": True, "burst": more.pop("burst", 1)}
    model |= {"inputs": ["a", "b"], "outputs": ["y", "other"], **more}
    head = {"name": "i", "macro_step": STEP, "timing": timing}
    document = {"interface": head, "signals": {"y": signal}, "models": {"plant": model}}
    return PythonDriver(Setup(), parse_interface(document, "test"))


def tell(driver, n, k, values=TRUTH, given=None):
    """Set what arrives at macro step `n`: what was sent k before."""
    driver.set("y_valid", n >= k)
    at = max(n - k, 0)
    driver.set("y", values[at, 0])
    driver.set("companion[1]", values[at, 1])
    for i in (1, 2):
        driver.set(f"u[{i}]", signals(n)[i - 1])
        if given is not None:
            driver.set(f"given[{i}]", given(at)[i - 1])
            driver.set(f"given_slope[{i}]", (given(at + 1) - given(at))[i - 1] / STEP)


def estimated(driver, k, timing="event", values=TRUTH, given=None, count=STEPS, lost=()):
    """Return what is given out at the macro points; in event timing before the step that begins there."""
    found = []
    for n in range(count):
        tell(driver, n, k, values, given)
        if n - k in lost:
            driver.set("y_valid", False)
        if timing == "event":
            found.append(driver.get("y_hat"))
        driver.step(n * STEP, STEP)
        if timing == "step":
            found.append(driver.get("y_hat"))
    return np.array(found)


@pytest.mark.sample(2)
@pytest.mark.parametrize("k", [0, 1, 3, 15, 40])
def test_a_sender_that_only_does_what_it_is_told_is_known_exactly(k):
    found = estimated(coupling(k), k)
    assert found[k + 8 :] == pytest.approx(TRUTH[k + 8 :, 0], abs=1e-9)


def test_in_step_timing_the_inputs_go_on_as_they_went():
    found = estimated(coupling(3, "step"), 3, "step")
    curve = np.abs(np.diff([signals(n) for n in range(STEPS)], 2, axis=0)).max()
    assert found[20:-1] == pytest.approx(TRUTH[21:, 0], abs=0.3 * curve)


def test_values_that_never_come_cost_nothing():
    chance = random.Random(1)
    lost = {n for n in range(20, STEPS) if chance.random() < 0.2 or 60 <= n < 63}
    found = estimated(coupling(3, latency={"coast_steps": 20}), 3, lost=lost)
    assert found[12:] == pytest.approx(TRUTH[12:, 0], abs=1e-9)


def test_what_the_sender_was_given_counts_not_what_it_should_have_been_given():
    def given(n):
        return 1.1 * signals(n) + 0.05

    values = sent(given)
    echo = estimated(coupling(4), 4, values=values, given=given)
    twin = estimated(coupling(4, echo=False), 4, values=values)
    assert echo[-1] == pytest.approx(continued(given, 4), abs=1e-7)
    assert abs(twin[-1] - echo[-1]) > 1e-4


@pytest.mark.parametrize("more", [{}, {"echo": False}, {"latency": {"offset": 0.3 * STEP}}, {"order": 2}])
@pytest.mark.parametrize(("k", "timing"), [(4, "event"), (15, "step")])
def test_states_that_move_on_are_those_worked_out_anew(k, timing, more, monkeypatch):
    """With noise, so that each value corrects what was foreseen; lost values change the latency for a step."""

    def given(n):
        return 1.1 * signals(n) + 0.05

    disturbance = {"disturbance": [0.0, 1.0, 3.0]} if "order" in more else {}
    values = TRUTH + 0.01 * np.random.default_rng(k).standard_normal(TRUTH.shape)
    found = []
    for near in (STEPS, PLANT_NEAR):
        monkeypatch.setattr(model, "PLANT_NEAR", near)
        driver = coupling(k, timing, **more, **disturbance)
        told = given if more.get("echo", True) else None
        found.append(estimated(driver, k, timing, values=values, given=told, lost={77, 90, 91}))
    assert found[0] == pytest.approx(found[1], abs=1e-12)
    assert (found[0] != found[1]).any()


def continued(given, k):
    """Return what the sender gives at the end, were it given the true signals from the newest message on."""
    phi, level, change = discretise(A, B, STEP)
    x = np.zeros(3)
    for n in range(STEPS - 1):
        put = given if n < STEPS - 1 - k else signals
        x = phi @ x + level @ put(n) + change @ (put(n + 1) - put(n))
    return (C @ x + D @ signals(STEPS - 1))[0]


def test_what_is_not_connected_is_not_taken_for_zero():
    one, other = coupling(3), coupling(3, echo=False)
    assert (estimated(one, 3) == estimated(other, 3)).all()


def test_an_unknown_excitation_is_found():
    def pushed(n):
        return signals(n) + np.array([0.7, 0.0])

    values = sent(pushed) - D @ np.array([0.7, 0.0])
    found = estimated(coupling(3, echo=False, disturbance=[0.0, 1.0, 3.0]), 3, values=values)
    assert found[-40:] == pytest.approx(values[-40:, 0], abs=1e-6)


@pytest.mark.parametrize("order", [1, 2])
def test_the_gain_is_that_of_a_filter_that_has_run_for_long(order):
    settings = {"disturbance": np.array([0.0, 1.0, 0.0]), "order": order, "leak": 0.3, "drive": 2.0}
    noise = np.array([0.01, 0.05])
    found = observer(A, B, C, D, STEP, noise=noise, **settings)
    S = np.eye(3 + order)
    acts = np.zeros(3 + order)
    acts[1] = 1.0
    Q = 2.0 * STEP * (1e-6 * np.outer(acts, acts) + 1e-12 * np.eye(3 + order))
    Q[-1, -1] += 2.0 * STEP
    for _ in range(20000):
        K = S @ found.C.T @ np.linalg.inv(found.C @ S @ found.C.T + np.diag(noise**2))
        S = found.phi @ (S - K @ found.C @ S) @ found.phi.T + Q
    assert found.gain == pytest.approx(K, rel=1e-6, abs=1e-9)
    assert found.radius < 1.0


def test_what_does_not_show_is_refused():
    unseen = {"disturbance": np.zeros(3), "order": 1, "leak": 0.0, "drive": 1.0, "noise": np.array([0.1, 0.1])}
    with pytest.raises(UsageError, match="a leak above 0 helps"):
        observer(A, B, C, D, STEP, **unseen)


def test_a_constant_disturbance_that_no_output_shows_is_refused_on_every_machine():
    """A mass whose velocity is measured, pushed through a spring from a place that drifts: rounding decided before."""
    plant, force = np.array([[0.0, 1.0], [-4.0, -0.5]]), np.array([[0.0], [1.0]])
    speed, none = np.array([[0.0, 1.0]]), np.zeros((1, 1))
    told = {"disturbance": np.array([0.0, 4.0]), "order": 1, "drive": 1.0, "noise": np.array([0.01])}
    for scale in (1.0, 1e-6, 1e6):
        with pytest.raises(UsageError, match="a leak above 0 helps"):
            observer(plant, force, scale * speed, none, 0.01, leak=0.0, **told)
        assert observer(plant, force, scale * speed, none, 0.01, leak=0.1, **told).radius < 1.0
    assert observer(plant, force, np.array([[1.0, 0.0]]), none, 0.01, leak=0.0, **told).radius < 1.0


def test_late_messages_are_made_up_for():
    """Messages in any order: once all have come the states are those of messages in order, to rounding."""
    chance = random.Random(3)
    arrivals = sorted(range(STEPS - 6), key=lambda n: n + chance.choice((0, 0, 0, 2, 5)))
    drivers = [coupling(0, latency={"mode": "stamps"}, echo=False) for _ in range(2)]
    for n in range(STEPS):
        for driver, order in zip(drivers, (sorted(arrivals), arrivals), strict=True):
            at = order[n] if n < len(order) else None
            driver.set("y_valid", at is not None)
            if at is not None:
                driver.set("y", TRUTH[at, 0])
                driver.set("companion[1]", TRUTH[at, 1])
                driver.set("y_time", at * STEP)
            for i in (1, 2):
                driver.set(f"u[{i}]", signals(n + 6)[i - 1])
            driver.step((n + 6) * STEP if n else 0.0, STEP if n else 7 * STEP)
    one, other = (driver.get("y_hat") for driver in drivers)
    assert one == pytest.approx(other, abs=1e-12)


def line(n):
    """Return what is given to the sender, linear in macro steps."""
    return np.array([0.02 * n, 1.0 - 0.01 * n])


def bent(n):
    return 1.1 * signals(n) + 0.05


def heard(k, given, lost=(), burst=1, stamp=lambda at: at * STEP, said=lambda at, back: True, A=A):
    """Return what is given out at macro points through a network that loses messages `lost`, `burst` values in each.

    `said` tells whether the message sent at `at` repeats the value that was sent `back` steps before.
    """
    latency = {"mode": "stamps", "coast_steps": 20}
    driver, found = coupling(0, latency=latency, burst=burst, fallback="model", A=A.tolist()), []
    values = sent(given, A)
    for n in range(STEPS):
        tell(driver, n, k, values, given)
        at = n - k
        driver.set("y_valid", at >= 0 and at not in lost)
        driver.set("y_time", stamp(max(at, 0)))
        for back in range(1, burst):
            before = max(at - back, 0)
            driver.set(f"y_valid[{back + 1}]", at >= back and said(at, back))
            driver.set(f"y[{back + 1}]", values[before, 0])
            driver.set(f"y_time[{back + 1}]", stamp(before))
            driver.set(f"earlier_companion[{back}]", values[before, 1])
            for i, (level, later) in enumerate(zip(given(before), given(before + 1), strict=True), start=1):
                driver.set(f"earlier_given[{2 * back - 2 + i}]", level)
                driver.set(f"earlier_slope[{2 * back - 2 + i}]", (later - level) / STEP)
        found.append(driver.get("y_hat"))
        driver.step(n * STEP, STEP)
    return np.array(found)


def losses(seed, most):
    """Return messages that are lost, 40 % and at most so many in a row, and the steps that bring news after them."""
    chance, lost = random.Random(seed), set()
    for n in range(20, STEPS):
        if chance.random() < 0.4 and not all(n - i - 1 in lost for i in range(most)):
            lost.add(n)
    return lost


@pytest.mark.parametrize("k", [2, 6])
def test_lost_messages_cost_nothing_once_those_behind_them_have_repeated_what_they_told(k):
    lost = losses(7, 3)
    news = [n for n in range(20 + k, STEPS) if n - k not in lost]
    whole, repeated, alone = heard(k, bent), heard(k, bent, lost, 4), heard(k, bent, lost)
    assert repeated[news] == pytest.approx(whole[news], abs=1e-9)
    assert np.abs(alone - whole)[news].max() > 1e-6


def test_what_a_lost_message_would_have_told_lies_on_the_line_between_those_beside_it():
    lost = losses(8, 6)
    news = [n for n in range(60, STEPS) if n - 3 not in lost]
    whole, between, alone = (heard(3, line, some, A=one) for some, one in (((), RESTLESS), (lost, RESTLESS), (lost, A)))
    assert between[news] == pytest.approx(whole[news], abs=1e-5)
    assert np.abs(alone - heard(3, line))[news].max() > 1e-3


@pytest.mark.parametrize("restarts", [lambda at: at * STEP, lambda at: (at + 5000 * (at >= 90)) * STEP,
                                      lambda at: (at - 90 * (at >= 90)) * STEP])  # fmt: skip
def test_what_was_told_before_a_sender_began_anew_is_not_taken(restarts):
    """Each message repeats, until all of them are older than the start; or only what was sent since."""
    anew = restarts(90) != 90 * STEP
    since = heard(3, bent, burst=4, stamp=restarts, said=lambda at, back: not (at >= 90 > at - back))
    every = heard(3, bent, burst=4, stamp=restarts)
    assert since.tolist() == every.tolist()
    assert anew == (np.abs(every - heard(3, bent, burst=4)).max() > 1e-6)
