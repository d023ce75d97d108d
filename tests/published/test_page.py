"""The page of published and recomputed figures: its verdicts, and that nothing of ours is typed in."""

import re
from pathlib import Path

import numpy as np
import pytest
import tomlkit

from examples.published import build, frequency, oscillator, sections, write_paper
from examples.published.section import Row, close, published

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PUBLISHED = EXAMPLES / "published" / "published.toml"


@pytest.fixture(scope="module")
def quick():
    return {section.title: section for section in sections(EXAMPLES, quick=True)}


def differing(section):
    return [row.what for row in section.rows if not row.holds]


def test_verdicts(quick):
    assert {title: differing(section) for title, section in quick.items()} == {
        "Limit frequencies": ["SMB, k = 1", "EROS4, k = 6"],
        "Coupling process": [],
        "Mean absolute error, linear oscillator": [],
        "Coupling error, linear oscillator": ["FOH"],
        "Stability": [],
        "Open loop": [],
        "Shaft torque": ["disturbance", "EROS3, largest gain", "optimal, m = 9"],
        "Extrapolation tolerance": ["ZOH", "FOH", "SMB", "EROS3", "EROS4"],
    }


def test_every_difference_is_explained(quick):
    assert all(row.why for section in quick.values() for row in section.rows if not row.holds)


def test_misprints_give_the_published_figures(quick):
    """The slips named reproduce the cells: λ of SMB at k = 1, ω and Hz in table 5.1."""
    limits = {row.what: row.why for row in quick["Limit frequencies"].rows}
    assert "4.25 / 13.16" in limits["SMB, k = 1"]
    theirs = published("quality")
    for name in ("foh", "smb", "eros3", "eros4"):
        slips = frequency._with_slips(name, theirs["steps"], theirs["macro_step"])
        assert np.allclose(slips, theirs[name], rtol=0.06)


def test_the_page_needs_no_other_file(quick, tmp_path):
    text = write_paper(list(quick.values()), tmp_path / "paper" / "index.html").read_text(encoding="utf-8")
    assert text.count("data:image/png;base64,") == 2 * sum(len(section.pictures) for section in quick.values()) == 2
    assert text.count("data-chart=") == sum(len(section.charts) for section in quick.values()) == 4
    assert not re.search(r'(?:src|href)="(?!data:|#)', text)
    assert all(row.why.split()[0] in text for section in quick.values() for row in section.rows if row.why)
    assert text.count('class="holds"') + text.count('class="differs"') == sum(len(s.rows) for s in quick.values())


def test_the_published_data_are_only_in_the_data_file():
    tables = tomlkit.parse(PUBLISHED.read_text(encoding="utf-8"))
    assert all(table["source"] for table in tables.values())
    code = "".join(path.read_text(encoding="utf-8") for path in PUBLISHED.parent.glob("*.py"))
    typed = {text for text in re.findall(r"\d+\.\d{2,}", PUBLISHED.read_text(encoding="utf-8")) if len(text) > 4}
    assert typed and not [text for text in typed if text in code]


def test_a_verdict_can_fail(monkeypatch):
    """A wrong cell in place of a published one is found."""
    table = dict(published("limits")) | {"foh": [[8.66, 18.20], [4.01, 9.10], [1.97, 4.75], [1.11, 2.57]]}
    monkeypatch.setattr(frequency, "published", lambda name: table)
    assert "FOH, k = 3" in differing(frequency.limits())


def test_rows():
    assert (Row("a", "1", "1", True).verdict, Row("a", "1", "2", False).verdict) == ("holds", "differs")
    assert close(1.03, 1.0, 0.03 + 1e-12) and not close(1.031, 1.0, 0.03) and close(-1.0, -1.0, 0.0)


@pytest.mark.night("a published study of minutes")
def test_what_the_quick_page_leaves_out():
    assert differing(oscillator.stop(EXAMPLES)) == ["EROS3"]
    assert [differing(section) for section in oscillator.optimal(EXAMPLES)] == [[], []]


def test_misprints_are_named():
    assert {"D (3-36)", "D (5-11), table 5.1"} <= {where for where, _ in build.MISPRINTS}
