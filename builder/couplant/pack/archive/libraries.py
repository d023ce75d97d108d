"""Pydantic and hashlib as the pack needs them; on the page ``workbench/take/libraries.js`` stands in their place."""

import hashlib
from typing import Any

from couplant.config.frame.read import Table
from couplant.config.frame.written_toml import Real


def dump(table: Table) -> dict[str, Any]:
    """Return the entries of a `table`, by the keys of files, with its real numbers marked."""
    found: dict[str, Any] = _mark(table.model_dump(mode="json", exclude_unset=True, exclude_none=True, by_alias=True))
    return found


def _mark(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _mark(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_mark(one) for one in value]
    return Real(value) if isinstance(value, float) else value


def sha256(text: str) -> str:
    """Return the SHA-256 of a `text` in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
