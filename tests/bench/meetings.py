"""Where carriers meet: routers and brokers of the tests, certificates, ends."""

import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta, timezone

import trustme

from couplant.bench.carriers.router import Identity, run_router
from couplant.bench.transport import End, load_transport
from couplant.config.bench import TransportTable
from tests import commands
from tests.isolated import SOURCES

PATIENCE = 120.0
STANDING_BY = """
import sys
from couplant.bench.carriers.router import Identity, run_router
import zenoh
print("ready", flush=True)
sys.stdin.readline()
run_router([sys.argv[1]], Identity(), False, lambda text: print(text, flush=True))
"""


def free_port():
    """Return a port that is free for TCP and UDP."""
    while True:
        with socket.socket() as tcp, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            tcp.bind(("127.0.0.1", 0))
            with suppress(OSError):
                udp.bind(tcp.getsockname())
                return tcp.getsockname()[1]


def started(*words, **more):
    """Start a Python of the tests."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, SOURCES)), "PYTHONUNBUFFERED": "1"}
    return commands.Started(
        [sys.executable, *words], env=environment, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True, **more
    )


@contextmanager
def running(process, said):
    """Wait until a process has `said` what it says when it is ready; end it in the end."""
    try:
        assert select.select([process.stdout], [], [], PATIENCE)[0], "no word"
        line = process.stdout.readline()
        assert line.startswith(said), line
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def router(*endpoints, identity=None):
    """Run a router that listens to `endpoints`, in a thread of the tests."""
    ready, done, failed = threading.Event(), threading.Event(), []

    def work():
        try:
            run_router(endpoints, identity or Identity(), False, lambda text: ready.set(), done.is_set)
        except Exception as error:
            failed.append(error)
            ready.set()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert ready.wait(PATIENCE) and not failed, failed
        yield
    finally:
        done.set()
        thread.join()


def standby(endpoint):
    """Return a process that becomes a router as soon as it is told a line."""
    return running(started("-c", STANDING_BY, endpoint), "ready")


def in_real_time():
    """Let a process that is about to start have the priority that sides ask for."""
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))


@contextmanager
def broker(folder, port, *lines):
    """Run mosquitto at a port of this machine."""
    settings = folder / f"{port}.conf"
    text = [f"listener {port} 127.0.0.1", "allow_anonymous true", "set_tcp_nodelay true", *lines]
    text += ["user root"] if os.geteuid() == 0 else []  # another user cannot read the files of this one
    settings.write_text("\n".join([*text, ""]), encoding="utf-8")
    process = commands.Started(
        ["mosquitto", "-c", settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=in_real_time
    )
    try:
        reach(port)
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def reach(port):
    """Wait until something listens at a port."""
    last = time.monotonic() + PATIENCE
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
            return
        assert time.monotonic() < last
        time.sleep(0.05)


class Certificates:
    """An authority, another one, and what they have issued, as files."""

    def __init__(self, folder):
        self.folder, now = folder, datetime.now(timezone.utc)
        ours, foreign = trustme.CA(), trustme.CA()
        self.ca, self.foreign = folder / "ca.pem", folder / "foreign.pem"
        ours.cert_pem.write_to_path(self.ca)
        foreign.cert_pem.write_to_path(self.foreign)
        past = {"not_before": now - timedelta(days=9), "not_after": now - timedelta(days=1)}
        self._write("good", ours.issue_cert("localhost", "127.0.0.1"))
        self._write("expired", ours.issue_cert("localhost", **past))
        self._write("elsewhere", ours.issue_cert("elsewhere.example"))
        self._write("side", ours.issue_cert("left@bench.example"))
        self._write("stranger", foreign.issue_cert("left@bench.example"))

    def _write(self, name, made):
        made.private_key_pem.write_to_path(self.folder / f"{name}.key")
        for pem in made.cert_chain_pems:
            pem.write_to_path(self.folder / f"{name}.pem", append=True)

    def files(self, name):
        """Return certificate and key of a name."""
        return str(self.folder / f"{name}.pem"), str(self.folder / f"{name}.key")


def end(name, side, endpoint, topic="test", **keys):
    """Return an open end."""
    settings = TransportTable(name=name, endpoint=endpoint, **keys)
    return load_transport(name).opened(End(side, settings=settings, topic=topic))


def heard(transport, count, send=lambda: None, patience=PATIENCE):
    """Return the first `count` datagrams that arrive; `send` is called until the first one has."""
    found, last = [], time.monotonic() + patience
    while len(found) < count:
        assert time.monotonic() < last, f"{len(found)} of {count} arrived"
        if not found:
            send()
        transport.wait(0.1)
        found += transport.receive()
    return found


def exchange(left, right):
    """Let both ends hear each other; a message that is lost is sent again."""
    for one, other in ((left, right), (right, left)):
        said = [bytes([i]) * (i + 1) for i in range(100)]
        for text in said:
            assert set(heard(other, 1, lambda one=one, text=text: one.send(text))) <= set(said)
        assert set(one.receive()) <= set(said)
