"""A run of the federates on this machine: what they say, and what it means for the run."""

import math
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from couplant.base.errors import CouplantError
from couplant.config.scenario import Loaded
from couplant.elsewhere.helics.crew import Crew, Gone, Word
from couplant.elsewhere.helics.link import Address, Lookout, Lost
from couplant.elsewhere.helics.record import PartRecord

Progress = Callable[[float, str], None]
Say = Callable[[str], None]

PATIENCE = 60.0  # how long federates may take to join [s]
BROKER = "the broker"  # a name that no component can have

_LOOPBACK = "127.0.0.1"
_FAREWELL = 5.0
_HINDSIGHT = 1.0  # how long the word that the run has begun may take after the word that somebody left [s]
_STANDSTILL = 10.0  # after what time without a step a user is told whom a federation waits for [s]
_PORTS = 20  # ports from that of a broker on which federates on its machine may take


@dataclass(frozen=True)
class Place:
    """Where a federation runs."""

    elsewhere: tuple[str, ...] = ()  # components that others run, on this machine or another one
    listen: Address | None = None  # where the broker listens; None: at a free port of this machine alone
    patience: float = PATIENCE  # how long federates may take to join [s]


@dataclass
class Course:
    """One run of the federates on this machine: what their words mean."""

    loaded: Loaded
    crew: Crew
    place: Place
    local: list[str]
    index: int
    progress: Progress
    say: Say
    shares: dict[str, float] = field(default_factory=dict)
    found: dict[str, PartRecord] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    missing: list[str] | None = None  # who has not joined; None: not known
    gone: tuple[str, float] | None = None  # who left before the run began, since when that is known
    moved: float = 0.0  # when a federate of this machine last went on; infinite: a user knows that none does
    ended: bool = False  # the broker's work is done

    def records(self, address: Address | None) -> dict[str, PartRecord]:
        """Run, with a broker of its own unless there is one at an `address`, and return what was recorded."""
        self._own = address is None
        self._address = self._broker() if address is None else address
        self._begun, self._lookout = time.monotonic(), Lookout(self._address)
        for name in self.local:
            self.crew.order(name, (self.index, self._address))
        try:
            while len(self.found) < len(self.local):
                self._listen()
        except Lost as error:
            others = " or ".join(self.place.elsewhere)  # nobody of this machine, which is noticed otherwise
            raise Lost(f"{others} no longer answers." if others else str(error)) from None
        self._take_leave()
        return {name: self.found[name] for name in self.local}

    def _broker(self) -> Address:
        listen = self.place.listen or Address(_LOOPBACK, free_port())
        self.crew.order(BROKER, listen)
        while True:
            for word in self.crew.words():
                if word.kind == "address":
                    if self.place.elsewhere:
                        names = ", ".join(self.place.elsewhere)
                        self.say(f"the broker at {word.content} waits for {names}, {self.place.patience:g} s at most.")
                    return Address(*word.content)

    def _listen(self) -> None:
        was_running = self._is_running()
        for word in self.crew.words():
            self._take(word)
        running = self._is_running()
        if running and not was_running and self.place.elsewhere:
            self.say("all federates have joined: the federation runs.")
        if not self._own and self._lookout.lost():
            raise CouplantError(f"the broker at {self._address} no longer answers.")
        starting = self._own and self.missing is None  # on their way to the broker of this machine
        if not running and time.monotonic() > self._begun + self.place.patience and not starting:
            raise CouplantError(self._not_there())
        if not running and self.gone is not None and time.monotonic() > self.gone[1] + _HINDSIGHT:
            raise CouplantError(f"{self.gone[0]} left the federation before the run began.")
        if running:
            self._tell_standstill()
            cases = self.loaded.scenario.cases
            timing, algorithm = cases[self.index]
            done = sum(self.shares.get(name, 0.0) for name in self.local) / len(self.local)
            self.progress((self.index + done) / len(cases), f"{algorithm}, {timing}")

    def _tell_standstill(self) -> None:
        if self.place.elsewhere and len(self.found) < len(self.local) and time.monotonic() > self.moved + _STANDSTILL:
            self.moved = math.inf
            self.say(f"waiting for {' or '.join(self.place.elsewhere)}: nobody here has gone on for {_STANDSTILL:g} s.")

    def _is_running(self) -> bool:
        return bool(self.shares or self.found)

    def _take(self, word: Word) -> None:
        if word.kind == "share":
            self.shares[word.process] = word.content
            self.moved = max(self.moved, time.monotonic())
        elif word.kind == "record":
            self.shares[word.process], self.found[word.process] = 1.0, word.content
        elif word.kind == "remark":
            self.say(f"warning: {word.content}.")
        elif word.kind == "left":
            self.left.add(word.process)
        elif word.kind == "ended":
            self.ended = True
            self._note_gone(" or ".join(self.place.elsewhere))  # came and went before anybody could ask for names
        elif word.kind == "gone":
            self._note_gone(", ".join(word.content))
        elif word.kind == "silent":
            joined = "" if self._is_running() else " joined the federation and"
            raise CouplantError(f"{', '.join(word.content)}{joined} no longer answers.")
        elif word.kind == "missing" and word.content != self.missing:
            self._begun = self._begun if self.missing is not None else time.monotonic()
            self.missing = word.content
            elsewhere = [name for name in word.content if name in self.place.elsewhere]
            if elsewhere:
                self.say(f"waiting for {', '.join(elsewhere)} to join.")

    def _note_gone(self, names: str) -> None:
        self.gone = self.gone or (names, time.monotonic())

    def _take_leave(self) -> None:
        """Let all federates leave before anything ends, those elsewhere too: whoever is cut off reports an error."""
        deadline = time.monotonic() + _FAREWELL
        try:
            while time.monotonic() < deadline and not (self.left >= set(self.local) and (self.ended or not self._own)):
                for word in self.crew.words():
                    self._take(word)
        except Gone:
            raise
        except CouplantError:
            return  # of those who leave before others: all that counts is recorded

    def _not_there(self) -> str:
        within = f"within patience = {self.place.patience:g} s"
        if self.missing is None:
            return f"no broker answers at {self._address} {within}."
        if not self.missing:
            return f"all federates have joined, but not all have begun {within}."
        return f"{', '.join(self.missing)} did not join the federation {within}."


def free_port() -> int:
    """Return a port of this machine from which on twenty are free."""
    for _ in range(100):
        with socket.socket() as link:
            link.bind((_LOOPBACK, 0))
            first = int(link.getsockname()[1])
        if first + _PORTS < 65536 and all(_is_free(port) for port in range(first, first + _PORTS)):
            return first
    raise CouplantError(f"no {_PORTS} ports in a row are free on this machine.")


def _is_free(port: int) -> bool:
    with socket.socket() as link:
        try:
            link.bind((_LOOPBACK, port))
        except OSError:
            return False
    return True
