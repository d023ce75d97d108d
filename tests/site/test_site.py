"""The documentation as a site: built without a warning, whole without a network, every page within reach."""

import base64
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from couplant.cli import VERBS
from tests import commands
from tests.report.test_browser import browser  # noqa: F401
from tests.workbench.browser import HARMLESS, WIDTHS, context_of

pytestmark = pytest.mark.night("makes the whole site and runs its tutorials")

ROOT = Path(__file__).resolve().parents[2]
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("source", "src"), ("iframe", "src")}
OPENED = {("a", "href"), ("form", "action")}
SEEN = ("index", "method", "gallery", "tutorials/test_bench", "tutorials/latency", "parameters")


class Page(HTMLParser):
    """What a page leads to, what it loads, and the names of its places."""

    def __init__(self, path):
        super().__init__()
        self.opened, self.loaded, self.places = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.places |= {named[key] for key in ("id", "name") if named.get(key)}
        for key, value in named.items():
            if (tag, key) in LOADED:
                self.loaded.append(value)
            elif (tag, key) in OPENED:
                self.opened.append(value)
            elif tag == "meta" and key == "content" and "url=" in value:
                self.opened.append(value.split("url=", 1)[1])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("myst_nb", reason="the site is built with Python 3.11 or newer")
    folder = tmp_path_factory.mktemp("site")
    words = ("-q", "-W", "--keep-going", "-c", "docs", "-b", "html", "-d", str(folder / "trees"))
    words += ("-D", "nb_execution_mode=off")  # test_tutorials runs them
    command = [sys.executable, "-m", "sphinx", *words, ".", str(folder / "html")]
    done = commands.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path) for path in sorted(site.rglob("*.html")) if "_static" not in path.parts}


def targets(path, links):
    """Yield file and place of links that stay on the site."""
    for link in links:
        parts = urlsplit(link)
        if not parts.scheme and not parts.netloc:
            yield (path.parent / unquote(parts.path)).resolve() if parts.path else path, unquote(parts.fragment)


def test_no_link_is_dead(site, pages):
    dead = []
    for path, page in pages.items():
        for file, place in targets(path, page.opened + page.loaded):
            known = file in pages and (not place or place in pages[file].places)
            if not known and not (file.is_file() and not place):
                dead.append(f"{path.relative_to(site)} -> {file.name}#{place}")
    assert dead == []


def test_every_page_is_within_reach_of_the_front_page(site, pages):
    reached, left = set(), [site / "index.html"]
    while left:
        path = left.pop()
        if path not in reached:
            reached.add(path)
            left += [file for file, _ in targets(path, pages[path].opened) if file in pages]
    assert set(pages) - reached == set()


def test_nothing_is_loaded_from_elsewhere(site, pages):
    assert [link for page in pages.values() for link in page.loaded if "//" in link] == []


def test_every_page_of_the_repository_is_on_it(site):
    sources = [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/tutorials/*"), *ROOT.glob("examples/*/README.md")]
    assert [path for path in sources if not (site / path.relative_to(ROOT).with_suffix(".html")).is_file()] == []


def test_what_is_made_when_it_is_built(site):
    made = ("verbs", "gallery", "method", "api")
    shown = {name: (site / f"docs/{name}.html").read_text(encoding="utf-8") for name in made}
    assert [verb for verb in VERBS if f"couplant {verb} " not in shown["verbs"]] == []
    assert len(re.findall('class="sd-card-img-top', shown["gallery"])) == len(list(ROOT.glob("examples/*/README.md")))
    assert shown["method"].count("<math") > 20
    assert "couplant.cosim.simulate" in shown["api"]


@pytest.mark.parametrize("place", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it_and_it_asks_for_nothing(site, browser, scheme, place):  # noqa: F811
    from axe_playwright_python.sync_playwright import Axe

    context = context_of(browser, scheme, place, offline=True)
    page, heard, bad = context.new_page(), [], []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.route(lambda url: not url.startswith(("file:", "data:")), lambda route: heard.append(route.request.url))
    for name in SEEN:
        page.goto((site / f"docs/{name}.html").as_uri())
        if page.evaluate("document.documentElement.scrollWidth") > WIDTHS[place]:
            bad.append((name, "wider than the window"))
        found = Axe().run(page, options={"preload": False}).response["violations"]
        bad += [(name, one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] not in HARMLESS]
    context.close()
    assert heard == []
    assert bad == []


BRIGHTNESS = """
(place) => {
    const image = document.querySelector(place), canvas = new OffscreenCanvas(64, 64);
    const read = canvas.getContext("2d");
    read.filter = getComputedStyle(image).filter;
    read.drawImage(image, 0, 0, 64, 64);
    const { data } = read.getImageData(0, 0, 64, 64);
    return data.reduce((sum, one, i) => sum + (i % 4 === 3 ? 0 : one), 0) / (3 * 64 * 64);
}
"""


@pytest.mark.parametrize(("scheme", "low", "high"), [("light", 200, 255), ("dark", 0, 80)])
def test_pictures_are_as_dark_as_the_page_and_cards_can_be_read(site, browser, tmp_path, scheme, low, high):  # noqa: F811
    context = context_of(browser, scheme, "desk", offline=True)
    page = context.new_page()
    page.goto((site / "docs/gallery.html").as_uri())
    card = page.locator(".sd-card-img-top").first
    shot = card.screenshot(path=tmp_path / "card.png")
    page.goto("about:blank")
    page.set_content(f'<img src="data:image/png;base64,{base64.b64encode(shot).decode()}">')
    page.locator("img").evaluate("image => image.decode()")
    assert low <= page.evaluate(BRIGHTNESS, "img") <= high
    width = page.locator("img").evaluate("image => image.naturalWidth")
    assert width >= 600, "letters of 20 of 1600 pixels are 7.5 high at least"
    context.close()
