"""Delay-free references on disk: systems of couplant's own FMUs and of recordings are solved once.

What others made is solved anew: an FMU may read what nobody sees here.
"""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

from couplant.base import paths
from couplant.base.arrays import Vector
from couplant.base.files import write_atomic
from couplant.config.ref import Ref
from couplant.cosim.run.master import Wiring
from couplant.pack.binaries.compile import engine_unit

_FOLDER = "references"
_LARGEST = 32_000_000  # size of a reference that is still kept, and an eighth of that of all of them [bytes]
_SHARE = 8


def key_of(wiring: Wiring, *conditions: float) -> str | None:
    """Return a key that systems of the same behaviour share if they are solved under the same `conditions`.

    None if a component of the `wiring` does not say what it is.
    """
    total = hashlib.sha256(_method().encode())
    for name, component in wiring.components.items():
        identity = component.identity()
        if identity is None:
            return None
        at_once = [(port.name, port.dependencies) for port in component.ports.values()]
        total.update(repr((name, identity, at_once, sorted(wiring.parameters.get(name, {}).items()))).encode())
    total.update(repr((wiring.links, wiring.watched, wiring.host, conditions)).encode())
    return total.hexdigest()[:40]


def load(key: str, watched: list[Ref]) -> tuple[dict[Ref, Vector], int, float] | None:
    """Return the values of `watched` outputs, the micro steps and the error that are kept under a `key`, if any."""
    try:
        with np.load(_path(key), allow_pickle=False) as found:
            values, (micro_steps, error) = found["values"], found["solution"].tolist()
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):  # none, or damaged
        return None
    return dict(zip(watched, values, strict=True)), int(micro_steps), error


def save(key: str, values: Mapping[Ref, Vector], micro_steps: int, error: float) -> None:
    """Keep a solution under a `key`: its `values`, `micro_steps` and `error`.

    The oldest ones go where there are many; a full disk does no harm.
    """
    if sum(column.nbytes for column in values.values()) > _LARGEST:
        return
    text = io.BytesIO()
    np.savez(text, values=np.array(list(values.values())), solution=np.array([micro_steps, error]))
    with suppress(OSError):
        write_atomic(_path(key), text.getvalue())
        files = sorted((paths.cache_directory() / _FOLDER).glob("*.npz"), key=lambda path: path.stat().st_mtime)
        size = sum(path.stat().st_size for path in files)
        while size > _SHARE * _LARGEST and files:
            size -= files[0].stat().st_size
            files.pop(0).unlink(missing_ok=True)


def _path(key: str) -> Path:
    return paths.cache_directory() / _FOLDER / f"{key}.npz"


@cache
def _method() -> str:
    """Return a hash of all that solves references: what is kept does not outlive it."""
    folders = Path(__file__).parent, Path(__file__).parents[1] / "fmu"
    total = hashlib.sha256(engine_unit().digest().encode())
    for path in sorted(path for folder in folders for path in folder.glob("*.py")):
        total.update(path.read_bytes())
    return total.hexdigest()
