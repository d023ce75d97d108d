"""Archives made to do harm: each is refused in one sentence, before anything is written."""

import random
import re
import stat
import struct
import sys
import zipfile
import zlib

import pytest

from couplant.base import archives
from couplant.base.archives import (
    Refused,
    check_description,
    one_line,
    open_archive,
    problems,
    read_description,
    unpack,
)
from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.config.load import inputs_of
from couplant.pack import build_coupling_fmu
from couplant.pack.check import check_fmu

SMALL = """<fmiModelDescription fmiVersion="2.0" modelName="m" guid="{8c4e810f-3df3-4a00-8276-176fa3c9f000}">
<CoSimulation modelIdentifier="m"/>
<UnitDefinitions><Unit name="m"><DisplayUnit name="mm"/></Unit></UnitDefinitions>
<ModelVariables><ScalarVariable name="u" valueReference="1" causality="input"><Real start="0"/>
</ScalarVariable></ModelVariables><ModelStructure/></fmiModelDescription>"""
DESCRIPTION = "modelDescription.xml"
MODES = {"file": stat.S_IFREG, "link": stat.S_IFLNK, "device": stat.S_IFCHR}


class Entry:
    """An entry as the directory of an archive describes it, true or not."""

    def __init__(self, name, content=b"", kind="file", **lies):
        self.name, self.content, self.kind = name, content, kind
        pack = zlib.compressobj(wbits=-15)
        self.packed = lies.get("packed", pack.compress(content) + pack.flush())
        self.size = lies.get("size", len(content))
        self.method, self.flags, self.offset = lies.get("method", 8), lies.get("flags", 0), lies.get("offset")

    def header(self):
        name = self.name.encode()
        crc = zlib.crc32(self.content)
        return struct.pack("<4H3I2H", self.flags | 0x800, self.method, 0, 33, crc, len(self.packed), self.size,
                           len(name), 0), name  # fmt: skip


def archive(path, *entries):
    """Write an archive that says what its entries say."""
    data, directory = bytearray(), bytearray()
    for entry in entries:
        numbers, name = entry.header()
        offset = len(data) if entry.offset is None else entry.offset
        if entry.offset is None:
            data += b"PK\3\4" + struct.pack("<H", 20) + numbers + name + entry.packed
        directory += b"PK\1\2" + struct.pack("<2H", 0x314, 20) + numbers
        directory += struct.pack("<3H2I", 0, 0, 0, MODES[entry.kind] << 16, offset) + name
    count = min(len(entries), 0xFFFF)
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count, count, len(directory), len(data), 0)
    path.write_bytes(data + directory + end)
    return path


def zeros(megabytes):
    """Return what unpacks to so many zeros, made in no time: equal blocks that stand alone."""
    pack = zlib.compressobj(9, wbits=-15)
    block = pack.compress(bytes(2**20)) + pack.flush(zlib.Z_FULL_FLUSH)
    return block * megabytes + b"\3\0"


def refused(path, folder):
    """Return why an archive is refused, the same by each way in; nothing has been written."""
    with pytest.raises(UsageError) as unpacked:
        unpack(path, folder)
    with pytest.raises(UsageError) as read:
        read_description(path)
    assert not folder.exists()
    assert str(unpacked.value) == str(read.value)
    assert "\n" not in str(read.value)
    sentence = str(read.value).removeprefix(f"{path}: not an FMU that can be read: ")
    assert sentence.rstrip(".") in check_fmu(path).problems[0]
    return sentence


GOOD = Entry(DESCRIPTION, SMALL.encode())


def test_a_good_archive_is_unpacked(tmp_path):
    path = archive(tmp_path / "x.fmu", GOOD, Entry("a/"), Entry("a/b", b"text"), Entry("./c/d", b"more"))
    unpack(path, tmp_path / "there")
    assert (tmp_path / "there" / "a" / "b").read_bytes() == b"text"
    assert (tmp_path / "there" / "c" / "d").read_bytes() == b"more"
    for source in (path, tmp_path / "there"):
        assert inputs_of(read_description(source)) == ("u",)


def test_backslashes_part_names(tmp_path):
    path = archive(tmp_path / "x.fmu", GOOD, Entry("a\\"), Entry("binaries\\win64\\x.dll", b"text"))
    unpack(path, tmp_path / "there")
    assert (tmp_path / "there" / "binaries" / "win64" / "x.dll").read_bytes() == b"text"
    assert inputs_of(read_description(path)) == ("u",)


BOMB = Entry("zeros", packed=zeros(4095), size=4095 * 2**20)
ATTACKS = {
    "4 MB that unpack to 4 GB": ((GOOD, BOMB), "it unpacks to 1011 times its size"),
    "many small bombs": (
        [GOOD, *(Entry(f"{i}", packed=zeros(30), size=30 * 2**20) for i in range(20))],
        "times its size, allowed 200 times above 0.268 GB",
    ),
    "sizes that are lies": ((GOOD, Entry("x", b"1", size=2**32 - 2), Entry("y", b"1", size=2**32 - 2)),
                        "it unpacks to 8.59 GB, allowed 4.29 GB"),
    "up and out": ((GOOD, Entry("../evil.txt")), "the path ../evil.txt leads out of the archive"),
    "deep out": ((GOOD, Entry("a/../../evil.txt")), "the path a/../../evil.txt leads out"),
    "from the root": ((GOOD, Entry("/etc/evil")), "the path /etc/evil leads out of the archive"),
    "up and out by backslashes": ((GOOD, Entry("..\\evil")), "the path ..\\evil leads out of the archive"),
    "a drive": ((GOOD, Entry("C:evil")), "the path C:evil is no name of a file"),
    "a zero byte": ((GOOD, Entry("a\0b")), "the path a?b is no name of a file"),
    "no name": ((GOOD, Entry("")), "is no name of a file"),
    "the folder itself as a file": ((GOOD, Entry(".")), "the path . is no name of a file"),
    "terminal codes": ((GOOD, Entry("\x1b[2J")), "the path ?[2J is no name of a file"),
    "a long name": ((GOOD, Entry("ä" * 128)), "is too long, allowed 1024 bytes, 255 between slashes"),
    "a deep folder": ((GOOD, Entry("a/" * 600 + "b")), "is too long, allowed 1024 bytes"),
    "a link": ((GOOD, Entry("a", b"/etc", "link")), "the entry a is a link or a device"),
    "below a link": ((GOOD, Entry("a", b"/etc", "link"), Entry("a/b")), "the entry a is a link or a device"),
    "a device": ((GOOD, Entry("a", kind="device")), "the entry a is a link or a device"),
    "below a file": ((GOOD, Entry("a", b"1"), Entry("a/b", b"2")), "a is a file and a folder in the archive"),
    "far below a file": ((GOOD, Entry("a/b/c/d"), Entry("a/b")), "a/b is a file and a folder in the archive"),
    "a file that is a folder": ((GOOD, Entry("a/"), Entry("a")), "a is a file and a folder in the archive"),
    "twice": ((GOOD, GOOD), "the archive holds modelDescription.xml more than once"),
    "twice by another path": ((GOOD, Entry("a/b"), Entry("a/./b")), "the archive holds a/b more than once"),
    "encrypted": ((GOOD, Entry("a", flags=1)), "the entry a is encrypted"),
    "bzip2": ((GOOD, Entry("a", method=12)), "packed by method 12, allowed 0 (stored) and 8 (deflated)"),
    "an unknown method": ((GOOD, Entry("a", method=1234)), "packed by method 1234, allowed"),
    "shared data": ((GOOD, Entry("a", b"1" * 99), Entry("b", b"1" * 99, offset=0)), "overlaps with the next one"),
    "beyond the end": ((GOOD, Entry("a", b"1" * 99, offset=2**31)), "overlaps with the next one"),
    "no description": ((Entry("a"),), "it holds no modelDescription.xml"),
    "nothing at all": ((), "it holds no modelDescription.xml"),
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_refused_before_anything_is_written(tmp_path, attack):
    entries, words = ATTACKS[attack]
    assert words in refused(archive(tmp_path / "x.fmu", *entries), tmp_path / "there")


def test_a_size_that_zip64_gives(tmp_path):
    path = tmp_path / "x.fmu"
    with zipfile.ZipFile(path, "w") as good:
        good.writestr(DESCRIPTION, SMALL)
        good.writestr("a", b"1")
        good.filelist[1].file_size = 2**63
    assert "it unpacks to 9.22e+09 GB, allowed 4.29 GB" in refused(path, tmp_path / "there")


def test_too_many_entries_and_too_many_folders(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST_ENTRIES", 100)
    path = archive(tmp_path / "x.fmu", GOOD, *(Entry(f"{i}") for i in range(100)))
    assert refused(path, tmp_path / "there") == "the archive has 101 entries, allowed 100."
    path = archive(tmp_path / "y.fmu", GOOD, *(Entry(f"{i}/b/c/d") for i in range(34)))
    assert refused(path, tmp_path / "there") == "the archive has more than 100 folders."


def test_a_directory_that_is_too_large(tmp_path):
    """The zip reader of Python would make an object of each of its entries."""
    path, size = tmp_path / "x.fmu", archives.LARGEST_DIRECTORY + 1
    with path.open("wb") as file:
        file.seek(size)
        file.write(struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, size, 0, 0))
    assert refused(path, tmp_path / "there") == f"the directory of the archive has {size} bytes, allowed {size - 1}."


def test_the_work_grows_with_the_number_of_entries_not_with_its_square(tmp_path):
    """Lines of Python that run: time would be that of the machine."""

    def lines(count):
        path, found = archive(tmp_path / f"{count}.fmu", GOOD, *(Entry(f"resources/{i}") for i in range(count))), 0

        def traced(frame, event, argument):
            nonlocal found
            found += event == "line"
            return traced

        with open_archive(path) as archive_:
            before = sys.gettrace()
            sys.settrace(traced)
            try:
                assert list(problems(archive_)) == []
            finally:
                sys.settrace(before)
        return found

    assert 5.0 * lines(500) < lines(5_000) < 15.0 * lines(500), "10 times as many; a square takes 100 times"


@pytest.mark.parametrize("crc_of", [b"0" * 10, b"0" * 2**21])
def test_an_entry_that_is_larger_than_its_directory_says_is_never_written_further(tmp_path, crc_of):
    whole = Entry("a", b"0" * 2**21)
    lie = Entry("a", crc_of, packed=whole.packed, size=10)
    path = archive(tmp_path / "x.fmu", GOOD, lie)
    if len(crc_of) == 10:
        unpack(path, tmp_path / "there")
    else:
        with pytest.raises(UsageError, match="truncated or damaged"):
            unpack(path, tmp_path / "there")
    assert (tmp_path / "there" / "a").stat().st_size <= 10


def described(folder, text):
    return archive(folder / "x.fmu", Entry(DESCRIPTION, text.encode() if isinstance(text, str) else text))


ENTITIES = "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9))
LAUGHS = f'<!DOCTYPE x [<!ENTITY a "ha">{ENTITIES}]>' + SMALL.replace('"m"', '"&j;"', 1)
TEXTS = {
    "a billion laughs": (LAUGHS, "declares a document type"),
    "a file of this computer": (
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><fmiModelDescription>&a;</fmiModelDescription>',
        "declares a document type",
    ),
    "a document type elsewhere": (f'<!DOCTYPE x SYSTEM "http://example.org/x.dtd">{SMALL}', "declares a document type"),
    "in UTF-16": (LAUGHS.encode("utf-16"), "declares a document type"),
    "in an unknown encoding": (f'<?xml version="1.0" encoding="utf-7"?>{SMALL}', "is not well-formed"),
    "without end": (SMALL[:-3], "is not well-formed"),
    "no XML": ("text", "is not well-formed: syntax error: line 1, column 0"),
    "nested": ('<a fmiVersion="2.0">' + "<a>" * 4999 + "</a>" * 5000, "depth"),
    "a huge attribute": (SMALL.replace('"m"', f'"{"m" * 12_000_000}"', 1), "a tag or comment of more than"),
    "a huge comment": (SMALL.replace("<Co", f"<!--{'x' * 12_000_000}--><Co", 1), "a tag or comment of more than"),
    "nothing": ("", "is not well-formed"),
    "something else": ("<a/>", "modelDescription.xml begins with <a> and has no fmiVersion: not an FMU."),
    "without a version": (SMALL.replace(' fmiVersion="2.0"', ""), "has no fmiVersion: not an FMU."),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_descriptions_that_are_made_to_do_harm(tmp_path, kind):
    text, words = TEXTS[kind]
    path = described(tmp_path, text)
    with pytest.raises(UsageError, match=words) as found:
        read_description(path)
    assert len(str(found.value)) < 1000
    (problem,) = check_fmu(path, run=False).problems
    assert words in problem
    assert len(problem) < 400


def test_descriptions_have_limits(tmp_path, monkeypatch):
    path = described(tmp_path, SMALL)
    unpack(path, tmp_path / "there")
    limits = {"LARGEST_DESCRIPTION": 100, "MOST_ELEMENTS": 5, "MOST_WORDS": 5, "MOST_DISPLAY_UNITS": 0}
    for limit, most in limits.items():
        with monkeypatch.context() as changed:
            changed.setattr(archives, limit, most)
            for source in (path, tmp_path / "there"):
                with pytest.raises(UsageError, match=rf"modelDescription.xml has .*\b{most}\b"):
                    read_description(source)


@pytest.mark.landing("a model description of 300 000 variables: 3 s of CPU")
def test_three_hundred_thousand_variables_are_within_them():
    variable = '<ScalarVariable name="x" valueReference="1" causality="output" description="how it is"><Real/>'
    variable += "</ScalarVariable>"
    unknown = '<Unknown index="1" dependencies="1 2 3 4" dependenciesKind="fixed"/>'
    check_description("x", b"<a>" + (variable + 2 * unknown).encode() * 300_000 + b"</a>")


def test_the_build_description_of_fmi_3_is_read_with_the_same_care(tmp_path):
    text = SMALL.replace('"2.0"', '"3.0"').replace("guid", "instantiationToken")
    path = archive(tmp_path / "x.fmu", Entry(DESCRIPTION, text.encode()),
                   Entry("sources/buildDescription.xml", LAUGHS.encode()))  # fmt: skip
    with pytest.raises(UsageError, match=r"sources/buildDescription.xml declares a document type"):
        read_description(path)


def test_texts_of_unknown_origin_are_shortened_and_harmless():
    assert one_line("a\n\x1b[2J\tb") == "a ?[2J b"
    assert len(one_line("x" * 10**6)) == 300


def test_a_full_disk_is_one_sentence(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "extractall", full)
    with pytest.raises(UsageError, match=r"x\.fmu: not an FMU that can be read: no space left on device\.$"):
        unpack(archive(tmp_path / "x.fmu", GOOD), tmp_path / "there")


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """Return an FMU of ours without the bulk of its binary."""
    folder = tmp_path_factory.mktemp("fmu")
    settings = {"interface": {"name": "bench", "macro_step": 0.01}, "signals": {"torque": {"unit": "N.m"}}}
    path = build_coupling_fmu(parse_interface(settings, "x"), "torque", folder)
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(folder / "small.fmu", "w", zipfile.ZIP_DEFLATED) as part:
        for name in whole.namelist():
            part.writestr(name, whole.read(name)[: None if name.endswith(".xml") else 300])
    return folder / "small.fmu"


def altered(data, chance, low):
    """Return bytes with some changes, most of them from `low` on."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8))):
        i = chance.randrange(min(low, len(found) - 1) if chance.random() < 0.7 else 0, len(found))
        change = chance.randrange(4)
        if change == 0:
            found[i] = chance.choice((0, 1, 255, chance.randrange(256)))
        elif change == 1:
            found[i : i + 4] = b"\xff\xff\xff\xff"
        elif change == 2:
            del found[i : i + chance.randrange(1, 30)]
        else:
            j = chance.randrange(len(found))
            found[i : i + 40] = found[j : j + 40]
    return bytes(found)


def altered_text(text, chance):
    """Return a model description with other values, or without some of its parts."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        found = chance.choice(list(re.finditer(chance.choice((rb'"[^"]*"', rb'"[^"]*"', rb"<[^>]*>")), text)))
        values = (b'""', b'"nan"', b'"-1"', b'"1e999"', b'"9999999999999999999"', b'"1 2"', b'"abc"', b'"\xff"')
        other = chance.choice(values) if found[0].startswith(b'"') else b""
        text = text[: found.start()] + other + text[found.end() :]
    return text


def answers(path, folder):
    """Tell whether nothing but sentences comes of a file, and nothing is written but into the folder."""
    for call in (lambda: check_fmu(path, run=False), lambda: unpack(path, folder), lambda: read_description(path)):
        try:
            found = getattr(call(), "problems", ())
        except UsageError as error:
            found = (str(error).removeprefix(str(path)),)
        assert all("\n" not in text and len(text) < 400 for text in found)


def test_altered_archives_come_to_sentences(real, tmp_path):
    chance, data, path = random.Random(9), real.read_bytes(), tmp_path / "x.fmu"
    for i in range(600):
        path.write_bytes(altered(data, chance, data.find(b"PK\1\2")))
        answers(path, tmp_path / "there" / str(i))
    assert {entry.name for entry in tmp_path.iterdir()} == {"x.fmu", "there"}


def test_altered_descriptions_come_to_sentences(real, tmp_path):
    chance, path = random.Random(10), tmp_path / "x.fmu"
    with zipfile.ZipFile(real) as archive_:
        text = archive_.read(DESCRIPTION)
    for i in range(100):
        with zipfile.ZipFile(path, "w") as archive_:
            archive_.writestr(DESCRIPTION, altered_text(text, chance))
        answers(path, tmp_path / str(i))


def test_an_archive_that_ends_early_is_refused_wherever_it_ends(real, tmp_path):
    data, path = real.read_bytes(), tmp_path / "x.fmu"
    for size in range(0, len(data), 199):
        path.write_bytes(data[:size])
        with pytest.raises(Refused, match="truncated or damaged"), open_archive(path):
            pass
