"""Live with PythonFMU's loader: it releases some objects once too often, which frees them while they are in use."""

import ctypes


def retain(*things: object) -> None:
    """Add a reference to each of `things` that is never given back, to make up for one released too often."""
    for thing in things:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))
