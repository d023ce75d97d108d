"""State: one plain record, saved behind a header that recognises its own."""

import math
import struct

import pytest

from couplant_runtime.errors import StateRefused
from couplant_runtime.state import SIZE, Clock, State

from .runs import coupling, estimates

MARK = 0x1234567890ABCDEF
HEADER = 32


def saved():
    driver = coupling("eros3", 2)
    estimates(driver, [math.sin(n) for n in range(20)])
    return driver.slave.state


def test_what_is_saved_comes_back():
    state, clock = saved(), Clock(-2.5, 1, 0)
    data = state.serialise(MARK, clock)
    back, back_clock = State.restore(data, MARK)
    assert back.pack() == state.pack()
    assert back_clock == clock
    assert back.serialise(MARK, clock) == data


@pytest.mark.parametrize("length", [0, 1, 8, 31, 32, 33, 1000, -1, -8])
def test_truncated_data_are_refused(length):
    data = saved().serialise(MARK, Clock())
    with pytest.raises(StateRefused, match="bytes"):
        State.restore(data[:length], MARK)
    with pytest.raises(StateRefused, match="bytes"):
        State.restore(data + b"\0", MARK)


@pytest.mark.parametrize("place", [0, 7, 8, 12, 16, 23, HEADER, HEADER + 100, -1])
def test_changed_data_are_refused(place):
    data = bytearray(saved().serialise(MARK, Clock()))
    data[place] ^= 0x40
    with pytest.raises(StateRefused):
        State.restore(bytes(data), MARK)


def test_the_state_of_other_settings_is_refused():
    with pytest.raises(StateRefused):
        State.restore(saved().serialise(MARK, Clock()), MARK + 1)


def test_records_have_no_padding_but_their_filler():
    sizes = {"d": 8, "q": 8, "i": 4, "B": 1}
    for record in State(with_neural=True, with_model=True).records():
        used = 0
        for _, code, count in record.FIELDS:
            assert used % sizes[code] == 0
            used += sizes[code] * count
        assert record.LAYOUT.size % 8 == 0 <= record.LAYOUT.size - used < 8
    assert len(saved().pack()) == SIZE


def test_only_a_state_with_a_bond_a_lag_a_plant_or_with_what_stands_behind_it_has_its_record():
    follow = len(State().follow.pack())
    phasor = follow + len(State().phasor.pack())
    bond = phasor + sum(len(getattr(State(), name).pack()) for name in ("bond", "energy"))
    plant = bond + len(State().plant.pack())
    neural, model = (len(getattr(State(True, True), name).pack()) for name in ("neural", "model"))
    assert size_of() == SIZE
    assert size_of(follows=True) == SIZE + follow
    assert size_of(periodic=True) == SIZE + phasor
    assert size_of(bonded=True) == SIZE + bond
    assert size_of(planted=True) == SIZE + plant
    assert size_of(with_neural=True) == SIZE + plant + neural
    assert size_of(with_model=True) == SIZE + model


def size_of(**parts):
    return len(State(**parts).pack())


def test_every_nan_is_stored_as_one_bit_pattern():
    records = set()
    for pattern in (b"\x01\0\0\0\0\0\xf8\xff", b"\0\0\0\0\0\0\xf8\x7f", b"\x07\0\0\0\0\0\xf0\x7f"):
        state = State()
        state.input.y = state.input.y_time = struct.unpack("<d", pattern)[0]
        records.add(state.pack())
    assert len(records) == 1


def test_a_copy_is_independent():
    state = saved()
    before = state.pack()
    twin = state.copy()
    twin.input.y = 99.0
    twin.history.past[3] = 99.0
    twin.history.marked[0] = 1
    assert state.pack() == before
    assert twin.pack() != before
