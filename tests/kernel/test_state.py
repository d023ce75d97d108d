"""States: one plain structure, the same bytes as in Python, refused unless whole and from the same settings."""

import ctypes
import random
import struct

import pytest

from couplant_runtime.state import SIZE, Clock, State
from couplant_runtime.step import reset
from tests.kernel.library import RECORD, RECORD_PLANTED, Kernel, Refused, fields_of, library, needs_compiler
from tests.twin.scenario import plain_settings

pytestmark = needs_compiler

CLOCK = Clock(1.5, 1, 0)


def test_the_structure_is_that_of_python_and_has_no_padding():
    assert library().cp_test_state_size() == len(State(planted=True).pack()) == ctypes.sizeof(RECORD_PLANTED) <= 45056
    assert SIZE == ctypes.sizeof(RECORD) <= 24000


def test_each_member_lies_where_python_packs_it():
    state = State(planted=True)
    number = 0
    for record in state.records():
        for name, code, count in record.FIELDS:
            value = float(number % 100 + 1) if code == "d" else number % 100 + 1
            setattr(record, name, value if count == 1 else [value] * count)
            number += 1
    found = fields_of(RECORD_PLANTED.from_buffer_copy(state.pack()))
    expected = {}
    for name, record in zip(state.names(), state.records(), strict=True):
        for field, _, count in record.FIELDS:
            value = getattr(record, field)
            places = [""] if count == 1 else [f"[{i}]" for i in range(count)]
            expected |= {f"{name}.{field}{at}": value if count == 1 else value[i] for i, at in enumerate(places)}
    assert {name: value for name, value in found.items() if "filler" not in name} == expected
    assert not any(value for name, value in found.items() if "filler" in name)


def test_bytes_of_one_runtime_are_read_by_the_other(kernel, settings):
    kernel.init(2.0)
    kernel.step(2.0, 0.01)
    data = kernel.serialise(CLOCK)
    state, clock = State.restore(data, settings.fingerprint)
    assert (state.pack(), clock) == (bytes(kernel.state), CLOCK)
    fresh = reset(settings)
    before = Clock(1.5, 0, 1)
    assert kernel.restore(fresh.serialise(settings.fingerprint, before)) == before
    assert bytes(kernel.state) == fresh.pack()


@pytest.mark.parametrize("seed", range(30))
def test_a_single_wrong_bit_is_refused_and_changes_nothing(kernel, seed):
    kernel.init(0.0)
    before = bytes(kernel.state)
    data = bytearray(kernel.serialise(CLOCK))
    chance = random.Random(seed)
    data[chance.randrange(32) if seed < 15 else chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    with pytest.raises(Refused, match="damaged"):
        kernel.restore(bytes(data))
    assert bytes(kernel.state) == before


@pytest.mark.parametrize("change", [-1, 1, -5000, -100000])
def test_a_state_of_another_length_is_refused(kernel, change):
    data = kernel.serialise(CLOCK)
    data = data[:change] if change < 0 else data + b"\0" * change
    with pytest.raises(Refused, match=f"{len(data)} bytes"):
        kernel.restore(data)


def test_a_state_of_other_settings_is_refused(kernel):
    other = Kernel(plain_settings(fingerprint=99))
    with pytest.raises(Refused, match="these settings"):
        kernel.restore(other.serialise(CLOCK))


def test_nan_is_stored_as_one_bit_pattern(kernel, settings):
    y = settings.variables()[0]
    for bits in (0x7FF8000000000000, 0xFFF8000000000000, 0x7FF8000000000001, 0xFFFFFFFFFFFFFFFF):
        kernel.set(y, struct.unpack("<d", struct.pack("<Q", bits))[0], False)
        assert bytes(kernel.state)[:8] == struct.pack("<Q", 0x7FF8000000000000)


def test_a_restored_state_goes_on_as_if_nothing_had_happened(kernel, settings):
    y = settings.variables()[0]
    kernel.init(0.0)

    def go(n):
        outputs = []
        for i in range(n):
            kernel.set(y, float((i * 7919) % 13), True)
            kernel.step(kernel.state.grid.time, 0.01)
            outputs.append(bytes(kernel.state))
        return outputs

    go(20)
    saved = kernel.serialise(CLOCK)
    expected = go(50)
    kernel.restore(saved)
    assert go(50) == expected
