"""A process that runs unpacked FMUs one after the other, so that a bad binary does not take this one along."""

import atexit
import json
import queue
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO, Any

TIMEOUT = 120.0
_LONGEST_ANSWER = 10**6

KEPT = 4096  # end of the output that is kept [byte]

_CHUNK = 65536
_PATIENCE, _TURN = 5.0, 0.1
_COMMAND = ["-m", "couplant.pack.check.probe"]


class Child:
    """The process; it is started for the first FMU, and again after one that leaves something behind."""

    def __init__(self, *command: str) -> None:
        self._command = command  # in place of ``python -m couplant.pack.check.probe``
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, folder: Path, timeout: float = TIMEOUT) -> list[str]:
        """Return the problems of the FMU in a `folder`, which has `timeout` [s] for its run.

        What a process finds that has run others before is looked for again in a new one.
        """
        fresh = self._process is None
        found = self._ask(folder, timeout)
        return found if fresh or not found else self._ask(folder, timeout)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        self._taker.join(_TURN)
        pipes = self._process.stdin, None if self._taker.is_alive() else self._process.stdout
        for pipe in pipes:  # something that it started may still hold the second, and a thread waits for that
            if pipe is not None:
                with suppress(OSError):  # what it has not read
                    pipe.close()
        self._process = None

    def _ask(self, folder: Path, timeout: float) -> list[str]:
        if self._process is None:
            command = self._command or (sys.executable, *_COMMAND)
            pipe = subprocess.PIPE
            self._process = process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
            self._tail, self._answers = bytearray(), queue.Queue[bytes](1)
            self._reader = Thread(target=_keep_end, args=(process.stderr, self._tail), daemon=True)
            self._reader.start()
            self._taker = Thread(target=_take, args=(process.stdout, self._answers), daemon=True)
            self._taker.start()
        problems, again = self._answer(folder, timeout)
        if problems or not again:
            self.end()
        return problems

    def _answer(self, folder: Path, timeout: float) -> tuple[list[str], bool]:
        process: Any = self._process
        try:
            process.stdin.write(json.dumps(str(folder)).encode() + b"\n")
            process.stdin.flush()
            said = json.loads(self._line(timeout))
            return [str(text) for text in said["problems"]], bool(said["again"])
        except queue.Empty:
            return [f"did not finish a short run within {timeout:g} s."], False
        except (OSError, ValueError, TypeError, KeyError):  # gone, or what is left of it talks
            return [self._last_words()], False

    def _line(self, timeout: float) -> bytes:
        """Wait for a line; empty if the process has ended, though what it started itself may hold the pipe open."""
        process: Any = self._process
        for _ in range(int(timeout / _TURN)):
            ended = process.poll() is not None
            with suppress(queue.Empty):
                return self._answers.get(timeout=_TURN)
            if ended:
                return b""
        raise queue.Empty

    def _last_words(self) -> str:
        process: Any = self._process
        try:
            status = process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            status = "none"
        self._reader.join(_PATIENCE)  # what the program has started itself may hold the pipe open
        lines = bytes(self._tail).decode(errors="replace").strip().splitlines()
        return f"crashed during a short run (status {status}): {lines[-1] if lines else 'no message'}"


def _take(stream: IO[bytes], answers: queue.Queue[bytes]) -> None:
    try:
        while line := stream.readline(_LONGEST_ANSWER):
            answers.put(line)
    except (OSError, ValueError):  # closed here
        return
    answers.put(b"")


def _keep_end(stream: IO[bytes], tail: bytearray) -> None:
    with stream:
        while chunk := stream.read1(_CHUNK):  # type: ignore[attr-defined]
            tail += chunk
            del tail[:-KEPT]


SHARED = Child()  # the one of all checks of this process

atexit.register(SHARED.end)
