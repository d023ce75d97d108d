"""Tables of the pages that users read, to hold against what is measured."""

from __future__ import annotations

import re

from tests.pages.blocks import ROOT

FIGURE = re.compile(r"-?\d*\.?\d+")


def rows(page: str, head: str) -> dict[str, list[str]]:
    """Return the cells of the table of a `page` whose first line begins with `head`, by the text of the first cell."""
    text = (ROOT / page).read_text(encoding="utf-8")
    (table,) = re.findall(rf"^{re.escape(head)}.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return {first: others for first, *others in cells}


def figures(cell: str) -> list[float]:
    """Return the figures in a cell."""
    return [float(text) for text in FIGURE.findall(cell)]


def shows(cell: str, *values: float) -> bool:
    """Tell whether the figures in a cell are these `values`, each to the digits that it has."""
    texts = FIGURE.findall(cell)
    digits = [len(text.partition(".")[2]) for text in texts]
    off = [abs(float(text) - value) * 10.0**places for text, value, places in zip(texts, values, digits, strict=True)]
    return max(off) <= 0.6
