"""Python backend: the runtime, the settings and PythonFMU's loader in one FMU.

PythonFMU imports the modules of all FMUs of a process into one interpreter, so module, class and package carry a
name that no other FMU has.
"""

from __future__ import annotations

import hashlib
import uuid
from pathlib import Path

import pythonfmu

import couplant_runtime
from couplant.pack.coupling import describe
from couplant.pack.native import settings_text
from couplant.pack.reference import reference_files
from couplant.pack.xml import Capabilities, write_fmi2
from couplant_runtime.config import Settings
from couplant_runtime.slave import SETTINGS

_RUNTIME = Path(couplant_runtime.__file__).parent
_LOADERS = Path(pythonfmu.__file__).parent / "resources" / "binaries"
_MODULE = '''"""Module of one coupling FMU."""

from {package}.loader import retain
from {package}.slave import CouplingSlave

retain(globals())  # the loader runs this module at every instantiation and then releases its dictionary


class {module}(CouplingSlave):
    """The slave class that the loader finds here."""
'''


def python_files(settings: Settings, name: str, unit: str, variability: str) -> dict[str, bytes]:
    """Return the files of an FMI 2.0 FMU that runs in the host's Python interpreter.

    Parameters
    ----------
    settings : Settings
        Settings of the FMU.
    name : str
        Model identifier.
    unit : str
        Unit of the signal.
    variability : str
        Variability of `y_hat`.

    Returns
    -------
    dict of str to bytes
        Contents by name inside the FMU.
    """
    text = settings_text("", 0, settings.lists())
    runtime = {path.relative_to(_RUNTIME).as_posix(): path.read_bytes() for path in sorted(_RUNTIME.rglob("*.py"))}
    digest = hashlib.sha256(repr((name, unit, variability, text, *runtime.items())).encode()).hexdigest()
    token = f"{{{uuid.UUID(digest[:32])}}}"
    module, package = f"Coupling_{digest[:16]}", f"couplant_runtime_{digest[:16]}"
    capabilities = Capabilities(needs_execution_tool=True)
    description = describe(settings, name, token, unit, variability, capabilities)
    files = {
        "modelDescription.xml": write_fmi2(description).encode(),
        "resources/slavemodule.txt": module.encode(),
        f"resources/{module}.py": _MODULE.format(module=module, package=package).encode(),
        f"resources/{SETTINGS}": settings_text(token, int(digest[:16], 16), settings.lists()).encode(),
    }
    files |= {f"resources/{package}/{path}": content for path, content in runtime.items()}
    return files | reference_files(settings) | _loaders(name)


def _loaders(name: str) -> dict[str, bytes]:
    found = [path for suffix in ("so", "dll", "dylib") for path in sorted(_LOADERS.rglob(f"*.{suffix}"))]
    return {f"binaries/{path.parent.name}/{name}{path.suffix}": path.read_bytes() for path in found}
