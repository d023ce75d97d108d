"""Writing files whole or not at all; folders that leave nothing behind."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_atomic(path: Path, content: bytes | str) -> Path:
    """Write next to `path` and move into place, so that no half-written file is ever seen; return `path`.

    Its folder is made if needed; text is written as UTF-8 as it is, line ends included. Raises OSError if the folder or
    the file cannot be written; an old file is then unchanged.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = None
    try:
        # a short name, for that of `path` may be as long as the system allows
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
        os.close(handle)
        part = Path(name)
        part.write_bytes(content.encode() if isinstance(content, str) else content)
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(path)
    except OSError as error:
        error.filename = str(path)  # a full disk names none, others the file beside it
        raise
    finally:
        if part is not None:
            part.unlink(missing_ok=True)
    return path


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield a new folder that is gone afterwards, also if a signal ends the first try to remove it half-way."""
    folder = Path(tempfile.mkdtemp(prefix="couplant-"))
    try:
        yield folder
    finally:
        try:
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
