"""Getting and setting: references, types, null pointers, and reading after setting."""

import ctypes as ct

import pytest

from tests.native import DISCARD, ERROR, OK


def references(*numbers):
    return (ct.c_uint32 * len(numbers))(*numbers)


def get(instance, kind, vr, n, values, n_values=None):
    more = [] if instance.fmi == "2" else [ct.c_size_t(n if n_values is None else n_values)]
    return instance.call(f"Get{kind}", vr, ct.c_size_t(n), values, *more)


def put(instance, kind, vr, n, values, n_values=None):
    more = [] if instance.fmi == "2" else [ct.c_size_t(n if n_values is None else n_values)]
    return instance.call(f"Set{kind}", vr, ct.c_size_t(n), values, *more)


def real(fmi):
    return "Real" if fmi == "2" else "Float64"


@pytest.mark.parametrize("reference", [0, 1000, 2**32 - 1])
def test_unknown_references_are_refused(load, fmi, reference):
    instance = load(fmi=fmi)
    assert get(instance, real(fmi), references(reference), 1, (ct.c_double * 1)()) == ERROR
    assert str(reference) in instance.messages[-1][2]
    assert put(instance, real(fmi), references(reference), 1, (ct.c_double * 1)()) == ERROR


def test_another_type_is_refused(load, fmi):
    instance = load(fmi=fmi)
    number = instance.variables["x1"].valueReference
    assert get(instance, "Boolean", references(number), 1, (ct.c_int32 * 1)()) == ERROR
    assert "x1" in instance.messages[-1][2]


def test_null_pointers_are_refused(load, fmi):
    instance, none, array = load(fmi=fmi), ct.c_void_p(), (ct.c_double * 1)()
    assert get(instance, real(fmi), none, 1, array) == ERROR
    assert get(instance, real(fmi), references(1), 1, none) == ERROR
    assert put(instance, real(fmi), none, 1, array) == ERROR
    assert put(instance, real(fmi), references(1), 1, none) == ERROR


def test_nothing_may_be_asked_for(load, fmi):
    instance, none = load(fmi=fmi), ct.c_void_p()
    assert get(instance, real(fmi), none, 0, none) == OK
    assert put(instance, real(fmi), none, 0, none) == OK
    assert get(instance, "String", none, 0, none) == OK


def test_there_are_no_strings(load, fmi):
    instance = load(fmi=fmi)
    assert get(instance, "String", references(1), 1, (ct.c_char_p * 1)()) == ERROR


def test_counts_must_agree(load):
    instance = load(fmi="3")
    assert get(instance, "Float64", references(1, 2), 2, (ct.c_double * 2)(), 1) == ERROR
    assert put(instance, "Float64", references(1, 2), 2, (ct.c_double * 2)(), 3) == ERROR


def test_a_null_instance_is_an_error(load, fmi):
    instance = load(fmi=fmi)
    kept, instance.component = instance.component, None
    assert get(instance, real(fmi), references(1), 1, (ct.c_double * 1)()) == ERROR
    assert instance.step(0.0, 0.1) == ERROR
    instance._function("FreeInstance", None)(None)
    instance.component = kept


def test_start_values_are_those_of_the_description(load, fmi):
    for name in ("mass_1", "mass_1_stop", "mass_2", "network"):
        instance = load(name, fmi)
        for variable in instance.description.modelVariables:
            if variable.start is not None:
                number = {"true": 1.0, "false": 0.0}.get(variable.start)
                assert instance.get(variable.name) == (float(variable.start) if number is None else number)


def test_settings_change_description_and_binary_alike(load, fmi):
    instance = load("network", fmi, settings={"loss": 0.25, "latency.mode": "erlang", "reordering": False})
    values = [instance.get(name) for name in ("loss", "latency.mode", "reordering", "seed")]
    assert values == [0.25, 3, 0, 1]
    starts = {variable.name: variable.start for variable in instance.description.modelVariables}
    assert (starts["loss"], starts["latency.mode"], starts["reordering"]) == ("0.25", "3", "false")


def test_what_is_refused_keeps_its_value_and_the_rest_is_set(load, fmi):
    instance = load(fmi=fmi).initialise(x1=1.0)
    array = (ct.c_double * 2)(2.0, float("nan"))
    numbers = references(*(instance.variables[name].valueReference for name in ("x1", "v1")))
    assert put(instance, real(fmi), numbers, 2, array) == (DISCARD if fmi == "2" else ERROR)
    assert (instance.get("x1"), instance.get("v1")) == (2.0, 0.0)


def test_a_read_after_a_set_is_fresh_repeatable_and_without_effect(load, fmi):
    instance, other = load(fmi=fmi).initialise(), load(fmi=fmi).initialise()
    for n in range(5):
        for probe in (3.0, -1.0, 0.5):
            instance.set("x1", probe)
            fresh = instance.get("cc") * (instance.get("x2") - probe)
            fresh += instance.get("dc") * (instance.get("v2") - instance.get("v1"))
            assert instance.get("f") == fresh
            assert instance.get("f") == fresh
        other.set("x1", 0.5)
        for each in (instance, other):
            assert each.step(n * 0.02, 0.02) == OK
    assert instance.serialise() == other.serialise()


def test_directional_derivatives_of_the_coupling_force(load, fmi):
    instance = load(fmi=fmi, settings={"cc": 3.0, "dc": 0.5}).initialise()
    reference = {name: variable.valueReference for name, variable in instance.variables.items()}
    unknowns, knowns = references(reference["f"], reference["x2"]), references(reference["x1"], reference["v1"])
    seed, result = (ct.c_double * 2)(2.0, 10.0), (ct.c_double * 2)()
    two = ct.c_size_t(2)
    counts = (unknowns, two, knowns, two)
    if fmi == "2":
        assert instance.call("GetDirectionalDerivative", *counts, seed, result) == OK
    else:
        assert instance.call("GetDirectionalDerivative", *counts, seed, two, result, two) == OK
    assert list(result) == [-3.0 * 2.0 - 0.5 * 10.0, 0.0]


def test_derivatives_that_are_not_there_are_refused(load, fmi):
    instance = load("mass_1", fmi).initialise()
    one, seed, order = ct.c_size_t(1), (ct.c_double * 1)(1.0), (ct.c_int32 * 1)(1)
    counts = (references(3), one, references(1), one)
    more = (seed, seed) if fmi == "2" else (seed, one, seed, one)
    assert instance.call("GetDirectionalDerivative", *counts, *more) == ERROR
    name = "GetRealOutputDerivatives" if fmi == "2" else "GetOutputDerivatives"
    assert instance.call(name, references(3), one, order, seed, *([] if fmi == "2" else [one])) == ERROR
