"""Which word is meant by one that is misspelt."""

from __future__ import annotations

from difflib import get_close_matches


def closest(word: str, words: list[str], least: float = 0.6) -> str | None:
    """Return the word that is most like a `word`, None if nothing is.

    Parameters
    ----------
    words : list of str
        What may be meant.
    least : float
        Likeness of two words from which one may stand for the other, twice the letters that they share over all. [-]

    Notes
    -----
    In JavaScript this is `closest` of ``workbench/settings/likeness.js``.
    """
    found = get_close_matches(word, words, 1, least)
    return found[0] if found else None
