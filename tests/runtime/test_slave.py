"""The slave in process: order of calls, messages, what the loader asks for."""

import pytest

from couplant_runtime.errors import CallRefused, SettingsError
from couplant_runtime.slave import CouplingSlave
from couplant_runtime.state import Clock

from .runs import STEP, coupling, estimates


def messages(driver):
    return [(message.status, message.category, message.msg) for message in driver.slave.log_queue]


def test_a_slave_without_settings_cannot_be_made(tmp_path):
    with pytest.raises(SettingsError, match="cannot be read"):
        CouplingSlave(instance_name="a", resources=str(tmp_path))


@pytest.mark.parametrize(
    "call",
    [
        lambda s: s.setup_experiment(0.0),
        lambda s: s.enter_initialization_mode(),
        lambda s: s.exit_initialization_mode(),
    ],
)
def test_initialisation_cannot_be_repeated_in_a_run(call):
    driver = coupling("foh", 0)
    estimates(driver, [0.0, 1.0])
    before = driver.save()
    with pytest.raises(CallRefused):
        call(driver.slave)
    assert driver.save() == before
    assert "is not allowed now" in messages(driver)[-1][2]
    assert estimates(driver, [2.0], first=2) == [3.0]


def test_no_step_after_the_end():
    driver = coupling("foh", 0)
    estimates(driver, [0.0, 1.0])
    driver.slave.terminate()
    assert not driver.step(2 * STEP, STEP)
    assert driver.get("y_hat") == 2.0


def test_a_restored_state_runs_on():
    driver = coupling("foh", 0)
    estimates(driver, [0.0, 1.0])
    saved = driver.save()
    driver.slave.terminate()
    driver.restore(saved)
    assert estimates(driver, [2.0], first=2) == [3.0]


@pytest.mark.parametrize(
    ("record", "field", "value"), [("latency", "early", -1), ("history", "newest", 70), ("switching", "active", 8)]
)
def test_a_state_that_no_run_can_have_had_is_refused_and_the_run_goes_on(record, field, value):
    driver = coupling("foh", 0)
    estimates(driver, [0.0, 1.0])
    wrong = driver.slave.state.copy()
    setattr(getattr(wrong, record), field, value)
    driver.restore(wrong.serialise(driver.slave.settings.fingerprint, Clock(0.0, 1, 0)))
    assert [message[:2] for message in messages(driver)] == [(1, "state")]
    assert estimates(driver, [2.0], first=2) == [3.0]


@pytest.mark.parametrize(
    ("reference", "kind"), [(0, "real"), (999, "real"), (-1, "integer"), (1, "boolean"), (1, "string")]
)
def test_an_unknown_reference_or_a_wrong_type_raises(reference, kind):
    driver = coupling("foh", 0)
    with pytest.raises(TypeError, match=f"value reference {reference} is no {kind} variable"):
        getattr(driver.slave, f"get_{kind}")([reference])
    with pytest.raises(TypeError):
        getattr(driver.slave, f"set_{kind}")([reference], [1])


def test_messages_have_status_category_and_time():
    driver = coupling("foh", 0)
    estimates(driver, [0.0, float("nan"), 2.0])
    assert messages(driver) == [
        (1, "input", "t = 0.01 s: y is not a finite number: a step without news; later ones are not logged")
    ]


def test_what_the_loader_asks_for():
    assert [base.__name__ for base in CouplingSlave.__mro__][1] == "Fmi2Slave"
    data = coupling("foh", 0).save()
    assert CouplingSlave._fmu_state_from_bytes(CouplingSlave._fmu_state_to_bytes(data)) == data
