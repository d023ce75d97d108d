"""Build FMUs: coupling FMUs from a configuration, prototypes and networks from their names."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from couplant.base.errors import UsageError
from couplant.config.interface import Bonded, Interface, Signal
from couplant.config.rules.interface import asks_server
from couplant.pack.archive.write import check_origin
from couplant.pack.binaries.compile import binary
from couplant.pack.binaries.platforms import choose
from couplant.pack.binaries.python import PythonRuntime, check_loader, python_run
from couplant.pack.binaries.sources import coupling_unit
from couplant.pack.describe.xml import VERSIONS, check_version
from couplant.pack.fmu import Backend, Native, build_fmu
from couplant.pack.models import build_model_fmu
from couplant.pack.plan import coupling_plan, native_capabilities, needs_energy, python_capabilities, tell_missing
from couplant.pack.settings import runtime_settings
from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.learning.client import FILE

BACKENDS = ("native", "python")

__all__ = [
    "BACKENDS", "VERSIONS", "build_coupling_fmu", "build_model_fmu", "check_backend", "check_options", "check_origin",
    "compile_ahead", "needs_python",
]  # fmt: skip


def build_coupling_fmu(
    interface: Interface,
    signal: str,
    directory: Path,
    *,
    backend: str = "native",
    fmi: str = "2",
    platform: str = "host",
    sources: bool = False,
    reference: bool = True,
) -> Path:
    """Build the coupling FMU of one signal, the file `<interface>_<signal>.fmu` in a folder, which is made if needed.

    Equal input gives equal entries and the same token. The `backend` is one of `BACKENDS`, `fmi` one of `VERSIONS` of
    the standard; 3 with the Python backend needs the extra fmi3python. Of the native one `platform` is ``"host"``,
    ``"all"``, or names of platforms with commas between them, and the FMU carries its C `sources` too if they are
    wanted. What is thrown away after a run does without the `reference` result, for that of ``auto`` takes longest.
    Raise `UsageError` if there is no such signal, backend, version or platform, the backend cannot do it, or
    the file is the FMU of another signal whose name happens to be the same, `CouplantError` if a binary must be
    compiled and cannot be.
    """
    _check("signal", signal, tuple(interface.signals))
    check_options(backend, fmi, platform, sources)
    section = interface.signals[signal]
    check_backend(signal, section, backend)
    settings = runtime_settings(interface, signal)
    if backend == "python":
        chosen: Backend = PythonRuntime(fmi)
        capabilities = python_capabilities(fmi)
    else:
        code = coupling_unit(fmi, settings.neural is not None, needs_energy(settings))
        chosen = Native(code, fmi, choose(platform), sources)
        capabilities = native_capabilities(settings, fmi)
    plan = coupling_plan(interface, signal, settings, capabilities, python_run if reference else None)
    if backend == "python":
        plan = replace(plan, files={**plan.files, **_server_file(section)}, shown=tell_missing(plan.shown, fmi))
    path = Path(directory) / f"{plan.description.name}.fmu"
    check_origin(path, interface, signal)
    return build_fmu(path, plan, chosen)


def _server_file(signal: Signal) -> dict[str, bytes]:
    """Return where the FMU finds the process that learns for it, if one does."""
    own = signal.learning
    if not asks_server(signal):
        return {}
    epochs = own.epochs if own.method == "adam" else 0
    training = f"{epochs} {own.batch} {int(own.errors == 'relative')} {own.rate!r}"
    return {f"resources/{FILE}": f"{own.host}\n{own.port}\n{own.token or ''}\n{training}\n".encode()}


def compile_ahead(interface: Interface, fmi: str, platform: str, progress: Callable[[float, str], None]) -> None:
    """Compile the native FMUs of an interface; `progress` is told the fraction done, -, and what is next.

    Raise `CouplantError` if a binary must be compiled and cannot be.
    """
    signals = interface.signals.values()
    kinds = {(BY_NAME[one.algorithm.selected].needs == "neural", isinstance(one, Bonded)) for one in signals}
    work = [(coupling_unit(fmi, *kind), target) for kind in sorted(kinds) for target in choose(platform)]
    for i, (code, target) in enumerate(work):
        progress(i / len(work), f"compiling for {target.name}")
        binary(code, target)


def check_backend(name: str, signal: Signal, backend: str) -> None:
    """Raise `UsageError` if the `backend` does not have the algorithm of the signal `name`, and say what to do."""
    if backend == "native" and needs_python(signal):
        selected = signal.algorithm.selected
        setting = f'algorithm = "{selected}"' if not BY_NAME[selected].native else 'learning.mode = "server"'
        raise UsageError(f"signals.{name}.{setting}: the native backend does not have it, backend = python does")


def needs_python(signal: Signal) -> bool:
    """Tell whether the section `signal` asks for what only the Python backend has."""
    return asks_server(signal) or not BY_NAME[signal.algorithm.selected].native


def check_options(backend: str, fmi: str, platform: str, sources: bool) -> None:
    """Raise `UsageError` for options that no backend has, other platforms and `sources` with the Python one."""
    _check("backend", backend, BACKENDS)
    check_version(fmi)
    choose(platform)
    if backend == "python" and fmi == "3":
        check_loader(fmi)
    refused = {f"platform = {platform}": platform != "host", "sources": sources}
    for option, wanted in refused.items():
        if backend == "python" and wanted:
            raise UsageError(f"{option}: the python backend cannot do that, allowed with backend = native")


def _check(quantity: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"{quantity} = {value}, allowed {', '.join(allowed)}")
