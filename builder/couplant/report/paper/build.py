"""Gather all sections and write the page."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment

from couplant.files import write_atomic
from couplant.report.page import STYLE
from couplant.report.paper import frequency, oscillator
from couplant.report.paper.section import Section
from couplant.report.pictures import figure_bytes

_TEMPLATE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Published and recomputed</title>
<style>
{{ style }}td:last-child, th:last-child { text-align: left; color: #5b636d; }
td { vertical-align: top; }
.rows td:nth-child(-n+4) { white-space: nowrap; }
.holds, .differs { border-radius: .2rem; padding: 0 .4rem; }
.holds { background: #dff3ea; color: #0b5a4c; }
.differs { background: #f6dcd8; color: #7d1710; }
.source { color: #5b636d; }
</style>
</head>
<body>
<h1>Published and recomputed</h1>
<p>The tables and figures of the method as published by P. Baumann (D: dissertation, University of Duisburg-Essen
2024; E: <cite>Electronics</cite> 2024, 13(6), 1077), next to the same quantities from couplant. Published figures are
typed in; ours are computed when this page is made, by what stands behind the command named above each table. Published
pictures are not repeated: what their captions and the text say about them is.</p>
<p><b>{{ held }} of {{ total }}</b> rows hold. Where one differs, its row says why.</p>
<table>
<tr><th></th><th>holds</th><th>differs</th><th>published in</th></tr>
{% for section in sections %}<tr><td><a href="#s{{ loop.index }}">{{ section.title }}</a></td>
<td>{{ section.rows | selectattr("holds") | list | length }}</td>
<td>{{ section.rows | rejectattr("holds") | list | length }}</td><td>{{ section.source }}</td></tr>
{% endfor %}</table>
{% for section in sections %}<h2 id="s{{ loop.index }}">{{ section.title }}</h2>
<p class="source">{{ section.source }}. Ours: <code>{{ section.command }}</code></p>
{% for text in section.text %}<p>{{ text }}</p>
{% endfor %}<table class="rows">
<tr><th></th><th>published</th><th>ours</th><th>verdict</th><th></th></tr>
{% for row in section.rows %}<tr><td>{{ row.what }}</td><td>{{ row.published }}</td><td>{{ row.ours }}</td>
<td><span class="{{ row.verdict }}">{{ row.verdict }}</span></td><td>{{ row.why }}</td></tr>
{% endfor %}</table>
{% for name, picture in pictures[loop.index0] %}<h3>{{ name }}</h3>
<img alt="{{ name }}" src="data:image/png;base64,{{ picture }}">
{% endfor %}{% endfor %}<h2 id="misprints">Misprints</h2>
<table>
<tr><th>where</th><th style="text-align: left">what</th></tr>
{% for where, what in misprints %}<tr><td>{{ where }}</td><td>{{ what }}</td></tr>
{% endfor %}</table>
</body>
</html>
"""

MISPRINTS = (
    (
        "D (3-36)",
        "The recursion of the sliding-mode observer misplaces an index. Right: ŷ_n = ŷ_{n-1} + y_{n-k} - y_{n-k-1} - "
        "λΔT (ŷ_{n-k} - y_{n-k}). It gives tables 3.2 and 4.2; the transfer function (0-5), another observer, which "
        "acts one step later, gives table 4.1.",
    ),
    ("D, metric M", "The 1 stands inside the root, which is not real for small estimates: M = |√(Σŷ²/Σy²) - 1|."),
    ("D, table 4.1, SMB", "At k = 1 with λ = 0.70 λ̄, all other columns with 0.85 λ̄ as the text says."),
    (
        "D, table 4.1, EROS4",
        "At k = 6 the limit of the gain skips a dip that is only just deep enough.",
    ),
    ("D (4-30) to (4-33)", "The cost does not have the published optima, see Optimal design."),
    ("D (5-11), table 5.1", "ω is missing, and Hz are taken for rad/s, see Extrapolation tolerance."),
    (
        "E, figure 9",
        "What is given as the largest gain of EROS is a local maximum; the largest lies further up.",
    ),
)
"""Where the printed formulas or cells do not hold, and what is used instead."""


def sections(examples: Path, quick: bool = False) -> list[Section]:
    """Return all sections, computed.

    Parameters
    ----------
    examples : Path
        Folder of the examples, whose scenarios are simulated.
    quick : bool
        Leave out the oscillator with a stop and the optimal designs.

    Raises
    ------
    CouplantError
        If an example is missing or does not run.
    """
    found = [frequency.limits(), frequency.bode(), *oscillator.linear(examples)]
    if not quick:
        found.append(oscillator.stop(examples))
    found += oscillator.loop(examples)
    if not quick:
        found.append(oscillator.optimal(examples))
    return [*found, frequency.torque(examples), frequency.quality()]


def write_paper(found: Sequence[Section], path: Path) -> Path:
    """Write the page, which needs no other file.

    Parameters
    ----------
    found : sequence of Section
        What `sections` returned.
    path : Path
        The HTML file.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    template = Environment(autoescape=True).from_string(_TEMPLATE)
    pictures = [[(name, base64.b64encode(figure_bytes(p)).decode()) for name, p in s.pictures] for s in found]
    rows = [row for section in found for row in section.rows]
    page = template.render(
        style=STYLE, sections=found, pictures=pictures, misprints=MISPRINTS, held=sum(r.holds for r in rows),
        total=len(rows),
    )  # fmt: skip
    return write_atomic(path, page)
