"""Every page in a browser, light and dark, on a desk and on a phone: what axe-core finds, and what its scripts do."""

import importlib.util
import os
import shutil

import pytest

from tests.report.pages import ODD, VERBS, write_all
from tests.workbench.browser import HARMLESS, WIDTHS, context_of

PLOTS, CHARTS, VIEW = "m_report$2ffigures.plots", "m_report$2fsimulation.charts", "m_report$2fview.view"
KINDS = (*VERBS, "document", "simulate", "bench", "paper", "sweep", "arena", "fmu")


def chromium():
    """Return the path of the browser; the reason for the lack of it skips a test, and fails it if CI is set."""
    found = next((path for name in ("chromium", "chromium-browser") if (path := shutil.which(name))), None)
    missing = [] if found else ["chromium, a program of the system"]
    missing += [name for name in ("playwright", "axe_playwright_python") if importlib.util.find_spec(name) is None]
    if missing and os.environ.get("CI"):
        pytest.fail(f"needs {', '.join(missing)}: continuous integration has to install it", pytrace=False)
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: requirements-browser.txt")
    return found


@pytest.fixture(scope="module")
def browser():
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def pages(browser, loaded, tmp_path_factory):
    return write_all(tmp_path_factory.mktemp("pages"), loaded)


@pytest.fixture
def open_page(browser, pages):
    """Return a function that opens a page and fails if it complains or asks for more than itself."""
    contexts, heard, asked, wanted = [], [], [], []

    def opened(kind, scheme="light", place="desk", **how):
        context = context_of(browser, scheme, place, **how)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: heard.append(message.text))
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("request", lambda request: asked.append(request.url) if not request.url.startswith("data:") else None)
        page.goto(pages[kind].as_uri())
        wanted.append(pages[kind].as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert heard == []
    assert asked == wanted, "the page itself and nothing else"


@pytest.mark.sample(1)
@pytest.mark.parametrize("place", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_everybody_can_use_the_page(open_page, kind, scheme, place):
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(kind, scheme, place)
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[place]
    drawn = page.locator(".figure .chart").evaluate_all("all => all.map(one => one.querySelectorAll('canvas').length)")
    assert all(drawn), "every chart is drawn"
    found = Axe().run(page).response["violations"]
    bad = [(one["id"], one["impact"], one["nodes"][0]["html"]) for one in found if one["impact"] not in HARMLESS]
    assert bad == []


def test_the_background_follows_the_scheme(open_page):
    shades = [
        open_page("document", scheme).evaluate("getComputedStyle(document.documentElement).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert shades == ["rgb(255, 255, 255)", "rgb(21, 24, 28)"]


def test_texts_to_paste_are_copied(open_page):
    page = open_page("document", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="copy").click()
    page.get_by_role("button", name="copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator(".copy code").inner_text()


def test_charts_of_one_quantity_zoom_together(open_page):
    page = open_page("document")
    before = page.evaluate(f"{PLOTS}.map(({{ u }}) => u.scales.x.min)")
    box = page.locator(".figure .chart .u-over").first.bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 500, box["y"] + 50, steps=4)
    page.mouse.up()
    after = page.evaluate(f"{PLOTS}.map(({{ u }}) => u.scales.x.min)")
    assert len(after) == 4 and len(set(before)) == len(set(after)) == 1 and after[0] > 2.0 * before[0]
    page.locator(".figure .choice button", has_text="all").last.click()
    assert page.evaluate(f"{PLOTS}.map(({{ u }}) => u.scales.x.min)") == pytest.approx(before)


def test_signals_and_bonds_of_a_run_zoom_together(open_page):
    page = open_page("simulate")
    page.evaluate(f"{VIEW}.span.show(5, 10)")
    assert page.evaluate(f"{PLOTS}.map(({{ u }}) => u.scales.x.min)") == 8 * [5]
    page.locator(".figure .choice button", has_text="+").last.click()
    assert page.evaluate(f"{VIEW}.span.shown") == pytest.approx([6.25, 8.75])
    assert page.evaluate(f"[...new Set({CHARTS}.map((u) => u.scales.x.max))]") == pytest.approx([8.75])


def test_the_legend_reads_values_and_hides_curves(open_page):
    page = open_page("document")
    entry = page.locator(".figure .legend button", has_text="EROS3, k = 6")
    chart = page.locator(".figure .chart").last.locator(".u-over").first
    chart.scroll_into_view_if_needed()
    chart.hover(position={"x": 200, "y": 40})
    assert ";" in entry.locator("b").inner_text(), "gain and phase"
    curves = page.evaluate(f"{PLOTS}.at(-1).u.series.length")
    entry.click()
    assert page.evaluate(f"{PLOTS}.at(-1).u.series.length") == curves - 1


@pytest.mark.landing("a page in the browser: 6 s of CPU")
def test_a_cell_of_a_map_shows_its_figures_and_leads_to_its_run(open_page):
    page = open_page("sweep", permissions=["clipboard-read", "clipboard-write"])
    cell = page.locator(".map").first.locator("table", has_text="EROS3").locator("tbody a").first
    cell.hover()
    tip = page.locator("#tip")
    assert "algorithm EROS3" in tip.inner_text() and "latency 1" in tip.inner_text()
    cell.click()
    row = page.locator("tr:target")
    assert row.locator("td").first.inner_text() == "EROS3"
    row.get_by_role("button").click()
    row.get_by_role("button", name="copied").wait_for()
    assert "algorithms=['eros3']" in page.evaluate("navigator.clipboard.readText()")


@pytest.mark.landing("reports in a browser")
def test_labels_of_strips_are_whole(open_page):
    page = open_page("simulate")
    page.locator(".chart.strip canvas").first.wait_for()
    room, names = page.evaluate("[m_chart$2fchart.room.left, m_report$2fdata.report.runs.map((run) => run.label)]")
    measured = """names => {
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = m_chart$2ftheme.FONT;
        return Math.max(...names.map((name) => pen.measureText(name).width));
    }"""
    assert "network_embedded" in names and room >= page.evaluate(measured, names) > 66


@pytest.mark.landing("reports of long runs: 26 s of CPU")
def test_the_page_in_an_fmu_shows_texts_as_they_are_and_leads_to_its_neighbours(open_page, pages):
    page = open_page("fmu")
    assert page.title() == "bench_torque · couplant"
    assert page.locator("h1").inner_text().startswith("Tells what torque is now")
    rows = page.locator("tbody tr").evaluate_all("all => all.map(row => [...row.children].map(one => one.innerText))")
    shown = {name.split("\n")[0]: value for name, value in rows}
    assert shown["y_hat"] == ODD and shown["y"] == f"0 {ODD}" and shown["y_time[3]"] == "none"
    assert page.locator("dt", has_text="bursts").count() == 1 and page.locator("main b, main img").count() == 3
    assert page.locator(".facts dd").evaluate_all("all => all.map(one => one.innerText)").count(ODD) == 1
    links = page.locator("footer a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert len(links) == 2 and all((pages["fmu"].parent / link).is_file() for link in links)


def test_a_heading_of_the_arena_sorts_its_table(open_page):
    page = open_page("arena")
    names = lambda: page.locator("table.sorted").first.locator("tbody td:first-child").all_text_contents()  # noqa: E731
    assert names()[0] == "auto"
    heading = page.locator("table.sorted").first.get_by_role("button", name="worst")
    heading.click()
    assert names()[0] == "auto" and page.locator("th[aria-sort=ascending]").count() == 1
    heading.click()
    assert names()[-1] == "auto" and page.locator("th[aria-sort=descending]").count() == 1
