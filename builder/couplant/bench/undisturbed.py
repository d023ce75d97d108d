"""What keeps a process on time during a run: priority, no collection of garbage, messages kept instead of printed."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

_PRIORITY = 10
_MOST_LINES = 200
_SOURCE = "couplant.cosim.instance"


@contextmanager
def urgent(wanted: bool = True) -> Iterator[bool]:
    """Ask for real-time priority if `wanted`, tell whether it was granted; hold off the collector of garbage."""
    granted = wanted and _schedule("SCHED_RR", _PRIORITY)
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield granted
    finally:
        if collecting:
            gc.enable()
        if granted:
            _schedule("SCHED_OTHER", 0)


def _schedule(policy: str, priority: int) -> bool:
    try:
        os.sched_setscheduler(0, getattr(os, policy), os.sched_param(priority))
    except (AttributeError, OSError):  # another system than Linux, or not allowed to this user
        return False
    return True


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if len(self.lines) < _MOST_LINES:
            self.lines.append(record.getMessage())


@contextmanager
def kept_messages() -> Iterator[list[str]]:
    """Give a list to which the warnings of FMUs go, at most 200: printing them would delay a step."""
    logger, handler = logging.getLogger(_SOURCE), _Lines()
    before = logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield handler.lines
    finally:
        logger.removeHandler(handler)
        logger.propagate = before
