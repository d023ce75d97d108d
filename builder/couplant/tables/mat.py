"""Channels of MATLAB files up to version 7, by scipy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from couplant.tables.channels import Channels, unreadable
from couplant.tables.headings import Reading
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
        raise unreadable(path, "a MATLAB file", error) from None
    return channels_of({name: _plain(one) for name, one in found.items() if not name.startswith("__")}, path, how)


def _plain(value: Any) -> Any:
    """Return structures as mappings, several of them as lists of these."""
    if not hasattr(value, "dtype"):
        return value
    if value.dtype.names:
        found = [{name: _plain(one[name]) for name in value.dtype.names} for one in value.reshape(-1)]
        return found[0] if len(found) == 1 else found
    return _plain(value.item()) if value.dtype.kind == "O" and value.size == 1 else value
