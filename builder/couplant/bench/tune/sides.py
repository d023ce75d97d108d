"""A side of a bench whose coupling FMUs can be changed while it runs."""

import pickle
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import CouplantError
from couplant.base.style import WIRE
from couplant.bench.message import VALUES, Message, Unusable, unpack
from couplant.bench.transport import Transport
from couplant.bench.tune.lanes import Lane, Lanes
from couplant.bench.tune.tuner import Tuner, Word
from couplant.bench.wiring import SideWiring, SideWorkshop
from couplant.config.bench import SIDES, BenchScenario, LoadedBench
from couplant.config.frame.sentences import merge
from couplant.config.models import MODEL, Model
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.component import Component, read_series
from couplant.cosim.fmu.instance import FmuComponent
from couplant.cosim.fmu.load import Builder, FmuLibrary, Unpacked, component_of
from couplant.cosim.wiring.components import Workshop
from couplant.cosim.wiring.coupling import Settings, start_value
from couplant.cosim.wiring.links import coupling_name
from couplant_runtime.guard import UNLIMITED

LANES = "tune"  # stands for the algorithm in runs that try several
RECORDED = 1200  # macro steps from which both sides are identified, where the time for finding settings has them

_WORD = slice(9, 12)  # its place in a message
_PLAIN = "zoh"  # has the inputs that every coupling FMU has


Blocks = dict[float, tuple[float, ...]]
"""What messages of a side say besides, by send time [s]: its values, then value and slope of what it was given."""


@dataclass(frozen=True)
class Candidate:
    """Settings that both sides may have."""

    name: str  # in tables
    algorithm: str  # of all signals, or ``wire``
    models: Mapping[str, Model] = field(default_factory=dict)  # ``[models.NAME]``, where it is one
    expected: float = float("inf")  # error over the size of the signals by theory [-]


@dataclass(frozen=True)
class Packed:
    """A coupling FMU that was built and unpacked by another process."""

    what: Unpacked
    parameters: dict[str, Any]  # to start with, by name

    def start(self, signal: str, t_0: float) -> Component:
        """Return an instance for a signal that has begun at `t_0` [s]."""
        component = component_of(self.what, coupling_name(signal))
        component.start(t_0, self.parameters)
        component.begin()
        return component


class Shelf:
    """Coupling FMUs of candidates for the signals of a scenario; `candidates` by lane, built into a `folder`."""

    def __init__(self, loaded: Loaded, library: FmuLibrary, folder: Path, timing: str) -> None:
        self._loaded, self._library, self._folder, self._timing = loaded, library, folder, timing
        self.candidates: dict[int, Candidate] = {}
        self._series = read_series(loaded)
        self._shops: dict[str, Workshop] = {}

    def take(self, candidates: Mapping[int, Candidate]) -> None:
        """Take in `candidates` by lane."""
        self.candidates.update(candidates)

    def lane(self, signal: str, one: Candidate) -> tuple[Lane, Settings]:
        """Return a coupling FMU of a signal that has not started; raise `CouplantError` if it cannot be built."""
        if one.name not in self._shops:
            loaded = with_models(self._loaded, one.models)
            builder = Builder(self._folder / f"{len(self._shops)}")
            self._shops[one.name] = Workshop(loaded, self._library, builder, self._series, {})
        component, parameters, settings = self._shops[one.name].coupling(signal, one.algorithm, self._timing)
        return Lane(component, parameters), settings

    def pack(self, signal: str, one: Candidate) -> "Packed":
        """Return a coupling FMU of a signal for another process; raise `CouplantError` if it cannot be built."""
        lane, _ = self.lane(signal, one)
        component = lane.component
        assert isinstance(component, FmuComponent)
        return Packed(component.unpacked, {**lane.parameters})

    def start(self, key: int, signals: Sequence[str], t_0: float) -> dict[str, Component]:
        """Return coupling FMUs of the lane `key` for `signals` that have begun at `t_0` [s]."""
        found = {}
        for name in signals:
            lane, _ = self.lane(name, self.candidates[key])
            lane.component.start(t_0, {**lane.parameters})
            lane.component.begin()
            found[name] = lane.component
        return found


class LaneWorkshop(Workshop):
    """Makes of each coupling FMU one that can be changed, `lanes` by signal; `first` is in force, from a `shelf`.

    With `models` it takes what models need. `begin` is what signals start with where their settings do not say it.
    """

    def __init__(
        self, loaded: Loaded, library: FmuLibrary, builder: Builder, shelf: Shelf, first: Candidate,
        models: Mapping[str, Model],
    ) -> None:  # fmt: skip
        super().__init__(with_models(loaded, models), library, builder)
        self._shelf, self._first, self._given_models = shelf, first, models
        self.lanes: dict[str, Lanes] = {}

    def coupling(self, signal: str, algorithm: str, timing: str) -> tuple[Any, dict[str, Any], Any]:
        """Return the lanes of a signal and the settings of the first one."""
        plain, settings = self._shelf.lane(signal, Candidate(_PLAIN, _PLAIN))
        shells: list[Component] = [plain.component]
        if any(signal in model.outputs for model in self._given_models.values()):
            shells.append(self._shelf.lane(signal, Candidate("shell", MODEL, self._given_models))[0].component)
        first = None
        if self._first.algorithm != WIRE:
            first, settings = self._shelf.lane(signal, self._first)
        begin_with = start_value(settings, signal) or 0.0
        made = Lanes(coupling_name(signal), first, shells, self._loaded.scenario.macro_step, begin_with)
        self.lanes[signal] = made
        return made, {}, settings


class TuneWorkshop(SideWorkshop):
    """Makes the components of one side whose coupling FMUs can be changed; the rest is as for `SideWorkshop`."""

    def __init__(
        self, loaded: LoadedBench, side: str, library: FmuLibrary, folder: Path, first: Candidate,
        models: Mapping[str, Model],
    ) -> None:  # fmt: skip
        whole = with_models(loaded, models)
        assert isinstance(whole, LoadedBench)
        super().__init__(whole, side, library, folder)
        self.shelf = Shelf(loaded, library, folder / "lanes", loaded.scenario.timing[0])
        self._lanes = LaneWorkshop(loaded, library, Builder(folder), self.shelf, first, models)
        self._workshop = self._lanes

    @property
    def fingerprint(self) -> int:
        """Return the fingerprint of the scenario with the models that messages carry."""
        return self.scenario.fingerprint()

    @property
    def scenario(self) -> BenchScenario:
        """Return the scenario with the models that messages carry."""
        found = self._loaded.scenario
        assert isinstance(found, BenchScenario)
        return found

    def make_lanes(self) -> tuple[SideWiring, dict[str, Lanes]]:
        """Return the components of a run and the lanes by signal; raise `CouplantError` if an FMU cannot be built."""
        made = self.make(LANES, self._loaded.scenario.timing[0])
        return made, {name: self._lanes.lanes[name] for name in self.receives}


class Worded(Transport):
    """A transport whose messages carry the words of a tuner besides; those of another `scenario` carry none.

    What the messages of both sides say is kept by macro step if they are to be `kept`.
    """

    def __init__(self, inner: Transport, side: str, scenario: int, kept: bool = False) -> None:
        self._inner, self._sender, self._scenario = inner, 1 - SIDES.index(side), scenario
        self._newest, self.kept = (0, -1), kept
        self.tuner: Tuner | None = None
        self.blocks: tuple[Blocks, Blocks] = ({}, {})  # by sender

    def send(self, datagram: bytes) -> None:
        """Send a message with the word of this side."""
        if self.tuner is not None and datagram[5:6] == bytes([VALUES]):
            datagram = datagram[: _WORD.start] + bytes(self.tuner.word) + datagram[_WORD.stop :]
            if self.kept:
                self._keep(1 - self._sender, unpack(datagram))
        self._inner.send(datagram)

    def receive(self) -> list[bytes]:
        """Return all datagrams that have arrived, and tell the tuner the newest word."""
        found = self._inner.receive()
        for datagram in found:
            try:
                message = unpack(datagram, whole=self.kept)
            except Unusable:
                continue
            if (message.kind, message.sender, message.scenario) != (VALUES, self._sender, self._scenario):
                continue
            if self.kept:
                self._keep(self._sender, message)
            if self.tuner is not None and message.sequence > self._newest[1]:
                self._newest = message.run, message.sequence
                self.tuner.hear(Word(*datagram[_WORD]))
        return found

    def _keep(self, sender: int, message: Message) -> None:
        for time, *block in message.blocks:
            if time >= 0.0:
                self.blocks[sender][time] = tuple(block)

    def wait(self, seconds: float) -> None:
        """Wait as the transport does."""
        self._inner.wait(seconds)

    def close(self) -> None:
        """Close the transport."""
        self._inner.close()

    def remarks(self) -> list[str]:
        """Return its remarks."""
        return self._inner.remarks()


def side_by_side(blocks: Mapping[str, Blocks], macro_step: float) -> dict[str, Matrix]:
    """Return the contents of messages of both sides at the same macro points, shape (N, numbers), at most `RECORDED`.

    What has not come lies between what was before and after it. `blocks` are by side, a macro step is `macro_step` [s].
    """
    places = {name: {round(time / macro_step): block for time, block in one.items()} for name, one in blocks.items()}
    end = 1 + min((max(one, default=-1) for one in places.values()), default=-1)
    every = np.arange(max(end - RECORDED, 0), end)
    found = {}
    for name, one in places.items():
        known = sorted(one)
        columns = np.array([one[n] for n in known]).reshape(len(known), -1).T
        found[name] = np.column_stack([np.interp(every, known, column) for column in columns])
    return found


class Prompt:
    """A stock that delivers at once: for a clock that waits."""

    def __init__(self, shelf: Shelf, signals: Sequence[str], macro_step: float) -> None:
        self._shelf, self._signals, self._h = shelf, signals, macro_step

    def order(self, key: int, n: int) -> None:
        """Do nothing: the lane `key` is made when it is delivered, at macro point `n`."""

    def deliver(self, key: int, n: int) -> Mapping[str, Component] | None:
        """Return coupling FMUs of the lane `key` that begin now, at macro point `n`."""
        try:
            return self._shelf.start(key, self._signals, n * self._h)
        except CouplantError:
            return None


class Threaded:
    """A stock that starts and frees coupling FMUs of `signals` in a thread; macro steps are `macro_step` [s]."""

    def __init__(self, signals: Sequence[str], macro_step: float) -> None:
        self._signals, self._h = signals, macro_step
        self.packed: dict[tuple[int, str], bytes] = {}
        self.worker = ThreadPoolExecutor(1)
        self.worker.submit(int).result()  # begins before this process is urgent
        self._coming: tuple[tuple[int, int], Future[dict[str, Component]]] | None = None

    def order(self, key: int, n: int) -> None:
        """Begin to start the lane `key` for macro point `n`."""
        if self._coming is None or self._coming[1].done():
            self._give_up()
            self._coming = (key, n), self.worker.submit(self._start, key, n)

    def deliver(self, key: int, n: int) -> Mapping[str, Component] | None:
        """Return the FMUs of the lane `key` if they are there at macro point `n`."""
        if self._coming is None or self._coming[0] != (key, n) or not self._coming[1].done():
            return None
        coming, self._coming = self._coming[1], None
        try:
            return coming.result()
        except (CouplantError, OSError, KeyError):
            return None

    def discard(self, components: Sequence[Component]) -> None:
        """Let the thread free `components` that nothing steps any more."""
        if components:
            self.worker.submit(_free, components)

    def close(self) -> None:
        """Free components that were never delivered, and end the thread of this stock."""
        self._give_up()
        self.worker.shutdown(wait=True)

    def _give_up(self) -> None:
        """Let the thread free what came too late."""
        if self._coming is not None:
            self.worker.submit(_free_result, self._coming[1])
            self._coming = None

    def _start(self, key: int, n: int) -> dict[str, Component]:
        packed: dict[str, Packed] = {name: pickle.loads(self.packed[key, name]) for name in self._signals}
        return {name: one.start(name, n * self._h) for name, one in packed.items()}


def _free(components: Sequence[Component]) -> None:
    for component in components:
        component.free()


def _free_result(coming: Future[dict[str, Component]]) -> None:
    if coming.exception() is None:
        _free([*coming.result().values()])


class Reader(threading.Thread):
    """A thread that reads the words of the session, so that no step waits for them."""

    def __init__(self, connection: Connection, stock: Threaded) -> None:
        super().__init__(daemon=True)
        self._connection, self._stock = connection, stock
        self.order: list[tuple[int, str, float]] | None = None
        self.plain: list[tuple[int, str, float]] | None = None  # what to try where it takes too long to identify
        self.stopped, self.was_identified = False, False
        self.own = 0  # lane of a model that each of two machines has by itself, 0: none

    def run(self) -> None:
        """Read until the end of the session."""
        with suppress(EOFError, OSError):
            while True:
                kind, content = self._connection.recv()
                if kind == "packed":
                    self._stock.packed[content[0]] = content[1]
                elif kind == "order":
                    self.order = content
                elif kind == "plain":
                    self.plain = content
                elif kind == "identified":
                    self.was_identified, self.own = True, content
                elif kind == "stop":
                    break
        self.stopped = True


@dataclass(frozen=True)
class Found:
    """Result of one side."""

    trials: list[Any]
    windows: list[Any]
    taken_back: list[tuple[float, int, str]]
    best: int  # lane that measured best
    given: int
    n: int
    messages: Vector
    counts: dict[str, int]
    late: float  # share of late steps [-]
    reason: str


def first_of(loaded: Loaded) -> Candidate:
    """Return the settings that a file has now: its first algorithm."""
    return Candidate("before", loaded.scenario.algorithms[0], loaded.scenario.models)


def with_models(loaded: Any, models: Mapping[str, Model]) -> Any:
    """Return a scenario, as it was `loaded`, with other `models` of its senders."""
    if not models:
        return loaded
    scenario = loaded.scenario.model_copy(update={"models": dict(models)})
    return type(loaded)(**{**vars(loaded), "scenario": scenario})


def limits_of(loaded: Loaded) -> dict[str, tuple[float, float]]:
    """Return the limits of signals as their settings say, `output.min` and `output.max` [signal unit]."""
    found = {}
    for name, table in loaded.scenario.signals.items():
        output = merge(loaded.scenario.coupling, table.coupling).get("output")
        if isinstance(output, dict):
            low, high = float(output.get("min", -UNLIMITED)), float(output.get("max", UNLIMITED))
            found[name] = low, high
    return found
