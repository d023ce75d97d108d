"""A page needs no other file, escapes what it shows, and holds its charts as data."""

import base64
import json
import re

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.report.chart import Band, Chart, Line, Mark, Panel
from couplant.report.page import Files, Page, Table, write_files, write_page

PAGE = Page(
    "inspect",
    "Signal <b>",
    ["text"],
    ["warning"],
    [Table("Errors", ("algorithm", "mae"), [["foh", "0.1"]])],
    'name = "<x>"',
)


def chart(x, y, name="a</script>", **how):
    panel = Panel("f / N", [Line(name, x, y, "eros3", **how)], [Band(0.0, 1.0)], [Mark(2.0)])
    return Chart("Course", "time / s", [panel])


def test_page_is_self_contained(tmp_path):
    time = np.linspace(0.0, 3.0, 7)
    text = write_page(PAGE, tmp_path / "page.html", [chart(time, time)]).read_text(encoding="utf-8")
    assert "<h1>Signal &lt;b&gt;</h1>" in text and "&lt;x&gt;" in text
    assert "<h2>Course</h2>" in text and "a</script>" not in text
    assert not re.search(r'(src|href)="(?!data:)', text)


def test_charts_are_data(tmp_path):
    time = np.linspace(0.0, 3.0, 7)
    text = write_page(PAGE, tmp_path / "page.html", [chart(time, 2.0 * time)] * 2).read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text)[1])
    assert text.count("data-chart=") == len(data["charts"]) == 2
    assert len(data["columns"]) == 2, "kept once"
    (line,) = data["charts"][1]["panels"][0]["lines"]
    values = np.frombuffer(base64.b64decode(data["columns"][line["y"]]), "<f4")
    assert values.tolist() == (2.0 * time).tolist() and line["colour"] == "eros3" in data["palette"]["dark"]


def test_long_curves_are_thinned_and_keep_their_extremes(tmp_path):
    time = np.arange(100_000.0)
    value = np.sin(time)
    value[12_345] = 7.0
    text = write_page(PAGE, tmp_path / "page.html", [chart(time, value)]).read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text)[1])
    x, y = (np.frombuffer(base64.b64decode(one), "<f4") for one in data["columns"])
    assert len(x) == len(y) <= 8002 and np.all(np.diff(x) > 0) and y.max() == 7.0


def test_texts_to_paste_have_a_button(tmp_path):
    text = write_page(PAGE, tmp_path / "page.html").read_text(encoding="utf-8")
    assert 'class="copy"' in text and "clipboard" in text and "uPlot" not in text


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_ending_of_the_picture_chooses_its_format(tmp_path, kind):
    time = np.linspace(0.0, 3.0, 7)
    charts = [chart(time, time, "a$b", width=0), chart(time, time, steps=True)]
    write_files(PAGE, lambda: charts, Files(None, tmp_path / f"x.{kind}"))
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[kind]
    assert (tmp_path / f"x.{kind}").read_bytes().startswith(start)


def test_other_endings_are_refused(tmp_path):
    with pytest.raises(UsageError, match=r"a picture ends in \.png, \.svg, \.pdf"):
        Files(tmp_path / "x.html", tmp_path / "x.gif")
    assert not list(tmp_path.iterdir())


def test_charts_that_nobody_wants_are_not_made():
    write_files(PAGE, lambda: pytest.fail("made"), Files(None, None))
