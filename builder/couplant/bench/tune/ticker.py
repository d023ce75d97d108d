"""Work of a side between two steps while settings are found in real time: it records, asks the session, acts."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from couplant.base.arrays import Vector
from couplant.bench.side import Side
from couplant.bench.tune.dry import ages_of, latest
from couplant.bench.tune.lanes import FIRST_LANE, Lanes
from couplant.bench.tune.leader import END, Follower, Leader
from couplant.bench.tune.meter import LOOK, is_growing
from couplant.bench.tune.sides import Blocks, Reader, Threaded, Worded
from couplant.bench.tune.tuner import NOTHING
from couplant.config.bench import SIDES

THINKING, INFORMED = 5, 6  # what the right side of two machines says before anything is tried

_ROWS = 32  # of a recording in a word: what is large would hold up a step
_FAREWELL = 3  # steps after the user has stopped, so that the other side hears of it


@dataclass
class Ticker:
    """The work of a side between two steps, in the place of a tap; it asks the session what to try."""

    side: Side
    acting: Leader | Follower
    reader: Reader
    lanes: Mapping[str, Lanes]
    connection: Connection
    stock: Threaded
    transport: Worded | None = None  # which keeps what messages say, where both sides are identified
    senders: Sequence[str] = ()  # whose messages the session hears of then: on two machines of both
    patience: int = 0  # macro steps by which the recording goes on, unless the signals grow
    asked: int = -1  # macro point at which the recording was asked for
    sent: bool = False
    last: int = -1  # step that is to be the last one, -1: unknown

    def ask(self, n: int) -> None:
        """Begin to wait for a longer recording at macro point `n`, once."""
        self.asked = n if self.asked < 0 else self.asked

    def _record(self, n: int) -> None:
        """Send the recording up to macro point `n` once it is long enough, or the signals grow."""
        if self.sent or self.asked < 0:
            return
        grows = self.patience > 0 and n % LOOK == 0 and is_growing(self.lanes.values())
        if grows or n >= self.asked + self.patience:
            self.sent, blocks = True, {}
            if self.transport is not None:
                self.transport.kept, both = False, self.transport.blocks
                blocks = {name: both[SIDES.index(name)] for name in self.senders if not grows}
            self.stock.worker.submit(self._send_recording, ages_of(self.side, self.acting.tuner.h), blocks)

    def answer(self, n: int) -> Sequence[tuple[int, str, float]] | None:
        """Return the plan of the session, None before the macro point `n` at which both sides have one.

        A lane that the other side knows nothing of is left out. Where thinking takes too long it is what is there.
        """
        order, other = self.reader.order, self.acting.tuner.heard.phase
        waits = order is None or (self._apart and other == THINKING)
        if waits:
            return self.reader.plain if n >= latest(self.acting.tuner.budget) else None
        return [row for row in order or [] if not self._apart or other == INFORMED or row[0] != self.reader.own]

    @property
    def _apart(self) -> bool:
        return len(self.senders) > 1

    def _tell(self) -> None:
        """Say whether the session of the right side still thinks, until the left one tries something."""
        tuner = self.acting.tuner
        if self._apart and isinstance(self.acting, Follower) and tuner.heard.key == NOTHING:
            if self.reader.order is None:
                tuner.word = tuner.word._replace(phase=THINKING)
            elif self.reader.own:
                tuner.word = tuner.word._replace(phase=INFORMED)

    def look(self, n: int, steps: Any, done: Vector) -> None:
        """Act after step `n`; `steps`, and how long after they were due they were `done` [s], do not matter."""
        tuner, acting = self.acting.tuner, self.acting
        tuner.was_identified = self.reader.was_identified
        acting.tick(n)
        self._tell()
        self.stock.discard([component for lanes in self.lanes.values() for component in lanes.leavers()])
        if isinstance(acting, Follower) and 0 <= tuner.moved_at <= n - tuner.budget.record:
            self.ask(n)
        self._record(n)
        if self.last < 0:
            over = acting.is_over if isinstance(acting, Leader) else tuner.heard.phase == END
            self.last = n + tuner.budget.trial if over else -1
        if (self.reader.stopped and tuner.given != FIRST_LANE) or (self.reader.stopped and self.last < 0):
            acting.stop() if isinstance(acting, Leader) else tuner.return_to_first()
            self.last = n + _FAREWELL
        if 0 <= self.last <= n:
            self.side.end()
        if n % max(round(1.0 / tuner.h), 1) == 0 and isinstance(acting, Leader):
            word = n / tuner.budget.total, acting.names.get(tuner.given, "")
            self.stock.worker.submit(self._send, ("progress", word))

    def _send_recording(self, ages: tuple[Vector, float], blocks: Mapping[str, Blocks]) -> None:
        for name, one in self.lanes.items():
            rows, one.fed = one.fed or [], None
            for at in range(0, len(rows), _ROWS):
                self._send(("fed", (name, rows[at : at + _ROWS])))
                time.sleep(0.001)
        for name, block in blocks.items():
            said = [*block.items()]
            for at in range(0, len(said), _ROWS):
                self._send(("said", (name, said[at : at + _ROWS])))
                time.sleep(0.001)
        self._send(("recorded", ages))

    def _send(self, word: tuple[str, Any]) -> None:
        with suppress(OSError):
            self.connection.send(word)
