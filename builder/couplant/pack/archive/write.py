"""Write an FMU: files packed by zlib in a ZIP with fixed dates and order, complete or not at all.

Binaries are packed once, when they are compiled, and copied from then on. No FMU replaces that of another signal whose
name happens to be the same.
"""

import hashlib
import importlib.util
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.config.interface import Interface
from couplant.pack.archive.origin import ORIGIN
from couplant.pack.archive.zipped import HEADER, Packed, zip_files

_ZOPFLI = 5  # rounds of zopfli; more make an FMU for six platforms smaller by a few bytes
_built: set[tuple[int, str]] = set()  # size [byte] and hash of each FMU that this process built

_LONGEST = 200


def pack(content: bytes) -> Packed:
    """Return a file as zlib packs it: what it holds is promised, its bytes are those of this machine's zlib."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    stream = compressor.compress(content) + compressor.flush()
    return Packed(stream, zlib.crc32(content), len(content))


def write_member(content: bytes, small: bool = False) -> bytes:
    """Return a file as a gzip member; a `small` one as zopfli makes it in a second, where it is there: 6 % less."""
    if small and has_zopfli():
        from zopfli.gzip import compress

        return bytes(compress(content, numiterations=_ZOPFLI))
    packed = pack(content)
    return HEADER + packed.stream + struct.pack("<II", packed.crc, packed.size)


def packer(small: bool = False) -> str:
    """Return the name of what `write_member` compresses `small` files or others with, for keys."""
    return f"zopfli {_ZOPFLI}" if small and has_zopfli() else "zlib"


def has_zopfli() -> bool:
    """Return whether zopfli is there: with the compilers for other platforms."""
    return importlib.util.find_spec("zopfli") is not None


def write_fmu(path: Path, files: Mapping[str, bytes | Packed]) -> Path:
    """Write `files`, by name inside the FMU, to `path`, which is returned; raise `OSError` and leave nothing behind."""
    content = zip_files({name: one if isinstance(one, Packed) else pack(one) for name, one in files.items()})
    _built.add((len(content), hashlib.sha256(content).hexdigest()))
    return write_atomic(path, content)


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


def check_origin(path: Path, interface: Interface, signal: str) -> None:
    """Check the file that the FMU of a `signal` replaces; raise `UsageError` if it is one of another signal."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open(ORIGIN) as file:
            found = file.read(_LONGEST).decode(errors="replace").splitlines()
    except Exception:  # no such file, or none of ours: zipfile raises what it likes
        return
    if len(found) == 2 and found != [interface.name, signal]:
        own, other = (f"signal {name} of interface {of}" for of, name in ([interface.name, signal], found))
        raise UsageError(f"{path} is the FMU of {other}, and that of {own} has the same name: take another folder.")
