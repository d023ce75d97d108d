"""Hashes and checksums; on the page ``workbench/take/hashes.js`` stands in the place of this module."""

from __future__ import annotations

import hashlib
import zlib


def sha256(text: str) -> str:
    """Return the SHA-256 of a `text` in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def crc32(content: bytes) -> int:
    """Return the CRC-32 of a file with this `content`."""
    return zlib.crc32(content)
