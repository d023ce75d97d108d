"""How the two sides reach each other: a thin class that can be replaced.

Nothing in the FMU or in the rest of the bench knows what is behind it. Write a class with the methods of `Transport`
and name it, ``couplant bench SCENARIO --transport my_package.my_module:MyTransport``, or give it a name of its own: an
entry point of the group ``couplant.transports``.
"""

import gc
import importlib
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from couplant.base.errors import UsageError
from couplant.bench.carriers.addresses import check_addresses
from couplant.config.bench import TransportTable

GROUP = "couplant.transports"  # entry points of packages that bring a transport

BUILT_IN = {
    "udp": "couplant.bench.carriers.udp:UdpTransport",
    "zenoh": "couplant.bench.carriers.zenoh_session:ZenohTransport",
    "mqtt": "couplant.bench.carriers.mqtt_client:MqttTransport",
    "villas": "couplant.bench.carriers.villas:VillasTransport",
    "silkit": "couplant.bench.carriers.silkit:SilKitTransport",
}
"""Transports of couplant by name; no other package can stand in for them."""


SIDE, RELAY = 10, 9  # priorities: what the relay does waits for a step that is due


@dataclass(frozen=True)
class End:
    """One end of the way between the sides."""

    side: str  # ``"left"`` or ``"right"``: the side that it belongs to, or that the relay stands for
    listen: str = ""  # what ``--listen`` says, empty if nothing
    peer: str = ""  # what ``--peer`` says, empty if nothing
    # the table `bench.transport`, its files as paths that exist from here
    settings: TransportTable = field(default_factory=TransportTable)
    topic: str = ""  # where ends meet that meet at a router or broker; both ends of a way have the same
    signals: tuple[int, int] = (0, 0)  # how many the left and the right side send


class Transport(ABC):
    """Carries datagrams between the two sides.

    A datagram arrives whole or not at all; it may be late, doubled or out of order. No method but `wait` takes longer
    than a system call.

    Parameters
    ----------
    side : str
        ``"left"`` or ``"right"``: the side that this end belongs to.
    listen, peer : str
        What ``--listen`` and ``--peer`` say; for UDP ``host:port``. On one machine `peer` is the relay.
    """

    @abstractmethod
    def __init__(self, side: str, listen: str, peer: str) -> None: ...

    @classmethod
    def opened(cls, end: End) -> "Transport":
        """Return a transport at an end.

        Raises
        ------
        CouplantError
            If there is no way from here.
        """
        return cls(end.side, end.listen, end.peer, **cls.more(end))

    @classmethod
    def more(cls, end: End) -> dict[str, Any]:
        """Return arguments besides `side`, `listen` and `peer` that a transport takes at an end."""
        return {}

    @classmethod
    def check(cls, end: End, anywhere: bool) -> None:
        """Refuse an end that cannot be; other hosts than loopback are allowed with `anywhere` only.

        Raises
        ------
        UsageError
            Naming the quantity or the key, its value and what is allowed.
        """
        check_addresses({"listen": end.listen or None, "peer": end.peer or None}, anywhere)

    @abstractmethod
    def send(self, datagram: bytes) -> None:
        """Hand a datagram (at most 1 kB) to the network without waiting; one that cannot be sent is lost."""

    @abstractmethod
    def receive(self) -> list[bytes]:
        """Return everything that has arrived since the last call, in the order of arrival, without waiting."""

    @abstractmethod
    def close(self) -> None:
        """Release everything; allowed more than once."""

    def wait(self, seconds: float) -> None:
        """Wait until something has arrived, at most for `seconds` [s]; called between steps only."""
        time.sleep(seconds)

    @property
    def connected(self) -> bool:
        """Tell whether messages may pass, as far as this end knows."""
        return True

    def remarks(self) -> list[str]:
        """Return events since the last call that are worth a line in the report."""
        return []


def transports() -> dict[str, EntryPoint]:
    """Return all transports by name: those of couplant, and those of other packages."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    return found | {name: EntryPoint(name, value, GROUP) for name, value in BUILT_IN.items()}


def load_transport(name: str, said: str = "transport") -> type[Transport]:
    """Return the class that a name, or ``package.module:Class``, stands for.

    `said` is the quantity or the key that names it.

    Raises
    ------
    UsageError
        If there is no such class or it is no `Transport`.
    """
    module, _, attribute = name.partition(":")
    known = transports()
    try:
        found = getattr(importlib.import_module(module), attribute) if attribute else known[name].load()
    except KeyError:
        listed = ", ".join(sorted(known))
        raise UsageError(f"{said} = {name}: allowed is {listed} or package.module:Class.") from None
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise UsageError(f"{said} = {name}: {error}; allowed is package.module:Class.") from None
    if not (isinstance(found, type) and issubclass(found, Transport)):
        raise UsageError(f"{said} = {name}: allowed is a class derived from couplant.bench.Transport.")
    return found


@contextmanager
def urgent(wanted: bool = True, priority: int = SIDE) -> Iterator[bool]:
    """Ask for a real-time `priority` if `wanted`, tell whether it was granted; hold off the collector of garbage."""
    granted = wanted and _schedule("SCHED_RR", priority)
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield granted
    finally:
        if collecting:
            gc.enable()
        if granted:
            _schedule("SCHED_OTHER", 0)


def _schedule(policy: str, priority: int) -> bool:
    try:
        os.sched_setscheduler(0, getattr(os, policy), os.sched_param(priority))
    except (AttributeError, OSError):  # another system than Linux, or not allowed to this user
        return False
    return True
