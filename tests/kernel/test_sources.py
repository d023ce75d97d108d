"""The rules for the sources: no libm, no globals that change, one prefix, short files and functions."""

import re

import pytest

from tests import commands
from tests.kernel.library import COMPILER, FLAGS, KERNEL, compiled, needs_compiler

SOURCES = sorted(KERNEL.rglob("*.c"))
ALLOWED = {"memchr", "memcmp", "memcpy", "memmove", "memset", "strcmp", "strlen", "strncmp"}
names = [path.relative_to(KERNEL).as_posix() for path in SOURCES]


@pytest.mark.sample(8)
@needs_compiler
@pytest.mark.parametrize("path", SOURCES, ids=names)
def test_compiles_without_a_warning_by_itself(path, tmp_path):
    commands.run([str(COMPILER), *FLAGS, "-c", str(path), "-o", str(tmp_path / "x.o")], check=True)


@pytest.fixture(scope="module")
def symbols():
    path = compiled(KERNEL / "kernel.c", "kernel.o", [*FLAGS, "-c"])
    text = commands.run(["nm", str(path)], check=True, capture_output=True, text=True).stdout
    return [line.split()[-2:] for line in text.splitlines()]


@needs_compiler
@pytest.mark.needs_system("nm")
def test_nothing_is_needed_from_outside_but_copying_and_comparing(symbols):
    needed = {name for kind, name in symbols if kind == "U"}
    assert needed - ALLOWED - {"_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail"} == set()


@needs_compiler
@pytest.mark.needs_system("nm")
def test_no_variable_outside_the_functions_changes(symbols):
    assert [name for kind, name in symbols if kind in "BbCGgSs" or (kind in "Dd" and not name.startswith("cp_"))] == []
    texts = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    assert re.findall(r"^static (?!const |inline )[^(\n]*(?:=|;)", texts, re.MULTILINE) == []


@needs_compiler
@pytest.mark.needs_system("nm")
def test_every_global_symbol_has_the_prefix(symbols):
    found = [name for kind, name in symbols if kind in "TDRW"]
    assert found
    assert [name for name in found if not name.startswith("cp_")] == []


@pytest.mark.parametrize("path", [*SOURCES, *KERNEL.glob("*.h")], ids=lambda path: path.name)
def test_files_and_functions_are_short(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 400
    assert max(map(len, lines)) <= 120
    if path.suffix == ".c":
        starts = [i for i, line in enumerate(lines) if line == "{"]
        assert all(lines.index("}", start) - start <= 40 for start in starts)


@pytest.mark.parametrize("path", SOURCES, ids=names)
def test_every_file_says_what_it_is(path):
    assert path.read_text(encoding="utf-8").startswith("/* ")
