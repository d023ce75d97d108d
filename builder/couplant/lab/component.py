"""Plants of the user's as components of a co-simulation."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from couplant.base.errors import CouplantError, UsageError
from couplant.cosim.fmu.component import LocalComponent, Port, Reader
from couplant.lab.dynamics import Dynamics, Function, PlantFailure

SLOPE = ".slope"
"""Ending of the inputs that tell how the input of that name goes on in a communication step."""


class PlantLike(Protocol):
    """Plant as a component or an FMU sees it; `couplant.lab.plant` has it."""

    fmu: Path | None
    inputs: list[str]
    outputs: list[str]
    start: tuple[float, ...]
    dt: float
    parameters: dict[str, float]
    settings: dict[str, Any]
    units: dict[str, str]

    @property
    def feedthrough(self) -> dict[str, tuple[str, ...]]:
        """Return by output the inputs that act on it at once."""

    @property
    def matrices(self) -> tuple[Any, Any, Any, Any] | None:
        """Return A, B, C, D; None of one that is not linear."""

    @property
    def functions(self) -> tuple[Function, Function | None] | None:
        """Return f and g; None of one that is linear."""

    @property
    def identity(self) -> str:
        """Return a hash of all that decides what it does."""

    def dynamics(self) -> Dynamics:
        """Return new states of the plant, at its start."""


class PlantComponent(LocalComponent):
    """A plant as a scenario runs it: inputs go on along ``NAME.slope`` where it is continuous, else they are held."""

    def __init__(self, name: str, plant: PlantLike) -> None:
        slopes = [] if plant.dt > 0.0 else [Port(one + SLOPE, causality="input") for one in plant.inputs]
        units, acting = plant.units, plant.feedthrough
        ports = [Port(one, causality="input", unit=units.get(one, "")) for one in plant.inputs]
        ports += [*slopes, *(Port(one, dependencies=acting[one], unit=units.get(one, "")) for one in plant.outputs)]
        super().__init__(name, [*ports, *(Port(one, causality="parameter") for one in plant.parameters)])
        self._plant, self._dynamics = plant, plant.dynamics()
        self._inputs = {one: i for i, one in enumerate(plant.inputs)}
        self._outputs = {one: i for i, one in enumerate(plant.outputs)}
        self._saved = self._dynamics.state()

    def identity(self) -> str | None:
        """Return a hash of the matrices; None of functions, which may use what nobody sees."""
        return None if self._plant.matrices is None else f"plant {self._plant.identity}"

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Go to the start at `t_0` [s]. Raises UsageError if there is no such parameter, or it is no number."""
        known = self._plant.parameters
        for name, value in parameters.items():
            if name not in known:
                raise UsageError(f"{self.name} has no parameter {name}; allowed are {', '.join(known) or 'none'}.")
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise UsageError(f"{self.name}.{name} = {value!r}, allowed a number.")
        self._dynamics.parameters = {**known, **{name: float(value) for name, value in parameters.items()}}
        self._dynamics.reset(t_0)

    def reader(self, names: Sequence[str]) -> Reader:
        """Return a function that works out outputs, and looks other values up."""
        if not all(name in self._outputs for name in names):
            return lambda: [self._value(name) for name in names]
        places = [self._outputs[name] for name in names]

        def read() -> list[float]:
            found: list[float] = self._guard(self._dynamics.outputs)[places].tolist()
            return found

        return read

    def writer(self, names: Sequence[str]) -> Callable[[Sequence[float]], None]:
        """Return a function that stores inputs and their slopes."""
        places = [(name.endswith(SLOPE), self._inputs[name.removesuffix(SLOPE)]) for name in names]

        def write(values: Sequence[float]) -> None:
            for (sloped, i), value in zip(places, values, strict=True):
                (self._dynamics.slope if sloped else self._dynamics.u)[i] = value

        return write

    def step(self, t: float, h: float) -> None:
        """Go from `t` to `t` + `h` [s]. Raises CouplantError if a function of the plant fails."""
        self._guard(self._dynamics.step, t, h)

    def save(self) -> None:
        """Copy states and inputs."""
        self._saved = self._dynamics.state()

    def restore(self) -> None:
        """Take the copy back."""
        self._dynamics.set_state(self._saved)

    def _guard(self, call: Callable[..., Any], *arguments: float) -> Any:
        try:
            return call(*arguments)
        except PlantFailure as failure:
            raise CouplantError(f"plant {self.name} {failure}.") from failure

    def _value(self, name: str) -> float:
        if name in self._outputs:
            return float(self._guard(self._dynamics.outputs)[self._outputs[name]])
        if name.removesuffix(SLOPE) in self._inputs:
            values = self._dynamics.slope if name.endswith(SLOPE) else self._dynamics.u
            return float(values[self._inputs[name.removesuffix(SLOPE)]])
        return self._dynamics.parameters[name]
