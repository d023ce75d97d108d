"""The box between two threads, and the account of the way to a router."""

import select
import ssl
import sys
import threading
import time

import pytest
from cryptography.hazmat.primitives import serialization

from couplant.base.errors import UsageError
from couplant.bench.carriers.meeting import Contact, Mailbox, needed, secure_context
from couplant.config.bench import TransportTable
from tests.bench.meetings import Certificates


@pytest.fixture
def box():
    made = Mailbox(most=4)
    yield made
    made.close()


def test_the_newest_stay_and_the_others_are_counted(box):
    for i in range(7):
        box.put(bytes([i]))
    assert box.take() == [b"\3", b"\4", b"\5", b"\6"]
    assert box.dropped == 3
    assert box.take() == []


def test_waiting_ends_when_something_arrives(box):
    before = time.perf_counter()
    box.wait(0.05)
    assert time.perf_counter() - before >= 0.045
    threading.Timer(0.05, box.put, [b"x"]).start()
    box.wait(30.0)
    assert box.take() == [b"x"]
    assert select.select([box], [], [], 0.0)[0] == [], "nothing rings any more"


def test_nobody_waits_for_the_other(box):
    """A hundred thousand messages that nobody takes fill no socket for good, and a closed box takes them too."""
    for _ in range(100_000):
        box.put(b"x")
    assert box.dropped == 99_996
    assert len(box.take()) == 4
    box.put(b"y")
    box.wait(30.0)
    assert box.take() == [b"y"]
    box.close()
    box.put(b"z")


def test_two_threads_lose_nothing():
    box, found = Mailbox(most=100_000), []
    sender = threading.Thread(target=lambda: [box.put(i.to_bytes(4, "big")) for i in range(20_000)])
    sender.start()
    last = time.monotonic() + 60.0
    while len(found) < 20_000 and time.monotonic() < last:
        box.wait(0.1)
        found += box.take()
    sender.join()
    box.close()
    assert [int.from_bytes(one, "big") for one in found] == list(range(20_000))


def test_times_without_a_way_are_summed():
    contact = Contact()
    assert contact.is_there and contact.account() == (0, 0.0)
    contact.lose()
    contact.lose()
    assert not contact.is_there
    time.sleep(0.05)
    times, first = contact.account()
    assert times == 1 and first >= 0.05
    contact.regain()
    times, rest = contact.account()
    assert times == 0 and 0.0 < rest < 30.0
    assert contact.is_there and contact.account() == (0, 0.0)


def test_a_package_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "zenoh", None)
    with pytest.raises(UsageError) as error:
        needed("zenoh", "eclipse-zenoh", "zenoh")
    assert str(error.value) == "bench.transport = zenoh: needs eclipse-zenoh: pip install couplant[zenoh]"


def test_nobody_is_asked_for_the_password_of_a_key(tmp_path):
    certificate, key = Certificates(tmp_path).files("side")
    assert isinstance(secure_context(TransportTable(certificate=certificate, key=key)), ssl.SSLContext)
    plain = serialization.load_pem_private_key((tmp_path / "side.key").read_bytes(), None)
    how = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"x")
    (tmp_path / "side.key").write_bytes(plain.private_bytes(*how))
    with pytest.raises(UsageError, match=r"side\.key: is encrypted, allowed is a key without a password\.$"):
        secure_context(TransportTable(certificate=certificate, key=key))
