"""UDP: nothing blocks, foreign senders are counted, addresses are checked; classes of one's own are found."""

import socket
import time

import pytest

from couplant.bench.transport import UdpTransport, check_addresses, load_transport
from couplant.errors import CouplantError, UsageError
from tests.bench.carriers import UnixTransport


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


def test_an_address_in_use():
    first = UdpTransport("left", "127.0.0.1:0", "127.0.0.1:9")
    with pytest.raises(CouplantError, match=f"{first.address}: address already in use"):
        UdpTransport("left", first.address, "127.0.0.1:9")
    first.close()
    first.close()


@pytest.mark.parametrize("text", ["", "host", ":1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:70000"])
def test_what_is_no_address(text):
    with pytest.raises(UsageError, match="allowed is HOST:PORT"):
        check_addresses({"--peer": text}, anywhere=True)


def test_other_machines_only_if_told():
    check_addresses({"--peer": "[::1]:1", "--listen": None}, anywhere=False)
    check_addresses({"--peer": "bench-2:1"}, anywhere=True)
    with pytest.raises(UsageError, match="--anywhere"):
        check_addresses({"--peer": "bench-2:1"}, anywhere=False)


def test_classes_of_ones_own():
    assert load_transport("tests.bench.carriers:UnixTransport") is UnixTransport
    assert load_transport("couplant.bench:UdpTransport") is UdpTransport
    for name in ("tests.bench.carriers:pair", "tests.bench.carriers:Nothing", "nowhere:X", "", "os"):
        with pytest.raises(UsageError, match=f"--transport {name}"):
            load_transport(name)
