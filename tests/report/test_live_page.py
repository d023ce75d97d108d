"""The page of a running bench in a browser: while the bench runs, and afterwards as a file."""

import socket
import threading

import numpy as np
import pytest

from couplant.bench import load_bench, run_bench
from couplant.bench.live.hub import Live, Showing, opened_hub
from couplant.report.bench import live_page, write_live
from tests.bench.live.test_hub import WIDTHS as PAIR
from tests.bench.live.test_hub import said
from tests.bench.virtual import SCENARIO
from tests.report.test_browser import browser  # noqa: F401
from tests.workbench.browser import HARMLESS, PATIENCE, context_of

WIDTHS = {"left": (2, 1), "right": (1, 2)}


@pytest.fixture
def visit(browser):  # noqa: F811
    """Return a function that opens an address and fails if the page complains."""
    contexts, heard = [], []

    def opened(address, scheme="light", place="desk"):
        context = context_of(browser, scheme, place)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1e3 * PATIENCE)
        page.on("console", lambda message: heard.append(message.text))
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert heard == []


def cells(page, row):
    return page.locator("#now tr").nth(row).locator("th, td").all_inner_texts()


@pytest.mark.landing("a bench in real time with two browsers: 7 s of CPU")
def test_two_browsers_see_a_bench_while_it_runs_and_the_file_shows_the_same(visit, tmp_path):
    bond = "bonds.spring={effort='f', flow='x1'}"
    loaded = load_bench(SCENARIO, ["duration=4.0", "wire=false", 'algorithms=["irregular"]', bond])
    with Live(Showing(live_page(loaded), "127.0.0.1", 0, WIDTHS, 1, 1)) as live:
        results = []
        bench = threading.Thread(target=lambda: results.append(run_bench(loaded, viewing=live.viewing)))
        bench.start()
        pages = [visit(live.url), visit(live.url, "dark", "phone")]
        for page in pages:
            page.get_by_role("cell", name="running").first.wait_for()
            assert page.locator("#said").inner_text() == "The bench is running."
        bench.join(PATIENCE)
        seen = live.finish()
        for page in pages:
            page.get_by_text("The bench is over").wait_for()
        page.wait_for_function("document.querySelectorAll('#charts canvas').length === 7")
        shown = [cells(pages[0], row) for row in range(3)]
    (result,) = results
    last = "({ x, lines }) => [x.at(-1), lines[0].name, lines[0].values.at(-1)]"
    told = pages[0].evaluate(f"({last})(m_report$2flive.created())")
    bond = result.result.runs[0].bonds["spring"]
    assert told[0] > 3.5 and told[1] == "spring"
    assert told[2] == pytest.approx(np.interp(told[0], bond.time, bond.residual), rel=1e-5, abs=1e-6 * bond.transmitted)
    assert [row[:3] for row in shown] == [
        ["x1", "left → right", "running"], ["v1", "left → right", "running"], ["f", "right → left", "running"],
    ]  # fmt: skip
    for row, direction in zip((0, 2), result.directions[0], strict=True):
        lost, arrived = (direction.counts[name] for name in ("lost", "arrived"))
        assert float(shown[row][5].rstrip(" %")) == pytest.approx(100.0 * lost / (lost + arrived), abs=2.0)
    page = visit(write_live(loaded, seen, tmp_path / "live.html").as_uri())
    page.get_by_role("cell", name="running").first.wait_for()
    assert [cells(page, row) for row in range(3)] == shown


@pytest.mark.parametrize("place", ["desk", "phone"])
def test_everybody_can_use_the_page(visit, tmp_path, place):
    from axe_playwright_python.sync_playwright import Axe

    loaded = load_bench(SCENARIO)
    status = [1, 2, 0, 0] * 2
    rows = [[0.1 * i, [0.01, 0.02, 0.03], [i, 0, 0, 0, 0, i], status, [0.5, None]] for i in range(20)]
    history = [{"case": 1, "side": side, "points": [], "figures": rows} for side in WIDTHS]
    page = visit(write_live(loaded, history, tmp_path / "live.html").as_uri(), place=place)
    page.get_by_role("cell", name="running").first.wait_for()
    assert page.locator("#case option:checked").inner_text() == "irregular, event"
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    bad = [one["id"] for one in Axe().run(page).response["violations"] if one["impact"] not in HARMLESS]
    assert bad == []


def test_names_of_signals_are_texts_and_an_hour_of_frames_does_not_fill_the_page(visit):
    odd = "<img src=x onerror=alert(1)>"
    loaded = load_bench(SCENARIO)
    signals = {odd if name == "f" else name: table for name, table in loaded.scenario.signals.items() if name != "v1"}
    loaded.scenario.signals.clear()
    loaded.scenario.signals.update(signals)
    with opened_hub(Showing(live_page(loaded), "127.0.0.1", 0, PAIR, 2)) as (hub, url):
        page = visit(url)
        page.get_by_text("The bench is running.").wait_for()
        frames = page.evaluate(
            """() => {
                const seen = m_report$2flive.seen, row = [1, 1, 1, 1];
                for (let i = 0; i < 36000; i += 1) seen.add({ case: 0, side: "left", points: [[i, 1, 1, 1]], time: i,
                    latency: [], counts: [0, 0, 0, 0, 0, 0], status: row, skill: [1] });
                const points = seen.points(0, "left");
                return [points.length, seen.figures(0, "left").length, points.at(-1)[0]];
            }"""
        )
        assert max(frames[:2]) <= 3000 and frames[2] == 35999
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as side:
            side.sendto(said(hub, 1), (hub.viewing.host, hub.viewing.port))
        page.get_by_role("rowheader", name=odd).wait_for()
        assert page.locator("img").count() == 0
