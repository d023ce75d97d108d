"""Pictures and page of a sweep."""

import html
import re
import shlex
from dataclasses import replace

import pytest

from couplant.base.errors import UsageError
from couplant.config.scenario import load_scenario
from couplant.report.sweep import headline, write_pages
from couplant.sweep import Sweep
from couplant.sweep.axes import Axes
from couplant.sweep.table import Row, Table

AXES = Axes(("wire", "foh"), ("event",), (1, 2), (0.0,), (0.0, 0.1), (1, 2))


@pytest.fixture
def done(loaded):
    points = AXES.points(lambda jitter, loss: loss > 0)
    rows = {p: Row(p, error=0.1 * p.latency, growth=0.9, C=1.0, verdict="stable") for p in points}
    return Sweep(loaded('name="A <b> & c"'), AXES, Table(rows), "abc", len(rows))


def test_the_page_holds_everything_and_needs_nothing(done, tmp_path):
    names = [path.name for path in write_pages(done, tmp_path)]
    assert names == ["sweep.csv", "index.html", "error_event.png", "ratio_event.png", "growth_event.png", "C_event.png"]
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"https?://|data:image", text)
    assert "A &lt;b&gt; &amp; c" in text
    assert text.count('<tr id="row') == len(done.table.medians())


def test_a_cell_of_a_map_leads_to_its_row(done, tmp_path):
    write_pages(done, tmp_path)
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert text.count('<section class="map">') == 4 and text.count("<caption>best") == 4
    row = text.index("#row", text.index("<caption>FOH"))
    number = int(re.match(r"#row(\d+)", text[row:])[1])
    cells = re.findall("<td[^>]*>(.*?)</td>", text[text.index(f'id="row{number}"') :].split("</tr>")[0])
    assert cells[:5] == ["FOH", "event", "1", "0", "0.1"]


def test_a_row_has_the_command_of_its_run(done, tmp_path):
    changed = replace(done, assignments=('host="reads_again"', "duration=1.0"))
    write_pages(changed, tmp_path)
    text = html.unescape((tmp_path / "index.html").read_text(encoding="utf-8"))
    found = re.findall("<code>couplant simulate (.*?)</code>", text)
    assert len(found) == len(done.table.medians())
    scenario, *words = shlex.split(found[-1])
    loaded = load_scenario(scenario, words[1::2])
    assert set(words[::2]) == {"--set"} and words[1] == 'host="reads_again"'
    assert (loaded.scenario.algorithms, loaded.scenario.timing) == (["foh"], ["event"])
    assert (loaded.scenario.network.latency_steps, loaded.scenario.network.loss) == (2, 0.1)


def test_a_row_that_failed_says_why(done, tmp_path):
    why = "algorithm.steps = 3, allowed <2>"
    rows = {p: Row(p, reason=why) if p[1:3] == ("foh", 1) else row for p, row in done.table.rows.items()}
    write_pages(replace(done, table=Table(rows)), tmp_path)
    text = html.unescape((tmp_path / "index.html").read_text(encoding="utf-8"))
    assert text.count(f"failed: {why}") == sum(m.failed > 0 for m in Table(rows).medians()) == 2


def test_pictures_of_another_format_lie_where_the_picture_is_wanted(done, tmp_path):
    names = [path.name for path in write_pages(done, tmp_path, tmp_path / "more" / "maps.svg")]
    assert names[2:] == ["maps_error_event.svg", "maps_ratio_event.svg", "maps_growth_event.svg", "maps_C_event.svg"]
    assert (tmp_path / "more" / names[2]).read_bytes().startswith(b"<?xml")
    with pytest.raises(UsageError, match="a picture ends in"):
        write_pages(done, tmp_path, tmp_path / "x.gif")


def test_the_headline_counts_places(done):
    medians = done.table.medians()
    assert headline(medians) == "Smallest error with 4 networks: the plain wire in 4 (leave the FMU out there)."
    assert headline([]) == "No algorithm is stable with any of the 0 networks."
