"""``couplant`` and ``python -m couplant``: from its first import to its end Ctrl-C costs one sentence."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

from couplant.errors import Stopped, comes_from_stop

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_MOMENT = 0.05


def entry() -> None:
    """Run the command line and leave with its status."""
    sys.unraisablehook = _heard_again
    try:
        from couplant.cli import main

        status = main()
    except (Exception, KeyboardInterrupt) as error:
        if not comes_from_stop(error):
            raise
        sys.stderr.write(f"couplant: {Stopped.words}.\n")
        status = Stopped.exit_code
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done but for what Python tidies up
    sys.exit(status)


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
