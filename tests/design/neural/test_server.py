"""The server: many clients in turn, limits, loopback, tokens."""

import socket
import threading
from contextlib import suppress

import numpy as np
import pytest

from couplant.design.neural import server as module
from couplant.design.neural.morphism import morphism
from couplant.design.neural.server import LearningServer, answer
from couplant.errors import CouplantError, UsageError
from couplant_runtime.learning.message import LONGEST_REQUEST, Request, Unusable, pack_request, read_answer
from tests.learning.coupling import EROS3

TOKEN = "0123456789abcdef"
VALUES = tuple(float(np.sin(0.11 * n) + 0.3 * np.sin(0.3 * n)) for n in range(200))


def request(number=1, **change):
    base = tuple(float(w) for w in morphism(np.array(EROS3[0])))
    return Request(number, 3, 5, 4, 2, 0.01, 0.3, base, VALUES)._replace(**change)


@pytest.fixture
def running():
    server = LearningServer("127.0.0.1", 0, TOKEN)
    thread = threading.Thread(target=server.serve)
    thread.start()
    yield server
    server.stop()
    thread.join()
    server.close()


def ask(port, data):
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(data)
        found = b""
        while chunk := connection.recv(65536):
            found += chunk
    return found


def test_it_trains(running):
    found = read_answer(ask(running.port, pack_request(request(5), TOKEN.encode())), TOKEN.encode(), 30)
    assert found.number == 5
    assert found.weights != request().base


def test_fifty_clients_are_served_in_turn(running):
    answers = {}

    def client(i):
        answers[i] = read_answer(ask(running.port, pack_request(request(i), TOKEN.encode())), TOKEN.encode(), 30)

    threads = [threading.Thread(target=client, args=(i,)) for i in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answers[i].number for i in range(50)] == list(range(50))
    assert len({answers[i].weights for i in range(50)}) == 1


def signed(**change):
    return pack_request(request(**change), TOKEN.encode())


BAD = {
    "no message of couplant": b"GET / HTTP/1.1\r\n\r\n",
    "version 7": signed()[:4] + b"\7\0" + signed()[6:],
    "4294967339 bytes, allowed": b"CPLN\1\0\1\0\xff\xff\xff\xff",
    "another token": pack_request(request(), b"another token 1234"),
    "shape": signed(inputs=60),
    "do not fit each other": signed(base=(1.0,)),
    "not finite": signed(values=(float("nan"),) * 50),
    "numbers do not fit": signed(prior=-1.0),
    "goes on after its end": signed() + b"more",
}


@pytest.mark.parametrize("why", BAD)
def test_a_bad_request_gets_no_answer_and_harms_no_one(running, caplog, why):
    """Its log says why, in a sentence that needs no knowledge of sockets."""
    with caplog.at_level("WARNING"):
        with suppress(ConnectionResetError):
            assert ask(running.port, BAD[why]) == b""
        assert ask(running.port, signed())
    (line,) = caplog.messages
    assert line.startswith("request from 127.0.0.1 refused: ")
    assert why.replace("another token", "not signed with our token") in line


def test_a_request_that_is_cut_off_harms_no_one(running, caplog):
    with caplog.at_level("WARNING"):
        with socket.create_connection(("127.0.0.1", running.port), timeout=5) as connection:
            connection.sendall(signed()[:100])
        assert ask(running.port, signed())
    assert caplog.messages == ["request from 127.0.0.1 refused: it ends too early"]


def test_who_says_nothing_is_dropped(monkeypatch, running):
    monkeypatch.setattr(module, "DEADLINE", 0.2)
    with socket.create_connection(("127.0.0.1", running.port), timeout=5) as connection:
        assert connection.recv(1) == b""


def test_the_longest_request_fits_its_limit():
    assert len(pack_request(request(base=(0.0,) * 64, values=(0.0,) * 4096), TOKEN.encode())) == LONGEST_REQUEST


def test_a_constant_signal_has_nothing_to_teach():
    assert answer(request(values=(2.0,) * 100)).weights == ()
    assert answer(request(values=(2.0, 3.0))).weights == ()


def test_a_shape_that_is_no_network_is_refused():
    with pytest.raises(Unusable):
        answer(request(first=0))


def test_loopback_only_unless_told_otherwise():
    with pytest.raises(UsageError, match="anywhere"):
        LearningServer("0.0.0.0", 0, TOKEN)
    LearningServer("0.0.0.0", 0, TOKEN, anywhere=True).close()


def test_a_short_token_is_refused():
    with pytest.raises(UsageError, match="16"):
        LearningServer("127.0.0.1", 0, "short")


def test_a_port_in_use_is_one_sentence(running):
    with pytest.raises(CouplantError, match=str(running.port)):
        LearningServer("127.0.0.1", running.port, TOKEN)
