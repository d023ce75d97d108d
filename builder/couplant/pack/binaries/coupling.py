"""Sources of coupling FMUs."""

from __future__ import annotations

from couplant.base import paths
from couplant.pack.binaries.compile import Unit, face_unit, in_page, in_process

_MODEL = {"model.c": '#include "coupling.c"\n'}


def coupling_unit(fmi: str, neural: bool = True, energy: bool = True) -> Unit:
    """Return the sources of all coupling FMUs of version `fmi`.

    The code of what learns is in it if `neural`, that of power bonds and of a lag that is learnt if `energy`.
    """
    defines = [name for name, has in (("CP_WITHOUT_NEURAL", neural), ("CP_WITHOUT_ENERGY", energy)) if not has]
    return face_unit(fmi, _MODEL, trees=_kernel(neural), defines=defines)


def coupling_module() -> Unit:
    """Return the sources of all coupling FMUs in a page."""
    return in_page(_MODEL, trees=_kernel())


def kernel_unit() -> Unit:
    """Return the sources of the kernel for a process: all that coupling FMUs can do, for speed."""
    return in_process(_MODEL, trees=_kernel())


def _kernel(neural: bool = True) -> list[str]:
    """Return the folders of the kernel, that of what learns if `neural`."""
    inner = sorted(path.name for path in paths.fmu_source("kernel").iterdir() if path.is_dir())
    return ["kernel", *(f"kernel/{name}" for name in inner if neural or name != "learning")]


def units(fmi: str) -> list[Unit]:
    """Return the units of coupling FMUs of version `fmi`."""
    return [coupling_unit(fmi, neural, energy) for neural in (False, True) for energy in (False, True)]
