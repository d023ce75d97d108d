"""Channels of MATLAB files up to version 7, by scipy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from couplant.errors import UsageError
from couplant.tables.channels import Channels, Reading
from couplant.tables.workspace import channels_of


def channels(path: Path, how: Reading) -> Channels:
    """Return the channels among the variables of a file; see `channels_of`.

    Raises
    ------
    UsageError
        If the file cannot be read.
    """
    from scipy.io import loadmat

    try:
        found = loadmat(path, squeeze_me=True, struct_as_record=True)
    except Exception as error:  # whatever a broken file leads to there
        raise UsageError(f"{path}: cannot be read as a MATLAB file: {error}.") from None
    return channels_of({name: _plain(one) for name, one in found.items() if not name.startswith("__")}, path, how)


def _plain(value: Any) -> Any:
    """Return structures as mappings."""
    if getattr(value, "dtype", None) is not None and value.dtype.names and value.size == 1:
        one = value if isinstance(value, Mapping) else value.reshape(-1)[0]
        return {name: _plain(one[name]) for name in value.dtype.names}
    if getattr(value, "dtype", None) is not None and value.dtype.names:
        return [_plain(one) for one in value.reshape(-1)]
    return _plain(value.item()) if getattr(value, "dtype", None) == object and value.size == 1 else value
