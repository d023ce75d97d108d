"""The learning server (dissertation 6.1.2): trains neural networks for FMUs, one request after another.

One connection carries one signed request and one answer. Reading and writing never block each other: connections that
say too much, nonsense or nothing are closed, and the training of one request is the only thing that others wait for.
Whatever a request makes go wrong costs that request only. Where there are too many connections the oldest of whoever
has most of them makes room for a new one; the log has one line about refusals a minute, however many there are.
"""

import logging
import os
import secrets
import selectors
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import CouplantError, UsageError, why
from couplant.design.neural.adam import Adam, train_by_adam
from couplant.design.neural.trainer import train
from couplant_runtime.generated.variables import ALL
from couplant_runtime.learning.client import TOKEN
from couplant_runtime.learning.message import (
    LONGEST_REQUEST,
    REQUEST,
    Answer,
    Request,
    Unusable,
    length,
    pack_answer,
    read_request,
)
from couplant_runtime.learning.neural import Neural

CHUNK = 65536
MOST_CONNECTIONS = 256
DEADLINE = 10.0
QUIET = 60.0  # time in which refusals are counted after one has been told [s]

_PRIOR = next(variable for variable in ALL if variable.name == "learning.prior")
LOOPBACK = ("127.0.0.1", "::1", "localhost")
SHORTEST_TOKEN = 16

log = logging.getLogger(__name__)


@dataclass
class _Connection:
    peer: str
    deadline: float
    incoming: bytearray = field(default_factory=bytearray)
    outgoing: bytes = b""


class _Refusals:
    """Log of refused requests: the first one, then how many more, no matter how many there are."""

    def __init__(self) -> None:
        self.more, self.last, self.quiet_until = 0, "", 0.0

    def tell(self, text: str) -> None:
        """Log `text`, or count it where another one has just been logged."""
        now = time.monotonic()
        if now >= self.quiet_until and not self.more:
            log.warning("%s", text)
            self.quiet_until = now + QUIET
        else:
            self.more, self.last = self.more + 1, text

    def sum_up(self, at_once: bool = False) -> None:
        """Log the refusals counted so far if it is time."""
        if self.more and (at_once or time.monotonic() >= self.quiet_until):
            log.warning("%d more requests refused, the last one: %s", self.more, self.last)
            self.more, self.quiet_until = 0, time.monotonic() + QUIET


class LearningServer:
    """A server on one address.

    It listens at a `host`, loopback unless it may be `anywhere`, and a `port`, 0: any free one; it shares a `token` of
    at least 16 characters with the FMUs. Raises UsageError if the token is too short or the address is not loopback
    without `anywhere`; CouplantError if the address cannot be used.
    """

    def __init__(self, host: str, port: int, token: str, anywhere: bool = False) -> None:
        if len(token) < SHORTEST_TOKEN:
            raise UsageError(f"a token of {len(token)} characters, allowed {SHORTEST_TOKEN} or more")
        if host not in LOOPBACK and not anywhere:
            raise UsageError(f"host = {host}: other machines could connect, allowed with anywhere = true only")
        self.token = token.encode()
        self.selector = selectors.DefaultSelector()
        self.served = 0
        self.running = True
        self.refusals = _Refusals()
        try:
            family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            self.listener = socket.create_server((host, port), family=family, backlog=4 * MOST_CONNECTIONS)
        except OSError as problem:
            raise CouplantError(f"{host}:{port}: {why(problem)}") from None
        self.listener.setblocking(False)
        self.selector.register(self.listener, selectors.EVENT_READ)

    @property
    def port(self) -> int:
        """Port in use."""
        return int(self.listener.getsockname()[1])

    def serve(self) -> None:
        """Serve until `stop` is called."""
        while self.running:
            self.turn(0.2)

    def stop(self) -> None:
        """Leave `serve` soon."""
        self.running = False

    def close(self) -> None:
        """Close all connections."""
        self.refusals.sum_up(at_once=True)
        for key in list(self.selector.get_map().values()):
            self.selector.unregister(key.fileobj)
            key.fileobj.close()  # type: ignore[union-attr]
        self.selector.close()

    def turn(self, patience: float) -> None:
        """Serve all connections that are ready, waiting for one no longer than `patience` [s]."""
        ready = [key for key, _ in self.selector.select(patience)]
        for key in ready:
            if key.data is not None:
                self._advance(key.fileobj, key.data)  # type: ignore[arg-type]
        if any(key.data is None for key in ready):  # last: a new connection may end another one
            self._accept()
        now = time.monotonic()
        for key in self._connections():
            if key.data.deadline < now:
                self._drop(key.fileobj, key.data, "it took too long")  # type: ignore[arg-type]
        self.refusals.sum_up()

    def _connections(self) -> list[selectors.SelectorKey]:
        return [key for key in self.selector.get_map().values() if key.data is not None]

    def _accept(self) -> None:
        try:
            connection, address = self.listener.accept()
        except OSError:
            return
        connections = self._connections()
        if len(connections) >= MOST_CONNECTIONS:
            self._make_room(connections)
        connection.setblocking(False)
        data = _Connection(str(address[0]), time.monotonic() + DEADLINE)
        self.selector.register(connection, selectors.EVENT_READ, data)

    def _make_room(self, connections: list[selectors.SelectorKey]) -> None:
        (peer, _), *_ = Counter(key.data.peer for key in connections).most_common(1)
        oldest = min((key for key in connections if key.data.peer == peer), key=lambda key: key.data.deadline)
        self._drop(oldest.fileobj, oldest.data, "there are too many")  # type: ignore[arg-type]

    def _advance(self, connection: socket.socket, data: _Connection) -> None:
        try:
            if data.outgoing:
                data.outgoing = data.outgoing[connection.send(data.outgoing) :]
                if not data.outgoing:
                    self._close(connection)
            else:
                self._read(connection, data)
        except BlockingIOError:
            return
        except (OSError, Unusable) as problem:
            self._drop(connection, data, str(problem))
        except Exception as problem:  # the others need the server, whatever one request makes a library raise
            self._drop(connection, data, f"it ended with {type(problem).__name__}")

    def _read(self, connection: socket.socket, data: _Connection) -> None:
        chunk = connection.recv(CHUNK)
        if not chunk:
            raise Unusable("it ends too early")
        data.incoming += chunk
        whole = length(bytes(data.incoming[:64]), REQUEST, LONGEST_REQUEST)
        if not whole or len(data.incoming) < whole:
            return
        if len(data.incoming) > whole:
            raise Unusable("it goes on after its end")
        data.outgoing = pack_answer(answer(read_request(bytes(data.incoming), self.token)), self.token)
        self.served += 1
        data.deadline = time.monotonic() + DEADLINE
        self.selector.modify(connection, selectors.EVENT_WRITE, data)

    def _drop(self, connection: socket.socket, data: _Connection, why: str) -> None:
        self.refusals.tell(f"request from {data.peer} refused: {why}")
        self._close(connection)

    def _close(self, connection: socket.socket) -> None:
        self.selector.unregister(connection)
        connection.close()


def answer(request: Request) -> Answer:
    """Return new weights for a request, or none if there is nothing to learn from.

    Raises Unusable if its shape is not that of a neural network.
    """
    try:
        taps = (0.0,) * (request.inputs + 1)
        shape = (request.first, request.second, request.leak)
        net = Neural(0, *shape, True, 1, taps, taps, bool(request.offsets))
    except ValueError as problem:
        raise Unusable(str(problem)) from None
    if len(request.base) != net.size or not 0 <= request.horizon <= 65:
        raise Unusable("its numbers do not fit each other")
    if not _PRIOR.minimum <= request.prior <= _PRIOR.maximum:
        raise Unusable(f"learning.prior = {request.prior!r}, allowed {_PRIOR.minimum:g} to {_PRIOR.maximum:g}")
    try:
        with np.errstate(all="ignore"):
            weights = _train(net, request)
    except (UsageError, ValueError, np.linalg.LinAlgError):
        return Answer(request.number, ())
    return Answer(request.number, tuple(map(float, weights)) if np.all(np.isfinite(weights)) else ())


def _train(net: Neural, request: Request) -> Vector:
    """Return the weights that training in the way of the request gives."""
    base, values, training = np.array(request.base), [np.array(request.values)], request.training
    if not training.epochs:
        return train(net, base, values, request.horizon, request.prior)
    if request.span < 0.0:
        raise Unusable(f"its range = {request.span!r}, allowed 0 or more")
    how = Adam(training.rate, training.epochs, training.batch, bool(training.relative))
    return train_by_adam(net, base, values, request.horizon, how, request.span)


_PATIENCE = 10.0


@dataclass(frozen=True)
class Address:
    """Where a learning server listens, and its token."""

    host: str
    port: int
    token: str


@contextmanager
def learning_server() -> Iterator[Address]:
    """Start a server in another process, at a free port, with a new token; give its address, and end it.

    The token stands in the environment of this process meanwhile, where the FMUs that it runs find it. Raises
    CouplantError if it does not start.
    """
    token = secrets.token_hex(16)
    command = [sys.executable, "-m", *"couplant serve --port 0".split()]
    environment = {**os.environ, TOKEN: token, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
    )
    try:
        line = process.stdout.readline() if process.stdout else ""
        host, _, port = line.strip().removeprefix("listening on ").rpartition(":")
        if not port.isdigit():
            raise CouplantError("the learning server did not start")
        with _token_in_environment(token):
            yield Address(host, int(port), token)
    finally:
        process.terminate()
        process.wait(_PATIENCE)
        if process.stdout:
            process.stdout.close()


@contextmanager
def _token_in_environment(token: str) -> Iterator[None]:
    """Put the token into the environment of this process for a while."""
    before = os.environ.get(TOKEN)
    os.environ[TOKEN] = token
    try:
        yield
    finally:
        del os.environ[TOKEN]
        if before is not None:
            os.environ[TOKEN] = before
