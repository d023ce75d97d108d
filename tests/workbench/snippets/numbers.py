"""Arithmetic, comparison, numbers as texts and from texts."""

from __future__ import annotations

import math


def case_signs():
    pairs = [(7, 3), (-7, 3), (7, -3), (-7, -3), (6, 3), (-6, 3), (0, 5), (2**52 - 1, 10), (-(2**52) + 1, 1000)]
    return [[a // b, a % b, divmod(a, b), a / b] for a, b in pairs]


def case_floats():
    pairs = [(7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (1.0, 0.1), (-1.0, 0.1), (1e300, 7.0), (0.3, 0.1), (5e-324, 2.0)]
    return [[a // b, a % b, a / b, a * b, a - b, divmod(a, b)] for a, b in pairs]


def case_whole_divisors():
    def halves(n: int) -> list[int]:
        return [n // 2, n % 2, n // 10, n % 10, n & 255, n >> 1, n >> 40, n << 3]

    return [halves(n) for n in (0, 1, -1, 7, -7, 12345678901, -12345678901, 2**45 + 3)]


def bits(a: int, b: int) -> list[int]:
    return [a & b, a | b, a ^ b, ~a, a & 0xFF, a & 0x7FFFFFFF]


def case_bits():
    values = [0, 1, -1, 0xFF, 2**31 - 1, 2**31, 2**32 - 1, -(2**31), 0xEDB88320, 2**40 + 5]
    crc = 0xFFFFFFFF
    for byte in b"123456789":
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0xEDB88320 if crc & 1 else crc >> 1
    return [[bits(a, b) for a in values for b in values], crc ^ 0xFFFFFFFF, True & False, True | False, True ^ True]


def case_rounding():
    halves = [0.5, 1.5, 2.5, -0.5, -1.5, 2.4999999999999996, 1e15 + 0.5, 3.0]
    digits = [(2.675, 2), (0.125, 2), (0.375, 2), (-0.125, 2), (1e22, 3), (5e-324, 5), (1234.5678, 1), (0.0, 2)]
    return [[round(x) for x in halves], [round(x, n) for x, n in digits], [abs(x) for x in halves]]


def case_math():
    xs = [2.5, -2.5, 0.0, 1e300, 7.0]
    sums = [[0.1] * 10, [1e100, 1.0, -1e100], [1e308, 1e308, -1e308] if False else [3.0], [1e-16, 1.0, 1e16]]
    return [
        [[math.floor(x), math.ceil(x), math.trunc(x), math.copysign(1.0, x), math.isfinite(x)] for x in xs if x < 1e9],
        [math.fsum(one) for one in sums], [math.sqrt(x) for x in (0.0, 2.0, 1e-300)],
        [math.frexp(x) for x in (*xs, 5e-324, -0.75)], [math.ldexp(0.7, n) for n in (-1074, -1060, -5, 0, 9, 1024)],
        [math.isnan(math.nan), math.isinf(-math.inf), math.isfinite(math.inf)],
    ]  # fmt: skip


SPECS = (
    ".0f .1f .2f .3f .10f f .0e .1e .3e e .15e g .1g .2g .3g .6g .9g .12g .15g .16g .17g .0g G E #.3g #g .0% .2% % "
    "+.2f 010.3f >12.3g <12.3g ^12.3e *^15.2f ,.2f _.1f 012,.1f -f =+10.2f"
).split()
FLOATS = [
    0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 0.125, 0.375, 1.005, 2.675, 0.1, 1 / 3, 2 / 3, 1e-5, 9.9999e-5, 1e-4, 123456.5,
    1234567.5, 999999.5, 99999.95, 1e15, 1e16, 1e21, 1e22, 1.7976931348623157e308, 5e-324, 2.2250738585072014e-308,
    1e100, 123.456, 9.5, 99.5, 0.95, 1e-7, 4503599627370497.5, math.inf, -math.inf, math.nan, 6.25, 0.0009765625,
]  # fmt: skip


def case_float_formats():
    return [[format_of(x, spec) for spec in SPECS] for x in FLOATS]


def format_of(x: float, spec: str) -> str:
    return f"{x:{spec}}"


def case_whole_formats():
    specs = "d 5d 05d <6d ^7d +d , _ 012, x X #x 08x b o #b 3 03 >4 c .2f g e %".split()
    return [[f"{n:{spec}}" for spec in specs] for n in (0, 1, 65, 255, 1234, 65535)] + [
        [f"{n:d} {n:,} {n:x} {n:+d} {n:5} {n}" for n in (-1, -1234567, 2**53)]
    ]


def case_from_texts():
    texts = [
        "1", " 12 ", "-3", "+4", "1_000", "0", "٣", "1.5", ".5", "5.", "1e3", "1E-3", "-0", "inf", "-Infinity", "nan",
        "1__0", "_1", "0x10", "", " ", "1 2", "1,5", "e5", "--1", "1e", "i", "in", "1_0.5_0e1_0", "\u00a01\u2003",
        "９", "1\n", "infinit", "9007199254740991", "1e400", "1e-400", "0.1000000000000000055511151231257827",
        "\ufeff1", "\x1c1",
    ]  # fmt: skip
    return [[whole(text), real(text)] for text in texts]


def whole(text: str) -> object:
    try:
        return int(text)
    except ValueError:
        return "no"


def real(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return "no"


def case_bases():
    return [int("ff", 16), int("0xFF", 16), int("-101", 2), int("z", 36), int(3.99), int(-3.99), int(True), float(3)]


def case_comparisons():
    values = [0, 1, 1.0, True, False, 2.5, -1]
    return [[[a < b, a <= b, a == b, a != b, a > b] for a in values] for b in values]


def case_chains():
    return [[0 <= x < 5 <= 9 for x in (-1, 0, 4, 5)], 1 < 2 > 0, 1 == 1.0 == True, not 0 < 0.0]


def case_extremes():
    return [
        min(3, 1, 2), max([1, 5, 2]), min([], default=7), max("b", "ab", key=len), min(*[4, 2], 9), max(0.0, -0.0),
        min((2, "b"), (2, "a")), sum([1, 2, 3], 10), max({"a": 1, "c": 2}), 10.0**3, 2**10,
    ]  # fmt: skip


def case_errors():
    def of(make):
        try:
            return make()
        except (ZeroDivisionError, ValueError, OverflowError, TypeError) as error:
            return type_of(error)

    zero = 0
    return [
        of(lambda: 1 // zero), of(lambda: 1 % zero), of(lambda: 1.5 / zero), of(lambda: math.sqrt(zero - 1)),
        of(lambda: int("x")), of(lambda: round(math.nan)), of(lambda: math.floor(math.inf)), of(lambda: [1] < 3),
        of(lambda: 1 << (zero - 1)), of(lambda: min([])), of(lambda: f"{'a':d}"),
    ]  # fmt: skip


def type_of(error: Exception) -> str:
    kinds = ((ZeroDivisionError, "zero"), (OverflowError, "over"), (ValueError, "value"), (TypeError, "type"))
    for kind, word in kinds:
        if isinstance(error, kind):
            return word
    return ""


def case_negative_zero():
    k = 0
    return [f"{-k:g}", f"{-0.0:g}", f"{float(-k):.1f}", -2 * 0.0, 0 * -2.5, float("-0")]
