"""Channels of MATLAB files of version 7.3, which are HDF5, by h5py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from couplant.tables.channels import Channels, missing, unreadable
from couplant.tables.headings import Reading
from couplant.tables.mat import channels_of


def channels(path: Path, how: Reading) -> Channels:
    """Return the channels among the variables of a file; see `channels_of`.

    Raises
    ------
    UsageError
        If h5py is missing or cannot read the file.
    """
    try:
        import h5py
    except ImportError:
        raise missing(path, "h5py", "mat") from None
    try:
        with h5py.File(path) as file:
            found = {name: _plain(file, one) for name, one in file.items() if not name.startswith("#")}
    except (OSError, RuntimeError, ValueError) as error:
        raise unreadable(path, "a MATLAB file", error) from None
    return channels_of(found, path, how)


def _plain(file: Any, one: Any) -> Any:
    """Return groups as mappings, texts as texts, arrays with their axes in the order of MATLAB, references followed."""
    if hasattr(one, "items"):
        return {name: _plain(file, inner) for name, inner in one.items()}
    if one.attrs.get("MATLAB_class") == b"char":
        return "".join(map(chr, np.asarray(one).reshape(-1))) if one.dtype.kind == "u" and not _is_empty(one) else ""
    if one.dtype.kind == "O":
        inner = [_plain(file, file[reference]) for reference in np.asarray(one).reshape(-1)]
        return inner[0] if len(inner) == 1 else inner
    return np.squeeze(np.asarray(one).T)


def _is_empty(one: Any) -> bool:
    return bool(one.attrs.get("MATLAB_empty", 0))
