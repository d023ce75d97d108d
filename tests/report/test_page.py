"""The report page needs no other file and escapes what it shows."""

import re

from couplant.analysis import generic
from couplant.report.curves import bode_figure
from couplant.report.page import Page, Table, write_page


def test_page_is_self_contained(tmp_path):
    page = Page(
        "inspect",
        "Signal <b>",
        ["text"],
        ["warning"],
        [Table("Errors", ("algorithm", "mae"), [["foh", "0.1"]])],
        'name = "<x>"',
    )
    pictures = [("Bode", bode_figure([generic("foh", 1)]))]
    text = write_page(page, tmp_path / "page.html", pictures).read_text(encoding="utf-8")
    assert "<h1>Signal &lt;b&gt;</h1>" in text and "&lt;x&gt;" in text
    assert "data:image/png;base64," in text
    assert not re.search(r'(src|href)="(?!data:)', text)
