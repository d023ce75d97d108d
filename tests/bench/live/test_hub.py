"""The server of the page of a running bench: tokens, viewers that come late, do not read, or are too many."""

import http.client
import json
import socket
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from couplant.base.errors import CouplantError
from couplant.bench.live.hub import MOST_UNREAD, MOST_VIEWERS, Live, Showing, _Handler, opened_hub
from tests.bench.live.frames import WIDTHS, frame, packed

PATIENCE = 60.0
NONE = (
    b"\xff", b"[]", b"[" * 60000, b"{}",
    b'{"shape": [1, -1], "lengths": {}}\n', b'{"shape": [1e9, 9], "lengths": {"a": "b"}}\n',
)  # fmt: skip
"""Datagrams that are no frames."""
SHOWING = Showing("<p>page</p>", "127.0.0.1", 0, WIDTHS, 1)


@pytest.fixture
def served():
    with opened_hub(SHOWING) as (hub, url):
        yield hub, url


def said(hub, i, token=None):
    return packed(frame(i), token or hub.viewing.token)


@contextmanager
def answer(url, path=""):
    link = http.client.HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)
    try:
        link.request("GET", urlsplit(url).path + path)
        yield link.getresponse()
    finally:
        link.close()


def event(response):
    """Return kind and content of the next event."""
    lines = []
    while not lines or lines[-1]:
        line = response.readline().decode()
        assert line, "the stream has ended"
        line = line.rstrip("\n")
        lines += [line] if line or lines else []
        if lines[:1] == [": alive"]:
            lines = []
    return lines[0].removeprefix("event: "), json.loads(lines[1].removeprefix("data: "))


def wait_for(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_page_is_there_and_nothing_else(served):
    _, url = served
    with answer(url) as response:
        assert (response.status, response.read()) == (200, b"<p>page</p>")
        assert response.headers["Cache-Control"] == "no-store"
    with answer(url, "else") as response:
        assert response.status == 404


@pytest.mark.parametrize("path", ["/", "/wrong/", "/wrong/events", "//events", "/%00/events", "/\xc3\xa9/"])
def test_without_the_token_nothing_is_told(served, path):
    hub, url = served
    hub.take(said(hub, 1))
    with socket.create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=PATIENCE) as link:
        link.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode("latin-1"))
        text = b"".join(iter(lambda: link.recv(4096), b""))
    assert text.startswith(b"HTTP/1.1 403 ") and b"points" not in text


def test_a_frame_comes_as_a_datagram_and_goes_to_all(served):
    hub, url = served
    hub.take(said(hub, 1))
    with answer(url, "events") as one, answer(url, "events") as two:
        for viewer in (one, two):
            kind, content = event(viewer)
            assert (kind, [len(run["figures"]) for run in content]) == ("history", [1])
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as side:
            for datagram in (*NONE, said(hub, 2, "guessed"), said(hub, 3)):
                side.sendto(datagram, (hub.viewing.host, hub.viewing.port))
        for viewer in (one, two):
            assert event(viewer) == ("frame", frame(3))


def test_a_viewer_that_does_not_read_costs_what_it_does_not_read(served, monkeypatch):
    monkeypatch.setattr(_Handler, "timeout", 600.0)  # however long the frames take here, nobody is left
    hub, url = served
    with answer(url, "events") as good:
        assert event(good)[0] == "history"
        with socket.create_connection((urlsplit(url).hostname, urlsplit(url).port)) as dead:
            dead.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            dead.sendall(f"GET {urlsplit(url).path}events HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            wait_for(lambda: len(hub._viewers) == 2)
            for i in range(20000):
                hub.take(said(hub, i))  # which waits for neither of them
            assert all(events.qsize() <= MOST_UNREAD for events in hub._viewers)
            assert hub.dropped > 0
            seen = -1.0
            while seen < frame(19999)["time"]:
                kind, content = event(good)
                assert kind == "frame" and content["time"] > seen, "some are left out, none comes twice"
                seen = content["time"]


def test_a_viewer_that_takes_nothing_is_left(served, monkeypatch):
    monkeypatch.setattr(_Handler, "timeout", 0.2)
    hub, url = served
    with socket.create_connection((urlsplit(url).hostname, urlsplit(url).port)) as dead:
        dead.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        dead.sendall(f"GET {urlsplit(url).path}events HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        wait_for(lambda: hub._viewers)

        def is_left():
            for i in range(20):
                hub.take(said(hub, i))
            return not hub._viewers

        wait_for(is_left)


def test_too_many_viewers_are_refused_and_one_that_leaves_makes_room(served):
    hub, url = served
    links = [answer(url, "events") for _ in range(MOST_VIEWERS)]
    for link in links:
        assert event(link.__enter__())[0] == "history"
    with answer(url, "events") as refused:
        assert refused.status == 503
    links.pop().__exit__(None, None, None)

    def has_room():
        hub.take(said(hub, 1))
        return len(hub._viewers) < MOST_VIEWERS

    wait_for(has_room)
    with answer(url, "events") as late:
        assert event(late)[0] == "history"
    for link in links:
        link.__exit__(None, None, None)


def test_viewers_hear_the_end_from_a_process_of_its_own():
    with Live(SHOWING) as live:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as side:
            side.sendto(packed(frame(1), live.viewing.token), (live.viewing.host, live.viewing.port))
        with answer(live.url, "events") as viewer:
            kinds = [event(viewer)]
            while not kinds[0][1] and len(kinds) < 2:
                kinds.append(event(viewer))
            seen = live.finish()
            assert event(viewer)[0] == "end"
            assert viewer.read() == b""
    assert [(run["side"], len(run["points"])) for run in seen] == [("left", 10)]


def test_a_port_in_use_is_told():
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = used.getsockname()[1]
        with pytest.raises(CouplantError, match=f"127.0.0.1:{port}: "), Live(Showing("", "127.0.0.1", port, WIDTHS, 1)):
            pytest.fail("served")


def test_a_process_that_is_gone_leaves_no_record():
    with Live(SHOWING) as live:
        live._process.kill()
        live._process.join()
        assert live.finish() == []
