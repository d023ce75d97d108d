"""FMUs as ZIP archives: what others read in them, equal bytes, files that were compressed beforehand."""

import gzip
import importlib.util
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from couplant.pack.archive import packed
from couplant.pack.archive.stream import pack, read_member
from couplant.pack.archive.write import archived, write_fmu
from tests.c.programs import missing

LARGE = bytes(range(256)) * 400


@pytest.fixture
def zopfli():
    if importlib.util.find_spec("zopfli") is None:
        missing("zopfli")


@given(files=st.dictionaries(st.text("abcdeäß/_.", min_size=1, max_size=9), st.binary(max_size=300), max_size=8))
@settings(deadline=None)
def test_what_is_written_is_read_by_others(files, tmp_path_factory):
    path = write_fmu(tmp_path_factory.mktemp("fmu") / "a.fmu", files)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == files


@pytest.mark.parametrize("size", [0, 1, 0xFFFF, 0x10000, 200_000])
def test_texts_may_stay_as_they_are(size, tmp_path):
    content = (LARGE * 2)[:size]
    path = write_fmu(tmp_path / "a.fmu", {"a": content}, compressed=False)
    assert path.stat().st_size > size
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None and archive.read("a") == content


def test_the_description_comes_first_and_dates_are_fixed(tmp_path):
    path = write_fmu(tmp_path / "a.fmu", {"binaries/a.so": b"1", "modelDescription.xml": b"2", "a.txt": b"3"})
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["modelDescription.xml", "a.txt", "binaries/a.so"]
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {one.external_attr >> 16 for one in archive.infolist()} == {0o100644}
        assert {one.create_system for one in archive.infolist()} == {3}


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.usefixtures("zopfli")
def test_what_was_compressed_beforehand_is_copied(there, tmp_path, monkeypatch):
    monkeypatch.setattr(packed, "has_zopfli", lambda: there)
    member = packed.write_member(LARGE)
    assert gzip.decompress(member) == LARGE
    path = write_fmu(tmp_path / "a.fmu", {"a": read_member(member)})
    assert member[10:-8] in path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        assert archive.read("a") == LARGE


def test_without_zopfli_they_are_the_same_everywhere(monkeypatch):
    monkeypatch.setattr(packed, "has_zopfli", lambda: False)
    member = packed.write_member(LARGE)
    assert read_member(member) == pack(LARGE)
    assert packed.packer() == "deflate"


def test_equal_files_give_equal_bytes_without_zlib(tmp_path, monkeypatch):
    files = {"modelDescription.xml": LARGE, "a.txt": b"text"}
    first = write_fmu(tmp_path / "a.fmu", files).read_bytes()
    pack.cache_clear()
    monkeypatch.setattr(packed.zlib, "compressobj", None)
    assert write_fmu(tmp_path / "b.fmu", files).read_bytes() == first


def test_what_others_made_is_packed_quickly(tmp_path):
    (tmp_path / "a.fmu").write_bytes(archived({"a": LARGE}, packed.pack_quickly))
    with zipfile.ZipFile(tmp_path / "a.fmu") as archive:
        assert archive.testzip() is None and archive.read("a") == LARGE


@pytest.mark.usefixtures("zopfli")
def test_zopfli_makes_them_smaller(monkeypatch):
    text = " ".join(str(i * i) for i in range(5000)).encode()
    small = len(packed.write_member(text))
    monkeypatch.setattr(packed, "has_zopfli", lambda: False)
    assert small < len(packed.write_member(text))
