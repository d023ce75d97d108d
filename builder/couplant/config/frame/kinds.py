"""Kinds of settings files, named where a verb gets one that is another verb's."""

from __future__ import annotations

from pathlib import Path

from couplant.base.errors import UsageError
from couplant.config.frame.sentences import Content

_KINDS = {
    "interface": ("an interface, which couplant build takes", "interfaces"),
    "components": ("a scenario, which couplant simulate takes", "scenarios"),
    "prototypes": ("a coupled system, which couplant stability takes", "systems"),
}
"""By the table that files of one kind have and no others: what such a file is, and what such files are called."""


def require_kind(document: Content, own: str, path: str | Path) -> None:
    """Refuse the content of a settings file that has not the table `own` but that of another kind.

    Raises
    ------
    UsageError
        Saying what the file is.
    """
    for key, (kind, _) in _KINDS.items():
        if own not in document and key in document:
            raise UsageError(f"{path} is {kind}; {_KINDS[own][1]} have a table {own}, it has none.")
