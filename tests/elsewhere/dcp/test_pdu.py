"""The codec: bytes worked out from the tables of the standard, both ways, and what is refused."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from couplant.elsewhere.dcp.pdu import LARGEST, LAYOUTS, Pdu, Refused, pack, unpack
from couplant.elsewhere.dcp.values import NotFinite, converts, pack_values, size_of, unpack_values

# by hand from section 3.3.7: first position of each field, its value, its bytes
WRITTEN = [
    (
        "STC_register",
        {
            "pdu_seq_id": 0x1234, "receiver": 7, "state_id": 0, "slave_uuid": bytes(range(16)), "op_mode": 2,
            "major_version": 1, "minor_version": 0,
        },
        "01 3412 07 00 000102030405060708090a0b0c0d0e0f 02 01 00",
    ),
    ("STC_run", {"pdu_seq_id": 1, "receiver": 1, "state_id": 5, "time": 2}, "06 0100 01 05 0200000000000000"),
    ("STC_do_step", {"pdu_seq_id": 1, "receiver": 1, "state_id": 11, "steps": 3}, "07 0100 01 0b 03000000"),
    ("CFG_steps", {"pdu_seq_id": 1, "receiver": 1, "steps": 3, "data_id": 9}, "21 0100 01 03000000 0900"),
    (
        "CFG_input",
        {"pdu_seq_id": 1, "receiver": 1, "data_id": 2, "pos": 3, "target_vr": 4, "source_data_type": 9},
        "22 0100 01 0200 0300 0400000000000000 09",
    ),
    (
        "CFG_target_network_information",
        {
            "pdu_seq_id": 1, "receiver": 1, "data_id": 2, "transport_protocol": 0, "port": 0x1F90,
            "ip_address": 0x7F000001,
        },
        "25 0100 01 0200 00 901f 0100007f",
    ),
    ("RSP_nack", {"resp_seq_id": 1, "sender": 2, "exp_seq_id": 3, "error_code": 0x2013}, "b1 0100 02 0300 1320"),
    ("NTF_state_changed", {"sender": 1, "state_id": 5}, "e0 01 05"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "fields", "written"), WRITTEN)
def test_bytes_stand_where_the_tables_say(name, fields, written):
    datagram = bytes.fromhex(written)
    assert pack(name, **fields) == datagram
    pdu = unpack(datagram)
    assert (pdu.name, pdu.fields, pdu.rest) == (name, fields, b"")


@st.composite
def pdus(draw):
    layout = LAYOUTS[draw(st.sampled_from(sorted(LAYOUTS)))]
    letters = layout.form.format.lstrip("<")[1:].replace("16s", "s")
    sizes = {
        "B": (0, 2**8 - 1),
        "H": (0, 2**16 - 1),
        "I": (0, 2**32 - 1),
        "Q": (0, 2**64 - 1),
        "q": (-(2**63), 2**63 - 1),
    }
    kinds = [st.binary(min_size=16, max_size=16) if x == "s" else st.integers(*sizes[x]) for x in letters]
    fields = {field: draw(kind) for field, kind in zip(layout.fields, kinds, strict=True)}
    return layout, fields, draw(st.binary(max_size=40)) if layout.open else b""


@given(pdus())
def test_every_pdu_comes_back_and_no_other_length_does(pdu):
    layout, fields, rest = pdu
    datagram = pack(layout.name, rest, **fields)
    assert unpack(datagram) == Pdu(layout.name, fields, rest)
    for cut in range(layout.form.size):
        with pytest.raises(Refused) as refused:
            unpack(datagram[:cut])
        assert refused.value.reason == ("short" if cut < 3 else "length")
    if not layout.open:
        with pytest.raises(Refused, match="length"):
            unpack(datagram + b"\0")


@given(st.binary(max_size=60))
def test_any_bytes_are_a_pdu_or_refused(datagram):
    try:
        pdu = unpack(datagram)
    except Refused as refused:
        assert refused.reason in ("short", "unknown", "length")
    else:
        assert pack(pdu.name, pdu.rest, **pdu.fields) == datagram


def test_types_are_those_of_table_62():
    families = {"STC": (0x01, 0x1F), "CFG": (0x20, 0x7F), "INF": (0x80, 0xAF), "RSP": (0xB0, 0xDF)}
    families |= {"NTF": (0xE0, 0xEF), "DAT": (0xF0, 0xFF)}
    for name, layout in LAYOUTS.items():
        first, last = families[name[:3]]
        assert first <= layout.number <= last
    assert len({layout.number for layout in LAYOUTS.values()}) == len(LAYOUTS) == 34
    with pytest.raises(Refused, match="unknown"):
        unpack(b"\x0b\0\0\0\0")


def test_what_cannot_be_written_is_refused():
    with pytest.raises(ValueError, match="allowed pdu_seq_id, receiver"):
        pack("CFG_clear", pdu_seq_id=1)
    with pytest.raises(ValueError, match="CFG_clear"):
        pack("CFG_clear", pdu_seq_id=65536, receiver=1)
    with pytest.raises(ValueError, match="at most"):
        pack("CFG_clear", b"x", pdu_seq_id=1, receiver=1)
    with pytest.raises(ValueError, match=f"{LARGEST} at most"):
        pack("DAT_input_output", bytes(LARGEST), pdu_seq_id=1, data_id=1)


def test_values_of_all_types():
    kinds = [*range(10)]
    values = [200.0, 60000.0, 4e9, 2.0**60, -100.0, -30000.0, -2e9, -(2.0**60), 0.5, 0.1]
    payload = pack_values(kinds, values)
    assert payload == struct.pack(
        "<BHIQbhiqfd", 200, 60000, 4 * 10**9, 2**60, -100, -30000, -2 * 10**9, -(2**60), 0.5, 0.1
    )
    assert (len(payload), unpack_values(kinds, payload)) == (size_of(kinds), values)
    assert unpack_values([0, 4], pack_values([0, 4], [1e9, -1e9])) == [255.0, -128.0]
    with pytest.raises(NotFinite):
        unpack_values([9], struct.pack("<d", float("nan")))


def test_conversions_are_those_of_table_11():
    names = ["Uint8", "Uint16", "Uint32", "Uint64", "Int8", "Int16", "Int32", "Int64", "Float32", "Float64"]
    table = {
        0: "xxxx.xxxxx", 1: ".xxx..xxxx", 2: "..xx...x.x", 3: "...x......", 4: "....xxxxxx", 5: ".....xxxxx",
        6: "......xx.x", 7: ".......x..", 8: "........xx", 9: ".........x", 10: "..........", 11: "..........",
    }  # fmt: skip
    for source, row in table.items():
        assert "".join("x" if converts(source, name) else "." for name in names) == row
