"""Components that the master runs, with ports, whether an FMU, a recording or a class of this process."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from ctypes import c_double
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.config.scenario import Loaded
from couplant.tables import Series, read_signals

CONJUGATE = "conjugate"  # input of a coupling FMU for the signal of its power bond that is sent from the same place

Reader = Callable[[], Sequence[float]]
Writer = Callable[[Sequence[float]], None]


@dataclass(frozen=True)
class Port:
    """A variable of a component."""

    name: str
    kind: str = "real"  # real, integer, boolean, enumeration or string
    causality: str = "output"  # input, output, parameter, local, ...
    # for outputs: the inputs that act on it at the same instant; None: unknown, which means all of them
    dependencies: tuple[str, ...] | None = ()
    unit: str = ""  # empty: none is given


class Component(ABC):
    """One instance in a co-simulation; the life cycle is start, begin, step .. step, free.

    All values are floats, Booleans 0 and 1. Readers and writers are made once and called often.
    """

    name: str
    ports: dict[str, Port]  # all variables by name
    restorable: bool  # whether `save` and `restore` work
    variable_steps: bool = True  # whether communication steps may differ in length

    @abstractmethod
    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Instantiate at `t_0` [s], set `parameters` (values by name) and enter initialisation.

        Inputs may be set and outputs read then.
        """

    @abstractmethod
    def begin(self) -> None:
        """Leave initialisation."""

    @abstractmethod
    def reader(self, names: Sequence[str]) -> Reader:
        """Return a function that reads the variables `names` and returns their values in this order."""

    @abstractmethod
    def writer(self, names: Sequence[str]) -> Writer:
        """Return a function that takes the values of the inputs `names` in this order and sets them."""

    @abstractmethod
    def step(self, t: float, h: float) -> None:
        """Carry out a communication step from `t` [s] on, of the length `h` [s]."""

    @abstractmethod
    def save(self) -> None:
        """Keep the present state in place of the one kept before."""

    @abstractmethod
    def restore(self) -> None:
        """Go back to the state kept last."""

    @abstractmethod
    def free(self) -> None:
        """Release everything; allowed at any time and more than once."""

    def identity(self) -> str | None:
        """Return a text that only components of the same behaviour share, None: nobody can know that."""
        return None

    def inputs(self) -> tuple[str, ...]:
        """Return the names of the inputs."""
        return tuple(port.name for port in self.ports.values() if port.causality == "input")

    def declare_feedthrough(self, outputs: Mapping[str, Sequence[str]]) -> None:
        """Replace the direct feedthrough that the model description declares: by output, the inputs that act at once.

        Raises UsageError if there is no such output or input.
        """
        for output, inputs in outputs.items():
            wrong = [name for name in inputs if name not in self.inputs()]
            if output not in self.ports or wrong:
                raise UsageError(f"{self.name}: feedthrough of {output}: no variable {(wrong or [output])[0]}.")
            self.ports[output] = replace(self.ports[output], dependencies=tuple(inputs))

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """Return the inputs that act on `output` at the same instant."""
        known = self.ports[output].dependencies
        return self.inputs() if known is None else known


def has_stage(component: Component) -> bool:
    """Tell whether a `component` is a coupling FMU that follows the energy of its bond."""
    return CONJUGATE in component.ports


class LocalComponent(Component):
    """A component that is a class of this process: keep `values`, which start at 0, override `step`."""

    restorable = True

    def __init__(self, name: str, ports: Sequence[Port]) -> None:
        self.name = name
        self.ports = {port.name: port for port in ports}
        self.values: dict[str, float] = dict.fromkeys(self.ports, 0.0)
        self._kept: dict[str, float] = {}

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Take the parameters."""
        self.values.update(parameters)

    def begin(self) -> None:
        """Nothing to do."""

    def reader(self, names: Sequence[str]) -> Reader:
        """Return a function that looks the values up."""
        return lambda: [self.values[name] for name in names]

    def writer(self, names: Sequence[str]) -> Writer:
        """Return a function that stores the values."""
        return lambda values: self.values.update(zip(names, values, strict=True))

    def step(self, t: float, h: float) -> None:
        """Nothing changes."""

    def save(self) -> None:
        """Copy the values."""
        self._kept = dict(self.values)

    def restore(self) -> None:
        """Take the copy back."""
        self.values.update(self._kept)

    def free(self) -> None:
        """Nothing to release."""


class Timed(LocalComponent):
    """A component that only follows the time; the C library shares its memory.

    Outputs are those of `columns`, linear between samples over the time [s], others the time itself.
    """

    columns: Mapping[str, tuple[Vector, Vector]] = {}
    since = 0.0  # s, the time at which `now` is 0

    def __init__(self, name: str, ports: Sequence[Port]) -> None:
        super().__init__(name, ports)
        self.now, self.kept = (c_double * 1)(), (c_double * 1)()  # s

    def reader(self, names: Sequence[str]) -> Reader:
        """Return a function that interpolates at the present time."""
        columns = [self.columns.get(name) for name in names]
        return lambda: [self.now[0] if one is None else _at(self.now[0], *one) for one in columns]

    def step(self, t: float, h: float) -> None:
        """Go to t + h [s]."""
        self.now[0] = t + h - self.since

    def save(self) -> None:
        """Keep the time."""
        self.kept[0] = self.now[0]

    def restore(self) -> None:
        """Go back to it."""
        self.now[0] = self.kept[0]


class Clock(Timed):
    """Gives the time: the send stamp of a signal that passes no network. Output `time` [s]."""

    def __init__(self, name: str = "clock") -> None:
        super().__init__(name, [Port("time")])

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Set the clock to t_0 [s]."""
        self.now[0] = t_0


class Kept(LocalComponent):
    """Gives out values a communication step later: outputs are its `inputs` by name, with ``.kept`` behind.

    With `turns` it is read in its turn, at the end of the step for which its inputs are set.
    """

    def __init__(self, name: str, inputs: Sequence[str], turns: bool = False) -> None:
        super().__init__(
            name, [*(Port(key, causality="input") for key in inputs), *(Port(kept_output(key)) for key in inputs)]
        )
        self._inputs, self._turns = inputs, turns

    def begin(self) -> None:
        """Begin with the inputs."""
        for name in self._inputs:
            self.values[kept_output(name)] = self.values[f"{name}.next"] = self.values[name]

    def step(self, t: float, h: float) -> None:
        """Keep the inputs."""
        for name in self._inputs:
            self.values[kept_output(name)] = self.values[f"{name}.next" if self._turns else name]
            self.values[f"{name}.next"] = self.values[name]


def kept_output(name: str) -> str:
    """Return the name of the output that gives out the input `name` of a `Kept` later."""
    return f"{name}.kept"


_ROUNDING = 1e-9  # share of the distance of two samples by which a time may miss one: sums of steps round


def _at(now: float, time: Vector, value: Vector) -> float:
    """Return a channel at the time `now` [s], a sample itself where it is meant."""
    i = int(np.searchsorted(time, now))
    if i in (0, time.size):
        return float(value[max(i - 1, 0)])
    begin, end, before, after = map(float, (*time[i - 1 : i + 1], *value[i - 1 : i + 1]))
    least = _ROUNDING * (end - begin)
    if end - now <= least or now - begin <= least:
        return after if end - now <= least else before
    return (after - before) / (end - begin) * (now - begin) + before


class RecordingComponent(Timed):
    """Gives out a recording in place of a prototype, interpolated linearly between its samples."""

    def __init__(self, name: str, series: Series) -> None:
        super().__init__(name, [Port(column, unit=series.units.get(column, "")) for column in series.columns])
        self.columns = series.columns

    def identity(self) -> str:
        """Return a hash of the recording."""
        total = hashlib.sha256()
        for name, (time, value) in self.columns.items():
            total.update(repr((name, time.size)).encode() + time.tobytes() + value.tobytes())
        return f"recording {total.hexdigest()}"

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Go to the first sample. Raises UsageError if there are parameters: a recording has none."""
        if parameters:
            raise UsageError(f"{self.name} is a recording and has no parameter {next(iter(parameters))}.")
        self.now[0], self.since = 0.0, t_0


def read_series(loaded: Loaded) -> dict[str, Series]:
    """Return the recordings of a scenario by component. Raises UsageError if a recording cannot be read."""
    tables = loaded.scenario.components.items()
    recorded = ((name, table, table.recording) for name, table in tables if table.recording is not None)
    return {name: read_signals(loaded.file(file), table.reading) for name, table, file in recorded}


def spans_of(loaded: Loaded, series: Mapping[str, Series]) -> dict[str, float]:
    """Return how long each recording is, by component: until the first of the channels ends that are used [s]."""
    scenario = loaded.scenario
    signals = scenario.signals.values()
    used = {*scenario.watch, *scenario.connections.values()}
    used |= {ref for signal in signals for ref in (signal.source, signal.judged_against)}
    return {name: one.span([ref.variable for ref in used if ref.component == name]) for name, one in series.items()}
