"""Files of an FMU as deflate streams. What is large is compressed once, when it is made, and copied from then on."""

from __future__ import annotations

import importlib.util
import struct
import zlib
from functools import lru_cache
from typing import NamedTuple

from couplant.pack.deflate import deflate

_ZOPFLI = 5
"""Rounds of zopfli; more make an FMU for six platforms smaller by a few bytes."""
_HEADER = b"\x1f\x8b\x08\0\0\0\0\0\x02\x03"
"""Header of a gzip member without a name and a date, as small as can be, of Unix (RFC 1952)."""


class Packed(NamedTuple):
    """A file as a raw deflate stream."""

    stream: bytes
    crc: int
    size: int  # of the file [byte]


@lru_cache(maxsize=256)
def pack(content: bytes) -> Packed:
    """Return a text or another small file, compressed; equal on every machine, in some milliseconds for each kB."""
    return Packed(deflate(content), zlib.crc32(content), len(content))


def pack_quickly(content: bytes) -> Packed:
    """Return a file of any size as the zlib of this machine compresses it."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    stream = compressor.compress(content) + compressor.flush()
    return Packed(stream, zlib.crc32(content), len(content))


def write_member(content: bytes) -> bytes:
    """Return a file as a gzip member, as small as zopfli makes it (in a second), or without it a few percent larger."""
    if has_zopfli():
        from zopfli.gzip import compress

        return bytes(compress(content, numiterations=_ZOPFLI))
    return member(pack(content))


def member(packed: Packed) -> bytes:
    """Return a compressed file as a gzip member."""
    return _HEADER + packed.stream + struct.pack("<II", packed.crc, packed.size)


def read_member(member: bytes) -> Packed:
    """Return the file in a gzip member of `write_member` or `member`; nothing is unpacked."""
    crc, size = struct.unpack("<II", member[-8:])
    return Packed(member[len(_HEADER) : -8], crc, size)


def packer() -> str:
    """Return what `write_member` compresses with, for the keys of what is kept."""
    return f"zopfli {_ZOPFLI}" if has_zopfli() else "deflate"


def has_zopfli() -> bool:
    """Return whether zopfli is there: with the compilers for other platforms."""
    return importlib.util.find_spec("zopfli") is not None
