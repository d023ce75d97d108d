"""Objects at a prompt and in a notebook, and data frames: they need nothing from who uses none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from couplant.base.modules import load_extra
from couplant.base.style import plain

if TYPE_CHECKING:
    import pandas

_LINE = "border-bottom:1px solid rgba(128,128,128,.35);padding:.15em .8em .15em 0"
_NUMBER = f"{_LINE};text-align:right;font-variant-numeric:tabular-nums"
_MOST_ROWS = 40
_WIDEST = 48  # characters of a cell at a prompt: weights are many


class Summary(NamedTuple):
    """A small table with a title above it and notes below; of many rows the first 40 are shown."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def below(self) -> list[str]:
        """Return the lines below the table."""
        left = len(self.rows) - _MOST_ROWS
        return [*([f"{left} more rows"] if left > 0 else []), *self.notes]

    def numeric(self) -> list[bool]:
        """Return which columns hold numbers."""
        shown = self.rows[:_MOST_ROWS]
        return [bool(shown) and all(_is_number(row[i]) for row in shown) for i in range(len(self.columns))]

    def html(self) -> str:
        """Return the table in HTML, in the colours of the page around it, light or dark."""
        numeric = self.numeric()
        head = _cells("th", self.columns, numeric)
        body = "".join(f"<tr>{_cells('td', row, numeric)}</tr>" for row in self.rows[:_MOST_ROWS])
        below = "".join(f'<div style="opacity:.75">{escape(text)}</div>' for text in self.below())
        table = f'<table style="border-collapse:collapse;color:inherit;background:none"><tr>{head}</tr>{body}</table>'
        return f'<div style="color:inherit;overflow-x:auto"><strong>{escape(self.title)}</strong>{table}{below}</div>'

    def text(self) -> str:
        """Return the table in lines of text."""
        lines = [
            [text if len(text) <= _WIDEST else f"{text[: _WIDEST - 2]}.." for text in row]
            for row in (self.columns, *self.rows[:_MOST_ROWS])
        ]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        aligned = [
            "  ".join(
                text.rjust(width) if right else text.ljust(width)
                for text, width, right in zip(line, widths, self.numeric(), strict=True)
            ).rstrip()
            for line in (lines if self.rows else [])
        ]
        return "\n".join([self.title, *aligned, *self.below()])


class Shows:
    """An object that shows itself as a table, at a prompt and in a notebook."""

    def _summary(self) -> Summary:
        """Return the lines that are shown."""
        raise NotImplementedError

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return the lines that are shown as a data frame; needs pandas, raises UsageError without it."""
        shown = self._summary()
        return data_frame([dict(zip(shown.columns, row, strict=True)) for row in shown.rows])

    def plot(self) -> Any:
        """Return a figure of matplotlib that shows it, which ``plt.show()`` shows too.

        Raises UsageError if there is nothing to draw, as of files that were built.
        """
        # pictures are drawn on a floor above all that has some
        return import_module("couplant.report.plots").figure_of(self)

    def __repr__(self) -> str:
        """Return the table for a prompt."""
        return self._summary().text()

    def _repr_html_(self) -> str:
        """Return the table for a notebook."""
        return self._summary().html()


@dataclass(frozen=True, eq=False, repr=False)
class Rows(Shows):
    """An answer of rows, which have the same figures by name."""

    title: str
    rows: Sequence[Mapping[str, Any]]
    notes: Sequence[str] = ()

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the rows for JSON."""
        return [dict(row) for row in self.rows]

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return the rows as a data frame; needs pandas, raises UsageError without it."""
        return data_frame(self.to_dict())

    def _summary(self) -> Summary:
        """Return the rows as texts."""
        names = list(self.rows[0]) if self.rows else []
        return Summary(self.title, names, [[_text(row[name]) for name in names] for row in self.rows], self.notes)


def _text(value: Any) -> str:
    return plain(value) if value is None or isinstance(value, float) else str(value)


def _cells(tag: str, texts: Sequence[str], numeric: Sequence[bool]) -> str:
    styles = [_NUMBER if right else f"{_LINE};text-align:left" for right in numeric]
    return "".join(f'<{tag} style="{style}">{escape(text)}</{tag}>' for text, style in zip(texts, styles, strict=True))


def _is_number(text: str) -> bool:
    return text[:1].isdigit() or text[:1] in "−-—" or text in ("∞", "nan")


def data_frame(data: Mapping[str, Any] | Sequence[Mapping[str, Any]], index: str | None = None) -> "pandas.DataFrame":
    """Return `data`, columns of shape (N,) by heading or N rows, as a data frame; `index` is the column of its index.

    Raises UsageError if pandas is not installed.
    """
    made_of = load_extra("pandas", "a data frame needs pandas: pip install couplant[pandas]").DataFrame
    frame: pandas.DataFrame = made_of(data)
    return frame if index is None else frame.set_index(index)
