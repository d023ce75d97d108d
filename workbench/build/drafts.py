"""Components that only say what they have: enough to wire a scenario, and no FMU is built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from couplant.config import Interface
from couplant.cosim.fmu.component import Component, Port, Reader, Writer
from couplant.cosim.fmu.instance import FmuComponent
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.pack.describe.coupling import describe
from couplant.pack.describe.model_sheet import Sheet, read_sheet
from couplant.pack.describe.xml import Capabilities, Variable
from couplant.pack.settings import runtime_settings

Lists = Mapping[str, Sequence[float]]
"""Settings of an FMU by key."""

COUPLING = "coupling"
"""Name of the module that all coupling FMUs are instances of."""


class Draft(Component):
    """An FMU as its description tells it, which module it is an instance of, and its settings."""

    restorable = True

    def __init__(self, name: str, module: str, variables: Sequence[Variable], lists: Lists) -> None:
        self.name, self.module, self.lists = name, module, lists
        self.ports = _ports(variables)
        self._items = {v.name: {item: n for item, n, _ in v.enum.items} for v in variables if v.enum is not None}

    def number(self, name: str, value: Any) -> float:
        """Return the `value` of a parameter as a number, that of an enumeration by the name of its item too."""
        return float(self._items[name][value] if isinstance(value, str) else value)

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Nothing runs."""

    def begin(self) -> None:
        """Nothing runs."""

    def reader(self, names: Sequence[str]) -> Reader:
        """Return what reads zeros."""
        return lambda: [0.0] * len(names)

    def writer(self, names: Sequence[str]) -> Writer:
        """Return what takes values and forgets them."""
        return lambda values: None

    def step(self, t: float, h: float) -> None:
        """Nothing runs."""

    def save(self) -> None:
        """Nothing runs."""

    def restore(self) -> None:
        """Nothing runs."""

    def free(self) -> None:
        """Nothing runs."""


class DraftBuilder(Builder):
    """Keeps what FMUs would be built of, by the path that each would have."""

    def __init__(self) -> None:
        super().__init__(Path())
        self.couplings: dict[Path, tuple[Interface, str]] = {}
        self.models: dict[Path, Sheet] = {}

    def coupling(self, settings: Interface, signal: str, run: str, options: Mapping[str, str]) -> Path:
        """Return the path of the coupling FMU of a `signal`; all but the settings is left out."""
        path = Path(run) / signal
        self.couplings[path] = settings, signal
        return path

    def model(
        self, name: str | Path, file_name: str, macro_step: float, latencies: Sequence[float] | None = None
    ) -> Path:
        """Return the path of the FMU `name` for `macro_step` ΔT [s]; pages replay no `latencies` [s]."""
        path = Path("models") / file_name
        self.models[path] = _sheet(name, macro_step)
        return path


class DraftLibrary(FmuLibrary):
    """Opens what a `DraftBuilder` has kept; nothing is unpacked."""

    def __init__(self, builder: DraftBuilder) -> None:
        self._builder = builder

    def open(self, path: Path, name: str) -> FmuComponent:
        """Return the draft that stands for the FMU of a `path`; `name` is that of the component in the scenario."""
        return cast(FmuComponent, self._draft(path, name))

    def _draft(self, path: Path, name: str) -> Draft:
        if path in self._builder.models:
            sheet = self._builder.models[path]
            return Draft(name, sheet.name, sheet.variables, {"start": [float(v.start or 0.0) for v in sheet.variables]})
        interface, signal = self._builder.couplings[path]
        settings, section = runtime_settings(interface, signal), interface.signals[signal]
        said = describe(settings, interface.name, section, Capabilities(), needed_only=interface.inputs == "needed")
        return Draft(name, COUPLING, said.variables, settings.lists())


@cache
def _sheet(name: str | Path, macro_step: float) -> Sheet:
    """Return the sheet of a model for ΔT [s]; what is wired for the page asks for few of them, hundreds of times."""
    return read_sheet(name).with_starts({}, macro_step)


def _ports(variables: Sequence[Variable]) -> dict[str, Port]:
    names = {v.reference: v.name for v in variables}
    inputs = {v.name for v in variables if v.causality == "input"}
    return {
        v.name: Port(
            v.name,
            v.type.lower(),
            v.causality,
            None if v.dependencies is None else tuple(names[i] for i in v.dependencies if names[i] in inputs),
            v.unit or "",
        )
        for v in variables
    }
