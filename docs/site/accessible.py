"""What screen readers and keyboards need and the theme leaves out: levels, names, a way to what scrolls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

LEFT_OUT = (
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Pages">'),
    ('<aside class="toc-drawer">', '<aside class="toc-drawer" aria-label="On this page">'),
    ('<div class="highlight"><pre>', '<div class="highlight"><pre tabindex="0">'),
    ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
    ('<div class="math">', '<div class="math" tabindex="0">'),
    ('<th class="head"><p></p></th>', "<td></td>"),
)


def completed(app: Any, error: Exception | None) -> None:
    """Complete all pages of a site that has been built."""
    for path in Path(app.outdir).rglob("*.html") if error is None else ():
        text = before = path.read_text(encoding="utf-8")
        for part, whole in LEFT_OUT:
            text = text.replace(part, whole)
        if text != before:
            path.write_text(text, encoding="utf-8", newline="\n")


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("build-finished", completed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
