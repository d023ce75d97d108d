"""Addresses: their form, loopback unless told otherwise, endpoints of routers and brokers."""

import pytest

from couplant.base.errors import UsageError
from couplant.bench.carriers.addresses import Endpoint, check_addresses, endpoint_of

NO_HOSTS = ["a..b:9", "a" * 300 + ":9", "[]:9", "a\udc80:9", "a\0b:9"]


@pytest.mark.parametrize("text", ["", "host", ":1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:70000", *NO_HOSTS])
def test_what_is_no_address(text):
    with pytest.raises(UsageError, match="allowed is HOST:PORT"):
        check_addresses({"peer": text}, anywhere=True)


def test_nobody_can_be_called_at_any_free_port():
    check_addresses({"listen": "127.0.0.1:0"}, anywhere=False)
    with pytest.raises(UsageError, match=r"^peer = 127\.0\.0\.1:0: allowed is HOST:PORT with a port of 1 to 65535\.$"):
        check_addresses({"peer": "127.0.0.1:0"}, anywhere=False)


def test_other_machines_only_if_told():
    check_addresses({"peer": "[::1]:1", "listen": None}, anywhere=False)
    check_addresses({"peer": "bench-2:1"}, anywhere=True)
    with pytest.raises(UsageError, match="anywhere = true"):
        check_addresses({"peer": "bench-2:1"}, anywhere=False)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("tcp/127.0.0.1:7447", Endpoint("tcp", "127.0.0.1", 7447)),
        ("tls/router.example:8883", Endpoint("tls", "router.example", 8883)),
        ("tls/[::1]:1", Endpoint("tls", "::1", 1)),
    ],
)
def test_endpoints(text, found):
    assert endpoint_of("peer", text, ("tcp", "tls")) == found
    assert str(found) == text


WRONG = ["", "tcp", "127.0.0.1:1", "udp/127.0.0.1:1", "tcp/:1", "tcp/a:b", "TCP/a:1", "tcp/a:99999", "tcp/a:٣"]


@pytest.mark.parametrize("text", [*WRONG, "tcp/a:0", *(f"tls/{host}" for host in NO_HOSTS)])
def test_what_is_no_endpoint(text):
    with pytest.raises(UsageError) as error:
        endpoint_of("peer", text, ("tcp", "tls"))
    assert str(error.value) == f"peer = {text}: allowed is tcp/HOST:PORT or tls/HOST:PORT with a port of 1 to 65535."


def test_endpoints_on_other_machines_only_if_told():
    assert endpoint_of("peer", "tcp/[::1]:1", ("tcp",), anywhere=False).port == 1
    with pytest.raises(UsageError, match=r"^peer = tcp/router:1: another machine .* anywhere = true"):
        endpoint_of("peer", "tcp/router:1", ("tcp",), anywhere=False)
