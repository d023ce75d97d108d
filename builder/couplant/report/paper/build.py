"""Gather all sections and write the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from couplant.report.html import write_html
from couplant.report.paper import frequency, oscillator
from couplant.report.paper.section import Section

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
    """Return all sections, computed; the scenarios of the folder `examples` are simulated.

    If `quick`, without the oscillator with a stop and the optimal designs.

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
    """Write the page of what `sections` returned; it needs no other file.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    rows = [row for section in found for row in section.rows]
    return write_html(
        path,
        "paper.html.j2",
        kind="published tables and figures",
        title="Published and recomputed",
        headline=f"{sum(row.holds for row in rows)} of {len(rows)} published rows hold",
        sections=found,
        misprints=MISPRINTS,
    )
