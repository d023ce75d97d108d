"""What an installation carries is what `binary` looks for."""

import gzip

import pytest

from couplant.pack.binaries import compile as compiler
from couplant.pack.binaries.platforms import PLATFORMS, WASM, choose, host
from couplant.pack.binaries.prebuilt import modules, units, write_binaries
from couplant.pack.describe.model_sheet import model_names


@pytest.mark.landing("compiles for every platform: 7 s of CPU")
def test_every_binary_lies_where_an_installation_looks_for_it(tmp_path, monkeypatch):
    told = []
    folder = tmp_path / "resources" / "binaries"
    written = write_binaries(folder, [host()], portable=False, progress=told.append)
    assert told == [f"{host().name}, {i} of {len(written)}" for i in range(1, len(written) + 1)]
    assert len(set(written)) == len(units(host())) == 2 * (4 + len(model_names())) + 2
    monkeypatch.setattr(compiler, "host_compiler", lambda: 1 / 0)
    wanted = units(host())
    assert len(units(PLATFORMS["x86-windows"])) == len(wanted) - 2
    monkeypatch.setattr(compiler.paths, "root", lambda: tmp_path)
    assert [compiler.binary(unit, host()) for unit in wanted] == [path.read_bytes() for path in written]


@pytest.mark.landing("compiles for every platform: 24 s of CPU")
def test_modules_of_pages_lie_there_too(tmp_path, monkeypatch):
    pytest.importorskip("ziglang")
    folder = tmp_path / "resources" / "binaries"
    written = write_binaries(folder, [WASM], portable=True)
    wanted = modules()
    assert len(set(written)) == len(wanted) == 1 + len(model_names())
    monkeypatch.setattr(compiler, "zig", lambda target: 1 / 0)
    monkeypatch.setattr(compiler.paths, "root", lambda: tmp_path)
    found = [compiler.binary(unit, WASM) for unit in wanted.values()]
    assert found == [path.read_bytes() for path in written]
    assert all(gzip.decompress(member).startswith(b"\0asm") for member in found)


def test_no_fmu_has_a_module():
    assert WASM not in PLATFORMS.values() and WASM not in choose("all")
