"""One self-contained page for a design or an inspection: text, tables, pictures."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment
from matplotlib.figure import Figure

from couplant.files import write_atomic
from couplant.report.pictures import figure_bytes

STYLE = """\
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #16191d; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: right; padding: .2rem .8rem; border-bottom: 1px solid #e4e7eb; }
th:first-child, td:first-child { text-align: left; }
img { max-width: 100%; }
pre { background: #f5f6f8; padding: .8rem; overflow-x: auto; }
.warning { border-left: .3rem solid #ad2119; padding-left: .8rem; }
"""
"""Style sheet of all pages of the analysis."""

_TEMPLATE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{ title }}</title>
<style>
{{ style }}</style>
</head>
<body>
<h1>{{ title }}</h1>
{% for text in paragraphs %}<p>{{ text }}</p>
{% endfor %}{% for text in warnings %}<p class="warning">{{ text }}</p>
{% endfor %}{% for table in tables %}<h2>{{ table.title }}</h2>
<table>
<tr>{% for name in table.columns %}<th>{{ name }}</th>{% endfor %}</tr>
{% for row in table.rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</table>
{% endfor %}{% for name, picture in pictures %}<h2>{{ name }}</h2>
<img alt="{{ name }}" src="data:image/png;base64,{{ picture }}">
{% endfor %}{% if toml %}<h2>Settings</h2>
<pre>{{ toml }}</pre>
{% endif %}</body>
</html>
"""


@dataclass(frozen=True)
class Table:
    """A table of texts: title, column names, rows as long as the names."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class Page:
    """Content of a page.

    Parameters
    ----------
    title : str
        Heading.
    paragraphs, warnings : sequence of str
        Text.
    tables : sequence of Table
        Figures.
    pictures : sequence of (str, Figure)
        Captions and pictures.
    toml : str
        Settings to paste.
    """

    title: str
    paragraphs: Sequence[str] = ()
    warnings: Sequence[str] = ()
    tables: Sequence[Table] = ()
    pictures: Sequence[tuple[str, Figure]] = ()
    toml: str = ""


def write_page(page: Page, path: str | Path) -> Path:
    """Write a page as HTML that needs no other file.

    Parameters
    ----------
    page : Page
        Content.
    path : str or Path
        File.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    template = Environment(autoescape=True, trim_blocks=False).from_string(_TEMPLATE)
    pictures = [(name, base64.b64encode(figure_bytes(figure)).decode()) for name, figure in page.pictures]
    fields = {name: getattr(page, name) for name in ("title", "paragraphs", "warnings", "tables", "toml")}
    return write_atomic(Path(path), template.render(style=STYLE, **fields, pictures=pictures))
