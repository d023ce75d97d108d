"""The client in the FMU: whatever the server does, the coupling goes on, with the weights it has, and never waits."""

import math
import os
import socket
import struct
import threading
import time
import zipfile
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace

import pytest

from couplant.config import parse_interface
from couplant.design.neural.server import learning_server
from couplant.pack import build_coupling_fmu
from couplant_runtime.generated import events
from couplant_runtime.learning.client import CHUNK, Client
from couplant_runtime.learning.message import LONGEST_ANSWER, Answer, pack_answer
from couplant_runtime.slave import CouplingSlave
from tests.learning.coupling import Coupling, settings_of
from tests.learning.serving import serving

TOKEN = b"0123456789abcdef"
SERVER = {"learning": {"mode": "server", "token": TOKEN.decode(), "cycle_steps": 50, "judge_steps": 20}}

SHORT = {"learning": {**SERVER["learning"], "cycle_steps": 20, "judge_steps": 10}}


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
            self.told += [bit for bit in (events.SERVER_GONE, events.SERVER_WRONG) if s.log.events & bit]
            self.estimates.append(s.reconstruction.y_hat)
            self.phases.add(s.neural.phase)
            time.sleep(self.pause)
        return self


def untouched(run):
    """Whether all estimates are those of a network that never learnt."""
    plain = Coupling(settings_of(learning={"enabled": False}))
    for n, found in enumerate(run.estimates):
        plain.take(tone(n))
        if found != plain.state.reconstruction.y_hat:
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
    assert run.coupling.state.neural.accepted > 0
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
    "endless": os.urandom(1) and b"CPLN\2\0\2\0\xff\xff\xff\x7f" + b"x" * 5000,
    "another request": pack_answer(Answer(99, (1.0,) * 30), TOKEN),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", NONSENSE)
def test_nonsense_is_ignored_and_told_once(kind):
    with answering(lambda connection: connection.sendall(NONSENSE[kind])) as port:
        run = Run(port, pause=0.001).go(500)
    assert untouched(run)
    assert run.told.count(events.SERVER_WRONG) == 1
    assert run.coupling.state.neural.accepted == 0


@pytest.mark.parametrize("weights", [[1e7] * 30, [100.0] * 30, [0.0] * 30])
def test_weights_that_are_no_better_are_not_taken(weights):
    with answering(lambda connection: connection.sendall(number_one(weights))) as port:
        run = Run(port, pause=0.001).go(400)
    assert untouched(run)
    assert run.coupling.state.neural.refused >= 1


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
        while run.coupling.state.neural.refused == 0 and run.coupling.n < 400:
            run.go(1)
    assert run.coupling.state.neural.refused == 1
    assert run.told == []


@pytest.mark.landing("a server in a process of its own")
def test_a_server_that_dies_and_comes_back_loses_no_estimate():
    with learning_server() as address:
        run = Run(address.port, address.token.encode(), pause=0.001).go(70)
    run.go(300)
    assert all(map(math.isfinite, run.estimates))
    assert run.told == [events.SERVER_GONE]
    with learning_server() as address:
        run.client = Client("127.0.0.1", address.port, address.token.encode())
        run.go(1000)
    assert run.coupling.state.neural.accepted > 0


def dies(connection, part):
    """Send a part of an answer, then let the system of the server end the connection at once."""
    connection.sendall(part)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.mark.sample(5)
@pytest.mark.parametrize("sent", [0, 3, 12, 100, 291])
@pytest.mark.parametrize("end", [dies, socket.socket.sendall])
def test_a_server_killed_in_the_middle_of_its_answer_loses_no_estimate(sent, end):
    with answering(lambda connection: end(connection, number_one([1.0] * 30)[:sent])) as port:
        run = Run(port, pause=0.001)
        while not run.told and run.coupling.n < 300:
            run.go(1)
        assert run.client.socket is None  # until it tries again, as on a slow machine it may have
        run.go(300 - run.coupling.n)
    assert untouched(run)
    assert len(run.told) == 1


@pytest.mark.landing("fifty clients: 4 s of CPU")
def test_fifty_clients_whose_server_is_killed_and_started_again_go_on():
    with serving() as server:
        runs = [Run(server.port, **SHORT) for _ in range(50)]
        together(runs, until=lambda run: run.coupling.state.neural.accepted > 0)
        together(runs, until=lambda run: run.coupling.state.neural.phase == 2, enough=any)
        server.kill()
        for _ in range(60):
            for run in runs:
                run.go(1)
        before = [run.coupling.state.neural.accepted + run.coupling.state.neural.refused for run in runs]
        server.start()
        counts = dict(zip(map(id, runs), before, strict=True))
        together(runs, until=lambda run: judged(run) > counts[id(run)] + 1)
    for run in runs:
        assert len(run.estimates) == run.coupling.n
        assert all(map(math.isfinite, run.estimates))
        assert run.told in ([], [events.SERVER_GONE])
    assert any(run.told for run in runs)


def judged(run):
    return run.coupling.state.neural.accepted + run.coupling.state.neural.refused


def together(runs, until, enough=all):
    """Step all couplings in turn until `enough` of them have got somewhere; at most a minute."""
    end = time.monotonic() + 60.0
    while not enough(map(until, runs)):
        assert time.monotonic() < end
        for run in runs:
            run.go(1)
        time.sleep(0.001)


def test_the_log_tells_what_happened_in_plain_words(tmp_path):
    """One sentence about a server that is not there, one about nonsense; the FMU does as without a server."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    (line,) = logged(tmp_path / "absent", port)
    assert "the learning server does not answer: no new weights for now; later ones are not logged" in line
    with answering(lambda connection: connection.sendall(b"nonsense of some length")) as port:
        (line,) = logged(tmp_path / "nonsense", port)
    assert "the learning server sent an unusable answer: it is ignored; later ones are not logged" in line


def test_the_token_comes_from_the_environment_where_the_fmu_has_none(tmp_path, monkeypatch):
    """Then it stands nowhere in the FMU; without both there is no learning, and the log says why."""
    monkeypatch.delenv("COUPLANT_TOKEN", raising=False)
    (line,) = logged(tmp_path, 1, mode="server")
    assert line.startswith("learning: COUPLANT_TOKEN is not set where the FMU runs")
    file = tmp_path / "resources" / "server.txt"
    assert file.read_text() == "127.0.0.1\n1\n\n0 128 0 0.005\n"
    monkeypatch.setenv("COUPLANT_TOKEN", "")
    assert Client.from_file(file).token == b""
    monkeypatch.setenv("COUPLANT_TOKEN", TOKEN.decode())
    assert Client.from_file(file).token == TOKEN


@pytest.mark.landing("a server in a process of its own")
def test_the_token_of_a_server_for_one_simulation_is_in_the_environment_meanwhile(monkeypatch):
    for before in ("of the user, for others", None):
        monkeypatch.delenv("COUPLANT_TOKEN", raising=False)
        if before is not None:
            monkeypatch.setenv("COUPLANT_TOKEN", before)
        with learning_server() as address:
            assert os.environ["COUPLANT_TOKEN"] == address.token
        assert os.environ.get("COUPLANT_TOKEN") == before


def logged(folder, port, **more):
    """Return what an FMU logs about learning in 400 steps."""
    learning = {**(more or SERVER["learning"]), "port": port}
    signals = {"y": {"algorithm": "network", "latency": {"constant_steps": 3}, "learning": learning}}
    head = {"name": "log", "macro_step": 0.02}
    interface = parse_interface({"interface": head, "signals": signals}, "log")
    fmu = build_coupling_fmu(interface, "y", folder, backend="python")
    with zipfile.ZipFile(fmu) as archive:
        archive.extractall(folder)
    slave = CouplingSlave(instance_name="y", resources=str(folder / "resources"))
    slave.setup_experiment(0.0)
    slave.enter_initialization_mode()
    slave.exit_initialization_mode()
    for n in range(400):
        slave.set_real([1], [tone(n)])
        assert slave.do_step(n * 0.02, 0.02)
        time.sleep(0.0005)
    slave.terminate()
    return [message.msg for message in slave.log_queue if message.category == "learning"]


class Watched(socket.socket):
    """A socket that counts its calls and refuses any that could wait."""

    calls = 0

    def _call(self, name, *arguments):
        assert not self.getblocking(), f"{name} on a socket that waits"
        Watched.calls += 1
        return getattr(super(), name)(*arguments)

    def connect_ex(self, address):
        return self._call("connect_ex", address)

    def send(self, data):
        assert len(data) <= CHUNK
        return self._call("send", data)

    def recv(self, size):
        assert size <= LONGEST_ANSWER + 1
        return self._call("recv", size)

    def connect(self, address):
        raise AssertionError("connect waits")

    sendall = accept = makefile = connect


def test_a_step_makes_one_call_on_a_socket_that_cannot_wait(monkeypatch):
    """Everywhere; tests/learning/test_trace.py looks at the system calls themselves."""
    with answering(lambda connection: connection.sendall(number_one([0.0] * 30))) as port:
        run = Run(port, pause=0.001)
        watched = SimpleNamespace(socket=Watched, SOCK_STREAM=socket.SOCK_STREAM)
        monkeypatch.setattr("couplant_runtime.learning.client.socket", watched)
        for _ in range(200):
            Watched.calls = 0
            run.go(1)
            assert Watched.calls <= 1
    assert judged(run) == 1
