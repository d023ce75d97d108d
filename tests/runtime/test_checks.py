"""The border: which values the variables may take."""

import math

import pytest

from couplant.pack.settings import runtime_settings
from couplant_runtime.errors import ParameterRefused
from couplant_runtime.step import init, reset
from tests.drivers import set_value

from .runs import coupling, interface

SETTINGS = runtime_settings(interface("foh", 1, discontinuity={"enabled": False}), "s")
TABLE = {variable.name: variable for variable in SETTINGS.variables()}
PARAMETERS = [variable for variable in SETTINGS.variables() if variable.causality == "parameter"]
UNLIMITED = 1.7976931348623157e308


def wrong_values(variable):
    """Values just outside the range, and those that no range holds."""
    if variable.kind == "boolean":
        return []
    whole = variable.kind != "real"
    found = [] if whole else [math.nan, math.inf, -math.inf]
    if variable.minimum > -UNLIMITED:
        found.append(int(variable.minimum) - 1 if whole else variable.minimum - 1e-9)
    if variable.maximum < UNLIMITED:
        found.append(int(variable.maximum) + 1 if whole else variable.maximum + 1e-9)
    return found


WRONG = [(variable, value) for variable in PARAMETERS for value in wrong_values(variable)]


@pytest.mark.parametrize(("variable", "value"), WRONG, ids=lambda item: getattr(item, "name", str(item)))
def test_a_parameter_out_of_range_is_an_error_at_initialisation(variable, value):
    """An enumeration at once: there is no order in which two of them fit, as there is for ranges that depend."""
    state = reset(SETTINGS)
    with pytest.raises(ParameterRefused) as caught:
        set_value(SETTINGS, state, variable, value, running=False)
        assert variable.kind != "enumeration"
        init(SETTINGS, state, 0.0)
    assert str(caught.value).startswith(f"{variable.name} = {value}")
    assert "allowed" in str(caught.value)


@pytest.mark.parametrize(
    ("variable", "value"),
    [pair for pair in WRONG if pair[0].variability == "tunable"],
    ids=lambda item: getattr(item, "name", str(item)),
)
def test_a_tunable_parameter_out_of_range_is_refused_and_the_old_value_stays(variable, value):
    driver = coupling("foh", 1)
    before = driver.get(variable.name)
    driver.set(variable.name, value)
    assert driver.get(variable.name) == before
    assert f"{variable.name} = {value}, allowed" in driver.slave.log_queue[-1].msg


@pytest.mark.parametrize("variable", [v for v in PARAMETERS if v.variability == "fixed"], ids=lambda v: v.name)
def test_a_fixed_parameter_cannot_be_changed_in_a_run(variable):
    driver = coupling("foh", 1)
    before = driver.get(variable.name)
    driver.set(variable.name, before)
    assert driver.slave.log_queue == []
    driver.set(variable.name, before + 1)
    assert driver.get(variable.name) == before
    assert "fixed" in driver.slave.log_queue[-1].msg


@pytest.mark.parametrize("name", ["y_hat", "state", "quality.ok", "time"])
def test_an_output_cannot_be_set(name):
    driver = coupling("foh", 1)
    before = driver.get(name)
    driver.set(name, 1)
    assert driver.get(name) == before
    assert "cannot be set" in driver.slave.log_queue[-1].msg


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"output.min": 2.0, "output.max": 1.0}, "output.min = 2.0"),
        ({"latency.coast_steps": 9, "latency.lost_steps": 8}, "latency.lost_steps = 8"),
        ({"discontinuity.enabled": 1, "algorithm.selected": 3}, "smb"),
        ({"algorithm.selected": 6}, "linear"),
    ],
)
def test_parameters_that_contradict_each_other(values, text):
    state = reset(SETTINGS)
    for name, value in values.items():
        set_value(SETTINGS, state, TABLE[name], value, running=False)
    with pytest.raises(ParameterRefused, match=text):
        init(SETTINGS, state, 0.0)


@pytest.mark.parametrize(("name", "value"), [("output.min", 5.0), ("algorithm.selected", 3), ("algorithm.selected", 6)])
def test_a_change_that_contradicts_another_parameter_is_refused(name, value):
    driver = coupling("foh", 1, discontinuity={"enabled": True}, output={"max": 4.0})
    before = driver.get(name)
    driver.set(name, value)
    assert driver.get(name) == before


def test_event_timing_needs_a_macro_step():
    settings = runtime_settings(interface("foh", 1, "event"), "s")
    state = reset(settings)
    set_value(settings, state, TABLE["macro_step"], 0.0, running=False)
    with pytest.raises(ParameterRefused, match=r"macro_step = 0\.0 s"):
        init(settings, state, 0.0)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e308])
def test_inputs_take_anything(value):
    driver = coupling("foh", 1)
    driver.set("y", value)
    assert driver.get("y") == value or math.isnan(value)
    assert math.isfinite(driver.get("y_hat"))
