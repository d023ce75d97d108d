"""Job of a sweep, made once for all its points: FMUs, files, the delay-free reference. A worker needs nothing else."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from couplant.base.errors import UsageError
from couplant.config import Interface
from couplant.config.own import Own, find_algorithm
from couplant.config.ref import Ref
from couplant.config.scenario import Loaded, check_scenario
from couplant.cosim.fmu.foreign import delay_free, has_foreign, named_fmus
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.run.master import Grid
from couplant.cosim.run.reference import Reference, solve
from couplant.cosim.simulate import Progress
from couplant.cosim.wiring.components import Workshop
from couplant.pack.binaries.sources import coupling_unit
from couplant.pack.describe.model_sheet import SHEET
from couplant.pack.models import model_unit
from couplant.sweep.axes import Point, document_at
from couplant.sweep.table import Cell
from couplant.version import __version__


@dataclass(frozen=True, eq=False)
class Job:
    """Everything that a point needs besides its place and the folder with the files."""

    settings: str  # digest of all that decides the results besides the points
    loaded: Loaded
    grid: Grid
    reference: dict[Ref, NDArray[np.float64]]  # shape (N,): the delay-free solution at the macro points
    fmus: dict[str, str]  # digest of each FMU by what it was built from
    files: dict[str, str]  # digest of each file by the name that the scenario gives it
    own: tuple[Own, ...] = ()  # algorithms of the user's that run in it
    has_foreign: bool = False  # some FMU is none of those that were built for the job


@dataclass
class Stock(Builder):
    """Builds an FMU once for all runs whose settings are the same; the files are named by their digests."""

    folder: Path  # where they are
    fmus: dict[str, str] = field(default_factory=dict)  # digests by what the FMU was built from
    platform: str = "host"  # whose binaries they carry
    reference: bool = False  # what comes out of a sweep are no FMUs

    def coupling(self, settings: Interface, signal: str, run: str, options: Mapping[str, str]) -> Path:
        """Return the coupling FMU of one signal."""
        key = digest(settings.model_dump_json(), signal, json.dumps(sorted(options.items())))
        return self._keep(key, lambda: super(Stock, self).coupling(settings, signal, run, options))

    def model(
        self, name: str | Path, file_name: str, macro_step: float, latencies: Sequence[float] | None = None
    ) -> Path:
        """Return the FMU of a prototype or a network; workers need not have the folder of one."""
        key = digest(Path(name).name, repr(macro_step), json.dumps(latencies))
        return self._keep(key, lambda: super(Stock, self).model(name, file_name, macro_step, latencies))

    def _keep(self, key: str, build: Callable[[], Path]) -> Path:
        if key not in self.fmus:
            self.fmus[key] = keep(build(), self.folder, move=True)
        return self.folder / self.fmus[key]


def keep(path: Path, folder: Path, move: bool = False) -> str:
    """Put a file into a folder under its digest, which is returned; with `move` it is then gone from its old place."""
    name = hashlib.sha256(path.read_bytes()).hexdigest()
    path.replace(folder / name) if move else shutil.copyfile(path, folder / name)
    return name


def digest(*texts: str) -> str:
    """Return a digest of some `texts`."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def settings_digest(loaded: Loaded) -> str:
    """Return a digest of all that decides the results besides the points; raise `OSError` if a file cannot be read."""
    swept = dict.fromkeys(("timing", "algorithm", "latency", "jitter", "loss", "seed"), 0)
    components = loaded.scenario.components
    models: list[str | Path] = sorted({"network", *(table.model for table in components.values() if table.model)})
    models += [loaded.file(source) for source in named_sources(loaded)]
    units = [coupling_unit("2"), coupling_unit("3"), *(model_unit(model, "2") for model in models)]
    contents = [hashlib.sha256(loaded.file(text).read_bytes()).hexdigest() for text in named_files(loaded)]
    document = json.dumps(document_at(loaded.document, swept), sort_keys=True, default=str)
    return digest(__version__, document, *contents, *(unit.digest() for unit in units))[:12]


def named_files(loaded: Loaded) -> list[str]:
    """Return the files that a scenario names, as it names them."""
    scenario = loaded.scenario
    tables = [scenario.coupling, *(signal.coupling for signal in scenario.signals.values())]
    found = [*named_fmus(loaded), *(table.recording for table in scenario.components.values())]
    found += [f"{source}/{SHEET}" for source in named_sources(loaded)]
    found += [network.replay for network in loaded.networks.values()]
    found += [table.get("configuration") for table in tables]
    return sorted({str(text) for text in found if text})


def named_sources(loaded: Loaded) -> list[str]:
    """Return the folders of prototypes in C that a scenario names, as it names them."""
    return sorted({table.source for table in loaded.scenario.components.values() if table.source is not None})


def make_job(
    loaded: Loaded, settings: str, cells: Iterable[Cell], folder: Path, told: Progress
) -> tuple[Job, dict[Cell, str]]:
    """Build the FMUs of all cells, compute the reference and put every file into a `folder` under its digest.

    `settings` are what `settings_digest` returned; `told` hears the share that is done and what is being done. Returned
    are the job that the workers need, and why some of the cells cannot run. Raise `UsageError` if the scenario is
    wrong, or no cell of an algorithm can run, `CouplantError` if an FMU cannot be built or refuses to run.
    """
    stock, cells = Stock(folder), list(cells)
    files = {text: keep(loaded.file(text), folder) for text in named_files(loaded)}
    with FmuLibrary(folder) as library:
        workshop = Workshop(loaded, library, stock)
        grid = workshop.grid()
        refused = _build(loaded, cells, (library, stock, workshop.series), told)
        reference = _reference(loaded, workshop, told)
    own = tuple(one for name in sorted({cell.algorithm for cell in cells}) if (one := find_algorithm(name)) is not None)
    return Job(settings, loaded, grid, reference.values, stock.fmus, files, own, has_foreign(loaded)), refused


def _reference(loaded: Loaded, workshop: Workshop, told: Progress) -> Reference:
    """Return the delay-free reference; the FMUs of prototypes are among those of the workshop then."""

    def pass_on(share: float) -> None:
        told(share, "reference")

    workshop.direct()
    grid = workshop.grid()
    own = not has_foreign(loaded)
    return solve(workshop.reference, grid.macro_step, grid.count, pass_on) if own else delay_free(loaded, pass_on)


def at(loaded: Loaded, cell: Cell | Point, files: Mapping[str, Path] | None = None) -> Loaded:
    """Return the scenario at a point, with or without a seed; `files` tells where its files are if not beside it."""
    checked = check_scenario(loaded.path, document_at(loaded.document, cell._asdict()))
    return replace(checked, files=files or {})


def _build(loaded: Loaded, cells: Sequence[Cell], shared: tuple[Any, ...], told: Progress) -> dict[Cell, str]:
    """Build the FMUs of every cell; return why some of them cannot be built."""
    library, stock, series = shared
    refused: dict[Cell, str] = {}
    for done, cell in enumerate(cells):
        told(done / len(cells), "building FMUs")
        try:
            Workshop(at(loaded, cell), library, stock, series).build(cell.algorithm, cell.timing)
        except UsageError as error:
            refused[cell] = "; ".join(str(error).removeprefix(f"{loaded.path} (coupling): ").splitlines())
    # raise if an algorithm cannot run at any point: that is a wrong command, not a gap in its results
    runs = {(cell.algorithm, cell.timing) for cell in cells if cell not in refused}
    hopeless = {c.algorithm: why for c, why in refused.items() if (c.algorithm, c.timing) not in runs}
    if hopeless:
        raise UsageError("\n".join(f"{name} cannot run at any point: {why}" for name, why in hopeless.items()))
    return refused
