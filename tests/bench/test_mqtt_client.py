"""MQTT: TCP and TLS through a broker of the system; what is refused, in one sentence each."""

from contextlib import ExitStack

import pytest

from couplant.base.errors import CouplantError, UsageError
from couplant.bench.carriers import mqtt_client
from tests.bench.meetings import Certificates, broker, end, exchange, free_port, heard

pytestmark = pytest.mark.needs_system("mosquitto")
SIDES = ("left", "right")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def ports(tmp_path_factory, certificates):
    """Return the ports of brokers: a plain one, some by the name of their certificate, one that asks for names."""
    folder, found = tmp_path_factory.mktemp("brokers"), {}
    with ExitStack() as kept:
        for name in ("plain", "good", "expired", "elsewhere", "closed"):
            found[name] = free_port()
            certificate, key = certificates.files(name)
            lines = [f"certfile {certificate}", f"keyfile {key}"]
            lines = {"plain": [], "closed": ["allow_anonymous false"]}.get(name, lines)
            kept.enter_context(broker(folder, found[name], *lines))
        yield found


def closing(ends):
    for one in ends:
        one.close()
        one.close()


def test_both_sides_hear_each_other(ports):
    ends = [end("mqtt", side, f"tcp/127.0.0.1:{ports['plain']}") for side in SIDES]
    try:
        exchange(*ends)
        assert all(one.connected for one in ends)
        assert all(one.remarks() == [] for one in ends)
    finally:
        closing(ends)


def test_tls(ports, certificates):
    ends = [end("mqtt", side, f"tls/localhost:{ports['good']}", ca=str(certificates.ca)) for side in SIDES]
    try:
        exchange(*ends)
    finally:
        closing(ends)


@pytest.mark.parametrize(
    ("broker", "ca", "sentence"),
    [
        ("expired", "ca", "certificate has expired"),
        ("good", "foreign", "unable to get local issuer certificate"),
        ("elsewhere", "ca", "Hostname mismatch, certificate is not valid for 'localhost'"),
    ],
)
def test_what_is_refused(ports, certificates, broker, ca, sentence):
    with pytest.raises(CouplantError) as error:
        end("mqtt", "left", f"tls/localhost:{ports[broker]}", ca=str(getattr(certificates, ca)))
    assert str(error.value) == f"tls/localhost:{ports[broker]}: its certificate is refused: {sentence}."


def test_a_broker_that_does_not_know_us(ports, monkeypatch):
    monkeypatch.setenv(mqtt_client.PASSWORD, "wrong")
    with pytest.raises(CouplantError) as error:
        end("mqtt", "left", f"tcp/127.0.0.1:{ports['closed']}", user="left")
    said = f"tcp/127.0.0.1:{ports['closed']}: the broker does not let this side in: not auth"
    assert str(error.value).startswith(said)


def test_nobody_is_there():
    port = free_port()
    with pytest.raises(CouplantError) as error:
        end("mqtt", "left", f"tcp/127.0.0.1:{port}")
    assert str(error.value) == f"tcp/127.0.0.1:{port}: no broker: connection refused."


def test_a_file_that_is_missing(tmp_path):
    with pytest.raises(UsageError) as error:
        end("mqtt", "left", "tls/127.0.0.1:1", ca=str(tmp_path / "none.pem"))
    assert str(error.value) == f"bench.transport: {tmp_path}/none.pem: no such file or directory."


def test_a_broker_that_is_gone_for_a_while(tmp_path):
    port = free_port()
    with broker(tmp_path, port) as first:
        ends = [end("mqtt", side, f"tcp/127.0.0.1:{port}") for side in SIDES]
        try:
            left, right = ends
            heard(right, 1, lambda: left.send(b"before"))
            first.kill()
            first.wait()
            for _ in range(1000):
                left.send(b"lost")
            with broker(tmp_path, port):
                found = heard(right, 1, lambda: left.send(b"after"))
                assert found.count(b"lost") <= mqtt_client.MOST_UNSENT, "what could not be sent is lost"
                assert b"after" in found or b"after" in heard(right, 1)
                assert left.connected and right.connected
            (remark,) = right.remarks()[:1]
            assert remark.startswith(f"no broker at tcp/127.0.0.1:{port} for ")
        finally:
            closing(ends)
