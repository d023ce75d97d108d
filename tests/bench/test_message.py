"""The layout of the datagrams: byte by byte, there and back, and what is refused."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from couplant.bench.message import HELLO, NO_TIME, START, VALUES, Message, Unusable, pack, unpack

finite = st.floats(allow_nan=False, allow_infinity=False)
instant = st.floats(-1e300, allow_nan=False, allow_infinity=False)
count32 = st.integers(0, 2**32 - 1)
MESSAGE = Message(VALUES, 1, 0x01020304, 0x05060708, 9, 0.5, 0.25, NO_TIME, ((0.5, 1.0, -2.0), (0.49, 3.0, 4.0)))


@st.composite
def messages(draw):
    width, count = draw(st.integers(0, 8)), draw(st.integers(0, 8))
    block = st.tuples(*[finite] * (width + 1))
    blocks = tuple(draw(block) for _ in range(count))
    kind, sender = draw(st.sampled_from((HELLO, START, VALUES))), draw(st.integers(0, 1))
    return Message(kind, sender, draw(count32), draw(count32), draw(count32), draw(instant), 0.0, NO_TIME, blocks)


@given(messages())
def test_there_and_back(message):
    assert unpack(pack(message)) == message


@pytest.mark.parametrize("beside", [-1.797693134862315e308, -1.1e300])
def test_a_time_beside_the_one_that_stands_for_none_is_none(beside):
    message = unpack(pack(Message(START, 0, 1, sent=beside, echo=beside, time=beside)))
    assert message.sent == message.echo == message.time == NO_TIME


def test_the_layout_is_the_documented_one():
    expected = b"CPLT" + bytes([2, 3, 2, 2, 2, 0, 0, 0])
    expected += bytes([4, 3, 2, 1, 8, 7, 6, 5, 9, 0, 0, 0])
    expected += struct.pack("<9d", 0.5, 0.25, NO_TIME, 0.5, 1.0, -2.0, 0.49, 3.0, 4.0)
    assert pack(MESSAGE) == expected
    assert len(expected) == 48 + 8 * 3 * 2


def changed(at, value):
    data = bytearray(pack(MESSAGE))
    data[at : at + len(value)] = value
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "foreign"),
        (b"GET / HTTP/1.1\r\n", "foreign"),
        (b"CPLT", "truncated"),
        (pack(MESSAGE)[:47], "truncated"),
        (pack(MESSAGE)[:-1], "truncated"),
        (pack(MESSAGE) + b"\0", "truncated"),
        (changed(4, b"\1"), "version"),
        (changed(5, b"\0"), "foreign"),
        (changed(6, b"\3"), "foreign"),
        (changed(7, b"\xff"), "truncated"),
        (changed(8, b"\xff"), "foreign"),
        (changed(24, struct.pack("<d", float("nan"))), "not_finite"),
        (changed(56, struct.pack("<d", float("inf"))), "not_finite"),
        (changed(64, struct.pack("<d", float("nan"))), "not_finite"),
    ],
)
def test_nonsense_is_refused_with_its_reason(data, reason):
    with pytest.raises(Unusable) as refusal:
        unpack(data)
    assert refusal.value.reason == reason


@given(st.binary(max_size=200))
def test_no_bytes_do_harm(data):
    for datagram in (data, b"CPLT\2\3\1" + data):
        try:
            unpack(datagram)
        except Unusable:
            continue
