"""What the C library takes on small targets, and the figures of its page."""

import importlib.util
import re

import pytest

from benchmarks import c_library, realtime
from tests.c.programs import missing
from tests.kernel.library import needs_compiler

MOST = 32_768
"""Memory of a signal and stack of a step together [byte]: what small targets have."""

ALLOWED = 0.03
"""Other compilers of the same kind make other code: part of a figure by which it may differ from the page."""


@pytest.fixture(autouse=True)
def zig():
    if not importlib.util.find_spec("ziglang"):
        missing("ziglang")


pytestmark = needs_compiler


def test_a_signal_and_its_step_take_32_kb_at_most():
    state, overhead = c_library.memory()
    step, alone, *_ = c_library.stack("Cortex-M4", "plain")
    assert 1000 < alone < step and state + overhead + step <= MOST


def test_nothing_has_to_be_in_memory_but_what_the_caller_gives():
    code, constants, memory = c_library.sizes("Cortex-M4", "plain", "-Os")
    assert memory == 0 and code < 60_000 and constants < 32_000


@pytest.mark.landing("compiles for three targets, twelve times")
@pytest.mark.parametrize("name", ["size", "stack", "memory"])
def test_the_figures_of_the_page_are_fresh(name):
    page = c_library.PAGE.read_text(encoding="utf-8")
    told = realtime.table(page, "sizes" if name == "size" else name)
    now = getattr(c_library, f"{name}_table")()
    numbers = [[int(word) for line in lines for word in re.findall(r"\b\d{3,}\b", line)] for lines in (told, now)]
    assert len(numbers[0]) == len(numbers[1]) > 8
    fresh = all(abs(a - b) <= ALLOWED * b for a, b in zip(*numbers, strict=True))
    assert fresh, "stale: python benchmarks/c_library.py"


@pytest.mark.landing("compiles for a target")
def test_the_figures_of_the_folder_are_fresh():
    text = (c_library.library("plain") / "README.md").read_text(encoding="utf-8")
    told = [float(word) for word in re.findall(r"\d+(?:\.\d+)?(?= and|(?: kB))", text)]
    plain, whole = (c_library.sizes("Cortex-M4", parts, "-Os")[:2] for parts in c_library.PARTS)
    deep = [c_library.stack("Cortex-M4", parts)[0] for parts in c_library.PARTS]
    assert told == pytest.approx([number / 1000 for number in (*plain, *whole, *deep)], rel=ALLOWED)
