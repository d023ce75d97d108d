"""Compiling once, with whatever compiler there is."""

import os
import sys

import pytest

from couplant.base.errors import CouplantError
from couplant.pack.binaries import compile as compiler
from couplant.pack.binaries.compile import Unit, binary, binary_name, host_compiler
from couplant.pack.binaries.platforms import PLATFORMS, host


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("COUPLANT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def unit(tmp_path):
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "main.c").write_text('#include "answer.h"\nint cp_answer(void) { return ANSWER + MORE; }\n')
    return Unit(folder / "main.c", (folder,), {"answer.h": "#define ANSWER 42\n"}, ("MORE=1",))


def test_compiled_once(unit, cache, monkeypatch):
    first = binary(unit, host())
    monkeypatch.setattr(compiler, "_compile", lambda *_: pytest.fail("compiled again"))
    assert binary(unit, host()) == first
    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize("what", ["source", "generated", "define", "header"])
def test_any_change_compiles_again(unit, cache, what):
    binary(unit, host())
    if what == "source":
        unit.source.write_text(unit.source.read_text() + "int cp_more;\n")
    elif what == "generated":
        unit = Unit(unit.source, unit.folders, {"answer.h": "#define ANSWER 43\n"}, unit.defines)
    elif what == "define":
        unit = Unit(unit.source, unit.folders, unit.generated, ("MORE=2",))
    else:
        (unit.folders[0] / "other.h").write_text("int cp_other;\n")
    binary(unit, host())
    assert len(list(cache.iterdir())) == 2


def test_the_digest_does_not_depend_on_the_place(unit, tmp_path):
    other = tmp_path / "else" / "sources"
    other.parent.mkdir()
    unit.folders[0].rename(other)
    moved = Unit(other / "main.c", (other,), unit.generated, unit.defines)
    before = moved.digest()
    other.rename(unit.folders[0])
    assert unit.digest() == before


def test_an_error_in_the_sources_is_one_sentence_and_leaves_nothing(unit, cache):
    unit.source.write_text("int cp_answer(void) { return nonsense; }\n")
    with pytest.raises(CouplantError, match=r"main\.c.*nonsense") as error:
        binary(unit, host())
    assert "\n" not in str(error.value)
    assert not cache.exists() or not list(cache.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="a script stands for a compiler")
def test_a_compiler_may_speak_in_any_encoding(unit, cache, monkeypatch, tmp_path):
    script = tmp_path / "my-cc"
    script.write_text("#!/bin/sh\nprintf 'main.c: error: ung\\374ltig \\201' >&2\nexit 1\n")
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    with pytest.raises(CouplantError, match=r"cannot compile main\.c: main\.c: error: ung.ltig"):
        binary(unit, host())


@pytest.mark.skipif(os.name != "posix", reason="a script stands for a compiler")
def test_the_compiler_named_in_the_environment_comes_first(tmp_path, monkeypatch):
    script = tmp_path / "my-cc"
    script.write_text("#!/bin/sh\nexit 1\n")
    script.chmod(0o755)
    monkeypatch.setenv("CC", f"{script} -m64")
    assert host_compiler() == [str(script), "-m64"]


def test_without_a_compiler_the_message_says_what_helps(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(compiler.importlib.util, "find_spec", lambda _: object())
    assert host_compiler() == [sys.executable, "-m", "ziglang", "cc"]
    monkeypatch.setattr(compiler.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(CouplantError, match="no C compiler"):
        host_compiler()


def test_a_binary_of_the_installation_needs_no_compiler(unit, cache, tmp_path, monkeypatch):
    (tmp_path / "resources" / "binaries").mkdir(parents=True)
    target = PLATFORMS["aarch64-darwin"]
    (tmp_path / "resources" / "binaries" / binary_name(unit, target)).write_bytes(b"prebuilt")
    monkeypatch.setattr(compiler.paths, "root", lambda: tmp_path)
    assert binary(unit, target) == b"prebuilt"
    unit.source.write_text("int cp_changed;\n")
    monkeypatch.setattr(compiler.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(CouplantError, match="aarch64-darwin needs zig"):
        binary(unit, target)
