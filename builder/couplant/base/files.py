"""Writing files whole or not at all; folders that leave nothing behind."""

import errno
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from couplant.base.errors import why


def write_atomic(path: Path, content: bytes | str) -> Path:
    """Write next to `path` and move into place, so that no half-written file is ever seen; return `path`.

    Its folder is made if needed; text is written as UTF-8 as it is, line ends included. A link stays one, a file keeps
    its mode and owner, devices and pipes are written into. Raises OSError if the folder or the file cannot be written;
    an old file is then unchanged.
    """
    path, content = Path(path), content.encode() if isinstance(content, str) else content
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    part = None
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return path
        real = Path(os.path.realpath(path))  # a circle of links is an error of the system, below
        real.parent.mkdir(parents=True, exist_ok=True)
        # a short name, for that of `path` may be as long as the system allows
        handle, name = tempfile.mkstemp(dir=real.parent, prefix=".", suffix=".part")
        os.close(handle)
        part = Path(name)
        part.write_bytes(content)
        _keep_mode(part, real)
        part.replace(real)
    except OSError as error:
        error.filename = str(path)  # a full disk names none, others the file beside it
        raise
    finally:
        if part is not None:
            part.unlink(missing_ok=True)
    return path


def _keep_mode(part: Path, old: Path) -> None:
    """Give a new file the mode and the owner of the old one, of which there may be none."""
    if not old.exists():
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        return
    state, own = old.stat(), part.stat()
    if (state.st_uid, state.st_gid) != (own.st_uid, own.st_gid):
        with suppress(OSError):  # only root gives files away
            os.chown(part, state.st_uid, state.st_gid)
    part.chmod(stat.S_IMODE(state.st_mode))


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Hold a `folder`, made if needed, alone among the processes that ask so; who ends, however, lets it go.

    Raises OSError if it cannot be made. File systems without locks are held by nobody.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        import msvcrt

        with (folder / ".lock").open("a+b") as file:
            with suppress(OSError):  # ten tries, a second each
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


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


def in_words(error: BaseException) -> str:
    """Return in one line without a full stop what an `error` says: what the system refused without Python's words."""
    if isinstance(error, OSError):
        reason = why(error, type(error).__name__)
        return f"{error.filename}: {reason}" if error.filename else reason
    return (" ".join(str(error).split()) or type(error).__name__).rstrip(".")
