"""System files whose prototypes are components of a scenario."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from couplant.analysis.system import System
from couplant.analysis.system_file import read_system
from couplant.base.errors import UsageError
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.component import Component
from couplant.cosim.fmu.prototype import LinearComponent, Scene


class Systems:
    """System files of a scenario that runs `count` macro steps; each is read once."""

    def __init__(self, loaded: Loaded, count: int) -> None:
        self._loaded, self._count = loaded, count
        self._read: dict[Path, System] = {}

    def scene(self, seed: int = 0) -> Scene | None:
        """Return the system that the scenario couples by the same connections as its file, None if there is none.

        `seed` is that of what is random.
        """
        scenario = self._loaded.scenario
        files = {table.system for table in scenario.components.values()}
        if len(files) != 1 or None in files or scenario.connections:
            return None
        one = self._system(str(files.pop()))
        coupled = {(str(table.source), str(to)) for table in scenario.signals.values() for to in table.to}
        same = coupled == {(c.source, c.target) for c in one.connections}
        return Scene(one, self._count, seed) if same else None

    def component(self, name: str, file: str) -> Component:
        """Return the prototype `name` of a `file` as a component.

        Raises
        ------
        UsageError
            If the file is wrong or has no such prototype.
        """
        system = self._system(file)
        one = next((one for one in system.prototypes if one.name == name), None)
        if one is None:
            names = ", ".join(p.name for p in system.prototypes)
            raise UsageError(f"{self._loaded.path}: components.{name}: {file} has no such prototype, allowed {names}")
        return LinearComponent(one, lambda seed: Scene(system, self._count, seed))

    def _system(self, file: str) -> System:
        path = self._loaded.file(file)
        if path not in self._read:
            self._read[path] = replace(read_system(path), macro_step=self._loaded.scenario.macro_step)
        return self._read[path]
