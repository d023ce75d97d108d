"""Saved states: complete, exact, and refused when they are not what they seem."""

import ctypes as ct
import random
import struct
import zlib

import pytest

from tests.native import ERROR, OK

MODELS = ("mass_1", "mass_1_stop", "mass_2", "network", "power_bonds", "crane_arm")
SIZE = 0.05


def drive(instance, first, count):
    """Step with a moving input; return the outputs."""
    inputs = [v.name for v in instance.description.modelVariables if v.causality == "input"]
    outputs = [v.name for v in instance.description.modelVariables if v.causality == "output"]
    rows = []
    for n in range(first, first + count):
        for i, name in enumerate(inputs):
            assert instance.set(name, ((n * 7 + i * 3) % 11) / 11 - 2.0) == OK
        assert instance.step(n * SIZE, SIZE) == OK
        rows.append([instance.get(name) for name in outputs])
    return rows


@pytest.fixture(params=MODELS)
def model(request):
    return request.param


def prepared(load, model, fmi):
    instance = load(model, fmi)
    values = {"latency.mode": 2, "latency.jitter": 0.3, "loss": 0.2} if model == "network" else {}
    return instance.initialise(**values)


def test_a_restored_run_equals_the_uninterrupted_one(load, model, fmi):
    instance = prepared(load, model, fmi)
    drive(instance, 0, 20)
    state, data = instance.save(), instance.serialise()
    expected = drive(instance, 20, 30), instance.serialise()
    assert instance.restore(state) == OK
    assert instance.serialise() == data
    assert (drive(instance, 20, 30), instance.serialise()) == expected
    status, copy = instance.deserialise(data)
    assert status == OK and instance.restore(copy) == OK
    assert (drive(instance, 20, 30), instance.serialise()) == expected
    for each in (state, copy):
        assert instance.call(f"FreeFMU{'s' if fmi == '2' else 'S'}tate", ct.byref(each)) == OK
        assert not each.value


def test_a_state_goes_to_another_instance_in_any_phase(load, model, fmi):
    one, other = prepared(load, model, fmi), load(model, fmi)
    drive(one, 0, 10)
    status, state = other.deserialise(one.serialise())
    assert status == OK and other.restore(state) == OK
    assert drive(one, 10, 10) == drive(other, 10, 10)


def test_inputs_set_before_saving_are_in_the_state(load, fmi):
    instance = load("mass_2", fmi).initialise()
    instance.set("x1", 0.5)
    state, force = instance.save(), instance.get("f")
    instance.set("x1", 9.0)
    instance.restore(state)
    assert instance.get("f") == force


def test_a_state_is_overwritten_in_place(load, fmi):
    instance = load("mass_1", fmi).initialise()
    state = instance.save()
    address = state.value
    drive(instance, 0, 3)
    position = instance.get("x1")
    assert instance.call(f"GetFMU{'s' if fmi == '2' else 'S'}tate", ct.byref(state)) == OK
    assert state.value == address
    drive(instance, 3, 3)
    instance.restore(state)
    assert instance.get("x1") == position


@pytest.mark.parametrize("at", [0, 7, 8, 12, 16, 24, 40, 80, -1])
def test_a_changed_byte_is_found(load, model, fmi, at):
    instance = prepared(load, model, fmi)
    drive(instance, 0, 5)
    data = bytearray(instance.serialise())
    data[at] ^= 0x10
    before = instance.serialise()
    status, state = instance.deserialise(bytes(data))
    assert status == ERROR and not state.value
    assert "state refused" in instance.messages[-1][2]
    assert instance.serialise() == before


@pytest.mark.parametrize("cut", [slice(0, 0), slice(0, 10), slice(0, -1), slice(1, None)])
def test_a_truncated_state_is_refused(load, model, fmi, cut):
    instance = prepared(load, model, fmi)
    before = instance.serialise()
    assert instance.deserialise(before[cut])[0] == ERROR
    assert instance.deserialise(before + b"x")[0] == ERROR
    assert instance.serialise() == before


def test_the_state_of_another_fmu_is_refused(load, fmi):
    one, other = load("mass_1", fmi), load("mass_1", fmi, settings={"m1": 2.0})
    assert other.deserialise(one.serialise())[0] == ERROR
    assert "settings" in other.messages[-1][2]
    assert load("mass_2", fmi).deserialise(one.serialise())[0] == ERROR
    state = one.save()
    assert other.restore(state) == ERROR


def test_null_pointers_and_short_arrays_are_refused(load, fmi):
    instance = load("mass_1", fmi)
    none, state, size = ct.c_void_p(), instance.save(), ct.c_size_t(3)
    letter = "s" if fmi == "2" else "S"
    assert instance.call(f"GetFMU{letter}tate", none) == ERROR
    assert instance.call(f"SetFMU{letter}tate", none) == ERROR
    assert instance.call(f"FreeFMU{letter}tate", none) == OK
    assert instance.call(f"SerializedFMU{letter}tateSize", state, none) == ERROR
    assert instance.call(f"SerializeFMU{letter}tate", state, ct.create_string_buffer(3), size) == ERROR
    assert instance.call(f"SerializeFMU{letter}tate", none, ct.create_string_buffer(3), size) == ERROR


HEAD, START, RUNNING, STALE = 48, 32, 40, 44
"""Bytes of the header of a state, and places in it."""
PLACES = {
    "network": ("<i", 1072, (-1, 257)),
    "probe": ("<q", 632, (-1, 2**62)),
    "probe_partner": ("<q", 32, (-1, 2**62)),
}
"""Of each model a number that counts or points: code, place in the state and values that it cannot have."""


def changed(data, at, code, value):
    """Return a state with another number and a right checksum."""
    data = bytearray(data)
    struct.pack_into(code, data, at, value)
    struct.pack_into("<Q", data, 24, zlib.crc32(data[START:]))
    return bytes(data)


def refuses(instance, data):
    """Say whether a state is refused, with a reason, and nothing is changed by it."""
    before = instance.serialise()
    status, state = instance.deserialise(data)
    if status == OK:
        assert instance.restore(state) == OK
        assert instance.call(f"FreeFMU{'s' if instance.fmi == '2' else 'S'}tate", ct.byref(state)) == OK
        return False
    assert not state.value and "state refused" in instance.messages[-1][2]
    assert instance.serialise() == before
    return True


@pytest.mark.parametrize("at, code, value", [
    (START, "<d", float("nan")), (START, "<d", float("inf")), (RUNNING, "<i", 127), (RUNNING, "<i", 4),
    (RUNNING, "<i", -1), (STALE, "<i", 2),
])  # fmt: skip
def test_a_wrong_header_with_a_right_checksum_is_refused(load, fmi, at, code, value):
    instance = load("mass_1", fmi).initialise()
    assert refuses(instance, changed(instance.serialise(), at, code, value))


@pytest.mark.parametrize("model", PLACES)
def test_a_count_out_of_bounds_is_refused(load, model, fmi):
    instance = load(model, fmi).initialise()
    code, place, values = PLACES[model]
    for value in values:
        assert refuses(instance, changed(instance.serialise(), HEAD + place, code, value))


def test_a_parameter_out_of_its_range_is_refused_once_the_fmu_runs(load, fmi):
    instance = load("mass_1", fmi)
    instance.initialise()
    data = instance.serialise()
    mass = struct.pack("<d", instance.get("m1"))
    assert refuses(instance, changed(data, data.index(mass, HEAD), "<d", -1.0))


@pytest.mark.sample(4)
@pytest.mark.parametrize("model", dict.fromkeys([*MODELS, *PLACES]))
def test_any_word_of_a_state_may_be_wrong(load, model, fmi):
    """Refused, or a run that goes on: nothing is read or written outside the state."""
    instance = prepared(load, model, fmi)
    for n in range(12):
        instance.step(n * SIZE, SIZE)
    honest, chance, refused = instance.serialise(), random.Random(7), 0
    for _ in range(400):
        at = chance.randrange(START, len(honest) - 8) // 4 * 4
        value = chance.choice((-1, 1, 2, 255, 2**31 - 1, -(2**31), 0x7FF80000, 0x7FE00000, -0x00200000, 1 << 20))
        refused += refuses(instance, changed(honest, at, "<i", value))
        for name in list(instance.variables)[:3]:
            instance.get(name)
        for n in range(2):
            instance.step((12 + n) * SIZE, SIZE)
        assert not refuses(instance, honest)
    assert refused
