"""FMUs of a scenario: built into a folder, unpacked once, made components of."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from fmpy.model_description import ModelDescription

from couplant.base.archives import read_description, unpack
from couplant.base.errors import UsageError
from couplant.config import Interface
from couplant.cosim.fmu.fmu2 import Fmu2Component
from couplant.cosim.fmu.fmu3 import Fmu3Component
from couplant.cosim.fmu.instance import FmuComponent
from couplant.pack import build_coupling_fmu, build_model_fmu
from couplant.pack.archive.write import is_own

_COMPONENTS: dict[str, type[FmuComponent]] = {"2": Fmu2Component, "3": Fmu3Component}

Unpacked = tuple[ModelDescription, Path, str | None]
"""An FMU: its description, where it was unpacked, and the hash of the file if this process built it."""


def component_of(found: Unpacked, name: str) -> FmuComponent:
    """Return a new instance of an FMU that was unpacked, not yet started, under a `name`."""
    description, folder, digest = found
    return _COMPONENTS[description.fmiVersion[0]](name, description, folder, digest)


class FmuLibrary:
    """Unpacks each FMU once; a context manager that removes what it unpacked, in the temporary folder `root`."""

    def __init__(self, parent: Path | None = None) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="couplant-", dir=parent))
        self._unpacked: dict[Path, Unpacked] = {}
        self._binaries: dict[bytes, Path] = {}

    def __enter__(self) -> "FmuLibrary":
        """Return the library."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the temporary folder."""
        shutil.rmtree(self.root, ignore_errors=True)

    def open(self, path: Path, name: str) -> FmuComponent:
        """Return a new instance of an FMU, not yet started; `name` is that of the component in the scenario.

        Raises UsageError if the file is not an FMU for co-simulation that runs here.
        """
        return component_of(self.look_into(path), name)

    def look_into(self, path: Path) -> Unpacked:
        """Return an FMU, unpacked; another process may make components of it while this one keeps it.

        Raises UsageError if the file is not an FMU for co-simulation that runs here.
        """
        if path not in self._unpacked:
            self._unpacked[path] = self._unpack(path)
        return self._unpacked[path]

    def _unpack(self, path: Path) -> Unpacked:
        folder = self.root / str(len(self._unpacked))
        unpack(path, folder)
        description = read_description(folder, path)
        if description.fmiVersion[0] not in _COMPONENTS or description.coSimulation is None:
            raise UsageError(f"{path}: allowed are FMUs for co-simulation with FMI 2.0 or 3.0.")
        if not is_own(path):
            return description, folder, None
        # replace binaries of an FMU of ours by links to equal ones, which the system then loads once
        for file in folder.glob("binaries/*/*"):
            known = self._binaries.setdefault(hashlib.sha256(file.read_bytes()).digest(), file)
            if known is not file:
                link = file.with_suffix(".link")
                with suppress(OSError):  # no links here: a copy does as well
                    os.link(known, link)
                    link.replace(file)
        return description, folder, hashlib.sha256(path.read_bytes()).hexdigest()


class Builder:
    """Builds FMUs into a folder, which is made if needed.

    They carry binaries for a `platform`: ``"host"``, ``"all"``, or names of platforms with commas between them, and a
    `reference` result only if they are to outlive the run.
    """

    def __init__(self, folder: Path, platform: str = "host", reference: bool = False) -> None:
        self.folder, self.platform, self.reference = folder, platform, reference

    def coupling(self, settings: Interface, signal: str, run: str, options: Mapping[str, str]) -> Path:
        """Return the coupling FMU of a `signal` in the folder `run`; `options` may give backend and fmi."""
        backend, fmi = options.get("backend", "native"), options.get("fmi", "2")
        return build_coupling_fmu(
            settings, signal, self.folder / run,
            backend=backend, fmi=fmi, platform=self.platform, reference=self.reference,
        )  # fmt: skip

    def model(
        self, name: str | Path, file_name: str, macro_step: float, latencies: Sequence[float] | None = None
    ) -> Path:
        """Return the FMU of a prototype or network, as `file_name` without suffix.

        `name` is that of a model that comes with couplant, or the folder of one that does not; `macro_step` is ΔT [s];
        `latencies` are measured ones [s], for a network that replays them.
        """
        folder = self.folder / "models"
        return build_model_fmu(
            name, folder, platform=self.platform, macro_step=macro_step, file_name=file_name, latencies=latencies
        )
