"""Files as deflate streams, and as a ZIP archive with fixed dates and order.

APPNOTE 4.3: files with a head each, the directory, its end.
"""

import struct
from collections.abc import Mapping
from typing import NamedTuple

HEADER = b"\x1f\x8b\x08\0\0\0\0\0\x02\x03"
"""Header of a gzip member without a name and a date, as small as can be, of Unix (RFC 1952)."""

_VERSION, _UNIX, _DEFLATED, _UTF_8 = 20, 3, 8, 0x800
_DATE = 1 << 5 | 1  # the first day of 1980
_MODE = 0o100644 * 0x10000
_FIRST = "modelDescription.xml"


class Packed(NamedTuple):
    """A file as a raw deflate stream."""

    stream: bytes
    crc: int
    size: int  # of the file [byte]


def read_member(member: bytes) -> Packed:
    """Return the file in a gzip member whose head is as long as `HEADER`; nothing is unpacked."""
    crc, size = int.from_bytes(member[-8:-4], "little"), int.from_bytes(member[-4:], "little")
    return Packed(member[len(HEADER) : -8], crc, size)


def zip_files(files: Mapping[str, Packed]) -> bytes:
    """Return the bytes of an FMU of `files`, by name inside it."""
    names = [_FIRST] * (_FIRST in files) + sorted([name for name in files if name != _FIRST])
    content, directory = bytearray(), bytearray()
    for name in names:
        one = files[name]
        written = name.encode()
        sizes = struct.pack("<3I2H", one.crc, len(one.stream), one.size, len(written), 0)
        head = struct.pack("<5H", _VERSION, 0 if name.isascii() else _UTF_8, _DEFLATED, 0, _DATE) + sizes
        place = struct.pack("<3H2I", 0, 0, 0, _MODE, len(content))
        directory += b"PK\1\2" + struct.pack("<2B", _VERSION, _UNIX) + head + place + written
        content += b"PK\3\4" + head + written + one.stream
    end = struct.pack("<4H2IH", 0, 0, len(names), len(names), len(directory), len(content), 0)
    return bytes(content + directory + b"PK\5\6" + end)
