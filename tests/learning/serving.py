"""`couplant serve` in a process of its own, to be stopped, killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests import commands
from tests.isolated import SOURCES

TOKEN = "0123456789abcdef"


class Server:
    """A learning server that tests do bad things to."""

    def __init__(self) -> None:
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it, on the port that it had before."""
        command = [sys.executable, "-m", "couplant", "serve", "--port", str(self.port)]
        environment = {**os.environ, "COUPLANT_TOKEN": TOKEN, "PYTHONPATH": os.pathsep.join(map(str, SOURCES))}
        self.process = commands.Started(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )
        self.port = int(self.process.stdout.readline().rpartition(":")[2])

    def freeze(self) -> None:
        """Let it do nothing from now on; its system still takes connections for it."""
        self.process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@contextmanager
def serving() -> Iterator[Server]:
    """Start a server, end it."""
    server = Server()
    try:
        yield server
    finally:
        server.kill()
