"""Puts the files that are not Python modules into the wheel, where `couplant.paths` looks for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("resources", "fmu_src/kernel", "fmu_src/fmi", "fmu_src/models")


class DataFiles(BuildHookInterface):
    """Wheels carry copies; an editable installation reads the tree itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folders to a wheel that is not editable.

        Parameters
        ----------
        version : str
            ``"standard"`` or ``"editable"``.
        build_data : dict
            What hatchling is going to build.
        """
        if version == "editable":
            return
        folders = [folder for folder in FOLDERS if (Path(self.root) / folder).is_dir()]
        build_data["force_include"].update({folder: f"couplant/_data/{folder}" for folder in folders})
