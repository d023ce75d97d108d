"""Which word is meant by one that is misspelt."""

from difflib import get_close_matches


def closest(word: str, words: list[str], least: float = 0.6) -> str | None:
    """Return which of the `words` is most like a `word`, None if nothing is.

    `least` is the likeness from which one may stand for the other: twice the letters that two share over all [-]. In
    JavaScript this is `closest` of ``workbench/settings/likeness.js``.
    """
    found = get_close_matches(word, words, 1, least)
    return found[0] if found else None
