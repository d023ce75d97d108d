"""Write an FMU: a ZIP with fixed dates and order, complete or not at all."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from couplant.files import write_atomic

_DATE = (1980, 1, 1, 0, 0, 0)


def write_fmu(path: Path, files: dict[str, bytes]) -> Path:
    """Write `files`, contents by name inside the FMU, to `path`, which is returned; equal files give equal bytes.

    Raises
    ------
    OSError
        If the file cannot be written; nothing half-written stays behind.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as fmu:
        for name in sorted(files, key=lambda name: (name != "modelDescription.xml", name)):
            fmu.writestr(_entry(name), files[name], compresslevel=9)
    return write_atomic(path, stream.getvalue())


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = 0o100644 << 16
    return entry
