"""Archives: records that stay are copied byte by byte, and hostile ones are refused in one sentence."""

import io
import os
import struct
import zipfile
from pathlib import Path

import pytest

from couplant.base import archives
from couplant.base.errors import UsageError
from couplant.elsewhere.ssp.package import MAIN, Package
from tests.base.test_archives import Entry, archive
from tests.elsewhere.ssp import systems


class Stream(io.RawIOBase):
    """A file that cannot be rewound: sizes stand behind the data then."""

    def __init__(self):
        self.content = b""

    def writable(self):
        return True

    def write(self, data):
        self.content += bytes(data)
        return len(data)


@pytest.fixture
def path(tmp_path):
    """Return an archive with entries of all kinds."""
    stream = Stream()
    with zipfile.ZipFile(stream, "w") as target:
        target.writestr("resources/first.bin", bytes(range(256)) * 9, zipfile.ZIP_STORED)
        with target.open(MAIN, "w") as entry:
            entry.write(b"<a/>" * 99)
        info = zipfile.ZipInfo("documentation/größe.txt", (2021, 5, 4, 3, 2, 2))
        info.compress_type, info.comment, info.extra = zipfile.ZIP_DEFLATED, b"own", b"\x99\x99\x02\x00ab"
        info.external_attr = 0o100755 << 16
        target.writestr(info, b"text " * 500)
        target.writestr(zipfile.ZipInfo("empty/"), b"")
        target.comment = b"a comment"
    file = tmp_path / "system.ssp"
    file.write_bytes(stream.content)
    return file


def test_without_a_change_the_archive_is_the_same_byte_by_byte(path):
    assert Package(path).rebuild({}) == path.read_bytes()


def test_records_that_stay_are_copied_with_header_data_and_what_is_behind(path, tmp_path):
    before = path.read_bytes()
    out = tmp_path / "out.ssp"
    out.write_bytes(Package(path).rebuild({MAIN: b"<b/>"}, {"resources/new.fmu": b"new", "resources/ü.fmu": b""}))
    data = out.read_bytes()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out) as new:
        assert new.testzip() is None and new.comment == b"a comment"
        names = [entry.filename for entry in old.infolist()]
        assert new.namelist() == [*names, "resources/new.fmu", "resources/ü.fmu"]
        assert (new.read(MAIN), new.read("resources/new.fmu")) == (b"<b/>", b"new")
        starts = [entry.header_offset for entry in old.infolist()] + [old.start_dir]
        for i, name in enumerate(names):
            if name != MAIN:
                record = before[starts[i] : starts[i + 1]]
                place = new.getinfo(name).header_offset
                assert data[place : place + len(record)] == record
                for field in ("date_time", "extra", "comment", "external_attr", "flag_bits", "compress_type"):
                    assert getattr(new.getinfo(name), field) == getattr(old.getinfo(name), field)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_changed_entry_is_packed_as_it_was(tmp_path, method):
    path = systems.archive(tmp_path / "a.ssp", "<a/>", {"x": b"x"}, method)
    out = tmp_path / "b.ssp"
    out.write_bytes(Package(path).rebuild({MAIN: b"<b/>" * 100}))
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out) as new:
        entry = new.getinfo(MAIN)
        assert entry.compress_type == method and entry.date_time == old.getinfo(MAIN).date_time
        assert new.read(MAIN) == b"<b/>" * 100


def test_equal_changes_give_equal_bytes(path):
    first, second = (Package(path).rebuild({MAIN: b"<c/>"}, {"d": b"e"}) for _ in range(2))
    assert first == second


TEXT = systems.flat().encode()
HOSTILE = {
    "no archive": (lambda path: path.write_bytes(b"<xml/>"), "it is not a zip archive"),
    "truncated": (lambda path: path.write_bytes(path.read_bytes()[:-30]), "it is not a zip archive"),
    "no description": (lambda path: archive(path, Entry("a.ssd", TEXT)), "it holds no SystemStructure.ssd"),
    "out of the archive": (lambda path: archive(path, Entry(MAIN, TEXT), Entry("../evil")), "leads out of the archive"),
    "absolute": (lambda path: archive(path, Entry(MAIN, TEXT), Entry("/etc/evil")), "leads out of the archive"),
    "twice": (lambda path: archive(path, Entry(MAIN, TEXT), Entry(MAIN, TEXT)), "more than once"),
    "a link": (lambda path: archive(path, Entry(MAIN, TEXT), Entry("l", b"x", "link")), "is a link or a device"),
    "encrypted": (lambda path: archive(path, Entry(MAIN, TEXT, flags=1)), "is encrypted"),
    "another method": (lambda path: archive(path, Entry(MAIN, TEXT, method=14)), "packed by method 14"),
    "a bomb": (lambda path: archive(path, Entry(MAIN, TEXT), Entry("b", size=2**32 - 2)), "it unpacks to"),
    "overlapping": (lambda path: archive(path, Entry(MAIN, TEXT), Entry("b", offset=0)), "overlaps"),
    "ZIP64": (lambda path: zip64(path), "ZIP64"),
    "ZIP64 sizes": (lambda path: zip64_entry(path), "ZIP64"),
    "bytes before": (lambda path: path.write_bytes(b"#!/bin/sh\n" + path.read_bytes()), "bytes before"),
    "another name before the data": (lambda path: renamed(path), "has another name before its data"),
    "another namespace": (
        lambda path: systems.archive(path, systems.flat().replace("/SSP1/", "/SSP9/"), {}),
        "of the namespace http://ssp-standard.org/SSP9/SystemStructureDescription, allowed SystemStructureDescription",
    ),
    "entities": (lambda path: systems.archive(path, LAUGHS, {}), "declares a document type"),
    "no XML": (lambda path: systems.archive(path, "<a>", {}), "is not well-formed"),
    "deep": (lambda path: systems.archive(path, "<a>" * 200 + "</a>" * 200, {}), "more than 100 elements inside"),
    "an undeclared prefix": (lambda path: systems.archive(path, "<a:b/>", {}), "the prefix of <a:b> is not declared"),
    "Latin-1": (lambda path: systems.archive(path, TEXT.decode().replace("UTF-8", "ISO-8859-1"), {}), "allowed UTF-8"),
    "another root": (lambda path: systems.archive(path, "<a/>", {}), "begins with <a>"),
    "another version": (
        lambda path: systems.archive(path, systems.flat("3.0"), {}),
        'version = "3.0", allowed 1.0, 2.0',
    ),
    "no system": (
        lambda path: systems.archive(path, systems.description("<ssd:Units/>"), {}),
        "holds no System",
    ),
    "an element twice": (
        lambda path: systems.archive(path, systems.flat().replace('name="mass_2"', 'name="mass_1"'), {}),
        "has the element mass_1 twice",
    ),
    "an element that is not there": (
        lambda path: systems.archive(path, systems.flat().replace('endElement="mass_2"', 'endElement="m"'), {}),
        "has a connection with m, which is not there",
    ),
}
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>'


def renamed(path):
    """Change the name that stands before the data only; what reads archives from their begin finds another file."""
    path.write_bytes(path.read_bytes().replace(b"SystemStructure.ssd", b"../../Structure.ssd", 1))


def zip64(path):
    """Write an archive with the locator of ZIP64 that has a directory of its own."""
    data = path.read_bytes()
    end = len(data) - 22
    count, size, offset = struct.unpack("<HII", data[end + 10 : end + 20])
    record = b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, size, offset)
    locator = b"PK\6\7" + struct.pack("<IQI", 0, end, 1)
    path.write_bytes(data[:end] + record + locator + data[end:])


def zip64_entry(path):
    with zipfile.ZipFile(path, "w") as target:
        target.writestr(MAIN, TEXT)
        with target.open("big", "w", force_zip64=True) as entry:
            entry.write(b"x")
    data = bytearray(path.read_bytes())
    place = data.index(b"PK\1\2", data.index(b"PK\1\2") + 1)
    sizes = data[place + 20 : place + 28]
    extra = struct.pack("<HHQQ", 1, 16, *(struct.unpack("<II", sizes)[::-1]))
    data[place + 20 : place + 28] = b"\xff" * 8
    data[place + 30 : place + 32] = struct.pack("<H", len(extra))
    name_end = place + 46 + struct.unpack("<H", data[place + 28 : place + 30])[0]
    data[name_end:name_end] = extra
    end = len(data) - 22
    size = struct.unpack("<I", data[end + 12 : end + 16])[0] + len(extra)
    data[end + 12 : end + 16] = struct.pack("<I", size)
    path.write_bytes(bytes(data))


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("words", [("list",), ("insert", "--signals", "a.x->b.u", "--macro-step", "0.02"), ("remove",)])
def test_what_does_harm_is_refused_in_one_sentence_and_nothing_is_written(tmp_path, couplant, name, words):
    path = systems.archive(tmp_path / "system.ssp", systems.flat(), {"resources/mass_1.fmu": b"none"})
    make, sentence = HOSTILE[name]
    make(path)
    before = path.read_bytes()
    output = () if words[0] == "list" else ("-o", str(tmp_path / "out.ssp"))
    done = couplant("ssp", words[0], str(path), *words[1:], *output)
    assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert sentence in done.err and str(path) in done.err
    assert [file.name for file in tmp_path.iterdir()] == ["system.ssp"] and path.read_bytes() == before


def test_a_limit_of_unpacking_holds_here_too(path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST", 1000)
    with pytest.raises(UsageError, match="it unpacks to"):
        Package(path)


def test_an_archive_that_would_need_zip64_is_not_written(path, monkeypatch):
    monkeypatch.setattr("couplant.elsewhere.ssp.package.LARGEST", path.stat().st_size)
    with pytest.raises(UsageError, match=r"the archive would have .* more needs ZIP64"):
        Package(path).rebuild({}, {"a": b"b" * 10_000})


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match=r"gone.ssp: no such file"):
        Package(tmp_path / "gone.ssp")


def test_what_may_have_no_end_is_not_read():
    with pytest.raises(UsageError, match=r"not an SSP that can be read: it is no regular file"):
        Package(Path(os.devnull))


def test_damage_in_an_entry_that_is_read_is_a_sentence(tmp_path):
    path = systems.archive(tmp_path / "a.ssp", systems.flat(), {}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"by hand", b"by hanD"))
    with pytest.raises(UsageError, match=r"a.ssp: SystemStructure.ssd in it is damaged"):
        Package(path).read(MAIN)
