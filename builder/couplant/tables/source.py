"""Where recordings come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol


class Frame(Protocol):
    """Data frame as far as it is needed; those of pandas and polars fit."""

    @property
    def columns(self) -> Iterable[Any]:
        """Return the headings."""

    def __getitem__(self, name: Any) -> Any:
        """Return a column."""


Source = str | Path | Mapping[str, Any] | Frame
"""A file; or columns in memory, arrays of shape (N,) by name or a data frame, one of them or its index the times."""
