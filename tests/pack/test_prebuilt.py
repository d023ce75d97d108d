"""What an installation carries is what `binary` looks for."""

from couplant.pack import compile as compiler
from couplant.pack.model_sheet import model_names
from couplant.pack.platforms import host
from couplant.pack.prebuilt import units, write_binaries


def test_every_binary_lies_where_an_installation_looks_for_it(tmp_path, monkeypatch):
    told = []
    folder = tmp_path / "resources" / "binaries"
    written = write_binaries(folder, [host()], portable=False, progress=told.append)
    assert told == [host().name]
    assert len(set(written)) == len(units()) == 2 * (4 + len(model_names()))
    monkeypatch.setattr(compiler, "host_compiler", lambda: 1 / 0)
    wanted = units()
    monkeypatch.setattr(compiler.paths, "root", lambda: tmp_path)
    assert [compiler.binary(unit, host()) for unit in wanted] == [path.read_bytes() for path in written]
