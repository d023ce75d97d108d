"""A program that may do anything: it runs in a process of its own, and only the end of what it prints is kept."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from threading import Thread
from typing import IO

KEPT = 4096
"""End of the output that is kept. [byte]"""

_CHUNK = 65536
_PATIENCE = 5.0


def run_child(command: Sequence[str], timeout: float) -> tuple[int | None, str]:
    """Return the exit status of a command, None if it was ended after `timeout` [s], and the last line it printed."""
    tail = bytearray()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    reader = Thread(target=_keep_end, args=(process.stdout, tail), daemon=True)
    reader.start()
    try:
        status: int | None = process.wait(timeout)
    except subprocess.TimeoutExpired:
        status = None
    finally:
        process.kill()
        process.wait()
    reader.join(_PATIENCE)  # what the program has started itself may hold the pipe open
    lines = bytes(tail).decode(errors="replace").strip().splitlines()
    return status, lines[-1] if lines else ""


def _keep_end(stream: IO[bytes], tail: bytearray) -> None:
    with stream:
        while chunk := stream.read1(_CHUNK):  # type: ignore[attr-defined]
            tail += chunk
            del tail[:-KEPT]
