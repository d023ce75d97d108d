"""Numbers in log messages: nine significant digits as Python prints them; of times as many as tell them apart."""

import random

import pytest

from tests.c.programs import HERE, ROOT, program, run

ODD = [0.0, 0.1, 0.02, -1.0, 1e-5, 9.99999999e-5, 1e9, 999999999.6, 5e-324, 1.7976931348623157e308, float("inf")]


UNIX = 1.7e9
TIMES = [0.1, 0.3, 0.1 + 0.2, UNIX, UNIX + 0.25, UNIX + 2.0**-22, UNIX + 2.0**-21, 9.9999999999999982, 1e8 + 2.0**-26]


@pytest.fixture(scope="module")
def printed():
    folder = ROOT / "fmu_src" / "base"
    executable = program(HERE / "numbers.c", f"-I{folder}", more=[*folder.glob("*.[ch]")])
    chance = random.Random(5)
    numbers = ODD + TIMES + [chance.uniform(-1.0, 1.0) * 10.0 ** chance.randint(-30, 30) for _ in range(5000)]
    lines = run([executable], "".join(f"{number!r}\n" for number in numbers)).splitlines()
    return numbers, lines


def test_numbers_are_those_of_python(printed):
    numbers, lines = printed
    for number, short, long in zip(numbers, lines[0::2], lines[1::2], strict=False):
        assert float(short) == pytest.approx(float(f"{number:.9g}"), rel=1.1e-9)
        assert float(long) == pytest.approx(number, rel=5.5e-12)
        assert len(short) <= 16


def test_short_numbers_stay_short(printed):
    _, lines = printed
    assert lines[0:14:2] == ["0", "0.1", "0.02", "-1", "0.00001", "0.0000999999999", "1e+9"]


def test_times_that_differ_look_different(printed):
    """Between 1e-5 and 1e14 s each is read back as it was, with fifteen digits wherever they do."""
    numbers, lines = printed
    told = [(n, text) for n, text in zip(numbers, lines[1::2], strict=False) if 1e-5 <= abs(n) < 1e14]
    assert len(told) > 1000
    for number, text in told:
        assert float(text) == number
        assert float(text) != float(f"{number:.15g}") or len(text.lstrip("-0.").replace(".", "")) <= 15
    assert [text for n, text in told if n in (0.1, UNIX, UNIX + 0.25)] == ["0.1", "0.1", "1700000000", "1700000000.25"]


def test_texts_are_cut(printed):
    assert printed[1][-1] == "a is b: cut here because it is too long"[:39]
