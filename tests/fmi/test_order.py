"""The call order: what is refused changes nothing, reading is allowed in any state, nothing crashes."""

import ctypes as ct

import pytest

from tests.native import DISCARD, ERROR, OK


def into(instance, phase):
    """Bring an instance into a phase of its life."""
    if phase == "instantiated":
        return instance
    instance.enter()
    if phase == "initialization":
        return instance
    instance.call("ExitInitializationMode")
    if phase == "stepping":
        return instance
    if phase == "failed":
        assert instance.step(7.0, 0.1) == ERROR
        return instance
    assert instance.call("Terminate") == OK
    return instance


PHASES = ("instantiated", "initialization", "stepping", "failed", "terminated")

ALLOWED = {
    "EnterInitializationMode": {"instantiated"},
    "ExitInitializationMode": {"initialization"},
    "Terminate": {"stepping", "failed"},
    "DoStep": {"stepping"},
    "Reset": set(PHASES),
}


def call(instance, name):
    if name == "DoStep":
        return instance.step(0.0, 0.1)
    if name == "EnterInitializationMode" and instance.fmi == "3":
        return instance.call(name, False, 0.0, 0.0, False, 0.0)
    return instance.call(name)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("name", ALLOWED)
def test_only_in_its_phases(load, fmi, phase, name):
    instance = into(load(fmi=fmi), phase)
    instance.messages.clear()
    allowed = phase in ALLOWED[name]
    assert call(instance, name) == (OK if allowed else ERROR)
    assert bool(instance.messages) != allowed
    if not allowed:
        ((status, category, text),) = instance.messages
        assert (status, category) == (ERROR, "call")
        assert name in text


@pytest.mark.parametrize("phase", PHASES)
def test_reading_is_harmless_in_any_phase(load, fmi, phase):
    instance = into(load(fmi=fmi), phase)
    before = instance.serialise()
    assert [instance.get(name) for name in instance.variables] == [instance.get(name) for name in instance.variables]
    assert instance.serialise() == before


def test_a_refused_call_changes_nothing(load, fmi):
    instance, other = load(fmi=fmi).initialise(x1=0.5), load(fmi=fmi).initialise(x1=0.5)
    for name in ("EnterInitializationMode", "ExitInitializationMode"):
        assert call(instance, name) == ERROR
    assert instance.serialise() == other.serialise()
    assert instance.run(5, 0.02, "f", "x2") == other.run(5, 0.02, "f", "x2")


@pytest.mark.parametrize(("name", "phases"), [("m2", {"instantiated", "initialization"}), ("x1", set(PHASES[:3]))])
def test_parameters_are_fixed_after_initialisation(load, fmi, name, phases):
    for phase in PHASES:
        instance = into(load(fmi=fmi), phase)
        assert instance.set(name, 2.0) == (OK if phase in phases else ERROR), phase


@pytest.mark.parametrize("name", ["f", "time"])
def test_outputs_and_time_cannot_be_set(load, fmi, name):
    assert load(fmi=fmi).set(name, 1.0) == ERROR


def test_the_same_fixed_value_again_changes_nothing_but_its_type_counts(load, fmi):
    instance = load("network", fmi).initialise()
    assert instance.set("latency.mode", instance.get("latency.mode")) == OK and not instance.messages
    reference = (ct.c_uint32 * 1)(instance.variables["latency.mode"].valueReference)
    values, more = (ct.c_double * 1)(instance.get("latency.mode")), [ct.c_size_t(1)] if fmi == "3" else []
    name = "SetFloat64" if fmi == "3" else "SetReal"
    assert instance.call(name, reference, ct.c_size_t(1), values, *more) == ERROR


def test_a_step_of_no_size_changes_nothing(load, fmi):
    instance, other = load(fmi=fmi).initialise(x1=1.0), load(fmi=fmi).initialise(x1=1.0)
    assert instance.step(0.0, 0.0) == OK
    for one in (instance, other):
        one.run(3, 0.1)
    assert instance.step(instance.get("time"), 0.0) == OK
    assert instance.get("f") == other.get("f") and not instance.messages


@pytest.mark.parametrize("size", [-0.1, float("nan"), float("inf")])
def test_a_step_that_is_not_positive_is_refused(load, fmi, size):
    instance = load(fmi=fmi).initialise()
    assert instance.step(0.0, size) == ERROR
    assert "allowed above 0" in instance.messages[-1][2]


def test_time_going_backwards_is_refused_and_reset_or_a_saved_state_repair_it(load, fmi):
    instance = load(fmi=fmi).initialise(x1=1.0)
    instance.run(3, 0.1)
    state, values = instance.save(), instance.get("x2")
    expected = (instance.step(0.3, 0.1), instance.get("x2"))
    assert instance.step(0.2, 0.1) == ERROR
    assert "0.2" in instance.messages[-1][2] and "0.4" in instance.messages[-1][2]
    assert instance.step(0.4, 0.1) == ERROR
    assert instance.restore(state) == OK
    assert instance.get("x2") == values
    assert (instance.step(0.3, 0.1), instance.get("x2")) == expected
    assert instance.step(0.2, 0.1) == ERROR
    assert instance.call("Reset") == OK
    assert instance.initialise(x1=1.0).run(3, 0.1, "x2")[-1] == (values,)


def test_rounding_of_the_time_is_tolerated(load, fmi):
    instance = load(fmi=fmi).initialise()
    assert [instance.step(t, 0.1) for t in (0.0, 0.1 + 1e-9, 0.2 - 1e-9)] == [OK] * 3
    assert instance.step(0.3 + 1e-6, 0.1) == ERROR


def test_reset_gives_back_the_start_values(load, fmi):
    instance = load(fmi=fmi)
    fresh = instance.serialise()
    instance.initialise(m2=3.0, x1=0.1).run(3, 0.1)
    assert instance.call("Reset") == OK
    assert instance.serialise() == fresh


def test_out_of_range_is_an_error_at_initialisation_that_names_value_and_range(load, fmi):
    instance = load(fmi=fmi)
    assert instance.set("m2", -1.0) == OK
    assert instance.enter() == ERROR
    assert instance.messages[-1][2] == "m2 = -1, allowed 1e-6 to 1e+9 kg"
    assert instance.set("m2", 0.5) == OK
    assert instance.enter() == OK
    assert instance.set("m2", -2.0) == OK
    assert instance.call("ExitInitializationMode") == ERROR


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_inputs_of_a_prototype_must_be_numbers(load, fmi, value):
    instance = load(fmi=fmi).initialise(x1=0.25)
    assert instance.set("x1", value) == (DISCARD if fmi == "2" else ERROR)
    assert instance.get("x1") == 0.25


def test_unknown_items_of_enumerations_are_refused_at_once(load, fmi):
    instance = load("network", fmi)
    assert instance.set("latency.mode", 5) == (DISCARD if fmi == "2" else ERROR)
    assert instance.get("latency.mode") == 1
    assert "latency.mode = 5, allowed 1 to 4" in instance.messages[-1][2]


def test_whole_numbers_beyond_32_bits_are_refused(load):
    instance = load("network", "3")
    assert instance.set("latency.mode", 2**40) == ERROR
    assert instance.get("latency.mode") == 1


def test_an_impossible_period_is_refused(load, fmi):
    instance = load(fmi=fmi)
    if fmi == "2":
        assert instance.call("SetupExperiment", 0, 0.0, 1.0, 1, 0.5) == ERROR
        assert instance.call("SetupExperiment", 0, 0.0, float("nan"), 0, 0.0) == ERROR
    else:
        assert instance.call("EnterInitializationMode", False, 0.0, 1.0, True, 0.5) == ERROR


def test_starts_at_any_time(load, fmi):
    instance = load(fmi=fmi).initialise(start=-3.0)
    assert instance.get("time") == -3.0
    instance.run(2, 0.5, start=-3.0)
    assert instance.get("time") == -2.0
