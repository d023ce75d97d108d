"""Run a function in a process of its own: what foreign code does there is a sentence here, and nothing stays behind.

The process gets its work in a file, answers through what was its standard output, and ends when its standard input is
closed, so it does not outlive the one that started it. What is printed in it goes nowhere; the end is kept for the
sentence. Nothing of it depends on the system but the words for the way in which a process ended.
"""

import ctypes
import logging
import math
import mmap
import os
import pickle
import queue
import shutil
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from couplant.base.errors import CouplantError
from couplant.base.files import scratch_folder

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext

Told = Callable[..., None]

_JOB, _MARK = "job", "mark"
_TURN, _TURNS = 0.1, 50
_TAIL, _WORDS = 4096, 160
_LENGTH = struct.Struct("<Q")
_CODE = "import sys; sys.path[:] = {!r}; from couplant.base.isolation import serve; serve({!r})"
_WINDOWS = {0xC0000005: "access violation", 0xC00000FD: "stack overflow", 0xC0000409: "stack overrun or abort"}


def call_isolated(function: Callable[..., Any], *arguments: Any, told: Told = lambda *_: None) -> Any:
    """Return the result of a module's `function` of `arguments`, called in a process of its own.

    Its last argument is a function that hands its arguments, such as a share that is done, over to `told`. Arguments
    and answer are pickled; what is logged below the logger ``couplant`` and what is raised comes over too. Raises
    CouplantError if the process ends without an answer: which foreign function was called last, and what happened.
    """
    with scratch_folder() as scratch:
        level = logging.getLogger("couplant").getEffectiveLevel()
        (scratch / _JOB).write_bytes(pickle.dumps((level, function, arguments)))
        (scratch / _MARK).write_bytes(bytes(_Mark.SIZE))
        with _Child(scratch) as child:
            return child.answer(told)


class _Child:
    """The process, as seen from the one that started it; a context manager that ends it whatever it is doing."""

    def __init__(self, scratch: Path) -> None:
        self._scratch, self._tail, self._unpacking = scratch, b"", False
        self._heard: queue.Queue[tuple[str, Any]] = queue.Queue(1000)
        places = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))  # what it leaves there goes with `scratch`
        self._process = subprocess.Popen(
            [sys.executable, "-c", _CODE.format(sys.path, str(scratch))],
            env={**os.environ, **places},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._listen, self._drain)]

    def __enter__(self) -> "_Child":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        process = self._process
        process.kill()
        process.wait()
        for thread, pipe in zip((None, *self._threads), (process.stdin, process.stdout, process.stderr), strict=True):
            if thread is not None:
                thread.join(_TURN)
            if pipe is not None and (thread is None or not thread.is_alive()):  # else something it started holds it
                pipe.close()

    def answer(self, told: Told) -> Any:
        """Wait for the answer."""
        while True:
            kind, content = self._next()
            if kind == "done":
                return content
            if kind == "error":
                # where a component refused, the reason may be in what was printed last only
                said = self._last_words() if type(content) is CouplantError else ""
                raise CouplantError(str(content).rstrip(".") + f"{said}.") if said else content
            if kind == "end":
                said = self._last_words()
                code = self._process.poll()
                how = "it closed the connection to couplant" if code is None else ending(code)
                raise CouplantError(f"{_Mark.sentence((self._scratch / _MARK).read_bytes())}: {how}{said}.")
            told(*content) if kind == "told" else _log_again(content)

    def _next(self) -> tuple[str, Any]:
        """Wait for what comes next; in short turns, for Ctrl-C is heard between them only on Windows."""
        turns = 0
        while turns < _TURNS:
            turns += self._process.poll() is not None and not self._unpacking
            with suppress(queue.Empty):
                return self._heard.get(timeout=_TURN)
        return "end", None  # it is gone, and something that it started itself keeps the pipe open

    def _listen(self) -> None:
        pipe: Any = self._process.stdout
        try:
            while header := pipe.read(_LENGTH.size):
                packed = pipe.read(*_LENGTH.unpack(header))
                self._unpacking = True
                self._heard.put(pickle.loads(packed))
                self._unpacking = False
        except Exception as error:  # what a process with a damaged memory may send
            logging.getLogger(__name__).debug("not understood: %s", error)
        self._heard.put(("end", None))

    def _drain(self) -> None:
        pipe: Any = self._process.stderr
        while printed := pipe.read1(65536):
            self._tail = (self._tail + printed)[-_TAIL:]

    def _last_words(self) -> str:
        """Wait for the end of the process and return the last line that it printed, with words before it."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_TURN * _TURNS)
        self._threads[1].join(_TURN * _TURNS)
        lines = self._tail.decode("utf-8", "replace").split("\n")
        shown = ("".join(c if c.isprintable() else " " for c in line).split() for line in reversed(lines))
        return next((f"; printed last: {' '.join(words)[:_WORDS]}".rstrip(".") for words in shown if words), "")


def ending(code: int) -> str:
    """Return in words how a process with the exit `code` ended, negative where a signal ended it."""
    if code >= 0:
        return f"exit({code})" if code < 256 else f"{_WINDOWS.get(code, 'status')} ({code:#x})"
    try:
        name, (text, *_) = signal.Signals(-code).name, (signal.strsignal(-code) or "signal").split(":")
    except ValueError:
        return f"signal {-code}"
    often = ", as the system does where memory runs out" if name == "SIGKILL" else ""
    return f"{text.lower()} ({name}){often}"


def _log_again(record: logging.LogRecord) -> None:
    log = logging.getLogger(record.name)
    if log.isEnabledFor(record.levelno):
        log.handle(record)


class _Mark:
    """A file in memory that tells, also after a crash, which foreign function is at work or was called last."""

    SIZE = 256
    _TEXT = 16

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), self.SIZE)

    def mark_call(self, call: Callable[..., Any], owner: str, function: str, timed: bool) -> Callable[..., Any]:
        """Return `call` so that the mark shows whose it is, and its first argument as the time [s] if `timed`."""
        memory, text = self._memory, self.text(owner, function)

        def run_marked(*arguments: Any) -> Any:
            memory[:] = text
            if timed:
                struct.pack_into("d", memory, 8, arguments[0])
            try:
                answer = call(*arguments)
            except OSError as error:  # what ctypes makes of a crash on Windows
                raise CouplantError(f"{owner}, {function}: {error}.") from None
            finally:
                memory[0] = 0
            return answer

        return run_marked

    @classmethod
    def text(cls, owner: str, function: str) -> bytes:
        """Return the mark of a `function` of an `owner` at work, at no time."""
        head = b"\1" + bytes(7) + struct.pack("d", math.nan)
        words = f"{function}\n{owner}".encode("utf-8", "replace")[: cls.SIZE - cls._TEXT]
        return head + words.ljust(cls.SIZE - cls._TEXT, b"\0")

    @property
    def address(self) -> int:
        """Return where the mark lies in memory, for libraries that call foreign functions themselves."""
        return ctypes.addressof(ctypes.c_char.from_buffer(self._memory))

    @property
    def content(self) -> bytes:
        """Return its bytes."""
        return self._memory[:]

    @classmethod
    def sentence(cls, content: bytes) -> str:
        """Return the crash that the `content` of a mark tells of, and its place, as the beginning of a sentence."""
        function, _, owner = content[cls._TEXT :].rstrip(b"\0").decode("utf-8", "replace").partition("\n")
        (time,) = struct.unpack_from("d", content, 8)
        when = "" if math.isnan(time) else f" at t = {time:g} s"
        if not function:
            return "the process that runs the FMUs ended"
        if not content[0]:
            return f"the process that runs the FMUs ended after {function} of {owner}{when}"
        return f"{owner} ended its process in {function}{when}"


_mark: _Mark | None = None


def note_call(call: Callable[..., Any], owner: str, function: str, timed: bool = False) -> Callable[..., Any]:
    """Return `call`; in an isolated process so that its end is put down to a `function` of the `owner` if it was there.

    With `timed` the first argument of the call is a time [s], which is told too.
    """
    return call if _mark is None else _mark.mark_call(call, owner, function, timed)


def mark_address() -> int | None:
    """Return where in memory a C library writes `mark_text` while it calls a foreign function, None: nowhere."""
    return None if _mark is None else _mark.address


def mark_text(owner: str, function: str) -> bytes:
    """Return 256 bytes that say: a `function` of the `owner` is at work.

    Byte 0 is 0 once it is done, the double at byte 8 the time of a step [s].
    """
    return _Mark.text(owner, function)


def marked_call() -> str:
    """Return which foreign function was called last in this process, as the beginning of a sentence."""
    return "an FMU ended the run" if _mark is None else _mark.sentence(_mark.content)


def process_context(module: str) -> "SpawnContext | ForkServerContext":
    """Return how processes start: forked from one that has loaded the `module`, where the system has such a one.

    Never by a plain fork, which copies locks that other threads hold.
    """
    import multiprocessing  # each isolated call loads this module, and most start nothing here

    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([module])
    return context


@contextmanager
def without_main() -> Iterator[None]:
    """Keep processes that are started here from running the user's program once more: they need nothing of it."""
    main = sys.modules["__main__"]
    kept: dict[str, Any] = {name: vars(main).pop(name) for name in ("__file__", "__spec__") if name in vars(main)}
    main.__spec__ = None
    try:
        yield
    finally:
        vars(main).update(kept)


@contextmanager
def unheard() -> Iterator[None]:
    """Keep Ctrl-C, which a terminal sends to all, from what is started here; this process hears it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # it lets the signal through again when it starts
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def silence() -> None:
    """Silence foreign code in this process, and give it nothing to read."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)


def serve(scratch: str) -> None:
    """Be the process: do the work in the folder `scratch`, answer, end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the business of the one that started it
    try:
        _work(Path(scratch), *private_pipes())
    finally:
        os._exit(1)  # nothing foreign gets a last word


def _work(scratch: Path, lifeline: IO[bytes], answers: IO[bytes]) -> None:
    global _mark
    threading.Thread(target=_end_with, args=(lifeline, scratch), daemon=True).start()
    send, _mark = _Sender(answers), _Mark(scratch / _MARK)
    try:
        level, function, arguments = pickle.loads((scratch / _JOB).read_bytes())
        log = logging.getLogger("couplant")
        log.handlers, log.propagate = [_Forward(send)], False
        log.setLevel(level)
        send("done", function(*arguments, lambda *words: send("told", words)))
    except Exception as error:  # raised again by the one that started it
        send("error", portable(error))


def private_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Take the two pipes to the other process out of the reach of what prints and reads."""
    lifeline, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nowhere:
        os.dup2(nowhere.fileno(), 0)
    os.dup2(2, 1)
    return lifeline, answers


def _end_with(lifeline: IO[bytes], scratch: Path) -> None:
    lifeline.read()
    shutil.rmtree(scratch, ignore_errors=True)
    os._exit(1)


def portable(error: Exception) -> Exception:
    """Return an error that can be sent to another process: itself, or its words."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever its class makes of that
        return CouplantError(f"{type(error).__name__}: {error}")
    return error


class _Sender:
    """Sends one thing after the other, whichever thread it comes from."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe, self._lock = pipe, threading.Lock()

    def __call__(self, kind: str, content: Any) -> None:
        packed = pickle.dumps((kind, content))
        with self._lock:
            self._pipe.write(_LENGTH.pack(len(packed)) + packed)
            self._pipe.flush()


class _Forward(logging.Handler):
    """Hands log records over to the other process."""

    def __init__(self, send: _Sender) -> None:
        super().__init__()
        self._send = send

    def emit(self, record: logging.LogRecord) -> None:
        record.msg, record.args, record.exc_info = record.getMessage(), None, None
        self._send("log", record)
