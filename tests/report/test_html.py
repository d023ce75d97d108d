"""Every page comes from one skeleton, escapes what it shows and runs no script but its own."""

import re

import pytest

from couplant.analysis import generic
from couplant.base.paths import resource
from couplant.report.curves import bode_chart
from couplant.report.drawing import draw
from couplant.report.html import embed_picture, render, write_html
from couplant.report.page import Page

TEMPLATES = sorted(path.name for path in resource("templates/report").glob("*.j2"))
PARTS = ("skeleton.html.j2", "parts.html.j2")


@pytest.mark.parametrize("name", [name for name in TEMPLATES if name not in PARTS])
def test_every_template_extends_the_skeleton(name):
    text = (resource("templates/report") / name).read_text(encoding="utf-8")
    extended = re.match(r'{% extends "([\w.]+)" %}', text)[1]
    assert extended == "skeleton.html.j2" or extended in TEMPLATES
    assert not re.search("<(html|head|body|title|style|script)[ >]", text)


def test_no_page_is_written_elsewhere():
    package = resource("..").resolve() / "builder" / "couplant"
    texts = {path.name: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    found = {name for name, text in texts.items() if re.search(r"<(html|table|p|h1)\b[^>]*>|import jinja2", text)}
    assert found == {"html.py", "notebook.py"}, "tables in notebooks are parts of pages that others make"


def test_a_page_without_a_script_allows_none():
    text = render("document.html.j2", headline="x", charts=(), **vars(Page("design", "x")))
    assert "default-src 'none'" in text and "script-src" not in text and "<script" not in text


def test_what_a_template_needs_must_be_given(tmp_path):
    with pytest.raises(Exception, match="'headline' is undefined"):
        write_html(tmp_path / "x.html", "skeleton.html.j2", kind="x", title="y")
    assert not list(tmp_path.iterdir())


def test_title_and_headline():
    same, other = (render("skeleton.html.j2", kind="k", title="a <b>", headline=text) for text in ("a <b>", "c"))
    assert "<title>a &lt;b&gt; · couplant</title>" in same and "<h1>a &lt;b&gt;</h1>" in same
    assert same.count("a &lt;b&gt;") == 2 and other.count("a &lt;b&gt;") == 2, "said once besides the title"


def test_pictures_lie_inside_the_page():
    drawn = embed_picture(draw([bode_chart([generic("foh", 1)])]))
    assert drawn.startswith("data:image/png;base64,iVBORw0KGgo")
    assert embed_picture(b"ab") == "data:image/png;base64,YWI="
