"""A federate through its runs: its part of the system, stepped from macro point to macro point."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from couplant.base.errors import CouplantError
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.instance import kept_messages
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.run.exchange import Exchange
from couplant.cosim.run.master import Grid, Recorder, start_components
from couplant.cosim.wiring.components import Workshop
from couplant.elsewhere.helics.bus import Bus, Left
from couplant.elsewhere.helics.crew import Talk
from couplant.elsewhere.helics.link import Address
from couplant.elsewhere.helics.part import Part, cut
from couplant.elsewhere.helics.record import PartRecord

_TELLING = 0.1


def work(talk: Talk, loaded: Loaded, name: str, folder: Path) -> None:
    """Be the federate `name` in all runs that are asked for; build into `folder`, say what happens by `talk`.

    Raise `CouplantError` if an FMU cannot be built or refuses, or the federation ends with an error.
    """
    with FmuLibrary() as library:
        workshop = Workshop(loaded, library, Builder(folder / "fmus", reference=True))
        workshop.starts  # noqa: B018  what takes long is done before the first run
        talk.say("ready", None)
        while (order := talk.hear()) is not None:
            index, broker = order
            timing, algorithm = loaded.scenario.cases[index]
            part = cut(loaded, workshop.couple(algorithm, timing), name)
            _run(talk, part, workshop.grid(), index, broker, list(loaded.scenario.components))


def _run(talk: Talk, part: Part, grid: Grid, index: int, broker: Address, members: list[str]) -> None:
    bus = Bus(part, broker)

    def enter() -> None:
        bus.enter(members, lambda names: talk.say("missing", names))

    try:
        with kept_messages() as said:
            # a function that hands a share on, ten times a second at most
            last = 0.0

            def report(share: float) -> None:
                nonlocal last
                if (now := time.monotonic()) >= last + _TELLING:
                    last = now
                    talk.say("share", share)

            record = run_part(part, grid, bus, report, enter)
    except Exception as error:
        bus.fail(f"{part.name}: {error}")
        raise
    for remark in record.said:
        talk.say("remark", remark)
    talk.say("record", replace(record, run=index, said=(*said.lines, *record.said)))
    with suppress(CouplantError):  # nothing of this run is missing
        bus.leave()
    talk.say("left", None)


def run_part(
    part: Part, grid: Grid, bus: Bus, told: Callable[[float], None], enter: Callable[[], None] = lambda: None
) -> PartRecord:
    """Run a part of a system over a `grid`, a step of the `bus` in each macro step; `told` hears the share done.

    `enter` is called when all FMUs have started. Raise `CouplantError` if a component refuses a step, or the federation
    ends with an error.
    """
    left, said = "", list[str]()
    with start_components(part.wiring, grid.start) as exchange:
        walk = _Walk(part, grid, bus, exchange)
        enter()
        try:
            walk.whole(told)
            said = bus.remarks(grid.count) if walk.points > grid.count else []
        except Left as gone:
            left = str(gone)
    return PartRecord(part.name, 0, walk.recorder.recording(), walk.points, tuple(said), left)


class _Walk:
    """The macro steps of a part."""

    def __init__(self, part: Part, grid: Grid, bus: Bus, exchange: Exchange) -> None:
        self._grid, self._bus, self._exchange = grid, bus, exchange
        self.recorder, self.points = Recorder(part.wiring, exchange, grid), 0

    def whole(self, told: Callable[[float], None]) -> None:
        """Go on until the end, or until a signal diverges."""
        for n in range(self._grid.count):
            told(n / self._grid.count)
            self._reach(n)
            if not all(self._step(i, t) for i, t in enumerate(self._grid.points(n))):
                return
        self._reach(self._grid.count)
        self._exchange.run(self._grid.end, 0.0)
        self.recorder.point()

    def _reach(self, n: int) -> None:
        if n:
            self._bus.advance(self._grid.points(n)[0])
        self.points = n + 1

    def _step(self, i: int, t: float) -> bool:
        """Carry out communication step `i` of a macro step; what was sent at its begin is on its way meanwhile."""
        self._exchange.run(t, self._grid.h)
        if i == 0:
            self.recorder.point()
            self._bus.send(t)
        self._exchange.step(t, self._grid.h)
        if i == 0:
            self.recorder.step()
        return not self.recorder.diverged()
