"""Files of an FMU as deflate streams. What is large is compressed once, when it is made, and copied from then on."""

from __future__ import annotations

import gzip
import importlib.util
import struct
import zlib
from typing import NamedTuple

_ZOPFLI = 5
"""Rounds of zopfli; more make an FMU for six platforms smaller by a few bytes."""
_HEADER = 10
"""Size of the header of a gzip member without a name [byte]."""


class Packed(NamedTuple):
    """A file as a raw deflate stream."""

    stream: bytes
    crc: int
    size: int  # of the file [byte]


def pack(content: bytes) -> Packed:
    """Return a text or another small file, compressed by zlib, for words or for numbers: whatever is smaller."""
    streams = [_deflated(content, strategy) for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED)]
    return Packed(min(streams, key=len), zlib.crc32(content), len(content))


def _deflated(content: bytes, strategy: int) -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)
    return compressor.compress(content) + compressor.flush()


def write_member(content: bytes) -> bytes:
    """Return a file as a gzip member, as small as zopfli makes it (in a second), or zlib where that is missing."""
    if has_zopfli():
        from zopfli.gzip import compress

        return bytes(compress(content, numiterations=_ZOPFLI))
    return gzip.compress(content, 9, mtime=0)


def read_member(member: bytes) -> Packed:
    """Return the file in a gzip member of `write_member`; nothing is unpacked."""
    crc, size = struct.unpack("<II", member[-8:])
    return Packed(member[_HEADER:-8], crc, size)


def packer() -> str:
    """Return what `write_member` compresses with, for the keys of what is kept."""
    return f"zopfli {_ZOPFLI}" if has_zopfli() else "zlib"


def has_zopfli() -> bool:
    """Return whether zopfli is there: with the compilers for other platforms."""
    return importlib.util.find_spec("zopfli") is not None
