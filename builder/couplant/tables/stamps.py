"""Columns of time stamps as seconds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.tables.clock import moment

_SHORTEST = len("2026-11-22T08:15")
_NO_TIME = np.iinfo(np.int64).min


def since_first(stamps: Sequence[str], origin: str) -> Vector:
    """Return the seconds from the first of time stamps on, shape (N,); empty ones are NaN.

    Raises
    ------
    UsageError
        If a text is no time stamp.
    """
    texts = [text.strip().replace(",", ".") for text in stamps]
    try:
        if any(0 < len(text) < _SHORTEST for text in texts):
            raise ValueError("a date alone")
        ticks = np.array([text or "NaT" for text in texts], dtype="datetime64[ns]")
    except ValueError:  # also with a zone, or the day first
        ticks = np.array([_ticks(text, origin) for text in stamps], dtype=np.int64).view("datetime64[ns]")
    known = ticks[~np.isnat(ticks)]
    if not known.size:
        raise UsageError(f"{origin}: no time stamp, at least one is needed.")
    return np.asarray(np.where(np.isnat(ticks), np.nan, (ticks - known[0]).astype(float) * 1e-9))


def _ticks(text: str, origin: str) -> int:
    """Return a time stamp as nanoseconds since 1970."""
    found = moment(text, origin)
    return int(_NO_TIME) if found is None else 1_000_000_000 * found[0] + found[1]
