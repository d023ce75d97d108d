"""The written form of real numbers, held to a file that JavaScript is held to as well."""

import json
import math
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from couplant.base.written import hexadecimal, real
from tests.vectors import generate_numbers

ROWS = [line.split() for line in generate_numbers.FILE.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
CASES = [(struct.unpack(">d", bytes.fromhex(bits))[0], decimal, form) for bits, decimal, form in ROWS]


def test_every_number_of_the_file():
    assert len(CASES) > 400
    assert [real(value) for value, _, _ in CASES] == [decimal for _, decimal, _ in CASES]
    assert [hexadecimal(value) for value, _, _ in CASES] == [form for _, _, form in CASES]


def test_the_file_is_what_exact_fractions_give():
    assert generate_numbers.FILE.read_text(encoding="utf-8") == generate_numbers.text()


def test_the_form_changes_where_it_is_said_to():
    found = {text: real(float(text)) for text in ("1e-4", "9.99e-5", "1e15", "9999999999999998", "1e16", "-0")}
    assert list(found.values()) == ["0.0001", "9.99e-05", "1000000000000000.0", "9999999999999998.0", "1e+16", "-0.0"]


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(deadline=None)
def test_it_is_read_as_the_same_double_everywhere(value):
    text = real(value)
    for read in (float, json.loads):
        assert math.copysign(1.0, read(text)) == math.copysign(1.0, value) and read(text) == value
    assert "." in text or "e" in text  # nobody takes it for a whole number
    assert float.fromhex(hexadecimal(value)).hex() == value.hex()


def test_whole_numbers_are_written_as_real_ones():
    assert [real(3), real(True), real(10**16)] == ["3.0", "1.0", "1e+16"]


@pytest.mark.parametrize(("value", "name"), [(math.inf, "inf"), (-math.inf, "-inf"), (math.nan, "nan")])
def test_what_no_file_can_hold_is_refused(value, name):
    with pytest.raises(ValueError, match=f"^{name} cannot be written: allowed are finite numbers$"):
        real(value)
    with pytest.raises(ValueError, match=f"^{name} cannot be written"):
        hexadecimal(value)


