"""Files that many FMUs have alike are compressed once, and the same wherever they are kept."""

import pytest

from couplant.pack import deflate
from couplant.pack.archive import stream
from couplant.pack.archive.stream import pack
from couplant.pack.kept import kept
from tests.pack.test_coupling_fmu import build as build_python
from tests.pack.test_native_coupling import build

CONTENT = b"a source that many FMUs carry\n" * 40


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """Return the sizes of what is compressed, with nothing kept yet."""
    sizes = []
    monkeypatch.setenv("COUPLANT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(stream, "deflate", lambda content: sizes.append(len(content)) or deflate.deflate(content))
    pack.cache_clear()
    yield sizes
    pack.cache_clear()


def test_what_is_kept_is_not_compressed_again(counted):
    first = kept(CONTENT)
    pack.cache_clear()
    assert kept(CONTENT) == first == pack(CONTENT)
    assert counted == [len(CONTENT)] * 2  # by the first `kept` and by `pack`


def test_where_nothing_can_be_kept_it_is_compressed_each_time(counted, tmp_path):
    (tmp_path / "cache").write_bytes(b"a file where the folder would be")
    first = kept(CONTENT)
    pack.cache_clear()
    assert kept(CONTENT) == first
    assert len(counted) == 2


@pytest.mark.landing("compiles for every platform: 9 s of CPU")
def test_sources_and_loaders_are_kept(counted, tmp_path):
    """The next FMU of the kind compresses little more than its own settings and texts."""
    sources = build(tmp_path / "first", sources=True).read_bytes()
    python = build_python(tmp_path / "first").read_bytes()
    assert sum(counted) > 900_000
    counted.clear()
    pack.cache_clear()
    assert build(tmp_path / "second", sources=True).read_bytes() == sources
    assert build_python(tmp_path / "second").read_bytes() == python
    assert sum(counted) < 200_000
