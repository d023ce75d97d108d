"""Figures into files, whole or not at all."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.base.style import LIGHT

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # takes half a second, and most commands draw nothing

DPI = 130  # resolution of pictures unless their size is prescribed [px/inch]

FONT: dict[Any, Any] = {
    "font.size": 9.0,
    "font.family": "DejaVu Sans",
    "text.color": LIGHT.ink,
    "axes.labelcolor": LIGHT.ink,
}
"""Settings of matplotlib for all pictures that hold many figures."""

_UNNAMED: dict[str, dict[str, None]] = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
"""Formats, and what is left out of each so that equal figures give equal files."""


def write_figure(figure: Figure, path: Path) -> Path:
    """Write a figure in the format of the file's name: png, svg or pdf.

    Raise `UsageError` if the name does not end so, `OSError` if it cannot be written.
    """
    return write_atomic(path, figure_bytes(figure, kind_of(path)))


def kind_of(path: Path) -> str:
    """Return the format that a picture's name tells: png, svg or pdf; raise `UsageError` if it does not end so."""
    kind = path.suffix.lower().lstrip(".")
    if kind not in _UNNAMED:
        raise UsageError(f"{path}: a picture ends in .{', .'.join(_UNNAMED)}")
    return kind


def figure_bytes(figure: Figure, kind: str = "png") -> bytes:
    """Return a figure as the content of a file of the format `kind`: png, svg or pdf."""
    content = io.BytesIO()
    figure.savefig(content, format=kind, dpi="figure", metadata=_UNNAMED[kind])
    return content.getvalue()
