"""Where the FMUs of a scenario come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from couplant.config import Interface
from couplant.pack import build_coupling_fmu
from couplant.pack.models import build_model_fmu


class Builder:
    """Builds FMUs into a folder.

    Parameters
    ----------
    folder : Path
        Where they go; made if needed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def coupling(self, settings: Interface, signal: str, run: str, options: Mapping[str, str]) -> Path:
        """Return the coupling FMU of one signal.

        Parameters
        ----------
        settings : Interface
            Settings of the signal.
        signal : str
            Name of the signal.
        run : str
            Name of the run, which becomes that of a folder.
        options : mapping of str to str
            backend and fmi, where they are given.
        """
        return build_coupling_fmu(settings, signal, self.folder / run, **options)

    def model(self, name: str, file_name: str, macro_step: float, latencies: Sequence[float] | None = None) -> Path:
        """Return the FMU of a prototype or a network that comes with couplant.

        Parameters
        ----------
        name : str
            Name of the model.
        file_name : str
            Name of the file without suffix.
        macro_step : float
            ΔT [s].
        latencies : sequence of float, optional
            Measured latencies, for a network that replays them [s].
        """
        given = {} if latencies is None else {"latencies": latencies}
        return build_model_fmu(name, self.folder / "models", macro_step=macro_step, file_name=file_name, **given)
