"""Files of an FMU packed by zlib. Binaries are packed once, when they are compiled, and copied from then on."""

from __future__ import annotations

import importlib.util
import struct
import zlib

from couplant.pack.archive.stream import HEADER, Packed

_ZOPFLI = 5
"""Rounds of zopfli; more make an FMU for six platforms smaller by a few bytes."""


def pack(content: bytes) -> Packed:
    """Return a file as zlib packs it: what it holds is promised, its bytes are those of this machine's zlib."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    stream = compressor.compress(content) + compressor.flush()
    return Packed(stream, zlib.crc32(content), len(content))


def write_member(content: bytes) -> bytes:
    """Return a file as a gzip member, as small as zopfli makes it (in a second), or without it a few percent larger."""
    if has_zopfli():
        from zopfli.gzip import compress

        return bytes(compress(content, numiterations=_ZOPFLI))
    packed = pack(content)
    return HEADER + packed.stream + struct.pack("<II", packed.crc, packed.size)


def packer() -> str:
    """Return what `write_member` compresses with, for the keys of what is kept."""
    return f"zopfli {_ZOPFLI}" if has_zopfli() else "zlib"


def has_zopfli() -> bool:
    """Return whether zopfli is there: with the compilers for other platforms."""
    return importlib.util.find_spec("zopfli") is not None
