"""Refusals: the sentences of the Python runtime, and nothing changes."""

import math
import re

import pytest

from couplant_runtime.errors import ParameterRefused, StepRefused
from couplant_runtime.step import init, reset, step
from couplant_runtime.variables import choose, items
from tests.drivers import set_value
from tests.kernel.library import SENTENCE, Kernel, Refused, needs_compiler
from tests.twin.scenario import plain_settings

pytestmark = needs_compiler


def variable(settings, name):
    return next(v for v in settings.variables() if v.name == name)


def same(words, others):
    """Numbers may be written differently: 1e+06 or 1000000."""
    number = re.compile(r"-?\b\d[\d.]*(?:e[-+]?\d+)?\b|\bnan\b|\binf\b")
    pairs = zip(number.findall(words), number.findall(others), strict=True)
    return number.sub("#", words) == number.sub("#", others) and all(a == b or float(a) == float(b) for a, b in pairs)


def refusal(call, *arguments):
    with pytest.raises((Refused, ParameterRefused, StepRefused)) as caught:
        call(*arguments)
    return str(caught.value)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("macro_step", -1),
        ("latency.constant_steps", 80),
        ("latency.constant_steps", -1),
        ("latency.offset", -0.031),
        ("latency.lost_steps", 2000000),
        ("latency.lost_steps", 2),
        ("latency.mode", 0),
        ("reconstruction", 3),
        ("output.on_loss", 7),
        ("algorithm.selected", 0),
        ("algorithm.selected", 6),
        ("quality.action", 5),
        ("algorithm.selected", 7),
        ("algorithm.selected", 8),
        ("latency.mode", 4),
        ("quality.zeta", -2),
        ("discontinuity.sensitivity", 0.5),
        ("output.safe_value", math.inf),
        ("output.min", math.nan),
        ("output.rate_max", -1),
    ],
)
def test_initialisation_refuses_in_the_same_words(kernel, settings, name, value):
    state, one = reset(settings), variable(settings, name)
    if one.kind == "enumeration" and value not in items(one.items, settings.compared).values():
        expected = refusal(set_value, settings, state, one, value, False)
        assert same(refusal(kernel.set, one, value, False), expected)
    else:
        set_value(settings, state, one, value, False)
        kernel.set(one, value, False)
        expected = refusal(init, settings, state, 0.0)
        assert same(refusal(kernel.init, 0.0), expected)
    assert name in expected
    assert bytes(kernel.state) == state.pack()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("y_hat", 1),
        ("macro_step", 1),
        ("algorithm.selected", 9),
        ("algorithm.selected", 6),
        ("output.min", math.inf),
        ("discontinuity.sensitivity", 0),
        ("quality.delta", -3),
    ],
)
def test_a_running_fmu_refuses_in_the_same_words(kernel, settings, name, value):
    state = reset(settings)
    init(settings, state, 0.0)
    kernel.init(0.0)
    expected = refusal(set_value, settings, state, variable(settings, name), value, True)
    assert same(refusal(kernel.set, variable(settings, name), value, True), expected)
    assert bytes(kernel.state) == state.pack()


def test_limits_that_cross_are_refused_and_the_old_value_stays(kernel, settings):
    kernel.init(0.0)
    kernel.set(variable(settings, "output.max"), 2.0, True)
    before = bytes(kernel.state)
    assert "output.min = 3" in refusal(kernel.set, variable(settings, "output.min"), 3.0, True)
    assert bytes(kernel.state) == before


@pytest.mark.parametrize(
    ("time", "size"),
    [
        (0.0, 0.0),
        (0.0, -0.01),
        (0.0, math.nan),
        (0.0, math.inf),
        (0.0, 1e300),
        (1.0, 0.01),
        (-1.0, 0.01),
        (math.nan, 0.01),
    ],
)
def test_a_refused_step_changes_nothing(kernel, settings, time, size):
    kernel.init(0.0)
    state = reset(settings)
    init(settings, state, 0.0)
    before = bytes(kernel.state)
    words = refusal(kernel.step, time, size), refusal(step, settings, state, time, size)
    assert words[0].split(" = ")[0] == words[1].split(" = ")[0]
    assert bytes(kernel.state) == before == state.pack()


@pytest.mark.parametrize("value", [1.0, 0.1, -2.5, 1e-300, 1.7976931348623157e308, 5e-324, 123456789.0, 1e9, -3.25e-7])
def test_numbers_in_sentences_are_right_to_eight_digits(kernel, settings, value):
    kernel.set(variable(settings, "macro_step"), -abs(value), False)
    words = refusal(kernel.init, 0.0)
    number = float(words.removeprefix("macro_step = ").partition(",")[0])
    assert number == pytest.approx(-abs(value), rel=1e-8, abs=1e-322)
    assert len(words) < SENTENCE


@pytest.mark.parametrize("start_time", [math.nan, math.inf, -math.inf])
def test_a_start_time_that_is_not_finite_is_refused(kernel, start_time):
    assert "start time" in refusal(kernel.init, start_time)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"latency.offset": -0.005, "latency.host_lead": -2.5, "latency.hold_lead": -0.5}, "make the lead -3.5 macro"),
        ({"latency.offset": -1e300, "latency.hold_lead": 64}, "allowed -3 or more"),
        ({"latency.mode": 2, "latency.constant_steps": 9, "latency.host_lead": -3.1}, "make the lead -3.1 macro"),
        ({"macro_step": 0, "latency.offset": -1e-9}, "allowed 0 or more with macro_step = 0"),
        ({"macro_step": 0, "latency.host_lead": -3.5}, "make the lead -3.5 macro"),
        ({"latency.host_lead": -64.5}, "latency.host_lead = -64.5, allowed -64 to 64"),
        ({"latency.hold_lead": math.nan}, "latency.hold_lead = nan, allowed -64 to 64"),
    ],
)
def test_a_lead_too_far_back_is_refused_in_the_same_words(values, text):
    settings = plain_settings(choose({"latency.host_lead": 1, "latency.hold_lead": 1}))
    state, kernel = reset(settings), Kernel(settings)
    for name, value in values.items():
        set_value(settings, state, variable(settings, name), value, False)
        kernel.set(variable(settings, name), value, False)
    expected = refusal(init, settings, state, 0.0)
    assert text in expected
    assert same(refusal(kernel.init, 0.0), expected)


@pytest.mark.parametrize(
    "values",
    [
        {"latency.offset": -0.03},
        {"latency.constant_steps": 5, "latency.host_lead": -8.0},
        {"macro_step": 0, "latency.host_lead": -3.0},
        {"latency.mode": 2, "latency.host_lead": -2.0, "latency.hold_lead": -1.0},
    ],
)
def test_the_smallest_lead_runs(values):
    settings = plain_settings(choose({"latency.host_lead": 1, "latency.hold_lead": 1}))
    state, kernel = reset(settings), Kernel(settings)
    for name, value in values.items():
        set_value(settings, state, variable(settings, name), value, False)
        kernel.set(variable(settings, name), value, False)
    init(settings, state, 0.0)
    kernel.init(0.0)
    for n in range(9):
        step(settings, state, n * 0.01, 0.01)
        kernel.step(n * 0.01, 0.01)
    assert bytes(kernel.state) == state.pack()
