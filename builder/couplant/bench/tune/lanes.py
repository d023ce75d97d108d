"""Several coupling FMUs at one input, all fed the same arrivals: one is given to the prototype, the others are watched.

Lane 0 is the plain wire, lane 1 what was there before; candidates follow. The estimate that each lane makes for a macro
point is kept until the value that was sent then arrives: their difference is the error of the lane.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import floor, isfinite
from typing import Any

from couplant.base.errors import CouplantError
from couplant.cosim.fmu.component import Component, LocalComponent, Port, Reader, Writer
from couplant.cosim.fmu.instance import FmuComponent
from couplant_runtime.generated.constants import LEAST_STAMP
from couplant_runtime.guard import NO_STAMP

WIRE_LANE, FIRST_LANE = 0, 1
FADE = 4  # macro steps in which a candidate takes the place of what was given before

_KEPT = 512  # macro points for which estimates wait for what was sent then
_ERRORS = 40_000  # errors that are kept of a signal
_ON_GRID = 1e-6


@dataclass(frozen=True)
class Lane:
    """A component that may stand at an input."""

    component: Component  # takes the inputs of a coupling FMU, as many as it has, and gives y_hat
    parameters: Mapping[str, Any]  # to start with, by name


@dataclass(frozen=True)
class Truth:
    """A value that has arrived, with what was estimated for when it was sent."""

    known: int  # macro point at which it was there
    age: int  # macro steps since it was sent
    value: float  # [signal unit]
    errors: dict[int, float]  # of the estimates, by lane [signal unit]
    given: int  # lane whose estimate the prototype had then


class WireLane(LocalComponent):
    """The plain wire: the newest value by its stamp, or as it comes where there is none; `first` before that."""

    def __init__(self, name: str, first: float) -> None:
        super().__init__(name, [Port("y", causality="input"), Port("y_time", causality="input"),
                                Port("y_valid", causality="input"), Port("y_hat", dependencies=("y",))])  # fmt: skip
        self._first = first
        self.start(0.0, {})

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Forget all values."""
        self.values.update({"y": self._first, "y_time": NO_STAMP, "y_valid": 1.0, "y_hat": self._first})
        self._newest = NO_STAMP

    def writer(self, names: Sequence[str]) -> Writer:
        """Return a function that stores values and takes the newest."""

        def write(values: Sequence[float]) -> None:
            self.values.update(zip(names, values, strict=True))
            self._take()

        return write

    def _take(self) -> None:
        stamp, value = self.values["y_time"], self.values["y"]
        if not isfinite(value) or self.values["y_valid"] < 0.5 or (stamp >= LEAST_STAMP and stamp < self._newest):
            return
        self.values["y_hat"], self._newest = value, max(stamp, self._newest)


class Lanes(Component):
    """Coupling FMUs at one input, `first` given; a component in the place of one of them.

    `shells` are coupling FMUs that are not started: the inputs of all of them are taken. What comes is a macro step of
    `macro_step` [s] apart; before the first value it is `begin_with` [signal unit].
    """

    restorable = False

    def __init__(
        self, name: str, first: Lane | None, shells: Iterable[Component], macro_step: float, begin_with: float
    ) -> None:
        self.name, self._h = name, macro_step
        some = [*([first.component] if first else []), *shells]
        inputs = {port.name: replace(port) for one in some for port in one.ports.values() if port.causality == "input"}
        outputs = {
            port.name: port for one in reversed(some) for port in one.ports.values() if port.causality == "output"
        }
        acting = tuple(name for name in inputs if any(name in one.feedthrough("y_hat") for one in some)) if some else ()
        outputs["y_hat"] = replace(outputs["y_hat"], dependencies=acting)
        self.ports = inputs | outputs
        self.age, self.offset = _lag(some, macro_step)
        wire = Lane(WireLane(name, begin_with), {})
        self._waiting = {WIRE_LANE: wire, FIRST_LANE: first or Lane(WireLane(name, begin_with), {})}
        self.first_value = begin_with
        self.fed: list[dict[str, float]] | None = None  # inputs at macro points, where they are recorded
        self._forget()

    def _forget(self) -> None:
        """Be as before a run."""
        self.given, self._before, self.weight, self._fade = FIRST_LANE, FIRST_LANE, 1.0, 0
        self.lanes: dict[int, Component] = {}
        self._leaving: set[int] = set()
        self._left: list[Component] = []  # that nothing steps any more, not freed yet
        self._readers: dict[tuple[int, tuple[str, ...]], Callable[[], list[float]]] = {}
        self._writers: dict[tuple[int, tuple[str, ...]], tuple[list[str], Writer]] = {}
        self.values: dict[str, float] = {}
        self.truths: deque[Truth] = deque(maxlen=_ERRORS)
        self._estimates: dict[int, tuple[dict[int, float], int]] = {}
        self._known: dict[float, None] = {}
        self._n, self._t_0 = -1, 0.0
        self.newest = self.first_value  # value that came last [signal unit]
        self.first_arrival: float | None = None  # and first

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Start the lanes at `t_0` [s]; raise `CouplantError` if one refuses."""
        self._forget()
        self._t_0 = t_0
        for key, lane in self._waiting.items():
            lane.component.start(t_0, {**lane.parameters})
            self.lanes[key] = lane.component

    def begin(self) -> None:
        """Leave initialisation."""
        for component in self.lanes.values():
            component.begin()

    def add(self, key: int, component: Component) -> None:
        """Put in a `component` that has begun as the lane `key`; it has heard nothing yet."""
        self.lanes[key] = component
        names = tuple(name for name in self.values if name in component.ports)
        if names:  # what came at this point
            self._write(key, names)

    def drop(self, key: int) -> None:
        """Take the lane `key` out, if it is there; it is freed by whoever asks for the `leavers`."""
        component = self.lanes.pop(key, None)
        self._readers = {place: call for place, call in self._readers.items() if place[0] != key}
        self._writers = {place: call for place, call in self._writers.items() if place[0] != key}
        if component is not None:
            self._left.append(component)

    def leavers(self) -> list[Component]:
        """Return the components that were taken out since the last call, to be freed outside of a step."""
        found, self._left = self._left, []
        return found

    def advance(self) -> None:
        """Go on to the next macro point: a slope is read twice in a step, and must not see lanes fade over."""
        if self._fade:
            self._fade -= 1
            self.weight = 1.0 - self._fade / (FADE + 1)
        for key in [key for key in self._leaving if key != self.given and not self._fade]:
            self._leaving.discard(key)
            self.drop(key)

    def leave(self, key: int) -> None:
        """Take the lane `key` out as soon as nothing fades over from it."""
        self._leaving.add(key)

    def give(self, key: int, fade: bool = True) -> None:
        """Give the lane `key` to the prototype from now on; it fades over in `FADE` macro steps if it is to `fade`."""
        self._before, self._fade = self.given, FADE if fade and self.given != key else 0
        self.given, self.weight = key, 1.0 / (self._fade + 1)

    def reader(self, names: Sequence[str]) -> Reader:
        """Return a function that reads outputs of the lane that is given; the estimate fades over."""
        wanted = tuple(names)

        def read() -> list[float]:
            found = self._read(self.given, wanted)
            if self._fade and "y_hat" in wanted:
                place, old = wanted.index("y_hat"), self._read(self._before, ("y_hat",))[0]
                found[place] = old + self.weight * (found[place] - old)
            return found

        return read

    def writer(self, names: Sequence[str]) -> Writer:
        """Return a function that sets inputs of all lanes, of each those that it has."""
        wanted = tuple(names)

        def write(values: Sequence[float]) -> None:
            self.values.update(zip(wanted, values, strict=True))
            for key in self.lanes:
                self._write(key, wanted)

        return write

    def step(self, t: float, h: float) -> None:
        """Keep the estimates and the values that came, then step all lanes from `t` by `h` [s]."""
        at = (t - self._t_0) / self._h
        n = round(at)
        if n != self._n and abs(at - n) <= 1e-3:
            self._n = n
            self._keep(n, t)
        for component in self.lanes.values():
            component.step(t, h)

    def save(self) -> None:
        """Nothing is kept: a run never goes back."""

    def restore(self) -> None:
        """Refuse: a run never goes back; raise `CouplantError`."""
        raise CouplantError(f"{self.name}: a state cannot be restored while settings are tried")

    def free(self) -> None:
        """Free all lanes, and those that were taken out."""
        waiting = [lane.component for lane in self._waiting.values()]
        for component in {id(one): one for one in (*waiting, *self.lanes.values(), *self.leavers())}.values():
            component.free()
        self.lanes = {}

    def _read(self, key: int, names: tuple[str, ...]) -> list[float]:
        one = self.lanes[key]
        if (key, names) not in self._readers:
            there = [name for name in names if name in one.ports]
            places, call = [names.index(name) for name in there], one.reader(there)

            def read() -> list[float]:
                found = [0.0] * len(names)
                for place, value in zip(places, call(), strict=True):
                    found[place] = value
                return found

            self._readers[key, names] = read
        return self._readers[key, names]()

    def _write(self, key: int, names: tuple[str, ...]) -> None:
        one = self.lanes[key]
        if (key, names) not in self._writers:
            there = [name for name in names if name in one.ports and one.ports[name].causality == "input"]
            self._writers[key, names] = there, one.writer(there) if there else _ignore
        there, call = self._writers[key, names]
        call([self.values[name] for name in there])

    def _keep(self, n: int, t: float) -> None:
        """Keep the estimates for macro point `n`, the time `t` [s], and judge those for which a value has come."""
        if self.fed is not None:
            self.fed.append(dict(self.values))
        self._estimates[n] = ({key: self._read(key, ("y_hat",))[0] for key in self.lanes}, self.given)
        self._estimates.pop(n - _KEPT, None)
        for stamp, value in self._news(t):
            if stamp in self._known or not isfinite(value):
                continue
            self._known[stamp] = None
            if len(self._known) > _KEPT:
                del self._known[next(iter(self._known))]
            self.newest = value
            self.first_arrival = value if self.first_arrival is None else self.first_arrival
            self._judge(n, (stamp - self.offset - self._t_0) / self._h, value)

    def _news(self, t: float) -> list[tuple[float, float]]:
        """Return send time [s] and value of what is there at `t` [s]."""
        found, values = [], self.values
        for place in ("", *(f"[{i}]" for i in range(2, 9))):
            if f"y{place}" not in values:
                break
            stamp = values.get(f"y_time{place}", NO_STAMP)
            if values.get(f"y_valid{place}", 1.0) < 0.5:
                continue
            if stamp >= LEAST_STAMP:
                found.append((stamp, values[f"y{place}"]))
            elif not place and self._n >= self.age and "y_time" not in values:
                found.append((t - self.age * self._h, values["y"]))
        return found[::-1]

    def _judge(self, n: int, place: float, value: float) -> None:
        """Keep the errors of the estimates for a `place` among the macro points, as a `value` tells at point `n`."""
        i = floor(place + _ON_GRID)
        share = max(place - i, 0.0)
        ends = [self._estimates.get(j) for j in ((i,) if share < 1e-3 else (i, i + 1))]
        if any(end is None for end in ends):
            return
        (here, given), *more = (end for end in ends if end is not None)
        errors = {}
        for key in here:
            if not more:
                errors[key] = here[key] - value
            elif key in more[0][0]:
                errors[key] = here[key] + share * (more[0][0][key] - here[key]) - value
        self.truths.append(Truth(n, n - i, value, errors, given))


def _ignore(values: Sequence[float]) -> None:
    """Take nothing."""


def _lag(some: Sequence[Component], macro_step: float) -> tuple[int, float]:
    """Return the age of values without stamps [macro steps], and the lag of the signal itself [s], of coupling FMUs."""
    for one in some:
        if isinstance(one, FmuComponent) and "latency.constant_steps" in one.ports:
            with suppress(KeyError, TypeError, ValueError):
                age, offset = (one.start_of(f"latency.{name}") for name in ("constant_steps", "offset"))
                return round(age or 0.0), offset or 0.0
    return 0, 0.0
