"""Pictures and page of a sweep."""

import re

import pytest

from couplant.report.sweep import headline, write_pages
from couplant.sweep.axes import Axes
from couplant.sweep.run import Sweep
from couplant.sweep.table import Row, Table

AXES = Axes(("zoh", "foh"), ("event",), (1, 2), (0.0,), (0.0, 0.1), (1, 2))


@pytest.fixture
def done(loaded):
    points = AXES.points(lambda jitter, loss: loss > 0)
    rows = {p: Row(p, mae=0.1 * p.latency, growth=0.9, C=1.0, verdict="stable") for p in points}
    return Sweep(loaded('name="A <b> & c"'), AXES, Table(rows), "abc", len(rows))


def test_the_page_holds_everything_and_needs_nothing(done, tmp_path):
    names = [path.name for path in write_pages(done, tmp_path)]
    assert names == ["sweep.csv", "index.html", "mae_event.png", "ratio_event.png", "growth_event.png", "C_event.png"]
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert text.count('src="data:image/png;base64,') == 4
    assert not re.search(r"https?://|<script", text)
    assert "A &lt;b&gt; &amp; c" in text
    assert text.count("<tr>") == 1 + len(done.table.medians())


def test_the_headline_counts_places(done):
    medians = done.table.medians()
    assert headline(medians) == "Smallest error with 4 networks: ZOH in 4."
    assert headline([]) == "No algorithm is stable with any of the 0 networks."
