"""Base of transports whose ends meet at a router or broker, and whose messages arrive in a thread of their own.

The thread touches nothing of the loop that runs in real time: it leaves messages in a box that holds so many, of which
the newest stay, and neither of the two ever waits for the other.
"""

import select
import socket
import ssl
import threading
import time
from abc import abstractmethod
from collections import deque
from contextlib import suppress
from typing import Any, ClassVar

from couplant.base.errors import UsageError
from couplant.base.modules import load_extra
from couplant.bench.carriers.addresses import Endpoint, endpoint_of
from couplant.bench.transport import End, Transport
from couplant.config.bench import SIDES, TransportTable

MOST = 1024  # messages in a box

_WAKE = 64


class Mailbox:
    """Messages between two threads."""

    def __init__(self, most: int = MOST) -> None:
        self._messages: deque[bytes] = deque(maxlen=most)
        self._bell, self._door = socket.socketpair()
        self._bell.setblocking(False)
        self._door.setblocking(False)
        self.dropped = 0  # messages that newer ones have pushed out

    def put(self, datagram: bytes) -> None:
        """Leave a message; called by the thread in which it arrives."""
        self.dropped += len(self._messages) == self._messages.maxlen
        self._messages.append(datagram)
        with suppress(OSError):  # full: it rings already; closed: nobody is there any more
            self._bell.send(b"\0")

    def take(self) -> list[bytes]:
        """Return all messages, oldest first."""
        with suppress(OSError):
            while len(self._door.recv(_WAKE)) == _WAKE:
                pass
        found = []
        with suppress(IndexError):
            while True:
                found.append(self._messages.popleft())
        return found

    def wait(self, seconds: float) -> None:
        """Wait until a message has arrived, at most for `seconds` [s]."""
        select.select([self._door], [], [], seconds)

    def fileno(self) -> int:
        """Return the file number that `select` can wait for."""
        return self._door.fileno()

    def close(self) -> None:
        """Release the sockets."""
        self._bell.close()
        self._door.close()


class Contact:
    """How long there was no way to the router or broker; told by its thread."""

    def __init__(self) -> None:
        self._lost = 0
        self._without = 0.0
        self._since: float | None = None
        self._lock = threading.Lock()

    def lose(self) -> None:
        """Note that the way is gone."""
        with self._lock:
            if self._since is None:
                self._since = time.perf_counter()
                self._lost += 1

    def regain(self) -> None:
        """Note that it is back."""
        with self._lock:
            if self._since is not None:
                self._without += time.perf_counter() - self._since
                self._since = None

    @property
    def is_there(self) -> bool:
        """Tell whether there is a way."""
        return self._since is None

    def account(self) -> tuple[int, float]:
        """Return how often it was lost and for how long in all [s] since the last call."""
        with self._lock:
            now = time.perf_counter()
            ongoing = 0.0 if self._since is None else now - self._since
            found = self._lost, self._without + ongoing
            self._lost, self._without = 0, 0.0
            self._since = None if self._since is None else now
            return found


class Meeting(Transport):
    """A transport whose ends meet at a router or broker."""

    PLACE: ClassVar[str]  # what they meet at
    PROTOCOLS: ClassVar[tuple[str, ...]]  # ways to it
    PORT: ClassVar[int]  # its usual port

    def __init__(self, side: str, listen: str = "", peer: str = "", end: End | None = None) -> None:
        self._end = end or End(side, listen, peer)
        self._endpoint = self.endpoint(self._end)
        self._mailbox, self._contact, self._closed = Mailbox(), Contact(), False
        try:
            self._connect(self._end.settings)
        except BaseException:
            self.close()
            raise

    @classmethod
    def opened(cls, end: End) -> "Meeting":
        """Return a transport at an end.

        Raises CouplantError if there is no way to the router or broker, or its certificate is refused.
        """
        return cls(end.side, end.listen, end.peer, end)

    @classmethod
    def check(cls, end: End, anywhere: bool) -> None:
        """Refuse an endpoint that is none, and other hosts than loopback unless allowed `anywhere`.

        Raises UsageError naming the key or option.
        """
        cls.endpoint(end, anywhere)

    @classmethod
    def endpoint(cls, end: End, anywhere: bool = True) -> Endpoint:
        """Return where the router or broker of an end is: `peer`, the settings, or its usual port on this machine.

        Raises UsageError if it is no endpoint, or on another machine although not allowed `anywhere`.
        """
        said = "peer" if end.peer else "bench.transport.endpoint"
        text = end.peer or end.settings.endpoint or f"tcp/127.0.0.1:{cls.PORT}"
        return endpoint_of(said, text, cls.PROTOCOLS, anywhere)

    @property
    def topics(self) -> tuple[str, str]:
        """Return the topic that this end speaks at, and the one that it listens to."""
        here = SIDES.index(self._end.side)
        root = f"couplant/{self._end.topic or 'bench'}"
        return f"{root}/{SIDES[here]}", f"{root}/{SIDES[1 - here]}"

    @property
    def where(self) -> str:
        """Return the endpoint in use, as it is written."""
        return str(self._endpoint)

    @property
    def connected(self) -> bool:
        """Tell whether there is a way to the router or broker."""
        return self._contact.is_there

    def receive(self) -> list[bytes]:
        """Return messages that have arrived."""
        return self._mailbox.take()

    def wait(self, seconds: float) -> None:
        """Wait for a message."""
        self._mailbox.wait(seconds)

    def fileno(self) -> int:
        """Return the file number that `select` can wait for."""
        return self._mailbox.fileno()

    def remarks(self) -> list[str]:
        """Return losses on this side of the router or broker, and for how long there was no way to it."""
        times, seconds = self._contact.account()
        dropped, self._mailbox.dropped = self._mailbox.dropped, 0
        found = [f"{dropped} messages arrived faster than they were taken"] if dropped else []
        if seconds:
            found.append(f"no {self.PLACE} at {self._endpoint} for {seconds:.1f} s, lost {times} times")
        return found

    def close(self) -> None:
        """End the connection."""
        if not self._closed:
            self._closed = True
            self._disconnect()
            self._mailbox.close()

    @abstractmethod
    def _connect(self, settings: TransportTable) -> None:
        """Find the router or broker and listen to the topic."""

    @abstractmethod
    def _disconnect(self) -> None:
        """Leave, also if the connection never came about."""


def needed(package: str, distribution: str, extra: str) -> Any:
    """Return a package that comes with an `extra` of couplant, as part of a `distribution`.

    Raises UsageError if it is not installed.
    """
    return load_extra(package, f"bench.transport = {extra}: needs {distribution}: pip install couplant[{extra}]")


def why_insecure(error: ssl.SSLError) -> str:
    """Return in words why there is no secure connection."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is refused: {error.verify_message.rstrip('.')}"
    return f"no secure connection: {(error.reason or str(error)).replace('_', ' ').lower()}"


def secure_context(settings: TransportTable) -> ssl.SSLContext:
    """Return the context of secure connections, in which the certificate of the `settings` is shown if they have one.

    Raises UsageError if its key is encrypted: nobody is asked for a password; OSError if a file cannot be read or is
    none.
    """

    def refuse() -> str:
        file = settings.key or settings.certificate
        raise UsageError(f"bench.transport: {file}: is encrypted, allowed is a key without a password.")

    context = ssl.create_default_context(cafile=settings.ca)
    context.check_hostname = settings.verify_name
    if settings.certificate is not None:
        context.load_cert_chain(settings.certificate, settings.key, refuse)
    return context
