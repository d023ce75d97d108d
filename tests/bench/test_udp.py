"""UDP: nothing blocks, foreign senders are counted."""

import socket
import time

import pytest

from couplant.base.errors import CouplantError
from couplant.bench.carriers.udp import UdpTransport


@pytest.fixture
def ends():
    left = UdpTransport("left", "127.0.0.1:0", "127.0.0.1:9")
    right = UdpTransport("right", "127.0.0.1:0", left.address)
    left.close()
    left = UdpTransport("left", left_address := right_peer(right), right.address)
    assert left.address == left_address
    yield left, right
    left.close()
    right.close()


def right_peer(right):
    host, port = right._peer
    return f"{host}:{port}"


def test_there_and_back_in_order_and_without_waiting(ends):
    left, right = ends
    before = time.perf_counter()
    assert left.receive() == []
    assert time.perf_counter() - before < 1.0
    for text in (b"a", b"b", b"c"):
        left.send(text)
    right.wait(5.0)
    assert right.receive() == [b"a", b"b", b"c"]
    right.send(b"d")
    left.wait(5.0)
    assert left.receive() == [b"d"]


def test_datagrams_from_elsewhere_are_dropped_and_counted(ends):
    left, right = ends
    host, port = left.address.split(":")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.sendto(b"nonsense", (host, int(port)))
        left.wait(5.0)
        right.send(b"ours")
        left.wait(5.0)
        assert left.receive() == [b"ours"]
    assert left.foreign == 1


def test_a_peer_that_is_gone_is_a_loss_and_no_error(ends):
    left, right = ends
    right.close()
    for _ in range(3):
        left.send(b"x")
        assert left.receive() == []


@pytest.mark.parametrize(("peer", "why"), [("nowhere.invalid:9", "[a-z][a-z -]+"), ("a..b:9", "allowed is HOST.*")])
def test_a_peer_that_is_none(peer, why):
    with pytest.raises(CouplantError, match=rf"^{peer}: {why}\.$"):
        UdpTransport("left", "127.0.0.1:0", peer)


def test_an_address_in_use():
    first = UdpTransport("left", "127.0.0.1:0", "127.0.0.1:9")
    with pytest.raises(CouplantError, match=f"{first.address}: address already in use"):
        UdpTransport("left", first.address, "127.0.0.1:9")
    first.close()
    first.close()
