"""Write `numbers.txt`: doubles, the one decimal that they are written as, and their form in hexadecimal.

Nothing of the code under test is imported, nor is `repr` asked. Run `python tests/vectors/generate_numbers.py` to write
the file anew. The decimal is the shortest that is read as the double, the closest of these, as Python's `repr` and
JavaScript's `String` (ECMA-262, Number::toString) promise. A point stands in it from 1e-4 up to below 1e16.
"""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

FILE = Path(__file__).with_name("numbers.txt")
HEAD = """# Doubles as 64 bits, and as they are written: in decimal, in hexadecimal.
# origin tests/vectors/generate_numbers.py: exact fractions
"""
EDGES = (
    *(0.0, -0.0, 0.1, 0.2, 0.3, 1.0, -1.0, 3.0, 1e-4, 1e-5, 1e15, 1e16, 1e17, 1e20, 1e21, 1e22, 1e23, 9e15, 9.5e15),
    *(9999999999999998.0, 9999999999999999.0, 12345678901234567.0, 9007199254740991.0, 9007199254740993.0),
    *(0.0001234, 0.00009999999999999999, 0.00001234, 123456789.125, 1234567890123456.5, 4.35, 5e-324, 1.5e-323),
    *(2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308, 2.0**-44, 2.0**-1022, 2.0**1023),
    *(1 / 3, 2 / 3, math.pi, math.e, 0.05, 100.0, 1e6, 123456.0, 0.5, 0.25, 1e-7, 1.5e-7, 123e45, 6.02214076e23),
)
"""Signs of zero, changes of the form, ends of what a double holds, and decimals that engineers write."""


def doubles() -> Iterator[float]:
    """Yield the edges, powers of ten and of two with their neighbours, and random bits."""
    yield from EDGES
    for power in range(-30, 31):
        yield float(Fraction(10) ** power)
    for power in (-324, -323, -309, -308, -100, -50, 50, 100, 307, 308):
        yield float(Fraction(10) ** power)
    for power in range(-1074, 1024, 61):
        yield from (math.ldexp(1.0, power), math.nextafter(math.ldexp(1.0, power), 0.0))
    for value in (1e-5, 1e-4, 1.0, 1e15, 1e16, 1e17):
        yield from (math.nextafter(value, 0.0), math.nextafter(value, math.inf))
    draw = random.Random(754)
    for _ in range(200):
        (value,) = struct.unpack("<d", draw.randbytes(8))
        if math.isfinite(value):
            yield value
    for _ in range(60):
        yield draw.randint(-(10**6), 10**6) / 10 ** draw.randint(0, 9)


def nearest(value: Fraction) -> float:
    """Return the double that a decimal is read as."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def shortest(value: Fraction, bits: float) -> tuple[int, int]:
    """Return the digits of a positive number as a whole number, and the power of ten of the first of them."""
    power = math.floor(math.log10(bits))
    power += (value >= Fraction(10) ** (power + 1)) - (value < Fraction(10) ** power)
    for count in range(1, 18):
        unit = Fraction(10) ** (power - count + 1)
        below = value // unit
        fit = [digits for digits in (below, below + 1) if nearest(digits * unit) == bits]
        if fit:
            digits = min(fit, key=lambda one: (abs(one * unit - value), one % 2))
            return (digits // 10, power + 1) if digits == 10**count else (digits, power)
    raise AssertionError(f"{bits.hex()}: 17 digits are enough")


def written(value: float) -> str:
    """Return the one form of a double."""
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if value == 0:
        return f"{sign}0.0"
    number, power = shortest(Fraction(abs(value)), abs(value))
    digits = str(number).rstrip("0")
    if -4 <= power < 16:
        whole = digits[: power + 1].ljust(power + 1, "0") if power >= 0 else "0"
        rest = digits[power + 1 :] if power >= 0 else "0" * (-power - 1) + digits
        return f"{sign}{whole}.{rest or '0'}"
    point = "." if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{point}{digits[1:]}e{'-' if power < 0 else '+'}{abs(power):02d}"


def hexadecimal(bits: int) -> str:
    """Return the form of C99 (7.19.6.1, conversion a) of the double with these bits, no zeros at its end."""
    sign, power, fraction = bits >> 63, bits >> 52 & 0x7FF, bits & (1 << 52) - 1
    count = 13
    while count and fraction % 16 == 0:
        fraction, count = fraction // 16, count - 1
    exponent = power - 1023 if power else (-1022 if count else 0)
    point = f".{fraction:0{count}x}" if count else ""
    return f"{'-' if sign else ''}0x{int(power > 0)}{point}p{exponent:+d}"


def text() -> str:
    """Return the file."""
    rows = {struct.pack(">d", value).hex(): written(value) for value in doubles()}
    return HEAD + "".join(f"{bits} {decimal} {hexadecimal(int(bits, 16))}\n" for bits, decimal in rows.items())


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
