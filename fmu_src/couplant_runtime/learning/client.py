"""Learning on a server (Baumann 2024, 6.1.2): the client in the FMU, which never waits.

Three states: collecting values until the cycle is over, training while the server works, judging what it answered.
An exchange is a row of small jobs, one a step: pack, open, connect, send a piece, receive a piece, read, propose; the
socket never blocks. Whatever happens to the server, the coupling goes on with the weights it has and says so once.
"""

import os
import socket
from collections.abc import Callable
from errno import EALREADY, EINPROGRESS, ENOTCONN, EWOULDBLOCK
from pathlib import Path
from typing import Any

from ..config import Settings
from ..events import once, tell
from ..generated import events
from ..generated.numbers import COLLECTING, TRAINING
from ..state import State
from .judge import propose, refuse, take
from .message import ANSWER, LONGEST_ANSWER, MOST_VALUES, Request, Training, Unusable, length, pack_request, read_answer
from .parts import neural_of, shape_of

FILE = "server.txt"
TOKEN = "COUPLANT_TOKEN"
CHUNK = 16384  # sent in one step at most [bytes]
PATIENCE = 10  # without an answer until the server counts as gone [cycles]
CYCLES = 4  # whose values a request for least squares carries; for Adam all that go into it
_LEAST_SQUARES = Training()
_WAIT = (EINPROGRESS, EALREADY, EWOULDBLOCK, ENOTCONN)


class Client:
    """Asks a server for new weights, a piece at a time.

    Parameters
    ----------
    host, port
        Address of the server; a name is looked up here, once.
    token : bytes
        Shared with the server.
    training
        How the server is to train; by least squares if not given.
    """

    def __init__(self, host: str, port: int, token: bytes, training: Training = _LEAST_SQUARES) -> None:
        self.token = token
        self.training = training
        self.family, self.address = _look_up(host, port)
        self.values: list[float] = []
        self.newest = -1
        self.number = 0
        self.job: Callable[[Settings, State], None] | None = None
        self.socket: socket.socket | None = None
        self.outgoing = b""
        self.incoming = b""
        self.weights: tuple[float, ...] = ()
        self.waited = 0

    @classmethod
    def from_file(cls, path: Path) -> "Client":
        """Return the client that the file `path` in the FMU describes: host, port, token and how to train, one a line.

        The token in the environment goes before that of the file; without both it is empty.

        Raises
        ------
        OSError
            If the file cannot be read.
        ValueError
            If it is not such a file.
        """
        lines = path.read_text(encoding="utf-8").split("\n")
        epochs, batch, relative, rate = lines[3].split()
        training = Training(int(epochs), int(batch), int(relative), float(rate))
        return cls(lines[0], int(lines[1]), (os.environ.get(TOKEN) or lines[2]).encode(), training)

    def close(self) -> None:
        """Give up what is under way."""
        if self.socket is not None:
            self.socket.close()
        self.job = self.socket = None
        self.outgoing = self.incoming = b""

    def restart(self) -> None:
        """Forget everything, after a restored state or a reset."""
        self.close()
        self.values.clear()
        self.newest = -1

    def step(self, c: Settings, s: State) -> None:
        """Do the client's work after a step; never waits."""
        self._remember(s)
        own = neural_of(s)
        if own.phase != TRAINING and self.job is not None:
            self.close()
        if own.phase == COLLECTING and own.enabled and own.collected >= own.cycle_steps:
            self._ask(c, s)
        elif own.phase == TRAINING:
            self._continue(c, s)

    def _remember(self, s: State) -> None:
        if s.discontinuity.detected or s.history.newest - self.newest > 1:
            self.values.clear()
        if s.history.newest != self.newest:
            self.values.append(s.history.past[0])
            self.newest = s.history.newest
        most = CYCLES * neural_of(s).cycle_steps
        del self.values[: -(most if most < MOST_VALUES and not self.training.epochs else MOST_VALUES)]

    def _ask(self, c: Settings, s: State) -> None:
        own, net = neural_of(s), shape_of(c)
        own.collected = 0
        horizon = net.steps if c.event else net.steps + 1
        shape = (horizon, net.inputs, net.first, net.second, net.leak, own.prior)
        self.number = self.number + 1
        base, width = tuple(own.base[: net.size]), own.highest - own.lowest
        request = Request(self.number, *shape, base, tuple(self.values), int(net.offsets), width, self.training)
        self.outgoing = pack_request(request, self.token)
        self.waited = 0
        self.job = self._open
        own.phase = TRAINING

    def _continue(self, c: Settings, s: State) -> None:
        """Do the next job."""
        self.waited = self.waited + 1
        if self.waited > PATIENCE * neural_of(s).cycle_steps or self.job is None:
            self._fail(s, events.SERVER_GONE)
            return
        try:
            self.job(c, s)
        except Unusable:
            self._fail(s, events.SERVER_WRONG)
        except OSError as problem:
            if problem.errno not in _WAIT:
                self._fail(s, events.SERVER_GONE)

    def _open(self, c: Settings, s: State) -> None:
        self.socket = socket.socket(self.family, socket.SOCK_STREAM)
        self.socket.setblocking(False)
        self.job = self._connect

    def _connection(self) -> socket.socket:
        assert self.socket is not None
        return self.socket

    def _connect(self, c: Settings, s: State) -> None:
        code = self._connection().connect_ex(self.address)
        if code not in (0, *_WAIT):
            raise OSError(code, os.strerror(code))
        self.job = self._send

    def _send(self, c: Settings, s: State) -> None:
        sent = self._connection().send(self.outgoing[:CHUNK])
        self.outgoing = self.outgoing[sent:]
        if not self.outgoing:
            self.job = self._receive

    def _receive(self, c: Settings, s: State) -> None:
        data = self._connection().recv(LONGEST_ANSWER + 1)
        if not data:
            raise Unusable("it ends too early") if self.incoming else OSError("the server has closed the connection")
        self.incoming = self.incoming + data
        whole = length(self.incoming, ANSWER, LONGEST_ANSWER)
        if not whole or len(self.incoming) < whole:
            return
        if len(self.incoming) > whole:
            raise Unusable("it goes on after its end")
        self.job = self._read

    def _read(self, c: Settings, s: State) -> None:
        answer = read_answer(self.incoming, self.token, shape_of(c).size)
        if answer.number != self.number:
            raise Unusable("it answers another request")
        self.close()
        self.weights = answer.weights
        self.job = self._propose

    def _propose(self, c: Settings, s: State) -> None:
        own, count = neural_of(s), len(self.weights)
        self.job = None
        own.phase = COLLECTING
        if not count:
            return
        own.candidate[:count] = self.weights
        if not propose(shape_of(c), own):
            refuse(own)
            tell(s, events.NOT_LEARNT)
        elif not own.safe:
            take(own)
            own.poor = 0  # a skill below zero is none of theirs yet
            tell(s, events.LEARNT)

    def _fail(self, s: State, event: int) -> None:
        self.close()
        neural_of(s).phase = COLLECTING
        neural_of(s).collected = 0
        once(s, event)


def _look_up(host: str, port: int) -> tuple[int, Any]:
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    return family, address


