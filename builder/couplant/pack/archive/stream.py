"""Files of an FMU as deflate streams."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from couplant.pack.archive.checksum import crc32
from couplant.pack.deflate import deflate

HEADER = b"\x1f\x8b\x08\0\0\0\0\0\x02\x03"
"""Header of a gzip member without a name and a date, as small as can be, of Unix (RFC 1952)."""


_LARGEST_BLOCK = 0xFFFF
"""Of what is not compressed [byte]."""


class Packed(NamedTuple):
    """A file as a raw deflate stream."""

    stream: bytes
    crc: int
    size: int  # of the file [byte]


@lru_cache(maxsize=256)
def pack(content: bytes) -> Packed:
    """Return a text or another small file, compressed; equal on every machine, in some milliseconds for each kB."""
    return Packed(deflate(content), crc32(content), len(content))


def store_uncompressed(content: bytes) -> Packed:
    """Return a file as a deflate stream of blocks that are not compressed (RFC 1951, 3.2.4)."""
    stream = bytearray()
    for first in range(0, max(len(content), 1), _LARGEST_BLOCK):
        block = content[first : first + _LARGEST_BLOCK]
        last = first + _LARGEST_BLOCK >= len(content)
        stream += bytes([int(last)]) + len(block).to_bytes(2, "little") + (0xFFFF - len(block)).to_bytes(2, "little")
        stream += block
    return Packed(bytes(stream), crc32(content), len(content))


def read_member(member: bytes) -> Packed:
    """Return the file in a gzip member that begins with `HEADER`; nothing is unpacked."""
    crc, size = int.from_bytes(member[-8:-4], "little"), int.from_bytes(member[-4:], "little")
    return Packed(member[len(HEADER) : -8], crc, size)
