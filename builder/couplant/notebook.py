"""What objects look like in a notebook, and data frames: both need nothing from a program that uses neither."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from couplant.errors import UsageError

if TYPE_CHECKING:
    import pandas

_LINE = "border-bottom:1px solid rgba(128,128,128,.35);padding:.15em .8em .15em 0"
_NUMBER = f"{_LINE};text-align:right;font-variant-numeric:tabular-nums"
_MOST_ROWS = 40


def table_html(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()) -> str:
    """Return a small table in HTML, with `notes` below it, in the colours of the page around it, light or dark.

    Of many rows the first 40 are shown.
    """
    shown = rows[:_MOST_ROWS]
    numeric = [bool(shown) and all(_is_number(row[i]) for row in shown) for i in range(len(columns))]
    head = _cells("th", columns, numeric)
    body = "".join(f"<tr>{_cells('td', row, numeric)}</tr>" for row in shown)
    left = [f"{len(rows) - len(shown)} more rows"] if len(rows) > len(shown) else []
    below = "".join(f'<div style="opacity:.75">{escape(text)}</div>' for text in (*left, *notes))
    table = f'<table style="border-collapse:collapse;color:inherit;background:none"><tr>{head}</tr>{body}</table>'
    return f'<div style="color:inherit;overflow-x:auto"><strong>{escape(title)}</strong>{table}{below}</div>'


def _cells(tag: str, texts: Sequence[str], numeric: Sequence[bool]) -> str:
    styles = [_NUMBER if right else f"{_LINE};text-align:left" for right in numeric]
    return "".join(f'<{tag} style="{style}">{escape(text)}</{tag}>' for text, style in zip(texts, styles, strict=True))


def _is_number(text: str) -> bool:
    return text[:1].isdigit() or text[:1] in "−-—" or text in ("∞", "nan")


def data_frame(data: Mapping[str, Any] | Sequence[Mapping[str, Any]], index: str | None = None) -> pandas.DataFrame:
    """Return `data`, columns of shape (N,) by heading or N rows, as a data frame; `index` is the column of its index.

    Raises
    ------
    UsageError
        If pandas is not installed.
    """
    try:
        import pandas
    except ImportError:
        raise UsageError("a data frame needs pandas: pip install couplant[pandas]") from None
    frame = pandas.DataFrame(data)
    return frame if index is None else frame.set_index(index)
