"""Processes of a federation on this machine: each ends with the one that started it, whatever happens to that one."""

import os
import queue
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

from couplant.base.errors import CouplantError
from couplant.base.files import in_words
from couplant.base.isolation import ending, portable, process_context, silence, unheard
from couplant.elsewhere.helics.link import Ended

_TURN = 0.1
_LAST_RESORT = 5.0
_HINDSIGHT = 1.0


class Gone(CouplantError):
    """A process of this machine has ended, whatever it was doing."""


class Word(NamedTuple):
    """Message of a process."""

    process: str
    kind: str
    content: Any


class Talk:
    """How a process talks with the one that started it.

    When the `connection` to that one closes, this process ends, and the folder `scratch` goes.
    """

    def __init__(self, connection: Connection, scratch: Path) -> None:
        self._connection, self._scratch = connection, scratch
        self._orders: queue.Queue[Any] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def say(self, kind: str, content: Any) -> None:
        """Say something: its `kind` and its `content`."""
        with suppress(OSError):  # nobody listens any more: this process is about to end
            self._connection.send((kind, content))

    def hear(self, patience: float | None = None) -> Any:
        """Return the next order; None if there is none within `patience` [s], or no more at all."""
        with suppress(queue.Empty):
            return self._orders.get(timeout=patience)
        return None

    def _listen(self) -> None:
        try:
            while True:
                self._orders.put(self._connection.recv())
        except (EOFError, OSError):
            shutil.rmtree(self._scratch, ignore_errors=True)
            os._exit(1)


class Crew:
    """Processes, as seen from the one that starts them; a context manager that ends them.

    What they leave behind is in the folder `scratch`, which is removed in the end.
    """

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._context = process_context("couplant.elsewhere.helics.session")
        self._running: dict[str, tuple[BaseProcess, Connection]] = {}

    def __enter__(self) -> "Crew":
        """Return the crew."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes."""
        for name in list(self._running):
            self.end(name)

    def start(self, name: str, target: Callable[..., None], *arguments: Any) -> None:
        """Start a process that calls `target` with its `Talk` and the `arguments`, which are pickled."""
        own, theirs = self._context.Pipe()
        process = self._context.Process(
            target=_serve, args=(theirs, self._scratch, target, arguments), name=f"couplant helics, {name}", daemon=True
        )
        with unheard():
            process.start()
        theirs.close()
        self._running[name] = (process, own)

    def order(self, name: str, content: Any) -> None:
        """Give a process an order, its `content`; a process that is gone is noticed by `words`."""
        with suppress(OSError):
            self._running[name][1].send(content)

    def end(self, name: str) -> None:
        """End a process now."""
        process, connection = self._running.pop(name)
        connection.close()
        process.kill()
        process.join()

    def words(self) -> Iterator[Word]:
        """Yield messages of a tenth of a second; raise `Gone` if a process is gone, `CouplantError` if one failed."""
        for connection in wait([connection for _, connection in self._running.values()], _TURN):
            name, (process, own) = next(one for one in self._running.items() if one[1][1] is connection)
            try:
                kind, content = own.recv()
            except (EOFError, OSError):
                raise Gone(self._end_words(name, process)) from None
            if kind == "error":
                raise self._cause(name, content)
            yield Word(name, kind, content)

    def _cause(self, name: str, error: Exception) -> Exception:
        """Return the cause of the failure of a process: often another one is gone, which it heard of sooner."""
        if not isinstance(error, CouplantError):
            kind = "" if isinstance(error, OSError) else f"{type(error).__name__}: "
            return CouplantError(f"{name}: {kind}{in_words(error)}.")
        deadline = time.monotonic() + _HINDSIGHT
        while time.monotonic() < deadline:
            for other, (process, _) in self._running.items():
                if not process.is_alive() and process.exitcode:
                    return Gone(self._end_words(other, process))
            time.sleep(_TURN)
        return error if isinstance(error, Ended) else type(error)(f"{name}: {error}")

    def _end_words(self, name: str, process: BaseProcess) -> str:
        process.join(_LAST_RESORT)
        code = process.exitcode
        return f"{name}: its process ended: {'it closed the connection' if code is None else ending(code)}."


def _serve(connection: Connection, scratch: Path, target: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Be a process: work, say how it went, end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the business of the one that started it
    silence()
    tempfile.tempdir = str(scratch)
    talk = Talk(connection, scratch)
    status = 0
    try:
        target(talk, *arguments)
    except Exception as error:
        status = 1
        talk.say("error", portable(error))
        talk.hear(_LAST_RESORT)  # until it is ended: the sentence comes before the end of the connection
    finally:
        os._exit(status)  # nothing foreign gets a last word
