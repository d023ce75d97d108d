"""The client in the FMU: whatever the server does, the coupling goes on, with the weights it has, and never waits."""

import math
import os
import socket
import threading
import time
from contextlib import contextmanager, nullcontext

import pytest

from couplant.learning.companion import learning_server
from couplant_runtime import events
from couplant_runtime.learning.client import Client
from couplant_runtime.learning.message import Answer, pack_answer
from tests.learning.coupling import Coupling, settings_of

TOKEN = b"0123456789abcdef"
SERVER = {"learning": {"mode": "server", "token": TOKEN.decode(), "cycle_steps": 50, "judge_steps": 20}}


def tone(n):
    return math.sin(0.11 * n) + 0.3 * math.sin(0.3 * n + 1.0)


class Run:
    """A coupling with a client; a macro step lasts at least `pause` seconds."""

    def __init__(self, port, token=TOKEN, pause=0.0, **sections):
        self.coupling = Coupling(settings_of(**{**SERVER, **sections}))
        self.client = Client("127.0.0.1", port, token)
        self.pause = pause
        self.told = []
        self.estimates = []
        self.phases = set()

    def go(self, steps):
        s = self.coupling.state
        for _ in range(steps):
            self.coupling.take(tone(self.coupling.n))
            self.client.step(self.coupling.settings, s)
            self.told += [bit for bit in (events.SERVER_GONE, events.SERVER_WRONG) if s.events & bit]
            self.estimates.append(s.y_hat)
            self.phases.add(s.network.phase)
            time.sleep(self.pause)
        return self


def untouched(run):
    """Whether all estimates are those of a network that never learnt."""
    plain = Coupling(settings_of(learning={"enabled": False}))
    for n, found in enumerate(run.estimates):
        plain.take(tone(n))
        if found != plain.state.y_hat:
            return False
    return True


@contextmanager
def answering(reply):
    """A server that answers every connection with `reply(connection)`."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        ended = threading.Event()

        def serve():
            while not ended.is_set():
                try:
                    connection, _ = listener.accept()
                except OSError:
                    continue
                with connection, nullcontext():
                    connection.settimeout(0.5)
                    try:
                        connection.recv(65536)
                        reply(connection)
                    except OSError:
                        continue

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            ended.set()
            thread.join()


def test_it_learns_from_a_server():
    with learning_server() as address:
        run = Run(address.port, address.token.encode(), pause=0.001).go(1500)
    assert run.coupling.state.network.accepted > 0
    assert run.phases == {1, 2, 3}
    assert not untouched(run)
    assert run.told == []


def test_without_a_server_it_goes_on_and_says_so_once():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    run = Run(port).go(600)
    assert untouched(run)
    assert run.told == [events.SERVER_GONE]


def number_one(weights, token=TOKEN):
    return pack_answer(Answer(1, tuple(weights)), token)


NONSENSE = {
    "text": b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100,
    "wrong size": number_one([1.0] * 7),
    "not a number": number_one([float("nan")] * 30),
    "infinite": number_one([float("inf")] * 30),
    "truncated": number_one([1.0] * 30)[:-40],
    "wrong token": number_one([1.0] * 30, b"another"),
    "wrong version": b"CPLN\7\0" + number_one([1.0] * 30)[6:],
    "too long": number_one([1.0] * 30) + b"x" * 100,
    "endless": os.urandom(1) and b"CPLN\1\0\2\0\xff\xff\xff\x7f" + b"x" * 5000,
    "another request": pack_answer(Answer(99, (1.0,) * 30), TOKEN),
}


@pytest.mark.parametrize("kind", NONSENSE)
def test_nonsense_is_ignored_and_told_once(kind):
    with answering(lambda connection: connection.sendall(NONSENSE[kind])) as port:
        run = Run(port, pause=0.001).go(500)
    assert untouched(run)
    assert run.told.count(events.SERVER_WRONG) == 1
    assert run.coupling.state.network.accepted == 0


@pytest.mark.parametrize("weights", [[1e7] * 30, [100.0] * 30, [0.0] * 30])
def test_weights_that_are_no_better_are_not_taken(weights):
    with answering(lambda connection: connection.sendall(number_one(weights))) as port:
        run = Run(port, pause=0.001).go(400)
    assert untouched(run)
    assert run.coupling.state.network.refused >= 1


def test_a_server_that_says_nothing_costs_no_time_and_is_given_up():
    with answering(lambda connection: time.sleep(0.3)) as port:
        begin = time.perf_counter()
        run = Run(port).go(700)
        assert time.perf_counter() - begin < 20.0
    assert untouched(run)
    assert run.told == [events.SERVER_GONE]


def test_an_answer_a_byte_at_a_time_is_put_together():
    def slowly(connection):
        for byte in number_one([0.0] * 30):
            connection.sendall(bytes([byte]))
            time.sleep(0.0002)

    with answering(slowly) as port:
        run = Run(port, pause=0.001)
        while run.coupling.state.network.refused == 0 and run.coupling.n < 400:
            run.go(1)
    assert run.coupling.state.network.refused == 1
    assert run.told == []


def test_a_server_that_dies_and_comes_back_loses_no_estimate():
    with learning_server() as address:
        run = Run(address.port, address.token.encode(), pause=0.001).go(70)
    run.go(300)
    assert all(map(math.isfinite, run.estimates))
    assert run.told == [events.SERVER_GONE]
    with learning_server() as address:
        run.client = Client("127.0.0.1", address.port, address.token.encode())
        run.go(1000)
    assert run.coupling.state.network.accepted > 0


def test_no_call_on_the_socket_can_block():
    with answering(lambda connection: time.sleep(0.2)) as port:
        run = Run(port)
        seen = set()
        for _ in range(120):
            run.go(1)
            if run.client.socket is not None:
                seen.add(run.client.socket.getblocking())
    assert seen == {False}
