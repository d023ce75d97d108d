"""The written form of real numbers in JavaScript: that of `couplant.base.written`."""

import random
import struct

from couplant.base.written import hexadecimal, real
from tests.base.test_written import ROWS
from tests.workbench.node import run

WRITE = """
import { hexadecimal, real } from "./python/real.js";
const view = new DataView(new ArrayBuffer(8));
const one = (bits) => {
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return [real(view.getFloat64(0)), hexadecimal(view.getFloat64(0))];
};
answer(given.map(one));
"""
REFUSE = """
import { hexadecimal, real } from "./python/real.js";
const said = (write) => (value) => {
  try {
    return write(value);
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
answer([NaN, Infinity, -Infinity].map((value) => [said(real)(value), said(hexadecimal)(value)]));
"""


def test_every_number_of_the_file():
    assert run(WRITE, [bits for bits, _, _ in ROWS]) == [forms for _, *forms in ROWS]


def test_random_doubles_as_in_python():
    draw = random.Random(64)
    values = [struct.unpack(">d", draw.randbytes(8))[0] for _ in range(3000)]
    values += [draw.randint(-(10**9), 10**9) / 10 ** draw.randint(0, 25) for _ in range(3000)]
    values += [draw.uniform(-1, 1) * 10.0 ** draw.randint(-6, 18) for _ in range(3000)]
    values = [value for value in values if abs(value) < float("inf")]
    bits = [struct.pack(">d", value).hex() for value in values]
    assert run(WRITE, bits) == [[real(value), hexadecimal(value)] for value in values]


def test_what_no_file_can_hold_is_refused_in_the_same_words():
    expected = []
    for value in (float("nan"), float("inf"), float("-inf")):
        try:
            real(value)
        except ValueError as error:
            expected.append([f"ValueError: {error}"] * 2)
    assert len(expected) == 3 and run(REFUSE) == expected
