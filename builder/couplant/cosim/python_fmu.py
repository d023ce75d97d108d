"""A guard for FMUs made with PythonFMU.

At every instantiation the loader of PythonFMU 0.7 gives up a reference to the globals of the FMU's module that it
never took (`PyModule_GetDict` lends it, `findClass` releases it). After a few instances the dictionary is freed while
it is in use, and the interpreter crashes in a later garbage collection. A reference taken before each instantiation
makes up for it.
"""

from __future__ import annotations

import ctypes
import importlib
import logging
import sys
from pathlib import Path

_log = logging.getLogger(__name__)


def guard_instantiation(folder: Path) -> None:
    """Take the reference that the loader is going to release; does nothing for other FMUs.

    Parameters
    ----------
    folder : Path
        Where the FMU is unpacked.
    """
    resources = folder / "resources"
    try:
        name = (resources / "slavemodule.txt").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return
    sys.path.insert(0, str(resources))
    try:
        module = importlib.import_module(name)
    except Exception as error:  # whatever the module raises, the loader reports it better
        _log.debug("%s: %s", name, error)
    else:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(module.__dict__))
    finally:
        sys.path.remove(str(resources))
