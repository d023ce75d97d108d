"""Commands that tests start: they hear signals however the test run was started, and end within a limit."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from typing import Any

LIMIT = 300.0
"""Seconds after which a command counts as hanging: against waiting for ever, never a judgement of speed."""

HEARD = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""What ends commands. A run in the background or behind nohup ignores some of them, and every child inherits that."""


def deaf() -> list[signal.Signals]:
    """Return the signals of `HEARD` that this process ignores."""
    return [number for number in HEARD if signal.getsignal(number) == signal.SIG_IGN]


class Started(subprocess.Popen):
    """A process that hears signals; who waits for it waits `LIMIT` seconds at most, and then it is killed.

    Parameters
    ----------
    words : list
        The command.
    **options
        As those of `subprocess.Popen`.
    """

    def __init__(self, words: Any, **options: Any) -> None:
        before = options.pop("preexec_fn", None)
        ignored = deaf()

        def restore() -> None:
            for number in ignored:
                signal.signal(number, signal.SIG_DFL)
            if before is not None:
                before()

        needed = os.name == "posix" and (ignored or before is not None)
        super().__init__(words, preexec_fn=restore if needed else None, **options)

    def wait(self, timeout: float | None = LIMIT) -> int:
        """Return the exit status; who does not end within `timeout` seconds is killed."""
        try:
            return super().wait(LIMIT if timeout is None else timeout)
        except subprocess.TimeoutExpired:
            self.end()
            raise

    def communicate(self, input: Any = None, timeout: float | None = LIMIT) -> tuple[Any, Any]:
        """Return what it says; who does not end within `timeout` seconds is killed."""
        try:
            return super().communicate(input, LIMIT if timeout is None else timeout)
        except subprocess.TimeoutExpired:
            self.end()
            raise

    def end(self) -> None:
        """Kill the process, and with it its group if it leads one."""
        with suppress(OSError):
            if hasattr(os, "killpg") and os.getpgid(self.pid) == self.pid:
                os.killpg(self.pid, signal.SIGKILL)
        self.kill()


def run(words: Any, *, input: Any = None, timeout: float = LIMIT, **options: Any) -> subprocess.CompletedProcess:
    """Run a command to its end, as `subprocess.run` does; what it started ends with it if it hangs.

    Raises
    ------
    subprocess.TimeoutExpired
        If it has not ended after `timeout` seconds.
    subprocess.CalledProcessError
        If it fails and ``check=True`` is among the options.
    """
    check = options.pop("check", False)
    if options.pop("capture_output", False):
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if input is not None:
        options["stdin"] = subprocess.PIPE
    with Started(words, start_new_session=os.name == "posix", **options) as process:
        try:
            output, errors = process.communicate(input, timeout)
        except BaseException:
            process.end()
            raise
    if check and process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words, output, errors)
    return subprocess.CompletedProcess(words, process.returncode, output, errors)
