"""Build FMUs: coupling FMUs from a configuration, prototypes and networks from their names."""

from __future__ import annotations

from pathlib import Path

from couplant.config.schema import Interface
from couplant.errors import UsageError
from couplant.pack.archive import write_fmu
from couplant.pack.python import python_files
from couplant.pack.settings import runtime_settings

BACKENDS = ("python",)

__all__ = ["BACKENDS", "build_coupling_fmu"]


def build_coupling_fmu(interface: Interface, signal: str, directory: Path, *, backend: str = "python") -> Path:
    """Build the coupling FMU of one signal.

    Parameters
    ----------
    interface : Interface
        A checked configuration.
    signal : str
        Name of one of its signals.
    directory : Path
        Folder for the FMU; made if needed.
    backend : str
        One of `BACKENDS`.

    Returns
    -------
    Path
        The file `<interface>_<signal>.fmu`; equal input gives equal bytes.

    Raises
    ------
    UsageError
        If there is no such signal or backend.
    """
    if signal not in interface.signals:
        raise UsageError(f"signal = {signal}, allowed {', '.join(interface.signals)}")
    if backend not in BACKENDS:
        raise UsageError(f"backend = {backend}, allowed {', '.join(BACKENDS)}")
    section = interface.signals[signal]
    name = f"{interface.name}_{signal}"
    settings = runtime_settings(interface, signal)
    files = python_files(settings, name, section.unit, section.output.variability)
    return write_fmu(Path(directory) / f"{name}.fmu", files)
