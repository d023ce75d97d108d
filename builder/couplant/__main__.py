"""``couplant`` and ``python -m couplant``: from its first import to its end Ctrl-C costs one sentence.

Where the system or a terminal that closes ends the command, it goes the same way and leaves nothing behind.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

from couplant.base.errors import Stopped, comes_from_stop

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_MOMENT = 0.05
_ENDINGS = ("SIGTERM", "SIGHUP")
"""Signals that end a command, by their names: not every system has both."""

_SIGNAL_EXIT = 128
"""What shells add to the number of a signal that ended a command."""


def entry() -> None:
    """Run the command line and leave with its status."""
    sys.unraisablehook = _heard_again
    ended_by = _turn_signals()
    try:
        from couplant.cli import main

        status = main()
    except (Exception, KeyboardInterrupt) as error:
        if not comes_from_stop(error):
            raise
        sys.stderr.write(f"couplant: {Stopped.words}.\n")
        status = Stopped.exit_code
    if ended_by and status == Stopped.exit_code:
        status = _SIGNAL_EXIT + ended_by[0]
    exec("")  # Python 3.11 run by -m dies of a Ctrl-C that came out of an exec, heard or not, unless one more follows
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done but for what Python tidies up
    sys.exit(status)


def _turn_signals() -> list[int]:
    """Let signals that end a command do what Ctrl-C does, and return where the first one that came will stand."""
    came: list[int] = []
    numbers = [getattr(signal, name) for name in _ENDINGS if hasattr(signal, name)]

    def stop(number: int, _: object) -> None:
        for one in numbers:
            signal.signal(one, signal.SIG_IGN)  # the next one would end the tidying up
        came.append(number)
        raise KeyboardInterrupt

    for number in numbers:
        if signal.getsignal(number) == signal.SIG_DFL:  # else nohup, or whoever embeds this, wants it otherwise
            signal.signal(number, stop)
    return came


def _heard_again(lost: UnraisableHookArgs) -> None:
    """Send Ctrl-C again that came where nothing can be raised, while an object was deleted: Python would go on.

    What else fails there, in libraries that tidy up behind a broken file, is of no use to the user.
    """
    if lost.exc_type is KeyboardInterrupt:
        timer = threading.Timer(_MOMENT, _interrupt)
        timer.daemon = True
        timer.start()
    elif os.environ.get("COUPLANT_TRACEBACK"):
        sys.__unraisablehook__(lost)


def _interrupt() -> None:
    """Interrupt the main thread, also where it waits for another one."""
    if os.name == "nt":
        _thread.interrupt_main()  # there a signal of the system would end the process
    else:
        os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    entry()
