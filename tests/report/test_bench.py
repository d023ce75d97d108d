"""Page and picture of a bench: figures of network and clock, histograms, what the FMUs said."""

import dataclasses
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from couplant.bench.result import BenchResult
from couplant.report.bench import histograms, write_page, write_picture


@pytest.fixture(scope="module")
def result(bench, reference):
    found = bench.judged(["zoh", "irregular"], reference)
    return dataclasses.replace(found, log=[['zoh, left: <held> & "lost"'], []])


@pytest.fixture(scope="module")
def page(result, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_page(result, path)
    return path.read_text(encoding="utf-8")


@pytest.mark.landing("two sides in real time")
def test_the_page_has_network_and_clock(page):
    section = page[page.index('<section class="bench">') :]
    section = section[: section.rindex("</section>") + len("</section>")]
    root = ElementTree.fromstring(section)
    rows = [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")][1:]
    assert [row[:2] for row in rows] == [["event", "ZOH"]] * 2 + [["event", "irregular"]] * 2
    assert all("2001" in row for row in rows)
    assert sum("data-chart" in one.attrib for one in root.iter("section")) == 2
    assert '<held> & "lost"' in "".join(root.itertext())


def test_the_page_still_has_the_signals(page):
    assert page.count('<section class="signal"') == 3
    assert re.search(r"<h1>ZOH makes the coupling unstable", page)


def test_histograms_count_every_message(result):
    for i, histogram in enumerate(histograms(result)):
        assert len(histogram.edges) == len(histogram.measured) + 1
        assert histogram.measured.sum() == pytest.approx(1.0, abs=0.002)
        assert histogram.set.sum() == pytest.approx(1.0, abs=0.002)
        centre = np.sum(histogram.measured * histogram.edges[1:])
        assert centre == pytest.approx(0.02, abs=0.002)
        assert result.directions[0][i].sender in histogram.title


def test_the_picture(result, tmp_path):
    write_picture(result, tmp_path / "a.png")
    data = (tmp_path / "a.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 1600


def test_without_an_account_of_the_relay_and_without_arrivals(result, tmp_path):
    bare = [
        [dataclasses.replace(d, set=None, told={}, measured=np.zeros(0), age=np.zeros(0)) for d in directions]
        for directions in result.directions
    ]
    found = BenchResult(result.result, bare, result.paces, result.relay, [[], []])
    write_page(found, tmp_path / "a.html")
    write_picture(found, tmp_path / "a.png")
    assert '"label":"set"' not in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert found.to_dict()["runs"][0]["network"][0]["latency_measured"] is None
