"""Zenoh: TCP, UDP and TLS through a router; what is refused, in one sentence each."""

from contextlib import ExitStack

import pytest

from couplant.base.errors import CouplantError, UsageError
from couplant.bench.carriers.router import Identity
from tests.bench.meetings import Certificates, end, exchange, free_port, heard, router


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def plain():
    """Return the port of a router for TCP and UDP."""
    port = free_port()
    with router(f"tcp/127.0.0.1:{port}", f"udp/127.0.0.1:{port}"):
        yield port


@pytest.fixture(scope="module")
def secured(certificates):
    """Return the ports of routers by the name of their certificate; the last one asks for a certificate too."""
    ports = {}
    with ExitStack() as kept:
        for name in ("good", "expired", "elsewhere", "strict"):
            ports[name] = free_port()
            files = certificates.files("good" if name == "strict" else name)
            identity = Identity(*files, str(certificates.ca) if name == "strict" else None)
            kept.enter_context(router(f"tls/127.0.0.1:{ports[name]}", identity=identity))
        yield ports


@pytest.mark.parametrize("protocol", ["tcp", "udp"])
def test_both_sides_hear_each_other(plain, protocol):
    ends = [end("zenoh", side, f"{protocol}/127.0.0.1:{plain}") for side in ("left", "right")]
    try:
        exchange(*ends)
        assert all(one.connected for one in ends)
        assert all(one.remarks() == [] for one in ends)
    finally:
        for one in ends:
            one.close()
            one.close()


def test_other_topics_are_not_heard(plain):
    here = f"tcp/127.0.0.1:{plain}"
    left, right, other = end("zenoh", "left", here), end("zenoh", "right", here), end("zenoh", "right", here, "another")
    try:
        heard(right, 1, lambda: left.send(b"x"))
        assert other.receive() == []
    finally:
        for one in (left, right, other):
            one.close()


def tls(secured, certificates, router="good", ca=None, side=None, host="localhost", **keys):
    if side is not None:
        keys["certificate"], keys["key"] = certificates.files(side)
    return [end("zenoh", one, f"tls/{host}:{secured[router]}", ca=str(ca or certificates.ca), **keys) for one in SIDES]


SIDES = ("left", "right")


SECURE = [
    ("good", {}),
    ("good", {"host": "127.0.0.1"}),
    ("strict", {"side": "side"}),
    ("elsewhere", {"verify_name": False}),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("router", "more"), SECURE)
def test_tls(secured, certificates, router, more):
    ends = tls(secured, certificates, router, **more)
    try:
        exchange(*ends)
    finally:
        for one in ends:
            one.close()


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("router", "more", "sentence"),
    [
        ("expired", {}, "its certificate is refused: certificate has expired."),
        ("good", {"ca": "foreign"}, "its certificate is refused: unable to get local issuer certificate."),
        (
            "elsewhere",
            {},
            "its certificate is refused: Hostname mismatch, certificate is not valid for 'localhost'.",
        ),
        ("strict", {}, "no secure connection: tlsv13 alert certificate required."),
        ("strict", {"side": "stranger"}, "no secure connection: tlsv1 alert unknown ca."),
    ],
)
def test_what_is_refused(secured, certificates, router, more, sentence):
    if "ca" in more:
        more = {**more, "ca": certificates.foreign}
    with pytest.raises(CouplantError) as error:
        tls(secured, certificates, router, **more)
    assert str(error.value) == f"tls/localhost:{secured[router]}: {sentence}"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("endpoint", "sentence"),
    [
        ("tcp/127.0.0.1:{}", "tcp/127.0.0.1:{}: no router: connection refused."),
        ("udp/127.0.0.1:{}", "udp/127.0.0.1:{}: no router answers."),
        ("tls/127.0.0.1:{}", "tls/127.0.0.1:{}: no router: connection refused."),
    ],
)
def test_nobody_is_there(endpoint, sentence):
    port = free_port()
    with pytest.raises(CouplantError) as error:
        end("zenoh", "left", endpoint.format(port))
    assert str(error.value) == sentence.format(port)


def test_a_file_that_is_missing(tmp_path):
    with pytest.raises(UsageError) as error:
        end("zenoh", "left", "tls/127.0.0.1:1", ca=str(tmp_path / "none.pem"))
    assert str(error.value) == f"bench.transport.ca = {tmp_path}/none.pem: no such file or directory."
