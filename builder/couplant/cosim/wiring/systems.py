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
        self._scenes: dict[tuple[str, int], Scene] = {}

    def scene(self) -> Scene | None:
        """Return the system that the scenario couples by the same connections as its file, None if there is none."""
        scenario = self._loaded.scenario
        files = {table.system for table in scenario.components.values()}
        if len(files) != 1 or None in files or scenario.connections:
            return None
        file = str(files.pop())
        coupled = {(str(table.source), str(to)) for table in scenario.signals.values() for to in table.to}
        same = coupled == {(c.source, c.target) for c in self._system(file).connections}
        return self._scene(file, 0) if same else None

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
        return LinearComponent(one, lambda seed: self._scene(file, seed))

    def _scene(self, file: str, seed: int) -> Scene:
        """Return the scene of a file, made once: the sizes of its signals cost a run."""
        if (file, seed) not in self._scenes:
            self._scenes[file, seed] = Scene(self._system(file), self._count, seed)
        return self._scenes[file, seed]

    def _system(self, file: str) -> System:
        path = self._loaded.file(file)
        if path not in self._read:
            self._read[path] = replace(read_system(path), macro_step=self._loaded.scenario.macro_step)
        return self._read[path]
