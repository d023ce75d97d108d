"""Figures into files, whole or not at all."""

from __future__ import annotations

import io
from pathlib import Path

from matplotlib.figure import Figure

from couplant.errors import UsageError
from couplant.files import write_atomic

_FORMATS = ("png", "svg", "pdf")


def write_figure(figure: Figure, path: str | Path) -> Path:
    """Write a figure in the format of the file's name.

    Parameters
    ----------
    figure : Figure
        The picture.
    path : str or Path
        File that ends in png, svg or pdf.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    UsageError
        If the name does not end so.
    OSError
        If it cannot be written.
    """
    path = Path(path)
    kind = path.suffix.lower().lstrip(".")
    if kind not in _FORMATS:
        raise UsageError(f"{path}: a picture ends in .{', .'.join(_FORMATS)}")
    return write_atomic(path, figure_bytes(figure, kind))


def figure_bytes(figure: Figure, kind: str = "png") -> bytes:
    """Return a figure as the content of a file.

    Parameters
    ----------
    figure : Figure
        The picture.
    kind : {"png", "svg", "pdf"}
        Format.
    """
    content = io.BytesIO()
    figure.savefig(content, format=kind, dpi=130)
    return content.getvalue()
