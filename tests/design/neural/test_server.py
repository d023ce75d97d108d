"""The server: many clients in turn, limits, loopback, tokens."""

import hashlib
import hmac
import random
import socket
import threading
from contextlib import ExitStack, contextmanager, suppress
from types import SimpleNamespace

import numpy as np
import pytest

from couplant.analysis.morphism import morphism
from couplant.base.errors import CouplantError, UsageError
from couplant.design.neural import server as module
from couplant.design.neural.server import LearningServer, answer
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
    "4294967339 bytes, allowed": b"CPLN\2\0\1\0\xff\xff\xff\xff",
    "another token": pack_request(request(), b"another token 1234"),
    "shape": signed(inputs=60),
    "do not fit each other": signed(base=(1.0,)),
    "not finite": signed(values=(float("nan"),) * 50),
    "learning.prior = -1.0, allowed 1e-06 to 1000": signed(prior=-1.0),
    "learning.prior = 1e-170, allowed": signed(prior=1e-170),
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


def test_whatever_a_request_makes_go_wrong_costs_that_request_only(running, caplog, monkeypatch):
    def fail(found):
        raise {2: ZeroDivisionError, 3: MemoryError, 4: RecursionError}.get(found.number, KeyError)

    with monkeypatch.context() as broken:
        broken.setattr(module, "answer", fail)
        with caplog.at_level("WARNING"):
            for number in range(1, 5):
                assert ask(running.port, signed(number=number)) == b""
    assert caplog.messages == ["request from 127.0.0.1 refused: it ended with KeyError"]
    assert ask(running.port, signed())


@contextmanager
def slow_connections(port, count):
    """Open connections that begin a request and never end it."""
    with ExitStack() as kept:
        for _ in range(count):
            connection = kept.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            connection.sendall(signed()[:20])
        yield


def test_three_hundred_slow_connections_keep_nobody_from_being_served(running):
    with slow_connections(running.port, 300):
        for number in range(1, 6):
            data = ask(running.port, pack_request(request(number), TOKEN.encode()))
            assert read_answer(data, TOKEN.encode(), 30).number == number
        assert len(running.selector.get_map()) <= module.MOST_CONNECTIONS + 1


def test_who_has_most_connections_makes_room(running):
    """A flood from one machine costs the clients of others nothing."""
    keys = [SimpleNamespace(fileobj=i, data=module._Connection(peer, i)) for i, peer in enumerate("xaabab")]
    dropped = []
    running._drop = lambda connection, data, why: dropped.append((connection, data.peer))
    running._make_room(keys)
    assert dropped == [(1, "a")]


def test_a_flood_of_bad_requests_fills_no_log(caplog, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    refusals = module._Refusals()
    with caplog.at_level("WARNING"):
        for _ in range(10_000):
            refusals.tell("request refused")
            refusals.sum_up()
            now[0] += 1.0 / 32.0
        refusals.sum_up(at_once=True)
    assert caplog.messages[0] == "request refused"
    assert caplog.messages[1] == "1920 more requests refused, the last one: request refused"
    assert len(caplog.messages) == 7
    told = sum(int(line.split()[0]) if "more" in line else 1 for line in caplog.messages)
    assert told == 10_000


def test_altered_requests_end_nothing(running):
    """Signed, so that they are read; every field takes extreme values, and the server has to answer at the end."""
    chance = random.Random(3)
    extreme = (0.0, 5e-324, 1e-308, 1e-170, 1.0, 1e154, 1.7e308)
    for i in range(400):
        values = [chance.choice(extreme) * chance.choice((-1, 1)) for _ in range(chance.choice((0, 1, 20, 300)))]
        shape = {name: chance.choice((0, 1, 2, 5, 64, 65535)) for name in ("horizon", "inputs", "first", "second")}
        chosen = dict(chance.sample(sorted(shape.items()), chance.randrange(3)))
        chosen |= {"leak": chance.choice(extreme), "prior": chance.choice(extreme)} if chance.random() < 0.5 else {}
        base = tuple(chance.choice(extreme) for _ in range(chance.choice((30, 30, 1))))
        altered = request(i, base=base, values=tuple(values), **chosen)
        try:
            assert all(np.isfinite(answer(altered).weights))
        except Unusable:
            continue
    for _ in range(60):
        data = bytearray(signed())
        for _ in range(chance.randrange(1, 5)):
            data[chance.randrange(44)] = chance.randrange(256)
        head = bytes(data[:-32])
        whole = head + hmac.new(TOKEN.encode(), head, hashlib.sha256).digest()
        with suppress(ConnectionResetError), socket.create_connection(("127.0.0.1", running.port), timeout=20) as link:
            link.sendall(whole)
            link.shutdown(socket.SHUT_WR)
            link.recv(65536)
    assert read_answer(ask(running.port, signed()), TOKEN.encode(), 30).weights


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
