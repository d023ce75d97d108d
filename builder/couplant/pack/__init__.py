"""Build FMUs: coupling FMUs from a configuration, prototypes and networks from their names."""

from __future__ import annotations

from pathlib import Path

from couplant.config.interface import Interface, Signal
from couplant.errors import UsageError
from couplant.pack.archive import write_fmu
from couplant.pack.native_coupling import Target, compile_coupling, native_files
from couplant.pack.platforms import choose
from couplant.pack.python import python_files
from couplant.pack.settings import runtime_settings
from couplant_runtime.algorithms import COMPARISON
from couplant_runtime.learning.client import FILE

BACKENDS = ("native", "python")
VERSIONS = ("2", "3")

__all__ = [
    "BACKENDS",
    "VERSIONS",
    "build_coupling_fmu",
    "check_backend",
    "check_options",
    "choose",
    "compile_coupling",
    "needs_python",
]


def build_coupling_fmu(
    interface: Interface,
    signal: str,
    directory: Path,
    *,
    backend: str = "native",
    fmi: str = "2",
    platform: str = "host",
    sources: bool = False,
) -> Path:
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
    fmi : str
        Version of the standard, ``"2"`` or ``"3"``; the Python backend has 2 only.
    platform : str
        Native backend: ``"host"``, ``"all"``, or names of platforms with commas between them.
    sources : bool
        Native backend: whether the FMU carries its C sources too.

    Returns
    -------
    Path
        The file `<interface>_<signal>.fmu`; equal input gives equal bytes.

    Raises
    ------
    UsageError
        If there is no such signal, backend, version or platform, or the backend cannot do it.
    CouplantError
        If a binary must be compiled and cannot be.
    """
    _check("signal", signal, tuple(interface.signals))
    check_options(backend, fmi, platform, sources)
    section = interface.signals[signal]
    check_backend(signal, section, backend)
    name = f"{interface.name}_{signal}"
    settings = runtime_settings(interface, signal)
    if backend == "python":
        files = python_files(settings, name, section.unit, section.output.variability)
        if settings.network and settings.network.server:
            address = section.learning
            files[f"resources/{FILE}"] = f"{address.host}\n{address.port}\n{address.token or ''}\n".encode()
    else:
        target = Target(fmi, choose(platform), sources)
        files = native_files(settings, name, section.unit, section.output.variability, target)
    return write_fmu(Path(directory) / f"{name}.fmu", files)


def check_backend(name: str, signal: Signal, backend: str) -> None:
    """Refuse a signal whose algorithm the native backend does not have.

    Parameters
    ----------
    name : str
        Name of the signal.
    signal : Signal
        Its section.
    backend : str
        One of `BACKENDS`.

    Raises
    ------
    UsageError
        Naming the setting and what to do.
    """
    if backend == "native" and needs_python(signal):
        selected = signal.algorithm.selected
        setting = f'algorithm = "{selected}"' if selected in COMPARISON else 'learning.mode = "server"'
        raise UsageError(f"signals.{name}.{setting}: the native backend does not have it; build with --backend python")


def needs_python(signal: Signal) -> bool:
    """Tell whether the section `signal` asks for what only the Python backend has."""
    server = signal.algorithm.selected == "network" and signal.learning.mode == "server"
    return server or signal.algorithm.selected in COMPARISON


def check_options(backend: str, fmi: str, platform: str, sources: bool) -> None:
    """Refuse what no backend has and what the Python backend cannot do.

    Parameters
    ----------
    backend, fmi, platform, sources
        As for `build_coupling_fmu`.

    Raises
    ------
    UsageError
        Naming the option and what is allowed.
    """
    _check("backend", backend, BACKENDS)
    _check("fmi", fmi, VERSIONS)
    choose(platform)
    refused = {"fmi = 3": fmi == "3", f"platform = {platform}": platform != "host", "sources": sources}
    for option, wanted in refused.items():
        if backend == "python" and wanted:
            raise UsageError(f"{option}: the python backend cannot do that, allowed with backend = native")


def _check(quantity: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"{quantity} = {value}, allowed {', '.join(allowed)}")
