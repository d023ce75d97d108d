"""Docstrings are plain text: what they write for magnitudes and products is no markup."""

from sphinx.application import Sphinx


def plain(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Escape |x| and a * b, before sections of the docstring are read."""
    lines[:] = [line.replace("|", r"\|").replace(" * ", r" \* ") for line in lines]


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx who reads docstrings first."""
    app.connect("autodoc-process-docstring", plain, priority=1)
    return {"parallel_read_safe": True}
