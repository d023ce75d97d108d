"""Live with PythonFMU's loader, which releases some objects once too often, so that they are freed while in use."""

import ctypes
import os
from pathlib import Path

_LEFT: set[int] = set()


def retain(*things: object) -> None:
    """Add a reference to each of `things` that is never given back, to make up for one released too often."""
    for thing in things:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


def leave_once(resources: Path) -> None:
    """Have the loader beside `resources` give up Python at the end of the process before its destructors do it twice.

    On Linux the loader releases its hold of the interpreter in a destructor of C++, and a function that runs when the
    library goes releases it once more: in memory freed by then, which ends some processes with "corrupted
    double-linked list" after their work is done. That function, called before both, leaves nothing to them.
    """
    if not hasattr(os, "RTLD_NOLOAD"):
        return
    for path in (resources.parent / "binaries").glob("*linux*/*.so"):
        try:
            library = ctypes.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_NOLOAD)
            release, at_exit = library.finalizePythonInterpreter, ctypes.CDLL(None)["__cxa_atexit"]
        except (OSError, AttributeError):  # the host runs another binary, or a loader without this function
            continue
        if library._handle not in _LEFT:
            _LEFT.add(library._handle)
            at_exit(release, None, None)
