"""Hashes; on the page ``workbench/take/hashes.js`` stands in the place of this module."""

from __future__ import annotations

import hashlib


def sha256(text: str) -> str:
    """Return the SHA-256 of a `text` in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
