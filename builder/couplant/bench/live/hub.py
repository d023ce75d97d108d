"""The page of a running bench, served on this machine by a process of its own: the sides never wait for a browser.

Frames come in as datagrams and go out as server-sent events. Each viewer has a queue that holds so many; what a viewer
does not read is dropped for this one. Every address has a random word in it, and without it nothing is told.
"""

import hmac
import json
import multiprocessing
import queue
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from typing import Any

from couplant.base.errors import CouplantError, why
from couplant.bench.live.history import History
from couplant.bench.live.tap import Viewing, unpack_frame
from couplant.bench.message import LARGEST

MOST_VIEWERS, MOST_UNREAD = 8, 50  # at once; events that wait for one of them
PATIENCE = 5.0  # for which a viewer may take nothing before it is left [s]

_START, _ALIVE, _UNSENT = 20.0, 2.0, 65536
_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}


@dataclass(frozen=True)
class Showing:
    """A page, and the address to serve it at."""

    page: str  # HTML
    host: str
    port: int  # 0: any free one
    widths: dict[str, tuple[int, int]]  # signals that each side sends and receives
    cases: int  # number of runs
    bonds: int = 0  # number of power bonds


class Hub:
    """History, viewers and socket of a page; `viewing` is where frames arrive."""

    def __init__(self, showing: Showing) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.settimeout(0.2)
        self.viewing = Viewing.fresh(*self._socket.getsockname())
        self.history = History(showing.widths, showing.cases, showing.bonds)
        self._viewers: list[queue.Queue[str]] = []
        self._lock = threading.Lock()
        self.ended, self.dropped = threading.Event(), 0  # events that were dropped for viewers that did not read

    def serve_frames(self) -> None:
        """Pass on frames until the end; what is not one of this bench is ignored."""
        while not self.ended.is_set():
            with suppress(OSError, ValueError, RecursionError):
                self.take(self._socket.recv(LARGEST))

    def take(self, datagram: bytes) -> None:
        """Take a datagram; raise `ValueError` if it holds no frame."""
        frame = unpack_frame(datagram)
        token = frame.pop("token", None)
        if not isinstance(token, str) or not self.knows(token):
            return
        with self._lock:
            if self.history.add(frame):
                self._tell("frame", frame)

    def end(self) -> list[dict[str, Any]]:
        """Tell all viewers that the bench is over, and return what was seen."""
        with self._lock:
            self._tell("end", {})
            found = self.history.to_list()
        self.ended.set()
        self._socket.close()
        return found

    def knows(self, token: str) -> bool:
        """Tell whether a token is that of this page."""
        return hmac.compare_digest(token.encode(errors="replace"), self.viewing.token.encode())

    @contextmanager
    def viewer(self) -> Iterator["queue.Queue[str] | None"]:
        """Yield the events for a new viewer, all that was seen first; None if there are too many viewers."""
        events: queue.Queue[str] = queue.Queue(MOST_UNREAD)
        with self._lock:
            is_one_more = len(self._viewers) < MOST_VIEWERS
            if is_one_more:
                events.put(_event("history", self.history.to_list()))
                self._viewers.append(events)
        try:
            yield events if is_one_more else None
        finally:
            with self._lock, suppress(ValueError):
                self._viewers.remove(events)

    def _tell(self, kind: str, content: Any) -> None:
        text = _event(kind, content)
        for events in self._viewers:
            while True:
                try:
                    events.put_nowait(text)
                    break
                except queue.Full:  # the oldest goes, so that who reads again sees what is now
                    with suppress(queue.Empty):
                        events.get_nowait()
                        self.dropped += 1


def _event(kind: str, content: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps(content, separators=(',', ':'))}\n\n"


class _Handler(BaseHTTPRequestHandler):
    """Answers with the page and with events."""

    protocol_version = "HTTP/1.1"
    timeout = PATIENCE
    server: "_Server"

    def do_GET(self) -> None:
        """Answer a request."""
        token, _, rest = self.path.removeprefix("/").partition("/")
        if not self.server.hub.knows(token):
            self._answer(403, "text/plain", "The address lacks its token.\n")
        elif rest == "":
            self._answer(200, "text/html; charset=utf-8", self.server.page)
        elif rest == "events":
            self._stream()
        else:
            self._answer(404, "text/plain", "There is nothing here.\n")

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing: who looks is nobody's concern."""

    def _answer(self, status: int, kind: str, text: str) -> None:
        content = text.encode()
        self._head(status, {"Content-Type": kind, "Content-Length": str(len(content))})
        self.wfile.write(content)

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in (headers | _HEADERS | {"Connection": "close"}).items():
            self.send_header(name, value)
        self.end_headers()

    def _stream(self) -> None:
        hub = self.server.hub
        with hub.viewer() as events:
            if events is None:
                self._answer(503, "text/plain", f"{MOST_VIEWERS} are looking already.\n")
                return
            # what waits in the system for a viewer is old: little of it, so that who takes nothing is soon known
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _UNSENT)
            with suppress(OSError):  # gone, or takes nothing any more
                self._head(200, {"Content-Type": "text/event-stream"})
                while not (hub.ended.is_set() and events.empty()):
                    try:
                        text = events.get(timeout=_ALIVE)
                    except queue.Empty:
                        text = ": alive\n\n"
                    self.wfile.write(text.encode())


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, address: tuple[str, int], hub: Hub, page: str) -> None:
        self.hub, self.page = hub, page
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Go on: a viewer is gone."""


@contextmanager
def opened_hub(showing: Showing) -> Iterator[tuple[Hub, str]]:
    """Yield a hub that serves in threads of this process, and the address of its page.

    Raises OSError if the address cannot be used.
    """
    hub = Hub(showing)
    try:
        server = _Server((showing.host, showing.port), hub, showing.page)
    except OSError:
        hub.end()
        raise
    for target in (server.serve_forever, hub.serve_frames):
        threading.Thread(target=target, daemon=True).start()
    host = f"[{showing.host}]" if ":" in showing.host else showing.host
    try:
        yield hub, f"http://{host}:{server.server_address[1]}/{hub.viewing.token}/"
    finally:
        hub.ended.set()
        server.shutdown()
        server.server_close()


class Live:
    """A hub in a process of its own; a context manager that ends it. It has `viewing` and `url` once entered."""

    def __init__(self, showing: Showing) -> None:
        self._showing = showing

    def __enter__(self) -> "Live":
        """Start the process; raise `CouplantError` if the address cannot be used."""
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._showing), name="couplant live", daemon=True)
        self._process.start()
        theirs.close()
        found = self._hear(_START)
        if not isinstance(found, tuple):
            raise CouplantError(f"{self._showing.host}:{self._showing.port}: {found or 'no answer'}.")
        self.viewing, self.url = found
        return self

    def __exit__(self, *_: object) -> None:
        """End the process; viewers keep what they have."""
        self._connection.close()
        self._process.join(_ALIVE)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join()

    def finish(self) -> list[dict[str, Any]]:
        """Tell viewers that the bench is over, and return what was seen, nothing if the process is gone."""
        with suppress(OSError):
            self._connection.send("end")
        return self._hear(_START) or []

    def _hear(self, patience: float) -> Any:
        with suppress(EOFError, OSError):
            if self._connection.poll(patience):
                return self._connection.recv()
        return None


def _serve(connection: Connection, showing: Showing) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with opened_hub(showing) as (hub, url):
            connection.send((hub.viewing, url))
            with suppress(EOFError, OSError):
                connection.recv()
                connection.send(hub.end())
                connection.poll(_START)  # until the pipe is closed, so that viewers hear the end
    except OSError as error:
        connection.send(why(error))
