"""A learning server of one's own for the time of a simulation: another process, a free port, a new token.

The token stands in the environment of this process meanwhile, where the FMUs that it runs find it.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from couplant.base.errors import CouplantError
from couplant_runtime.learning.client import TOKEN

_PATIENCE = 10.0


@dataclass(frozen=True)
class Address:
    """Where a learning server listens, and its token."""

    host: str
    port: int
    token: str


@contextmanager
def learning_server() -> Iterator[Address]:
    """Start a server, give its address, and end it.

    Raises
    ------
    CouplantError
        If it does not start.
    """
    token = secrets.token_hex(16)
    command = [sys.executable, "-m", *"couplant serve --port 0".split()]
    environment = {**os.environ, TOKEN: token, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
    )
    try:
        line = process.stdout.readline() if process.stdout else ""
        host, _, port = line.strip().removeprefix("listening on ").rpartition(":")
        if not port.isdigit():
            raise CouplantError("the learning server did not start")
        with _token_in_environment(token):
            yield Address(host, int(port), token)
    finally:
        process.terminate()
        process.wait(_PATIENCE)
        if process.stdout:
            process.stdout.close()


@contextmanager
def _token_in_environment(token: str) -> Iterator[None]:
    """Put the token into the environment of this process for a while."""
    before = os.environ.get(TOKEN)
    os.environ[TOKEN] = token
    try:
        yield
    finally:
        del os.environ[TOKEN]
        if before is not None:
            os.environ[TOKEN] = before
