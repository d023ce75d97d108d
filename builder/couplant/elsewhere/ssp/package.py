"""SSP archives: entries that stay are copied as they are, byte by byte, packed as they are.

The zip reader of Python finds the entries and says what is wrong with them (`archives`); the records are cut from the
file by their offsets, for that reader does not hand them out.
"""

import struct
import zipfile
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from couplant.base.archives import LARGEST_DESCRIPTION, Refused, one_line, open_archive, problems
from couplant.base.errors import UsageError, why
from couplant.base.filenames import same_files

MAIN = "SystemStructure.ssd"  # the description that tools read if they are not told another one
FOLDER = "resources"  # of FMUs in an SSP
SUFFIX = ".ssd"  # of descriptions; further ones beside the main one are variants
LARGEST = 2**32 - 2  # size of an archive that needs no ZIP64 [byte]

_MOST = 2**16 - 2
_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_LOCATOR, _LOCATOR_SIZE = b"PK\x06\x07", 20
_DESCRIPTOR = 0x0008  # sizes stand behind the data
_UTF8 = 0x0800
_DATE = (0, 0x21)  # 1 January 1980, midnight
_STORED, _DEFLATED, _VERSION = 0, 8, 20


@dataclass(frozen=True)
class _Record:
    """An entry as it lies in the file."""

    name: str
    local: memoryview  # header, name, extra field, data, what is behind them
    central: bytes  # its part of the directory, whose offset is changed where it moves


class Package:
    """An SSP archive; raise `UsageError` if it cannot be read, is no archive, or holds what is not allowed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            if path.exists() and not (path.is_file() or path.is_dir()):
                raise Refused("it is no regular file")  # what is a device may have no end
            with open_archive(path) as archive:
                self._check(archive)
                self._data = memoryview(path.read_bytes())
                self._records = _records(archive, self._data)
                self._comment = archive.comment
        except Refused as refused:
            text = str(refused).replace("not an FMU", "not an SSP").rstrip(".")
            raise UsageError(f"{path}: not an SSP that can be read: {text}.") from None
        except OSError as error:
            raise UsageError(f"{path}: {why(error)}.") from None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the entries, in their order."""
        return tuple(record.name for record in self._records)

    @property
    def descriptions(self) -> tuple[str, ...]:
        """Return the names of the system descriptions, the main one first."""
        found = (name for name in self.names if name.endswith(SUFFIX) and "/" not in name)
        return tuple(sorted(found, key=lambda name: (name != MAIN, name)))

    def read(self, name: str) -> bytes:
        """Return the content of an entry; raise `UsageError` if it is damaged."""
        try:
            with open_archive(self.path) as archive, archive.open(name) as stream:
                return stream.read()
        except Refused:
            raise UsageError(f"{self.path}: {one_line(name, 100)} in it is damaged.") from None

    def rebuild(
        self, changed: Mapping[str, bytes], added: Mapping[str, bytes] | None = None, removed: Collection[str] = ()
    ) -> bytes:
        """Return the archive with entries `changed`, `added` or `removed`; raise `UsageError` if it needs ZIP64."""
        parts: list[bytes | memoryview] = []
        directory, place = [], 0
        kept = [record for record in self._records if record.name not in removed]
        records = [_change(r, changed[r.name]) if r.name in changed else r for r in kept]
        records += [_new(name, content) for name, content in (added or {}).items()]
        for record in records:
            parts.append(record.local)
            directory.append(record.central[:42] + struct.pack("<I", place) + record.central[46:])
            place += len(record.local)
        size = sum(map(len, directory))
        if place + size > LARGEST or len(records) > _MOST:
            text = f"{place + size} bytes in {len(records)} entries, allowed {LARGEST} in {_MOST}: more needs ZIP64"
            raise UsageError(f"{self.path}: the archive would have {text}, which SSP does not allow.")
        count = len(records)
        end = _END.pack(b"PK\x05\x06", 0, 0, count, count, size, place, len(self._comment))
        return b"".join([*parts, *directory, end, self._comment])

    def _check(self, archive: zipfile.ZipFile) -> None:
        for problem in problems(archive):
            raise Refused(problem)
        if self.path.stat().st_size > LARGEST:
            raise Refused(f"it has {self.path.stat().st_size} bytes, allowed {LARGEST}: SSP has no ZIP64")
        if MAIN not in archive.namelist():
            raise Refused(f"it holds no {MAIN}")
        for one, other in same_files({name: name for name in archive.namelist()}):
            raise Refused(f"{one_line(one, 100)} and {one_line(other, 100)} are one file on Windows: rename one")
        for entry in archive.infolist():
            if entry.filename.endswith(SUFFIX) and entry.file_size > LARGEST_DESCRIPTION:
                raise Refused(f"{entry.filename} has {entry.file_size} bytes, allowed {LARGEST_DESCRIPTION}")


def _records(archive: zipfile.ZipFile, data: memoryview) -> list[_Record]:
    entries = archive.infolist()
    start = archive.start_dir
    end = len(data) - _END.size - len(archive.comment)
    if bytes(data[max(0, end - _LOCATOR_SIZE) : max(0, end - _LOCATOR_SIZE) + 4]) == _LOCATOR:
        raise Refused("it is a ZIP64 archive, allowed are those without")
    _, _, _, _, count, size, offset, _ = _END.unpack(data[end : end + _END.size])
    if count != len(entries) or offset + size != end or offset != start:
        raise Refused("there are bytes before, behind or between what its directory names")
    places = sorted(entry.header_offset for entry in entries)
    after = dict(zip(places, [*places[1:], start], strict=True))
    if places and places[0] != 0:
        raise Refused("there are bytes before its first entry")
    found, place = [], start
    for entry in entries:
        fields = _CENTRAL.unpack(data[place : place + _CENTRAL.size])
        if 0xFFFFFFFF in (fields[8], fields[9], fields[16]):
            raise Refused(f"the entry {one_line(entry.filename, 100)} is of ZIP64, allowed are those without")
        length = _CENTRAL.size + sum(fields[10:13])
        local = data[entry.header_offset : after[entry.header_offset]]
        size = _LOCAL.unpack(local[: _LOCAL.size])[9] if len(local) >= _LOCAL.size else 0
        name = data[place + _CENTRAL.size : place + _CENTRAL.size + fields[10]]
        if local[_LOCAL.size : _LOCAL.size + size] != name:
            raise Refused(f"the entry {one_line(entry.filename, 100)} has another name before its data")
        found.append(_Record(entry.filename, local, bytes(data[place : place + length])))
        place += length
    return found


def _change(record: _Record, content: bytes) -> _Record:
    """Return an entry with other content: name, date and attributes stay, and whether it is packed."""
    fields = list(_CENTRAL.unpack(record.central[: _CENTRAL.size]))
    packed = content
    if fields[4] == _DEFLATED:
        packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        packed = packer.compress(content) + packer.flush()
    fields[3] &= ~_DESCRIPTOR
    fields[7:10] = zlib.crc32(content), len(packed), len(content)
    name = record.central[_CENTRAL.size : _CENTRAL.size + fields[10]]
    rest = record.central[_CENTRAL.size :]
    header = _LOCAL.pack(b"PK\x03\x04", *fields[2:10], fields[10], 0)
    return _Record(record.name, memoryview(header + name + packed), _CENTRAL.pack(*fields) + rest)


def _new(name: str, content: bytes) -> _Record:
    """Return an entry that is stored: FMUs are packed already."""
    encoded = name.encode()
    flags = 0 if name.isascii() else _UTF8
    sizes = zlib.crc32(content), len(content), len(content)
    common = (_VERSION, flags, _STORED, *_DATE, *sizes, len(encoded), 0)
    header = _LOCAL.pack(b"PK\x03\x04", *common) + encoded
    central = _CENTRAL.pack(b"PK\x01\x02", _VERSION, *common, 0, 0, 0, 0, 0) + encoded
    return _Record(name, memoryview(header + content), central)
