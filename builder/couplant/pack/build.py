"""All FMUs of an interface at once: every one of them, or none."""

import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from couplant.base.files import write_atomic
from couplant.base.notebook import Shows, Summary
from couplant.base.style import macro_steps
from couplant.config import Interface, advice, load_interface
from couplant.config.frame.read import Source, source_name
from couplant.config.hosts import READS_AGAIN
from couplant.config.latency import proposal
from couplant.pack import build_coupling_fmu, check_backend, check_options, check_origin, compile_ahead
from couplant.pack.plan import PYTHON_3

HEADINGS = ("FMU", "unit", "algorithm", "latency", "macro step", "timing", "backend", "FMI", "platforms", "kB")
"""Of the table that tells what was built."""


@dataclass(frozen=True, eq=False, repr=False)
class Built(Shows):
    """Files that `build` has built."""

    interface: Interface  # the settings, assignments included
    files: dict[str, Path]  # the FMUs by signal
    rows: list[dict[str, Any]]  # what each is: signal, unit, latency, platforms and so on
    warnings: list[str]  # what in the settings is allowed and probably not meant

    def to_dict(self) -> dict[str, Any]:
        """Return the rows and warnings for JSON."""
        return {"fmus": self.rows, "warnings": self.warnings}

    def texts(self) -> list[list[str]]:
        """Return the rows in words, in the order of `HEADINGS`."""
        return [_texts(row) for row in self.rows]

    def _summary(self) -> Summary:
        return Summary(f"{len(self.files)} coupling FMUs", HEADINGS, self.texts(), self.warnings)


def build(
    config: Source | Interface,
    output: str | Path = ".",
    *,
    backend: str = "native",
    fmi: str | int = "2",
    platform: str = "host",
    sources: bool = False,
    assignments: Sequence[str] = (),
    progress: Callable[[float, str], None] | None = None,
) -> Built:
    """Build one coupling FMU for each signal of an interface; an error leaves no file behind.

    Parameters
    ----------
    config : str, Path, mapping or Interface
        The settings file, or what it would contain, or what `couplant.config.load_interface` returns.
    output : str or Path
        Folder for the FMUs, made if needed.
    backend, platform : str
        See `couplant.pack.build_coupling_fmu`.
    fmi : str or int
        Version of the standard, 2 or 3.
    sources : bool
        Whether native FMUs carry their C sources too.
    assignments : sequence of str
        Changes in the form ``key=TOML value``, for instance ``interface.macro_step=0.005``.
    progress : callable, optional
        Told the share that is done, 0 to 1, and what is being done.

    Returns
    -------
    Built
        The files, and what each is.

    Raises
    ------
    UsageError
        If the settings or an option is wrong: nothing is built then.
    CouplantError
        If a binary must be compiled and cannot be.
    """
    options: dict[str, Any] = {"backend": backend, "fmi": str(fmi), "platform": platform, "sources": sources}
    check_options(**options)
    interface = config if isinstance(config, Interface) else load_interface(config, assignments)
    for name, signal in interface.signals.items():
        check_backend(name, signal, backend)
    origin = "" if isinstance(config, Interface) else f"{source_name(config)}: "
    warnings = [origin + line for line in advice(interface)]
    if backend == "python" and str(fmi) == "3":
        warnings.append(f"{origin}fmi = 3, backend = python: {PYTHON_3}")
    folder = Path(output)
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch:
        if progress is not None and options["backend"] == "native":
            compile_ahead(interface, options["fmi"], options["platform"], progress)
        contents = {}
        for name in interface.signals:
            path = build_coupling_fmu(interface, name, Path(scratch), **options)
            check_origin(folder / path.name, interface, name)
            contents[name] = (folder / path.name, path.read_bytes())
    files = {name: write_atomic(target, content) for name, (target, content) in contents.items()}
    rows = [_row(interface, name, file, options) for name, file in files.items()]
    return Built(interface, files, rows, warnings)


def _row(interface: Interface, name: str, file: Path, options: dict[str, Any]) -> dict[str, Any]:
    signal = interface.signals[name]
    constant = signal.latency.mode == "constant"
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
    return {
        "file": str(file),
        "signal": name,
        "unit": signal.unit,
        "algorithm": signal.algorithm.selected,
        "latency": signal.latency.constant_steps if constant else "stamps",
        "macro_step": interface.macro_step,
        "communication_step": interface.communication_step,
        "timing": interface.timing,
        "host": interface.host or READS_AGAIN,
        "host_lead": signal.latency.host_lead,
        "hold_lead": signal.latency.hold_lead,
        "hold_lead_proposed": proposal(signal.latency, signal.algorithm.selected, interface.held),
        "hold_lead_by_default": interface.added[name].hold,
        "host_reasons": list(interface.added[name].reasons),
        "backend": options["backend"],
        "fmi": f"{options['fmi']}.0",
        "platforms": sorted({name.split("/")[1] for name in names if name.startswith("binaries/")}),
        "sources": options["sources"],
        "bytes": file.stat().st_size,
    }


def _texts(row: dict[str, Any]) -> list[str]:
    latency = row["latency"]
    steps = macro_steps(latency).replace("macro ", "") if isinstance(latency, int) else "by stamps"
    step = f"{row['macro_step']:g} s" if row["macro_step"] else "importer's"
    head = [Path(row["file"]).name, row["unit"], row["algorithm"], steps, step, row["timing"]]
    carried = [*row["platforms"], *(["sources"] if row["sources"] else [])]
    return [*head, row["backend"], row["fmi"], ", ".join(carried), f"{row['bytes'] / 1000:.0f}"]
