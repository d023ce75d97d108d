"""Files of an FMU as deflate streams."""

from __future__ import annotations

from typing import NamedTuple

HEADER = b"\x1f\x8b\x08\0\0\0\0\0\x02\x03"
"""Header of a gzip member without a name and a date, as small as can be, of Unix (RFC 1952)."""


class Packed(NamedTuple):
    """A file as a raw deflate stream."""

    stream: bytes
    crc: int
    size: int  # of the file [byte]


def read_member(member: bytes) -> Packed:
    """Return the file in a gzip member whose head is as long as `HEADER`; nothing is unpacked."""
    crc, size = int.from_bytes(member[-8:-4], "little"), int.from_bytes(member[-4:], "little")
    return Packed(member[len(HEADER) : -8], crc, size)
