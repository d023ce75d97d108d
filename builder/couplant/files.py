"""Writing files whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path


def write_atomic(path: Path, content: bytes | str) -> Path:
    """Write next to `path` and move into place, so that no half-written file is ever seen; return `path`.

    Its folder is made if needed; text is written as UTF-8 as it is, line ends included.

    Raises
    ------
    OSError
        If the folder or the file cannot be written; an old file is then unchanged.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    part = Path(name)
    try:
        os.close(handle)
        part.write_bytes(content.encode() if isinstance(content, str) else content)
        part.chmod(0o666 & ~_umask())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
