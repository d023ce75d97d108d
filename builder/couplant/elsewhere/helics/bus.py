"""A federate in HELICS: publications where the federation's own step is all, endpoints with delay filters elsewhere.

A message has the stamp, the value and what goes with it: a vector of doubles in a publication, the same numbers as a
JSON list at an endpoint. The publication of a signal has its name; so has the endpoint that it leaves, and the one at
which a federate receives it is SIGNAL/FEDERATE. This is the only module that a federate needs of HELICS.
"""

import json
import math
import os
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any

from couplant.base.errors import CouplantError, why
from couplant.elsewhere.helics.link import CORE, HEARTBEAT, Address, end_of_federation, helics, with_helics_words
from couplant.elsewhere.helics.part import Line, Part

_TURN = 0.02
_ASKING = 0.5
_HINDSIGHT = 2.0  # who cannot join leaves the broker that long to say who left, which is the cause then [s]
_FAILED = 1
_RESOLUTION = 1e-9  # of times in HELICS [s]


class Left(Exception):
    """A federate left the federation before its end."""


def own_host(broker: Address) -> str:
    """Return this machine's address on the way to a `broker`; raise `CouplantError` if that cannot be reached."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
            link.connect(broker)
            return str(link.getsockname()[0])
    except OSError as error:
        raise CouplantError(f"broker {broker}: {why(error)}.") from None


class Bus:
    """The federate of a part of a scenario; made when all its FMUs are, joined by `enter`.

    Raise `CouplantError` if the broker refuses it.
    """

    def __init__(self, part: Part, broker: Address) -> None:
        self._helics, self._part = helics(), part
        try:
            self._federate = self._join(broker)
        except self._helics.HelicsException as error:
            time.sleep(_HINDSIGHT)
            raise with_helics_words(error) from None
        self._publications: dict[str, Any] = {}
        self._endpoints: dict[str, Any] = {}
        self._inputs: dict[str, Any] = {}
        self._came = {line.signal: (0, 0) for line in part.receives}  # messages, those that were newer than all before
        for line in part.sends:
            self._call_helics(self._register_sender, line)
        for line in part.receives:
            self._call_helics(self._register_receiver, line)

    def enter(self, members: Sequence[str], told: Callable[[list[str]], None]) -> None:
        """Wait until all `members` are there; `told` hears which of them have not joined yet.

        Raise `CouplantError` if somebody else joined in place of one, or the federation ends before.
        """
        h = self._helics
        h.helicsFederateEnterInitializingModeAsync(self._federate)
        self._wait(lambda: self._tell_missing(members, told))
        self._call_helics(h.helicsFederateEnterInitializingModeComplete, self._federate)
        there = self._present()  # HELICS itself only counts
        missing = [name for name in members if there and name not in there]
        others = [name for name in there if name not in members]
        if missing:
            raise CouplantError(f"{', '.join(missing)} did not join the federation, but {', '.join(others)} did.")
        h.helicsFederateEnterExecutingModeAsync(self._federate)
        self._wait(lambda: told([]))
        self._call_helics(h.helicsFederateEnterExecutingModeComplete, self._federate)

    def send(self, stamp: float) -> None:
        """Send all signals with the time `stamp` [s]."""
        self._call_helics(self._send, stamp)

    def advance(self, t: float) -> None:
        """Go on to the time `t` [s] and deliver what has arrived by then.

        Raise `Left` if a sender left the federation, `CouplantError` if the federation ended with an error.
        """
        self._call_helics(self._helics.helicsFederateRequestTime, self._federate, t)
        silent = [line.sender for line in self._part.receives if not self._call_helics(self._receive, line, t)]
        for sender in dict.fromkeys(silent):
            # the root is asked, for HELICS takes names as `broker` for its own
            h = self._helics
            found = h.helicsQueryExecute(h.helicsCreateQuery("root", "current_state"), self._federate)
            federates = found.get("federates", []) if isinstance(found, dict) else []
            states = {one["attributes"]["name"]: one["state"] for one in federates}
            if states.get(sender) in ("disconnected", "error", "finalize", "finished"):
                for line in self._part.receives:
                    self._check_heard(line, round(t / line.macro_step))
                raise Left(sender)

    def remarks(self, count: int) -> list[str]:
        """Return oddities of the messages of `count` macro steps; raise `CouplantError` if nothing came of a signal."""
        found = []
        for line in self._part.receives:
            self._check_heard(line, count)
            came, new = self._came[line.signal]
            if came > new == 1:
                age = f"none newer than the first, sent at {line.way.newest:g} s"
                found.append(f"{came} messages of {line.signal} came from {line.sender}, {age}")
        return found

    def leave(self) -> None:
        """Leave the federation at the end of a run."""
        self._call_helics(self._helics.helicsFederateDisconnect, self._federate)

    def fail(self, text: str) -> None:
        """End the whole federation with an error, a sentence."""
        self._helics.helicsFederateGlobalError(self._federate, _FAILED, text)

    def _join(self, broker: Address) -> Any:
        h, info = self._helics, self._helics.helicsCreateFederateInfo()
        h.helicsFederateInfoSetCoreTypeFromString(info, CORE)
        h.helicsFederateInfoSetCoreName(info, f"{self._part.name}-core-{os.getpid()}-{time.monotonic_ns()}")
        place = (
            f"--broker_address=tcp://{broker.host} --brokerport={broker.port} --localinterface=tcp://{own_host(broker)}"
        )
        h.helicsFederateInfoSetCoreInitString(info, f"--federates=1 {place} {HEARTBEAT}")
        for flag in (h.HELICS_FLAG_TERMINATE_ON_ERROR, h.HELICS_FLAG_UNINTERRUPTIBLE):
            h.helicsFederateInfoSetFlagOption(info, flag, True)
        return h.helicsCreateCombinationFederate(self._part.name, info)

    def _register_sender(self, line: Line) -> None:
        h, signal = self._helics, line.signal
        if line.steps == 0:
            make = h.helicsFederateRegisterGlobalPublication
            self._publications[signal] = make(self._federate, signal, h.HELICS_DATA_TYPE_VECTOR, "")
            return
        self._endpoints[signal] = h.helicsFederateRegisterGlobalEndpoint(self._federate, signal, "")
        delay = h.helicsFederateRegisterFilter(self._federate, h.HELICS_FILTER_TYPE_DELAY, f"{signal}.delay")
        h.helicsFilterAddSourceTarget(delay, signal)
        h.helicsFilterSet(delay, "delay", line.delay)

    def _register_receiver(self, line: Line) -> None:
        h, signal = self._helics, line.signal
        if line.steps == 0:
            self._inputs[signal] = h.helicsFederateRegisterSubscription(self._federate, signal, "")
            return
        name = f"{signal}/{self._part.name}"
        self._inputs[signal] = h.helicsFederateRegisterGlobalEndpoint(self._federate, name, "")

    def _send(self, stamp: float) -> None:
        h = self._helics
        for line in self._part.sends:
            message = line.way.message(stamp)
            if line.steps == 0:
                h.helicsPublicationPublishVector(self._publications[line.signal], message)
                continue
            text = json.dumps(message).encode()
            for receiver in line.receivers:
                h.helicsEndpointSendBytesTo(self._endpoints[line.signal], text, f"{line.signal}/{receiver}")

    def _check_heard(self, line: Line, count: int) -> None:
        """Refuse that nothing has arrived in `count` macro steps, if anything could have."""
        if self._came[line.signal] == (0, 0) and count > line.steps:
            raise CouplantError(f"nothing arrived of {line.signal}: {line.sender} does not send it.")

    def _wait(self, asked: Callable[[], None]) -> None:
        """Wait until what was begun is done; twice a second `asked` is called."""
        h, last = self._helics, 0.0
        while not h.helicsFederateIsAsyncOperationCompleted(self._federate):
            if time.monotonic() > last + _ASKING:
                last = time.monotonic()
                asked()
            time.sleep(_TURN)

    def _tell_missing(self, members: Sequence[str], told: Callable[[list[str]], None]) -> None:
        if there := self._present():
            told([name for name in members if name not in there])

    def _present(self) -> list[str]:
        """Return the names of all federates; nothing where there is no answer."""
        h = self._helics
        core = h.helicsFederateGetCore(self._federate)
        found = h.helicsQueryCoreExecute(h.helicsCreateQuery("root", "federates"), core)
        return [str(name) for name in found] if isinstance(found, list) else []

    def _receive(self, line: Line, t: float) -> bool:
        """Deliver messages that have arrived, in the order in which they were sent; tell whether there were any."""
        messages = sorted(self._check_message(line, found, t) for found in self._entries_of(line))
        came, new = self._came[line.signal]
        for message in messages:
            if message[0] > line.way.newest:
                line.way.deliver(message)
                new += 1
        self._came[line.signal] = came + len(messages), new
        return bool(messages)

    def _entries_of(self, line: Line) -> list[Any]:
        h, here = self._helics, self._inputs[line.signal]
        if line.steps == 0:
            return [h.helicsInputGetVector(here)] if h.helicsInputIsUpdated(here) else []
        found = []
        while h.helicsEndpointHasMessage(here):
            found.append(h.helicsMessageGetBytes(h.helicsEndpointGetMessage(here)))
        return found

    def _check_message(self, line: Line, found: Any, t: float) -> list[float]:
        """Return a message that arrived at the time `t` [s]; a federate of others may send anything."""
        message = _numbers(found)
        if len(message) != line.way.length or not all(map(math.isfinite, message)):
            more = " and what goes with it" if line.way.length > 2 else ""
            allowed = f"{line.way.length} finite numbers: stamp [s], value{more}"
            shown = found.decode("utf-8", "replace") if isinstance(found, bytes) else found
            raise CouplantError(f"{line.sender} sent {repr(shown)[:80]} as {line.signal}, allowed {allowed}.")
        if not 0.0 <= message[0] <= t + _RESOLUTION:
            stamp = f"stamp = {message[0]:g} s, allowed 0 to {t:g} s, the time at which it arrived"
            raise CouplantError(f"{line.sender} sent {line.signal} with {stamp}.")
        return message

    def _call_helics(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function that may raise an error of HELICS, which becomes a sentence."""
        try:
            return call(*arguments)
        except self._helics.HelicsException as error:
            if self._helics.helicsFederateGetState(self._federate) == self._helics.HELICS_STATE_ERROR:
                raise end_of_federation(error) from None
            raise with_helics_words(error) from None


def _numbers(found: Any) -> list[float]:
    """Return the numbers in a message, none where it is no list of numbers."""
    try:
        values = json.loads(found) if isinstance(found, bytes) else found
        return [float(value) for value in values]
    except (TypeError, ValueError, OverflowError, RecursionError):
        return []
