"""Write an FMU: a ZIP with fixed dates and order, complete or not at all."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Mapping
from pathlib import Path

from couplant.files import write_atomic
from couplant.pack.packed import Packed, pack

_VERSION, _UNIX, _DEFLATED, _UTF_8 = 20, 3, 8, 0x800
_DATE = 1 << 5 | 1  # the first day of 1980
_MODE = 0o100644 << 16
_built: set[tuple[int, str]] = set()
"""Size [byte] and hash of each FMU that this process built."""


def write_fmu(path: Path, files: Mapping[str, bytes | Packed]) -> Path:
    """Write `files`, contents by name inside the FMU, to `path`, which is returned; equal files give equal bytes.

    Raises
    ------
    OSError
        If the file cannot be written; nothing half-written stays behind.
    """
    content = archived(files)
    _built.add((len(content), hashlib.sha256(content).hexdigest()))
    return write_atomic(path, content)


def archived(files: Mapping[str, bytes | Packed], compress: Callable[[bytes], Packed] = pack) -> bytes:
    """Return the bytes of an FMU of `files`, contents by name inside it; `compress` does what is not yet."""
    names = sorted(files, key=lambda name: (name != "modelDescription.xml", name))
    return _archive({name: one if isinstance(one := files[name], Packed) else compress(one) for name in names})


def is_own(path: Path) -> bool:
    """Tell whether a file has the bytes of an FMU that this process built: nothing foreign runs in it.

    What is inside the file does not count; it says what its maker likes.
    """
    try:
        size = path.stat().st_size
        known = any(size == built for built, _ in _built)  # others may be too large to be read
        return known and (size, hashlib.sha256(path.read_bytes()).hexdigest()) in _built
    except (OSError, ValueError):  # no such file, or no name of one
        return False


def _archive(files: Mapping[str, Packed]) -> bytes:
    """Return files as a ZIP archive (APPNOTE 4.3: files with a head each, the directory, its end)."""
    content, directory = bytearray(), bytearray()
    for name, one in files.items():
        written = name.encode()
        sizes = struct.pack("<3I2H", one.crc, len(one.stream), one.size, len(written), 0)
        head = struct.pack("<5H", _VERSION, 0 if name.isascii() else _UTF_8, _DEFLATED, 0, _DATE) + sizes
        place = struct.pack("<3H2I", 0, 0, 0, _MODE, len(content))
        directory += b"PK\1\2" + struct.pack("<2B", _VERSION, _UNIX) + head + place + written
        content += b"PK\3\4" + head + written + one.stream
    end = struct.pack("<4H2IH", 0, 0, len(files), len(files), len(directory), len(content), 0)
    return bytes(content + directory + b"PK\5\6" + end)
