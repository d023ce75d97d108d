"""Where the FMUs of a scenario come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from couplant.config import Interface
from couplant.pack import build_coupling_fmu, build_model_fmu


class Builder:
    """Builds FMUs into a folder, which is made if needed.

    Parameters
    ----------
    platform : str
        Whose binaries the FMUs carry: ``"host"``, ``"all"``, or names of platforms with commas between them.
    """

    def __init__(self, folder: Path, platform: str = "host") -> None:
        self.folder, self.platform = folder, platform

    def coupling(self, settings: Interface, signal: str, run: str, options: Mapping[str, str]) -> Path:
        """Return the coupling FMU of a `signal` in the folder `run`; `options` may give backend and fmi."""
        backend, fmi = options.get("backend", "native"), options.get("fmi", "2")
        folder = self.folder / run
        return build_coupling_fmu(settings, signal, folder, backend=backend, fmi=fmi, platform=self.platform)

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
