"""Means that keep a process on time during a run: priority, no collection of garbage."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager

_PRIORITY = 10


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
