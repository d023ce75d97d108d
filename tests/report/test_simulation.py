import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from couplant.base.paths import resource
from couplant.report import html
from couplant.report.simulation import content, flatten, write_report

ATTACK = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>"


def render(result):
    return html.render("simulation.html.j2", **content(result))


class Page(HTMLParser):
    """Collects tags with attributes, the text of table cells and of scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.cells, self.scripts, self._inside, self._cell = [], [], [], None, False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        if tag in ("td", "th"):
            self._cell = True
            self.cells.append("")
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data):
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._cell:
            self.cells[-1] += data.strip()

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self._cell = False
        if tag == "script":
            self._inside = None


def test_page_asks_for_nothing_from_outside(canonical):
    text = render(canonical)
    page = Page(text)
    for tag, attributes in page.tags:
        assert tag not in ("iframe", "object", "embed", "base", "img"), tag
        for name in ("src", "href", "data", "action", "poster", "srcset"):
            assert attributes.get(name, "data:,").startswith("data:"), (tag, attributes)
    assert not re.search(r"@import|url\(\s*['\"]?(?!data:)", text)
    assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|import\(|sendBeacon|EventSource", text)


def test_policy_allows_only_this_script(canonical):
    page = Page(render(canonical))
    policy = next(a["content"] for _, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]{44}'(;|$)", policy)
    assert "unsafe-eval" not in policy


def test_script_has_the_hash_of_the_policy(canonical):
    text = render(canonical)
    page = Page(text)
    digest = base64.b64encode(hashlib.sha256(page.scripts[-1].encode()).digest()).decode()
    assert f"'sha256-{digest}'" in text


def test_names_cannot_inject(make_run, make_result):
    run = make_run("eros3", "step", 0.1, signals=(ATTACK,))
    settings = {"network": {ATTACK: ATTACK}}
    text = render(make_result([run], name=ATTACK, settings=settings))
    page = Page(text)
    assert [tag for tag, _ in page.tags].count("script") == 2
    assert not any(tag == "img" or "onerror" in attributes for tag, attributes in page.tags)
    data = json.loads(page.scripts[0])
    assert data["signals"][0]["name"] == ATTACK


def test_data_is_valid_json_even_with_values_that_are_not_finite(make_run, make_result):
    run = make_run("zoh", "step", 0.1)
    run.traces["f"].estimate[500:] = np.nan
    run.traces["x1"].estimate[500:] = np.inf
    run.metrics["mae"] = float("inf")

    def refuse(name):
        raise AssertionError(name)

    page = Page(render(make_result([run])))
    json.loads(page.scripts[0], parse_constant=refuse)


def test_every_run_is_on_the_page(canonical):
    text = render(canonical)
    page = Page(text)
    data = json.loads(page.scripts[0])
    assert [(run["algorithm"], run["timing"]) for run in data["runs"]] == [
        (run.algorithm, run.timing) for run in canonical.runs
    ]
    rows = {int(attributes["data-run"]) for tag, attributes in page.tags if "data-run" in attributes}
    assert rows == set(range(len(canonical.runs)))
    for name in ("ZOH", "FOH", "SMB", "EROS3", "EROS4"):
        assert name in text


def test_table_leads_with_error_and_growth(canonical):
    names = [cell.split("/")[0].strip() for cell in Page(render(canonical)).cells]
    assert names[:5] == ["algorithm", "signal over time", "error", "growth", "C"]


def test_missing_figures_are_a_dash(make_run, make_result):
    run = make_run("eros3", "step", 0.1, rows=100)
    page = Page(render(make_result([run])))
    row = next(i for i, cell in enumerate(page.cells) if cell.startswith("EROS3"))
    growth, p = page.cells[row + 3], page.cells[row + 6]
    assert (growth, p) == ("—", "—")
    assert "None" not in "".join(page.cells)
    assert "nan" not in "".join(page.cells).lower()


def test_errors_of_several_units_are_not_added_up(make_run, make_result):
    one = make_result([make_run("foh", "step", 0.1, signals=("f",))])
    several = make_result([make_run("foh", "step", 0.1)])
    assert (one.unit, several.unit) == ("N", None)
    assert "/ N</span>" in render(one)
    head = render(several).split("</thead>")[0]
    assert "/ N" not in head.split("<table")[1] and "MAE" not in head and "max</th>" not in head


def test_recordings_carry_no_verdict(make_run, make_result):
    settings = {"components": {"r": {"recording": "a.csv"}}, "signals": {"f": {"from": "r.f"}}}
    text = render(make_result([make_run("foh", "step", 0.1, signals=("f",))], settings=settings))
    assert 'class="badge' not in text


def test_size_of_the_canonical_report(canonical, tmp_path):
    path = tmp_path / "report.html"
    write_report(canonical, path)
    assert path.stat().st_size < 2_000_000


def test_size_of_a_long_report(make_run, make_result, tmp_path):
    runs = [make_run(name, "step", 0.01, rows=1_000_000, signals=("f",)) for name in ("zoh", "eros3")]
    for run in runs:
        run.traces["f"].detected[::3] = True
        run.traces["f"].active[::2] = 2
    path = tmp_path / "report.html"
    write_report(make_result(runs), path)
    assert path.stat().st_size < 10_000_000


def test_empty_result(make_result):
    assert "Nothing was run." in render(make_result([]))


def test_equal_results_give_equal_pages(canonical):
    assert render(canonical) == render(canonical)


def test_settings_are_listed_by_name():
    rows = flatten({"a": {"b": [1, 2], "c": {}}, "d": None, "e": "x"})
    assert rows == [("a.b", "[1, 2]"), ("a.c", "{}"), ("d", "null"), ("e", '"x"')]


def test_templates_come_with_the_licence_of_the_library():
    assert "MIT License" in resource("uplot/LICENSE").read_text(encoding="utf-8")


@pytest.mark.parametrize("rows", [1, 2])
def test_very_short_runs(make_run, make_result, rows):
    assert "<table" in render(make_result([make_run("foh", "step", 0.1, rows=rows, signals=("f",))]))
