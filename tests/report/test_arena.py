"""The page of the arena: standings, all errors, a part of each task; it needs nothing from elsewhere."""

import csv
import io
import re

from couplant.report.arena import headline, write_arena
from tests.report.pages import arena


def test_the_page_holds_everything_and_needs_nothing(tmp_path):
    page, table = write_arena(arena(), tmp_path)
    assert (page.name, table.name) == ("index.html", "arena.csv")
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=.https?://|data:image", text)
    assert text.count("data-chart=") == 2
    assert "&lt;/script&gt;" in text and "An engine </script>" not in text
    assert "lightgbm is left out: it is missing" in text


def test_the_page_is_the_same_each_time(tmp_path):
    first, again = (write_arena(arena(), tmp_path / name)[0].read_bytes() for name in "ab")
    assert first == again


def test_what_grows_is_lost_and_sorted_last(tmp_path):
    text = write_arena(arena(), tmp_path)[0].read_text(encoding="utf-8")
    row = next(row for row in text.split("<tr>") if 'data-key="pendulum_3"' in row and 'data-key="loops"' in row)
    assert re.findall(r'data-key="100.0" class="num">(\w+)', row) == ["lost", "lost"]


def test_the_csv_file_has_a_row_for_each_task_and_entry(tmp_path):
    text = write_arena(arena(), tmp_path)[1].read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 9
    assert {row["entry"]: row["lost"] for row in rows if row["task"] == "pendulum_3"}["kalman"] == "True"


def test_the_headline_names_the_best():
    assert headline(arena()) == "auto errs least on 2 tasks: 0.05 of the error of the plain wire."
