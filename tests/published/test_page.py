"""The page of published and recomputed figures: its verdicts, and that nothing of ours is typed in."""

import re
from pathlib import Path

import numpy as np
import pytest
import tomlkit

from examples.published import build, frequency, oscillator, sections, write_paper
from examples.published.__main__ import main as command
from examples.published.section import (
    BETTER,
    DIFFERS,
    HOLDS,
    SIGN,
    VERDICTS,
    Row,
    Section,
    better,
    close,
    published,
    same_sign,
)

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PUBLISHED = EXAMPLES / "published" / "published.toml"


@pytest.fixture(scope="module")
def quick():
    return {section.title: section for section in sections(EXAMPLES, quick=True)}


def differing(section):
    return [row.what for row in section.rows if row.verdict == DIFFERS]


def others(section):
    """Return what neither holds nor differs, with its verdict."""
    return {row.what: row.verdict for row in section.rows if row.verdict not in (HOLDS, DIFFERS)}


@pytest.mark.landing("the published figures and their page")
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


@pytest.mark.landing("published studies: 5 s of CPU")
def test_every_difference_is_explained(quick):
    assert all(row.why for section in quick.values() for row in section.rows if not row.holds)
    assert not any(others(section) for section in quick.values())


@pytest.mark.landing("a published study: 4 s of CPU")
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
    assert all(f"<dt>{verdict}</dt>" in text for verdict in VERDICTS)


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
    assert [better(*pair) for pair in ((0.5, 1.0), (2.0, 1.0))] == ["better", "differs"]
    assert [same_sign(*pairs) for pairs in (((0.1, 2.0), (-1.0, -0.2)), ((0.1, 2.0), (1.0, -0.2)))] == [
        "sign only", "differs"
    ]  # fmt: skip
    assert Row("a", "1", "1", True, otherwise=better(0.5, 1.0)).verdict == "holds"
    assert close(1.03, 1.0, 0.03 + 1e-12) and not close(1.031, 1.0, 0.03) and close(-1.0, -1.0, 0.0)


@pytest.mark.night("a published study of minutes")
def test_what_the_quick_page_leaves_out():
    stop, *optimal = oscillator.stop(EXAMPLES), *oscillator.optimal(EXAMPLES)
    assert [differing(section) for section in (stop, *optimal)] == [[], [], []]
    assert others(stop) == {"EROS3": BETTER}
    (why,) = (row.why for row in stop.rows if row.what == "EROS3")
    assert re.search(r"0\.588 published, 0\.44\d ours\. The force, .* with 11 N on mass 1 it is 0\.(59|60)", why)
    assert [others(section) for section in optimal] == 2 * [{f"m = {m}": BETTER for m in (3, 6, 7)}]
    assert all(row.why for section in optimal for row in section.rows)


def test_each_step_is_told(monkeypatch):
    """A bar on a terminal, lines elsewhere: never minutes without a word."""
    steps = [("one", lambda: []), ("two", lambda: [])]
    monkeypatch.setattr(build, "parts", lambda examples, quick: steps)
    told = []
    assert sections(EXAMPLES, told=lambda share, text: told.append((share, text))) == []
    assert told == [(0.0, "one"), (0.5, "two"), (1.0, "done")]


def test_the_command_says_what_it_computes_and_counts_the_verdicts(tmp_path, monkeypatch, capsys):
    rows = [Row("a", "1", "1", True), Row("b", "1", "2", False, "because", SIGN)]
    found = [Section("title", "source", "command", rows)]
    monkeypatch.setattr(build, "parts", lambda examples, quick: [("one", lambda: found)])
    monkeypatch.setattr("sys.argv", ["published", "-o", str(tmp_path)])
    assert command() == 0
    out, said = capsys.readouterr()
    assert said.splitlines() == ["  0% one", "100% done"]
    counts = "2 published rows: 1 hold, 0 are better, 1 have the sign only, 0 differ"
    assert out == f"{counts}: {tmp_path / 'index.html'}\n"
    assert counts in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_misprints_are_named():
    assert {"D (3-36)", "D (5-11), table 5.1"} <= {where for where, _ in build.MISPRINTS}
