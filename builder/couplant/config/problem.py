"""One thing that is wrong with the settings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One line of an error message.

    Attributes
    ----------
    text : str
        What is wrong and what is allowed, without the name of the file.
    keys : tuple of str
        Dotted keys that were looked at: with one of them wrong by itself, the problem is not worth telling.
    """

    text: str
    keys: tuple[str, ...]
