"""FMUs as ZIP archives: what others read in them, how fast texts are packed, files that were packed beforehand."""

import gzip
import importlib.util
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from couplant.pack.archive import write
from couplant.pack.archive.write import write_fmu
from couplant.pack.archive.zipped import read_member
from tests.c.programs import missing
from tests.pack.entries import entries
from tests.pack.test_native_coupling import build

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
    monkeypatch.setattr(write, "has_zopfli", lambda: there)
    member = write.write_member(LARGE, small=True)
    assert gzip.decompress(member) == LARGE
    path = write_fmu(tmp_path / "a.fmu", {"a": read_member(member)})
    assert member[10:-8] in path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        assert archive.read("a") == LARGE


def test_without_zopfli_they_are_packed_by_zlib(monkeypatch):
    monkeypatch.setattr(write, "has_zopfli", lambda: False)
    member = write.write_member(LARGE, small=True)
    assert read_member(member) == write.pack(LARGE) and gzip.decompress(member) == LARGE
    assert write.packer(small=True) == "zlib"


def test_texts_of_an_fmu_are_packed_to_two_fifths(tmp_path):
    texts = [content for name, content in entries(build(tmp_path)) if not name.startswith("binaries/")]
    found = [write.pack(text) for text in texts]
    assert sum(len(one.stream) for one in found) < 0.4 * sum(map(len, texts))


@pytest.mark.usefixtures("zopfli")
def test_zopfli_makes_them_smaller(monkeypatch):
    text = " ".join(str(i * i) for i in range(5000)).encode()
    small = len(write.write_member(text, small=True))
    monkeypatch.setattr(write, "has_zopfli", lambda: False)
    assert small < len(write.write_member(text, small=True))
