"""How a file of text is encoded, and from its beginning its dialect."""

from __future__ import annotations

import codecs
import csv
from pathlib import Path

from couplant.base.errors import UsageError, why
from couplant.tables.dialect import HEAD, NO_TEXT, Dialect, dialect_in

_BLOCK = 1 << 20


def dialect_of(path: Path, origin: str, delimiter: str | None = None, decimal: str | None = None) -> Dialect:
    """Return the dialect of a file; a `delimiter` or a `decimal` mark that is given is not guessed.

    Raises
    ------
    UsageError
        If the file cannot be read, is empty, no text names the columns, or commas may be decimal or of thousands.
    """
    try:
        encoding = encoding_of(path)
        with path.open(encoding=encoding, newline="") as file:
            return dialect_in(file.read(HEAD), encoding, origin, delimiter, decimal)
    except OSError as error:
        raise UsageError(f"{origin}: cannot be read: {why(error)}.") from None
    except (UnicodeDecodeError, csv.Error):
        raise UsageError(f"{origin}: {NO_TEXT}") from None


def encoding_of(path: Path) -> str:
    """Return UTF-16 where its mark stands in front, else UTF-8, or Windows-1252 if it is not that."""
    with path.open("rb") as file:
        first = file.read(_BLOCK)
        if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16"
        marked = first.startswith(codecs.BOM_UTF8)
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            while first:
                if not first.isascii() or decoder.getstate()[0]:
                    decoder.decode(first)
                first = file.read(_BLOCK)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8-sig" if marked else "utf-8"  # which is read more quickly
