"""Files that many FMUs have alike, such as sources and loaders: compressed once on a machine and kept."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from pathlib import Path

from couplant.base.files import write_atomic
from couplant.pack.archive.packed import member
from couplant.pack.archive.stream import Packed, pack, read_member
from couplant.pack.binaries.compile import cache_directory


def kept(content: bytes) -> Packed:
    """Return a file compressed as `pack` does it; where nothing can be kept it is done again each time."""
    key = hashlib.sha256(_maker() + content).hexdigest()
    file = cache_directory() / f"packed-{key[:32]}.gz"
    if file.is_file():
        return read_member(file.read_bytes())
    packed = pack(content)
    with suppress(OSError):  # a home that is not to be written to
        write_atomic(file, member(packed))
    return packed


@cache
def _maker() -> bytes:
    """Return the hash of what compresses: what another version has kept may have other bytes."""
    sources = sorted(Path(__file__).parent.glob("deflate*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).digest()
