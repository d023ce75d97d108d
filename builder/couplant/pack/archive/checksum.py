"""Checksums; on the page ``workbench/python/checksum.js`` stands in the place of this module."""

from __future__ import annotations

import zlib


def crc32(content: bytes) -> int:
    """Return the CRC-32 of a file with this `content`."""
    return zlib.crc32(content)
