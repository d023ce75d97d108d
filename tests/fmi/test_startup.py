"""The division that 32-bit Windows binaries bring along, compiled for this machine under other names."""

import ctypes
import random

import pytest

from couplant.base import paths
from couplant.pack.binaries.compile import host_compiler
from tests import commands

NAMES = ("divdi3", "moddi3", "udivdi3", "umoddi3")
EDGES = (1, 2, 3, 10, 2**31, 2**32 - 1, 2**32, 2**63 - 1)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    text = (paths.fmu_source("fmi") / "startup.c").read_text(encoding="utf-8")
    _, mark, division = text.partition("/* Compilers call these to divide")
    assert mark, "the division has moved"
    folder = tmp_path_factory.mktemp("startup")
    (folder / "division.c").write_text((mark + division.rpartition("#endif")[0]).replace("__", "cp_"), encoding="utf-8")
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-O2", "-fPIC", "-shared"]
    command = [*host_compiler(), *flags, "-o", str(folder / "division.so"), str(folder / "division.c")]
    commands.run(command, check=True)
    return ctypes.CDLL(str(folder / "division.so"))


def functions(library):
    for name in NAMES:
        function = getattr(library, f"cp_{name}")
        kind = ctypes.c_uint64 if name.startswith("u") else ctypes.c_int64
        function.argtypes, function.restype = (kind, kind), kind
        yield name, function


def numbers():
    chance = random.Random(1)
    pairs = [(a, b) for a in (0, *EDGES) for b in EDGES]
    return pairs + [(chance.getrandbits(chance.randint(1, 63)), chance.getrandbits(40) + 1) for _ in range(2000)]


def test_quotient_and_rest_are_those_of_c(library):
    for name, function in functions(library):
        signs = ((1, 1),) if name.startswith("u") else ((1, 1), (-1, 1), (1, -1), (-1, -1))
        for a, b in numbers():
            for sign, other in signs:
                expected = a // b * sign * other if "div" in name else a % b * sign
                assert function(sign * a, other * b) == expected, (name, sign * a, other * b)


def test_the_ends_of_the_range(library):
    by_name = dict(functions(library))
    assert by_name["divdi3"](-(2**63), 1) == -(2**63)
    assert by_name["moddi3"](-(2**63), 3) == -2
    assert by_name["udivdi3"](2**64 - 1, 2**63) == 1
    assert by_name["umoddi3"](2**64 - 1, 2**63) == 2**63 - 1
