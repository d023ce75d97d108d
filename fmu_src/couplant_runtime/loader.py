"""Live with PythonFMU's loader, which releases some objects once too often, so that they are freed while in use."""

import atexit
import ctypes
import os
from pathlib import Path

_LEFT: set[int] = set()


def retain(*things: object) -> None:
    """Add a reference to each of `things` that is never given back, to make up for one released too often."""
    for thing in things:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


def leave_once(resources: Path) -> None:
    """Have the loader beside `resources` give up Python when Python ends, and not at the end of the process as well.

    On Linux the loader releases its hold of the interpreter in a destructor, and a destructor of its own releases it
    again afterwards: in memory freed by then, which ends some processes with "corrupted double-linked list" after
    their work is done. Released here first, it is gone for both. The function is looked up now, since the lock of the
    dynamic linker may be held when Python ends.
    """
    if not hasattr(os, "RTLD_NOLOAD"):
        return
    for path in (resources.parent / "binaries").glob("linux*/*.so"):
        try:
            library = ctypes.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_NOLOAD)
            release = library.finalizePythonInterpreter
        except (OSError, AttributeError):  # the host runs another binary, or a loader without this function
            continue
        if library._handle not in _LEFT:
            _LEFT.add(library._handle)
            atexit.register(release)
