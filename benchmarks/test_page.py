"""What the workbench costs in a browser: the first picture against a chart alone, and the wait for a slider."""

import statistics
import time
from pathlib import Path

import numpy as np
import pytest

from couplant.base.paths import resource
from couplant.tables import Channel
from couplant.workbench import write_page
from couplant.workbench.recording import Shown
from tests.workbench.conftest import browser  # noqa: F401

LARGEST_RATIO = 20.0
"""Of the time to the first picture, 10⁴ samples, over that of an empty page with the same chart."""
FIRST, LATER = (5, 6, 7), (5, 3, 8, 4, 9, 2, 10)
"""Latencies that the slider is moved to, macro steps: at once after the page is there, and after a rest."""
REST = 30.0
"""In which the page makes the tables of latencies near the one that is shown [s]."""
LONGEST_MOVE = 0.3
"""Of the median of moves after the rest with 10⁵ samples, s; only said: it depends on the machine."""

EMPTY = """<!DOCTYPE html><meta charset="utf-8"><style>{style}</style><div></div><script>{script}
const x = Float64Array.from({{ length: {count} }}, (_, i) => i / 100);
new uPlot({{ width: 700, height: 290, scales: {{ x: {{ time: false }} }}, series: [{{}}, {{ stroke: "red" }}] }},
  [x, x.map(Math.sin)], document.querySelector("div"));
</script>"""
MOVE = """
async (latency) => {
    const slider = document.querySelector("#field-recording-latency");
    const place = (name) => document.querySelector(`#view-recording ${name}`);
    const begun = performance.now(), waiting = new Set([".chart", ".figures-area", ".advice"]);
    const there = new Promise((done) => {
        new MutationObserver((changes, own) => {
            const changed = changes.map((one) => one.target);
            for (const name of waiting) if (changed.includes(place(name))) waiting.delete(name);
            const last = place("h1").textContent;
            if (waiting.size || !last.startsWith(`${latency} ms late: `)) return;
            own.disconnect();
            done();
        }).observe(document.querySelector("#view-recording"), { attributes: true, childList: true, subtree: true });
    });
    slider.value = String(latency);
    slider.dispatchEvent(new Event("input"));
    await there;
    await new Promise(requestAnimationFrame);
    return (performance.now() - begun) / 1000;
}
"""
"""A move counts until picture, table, headline and advice of the latency [ms] are there."""


def written(path, count):
    """Write the page with a recording of so many samples."""
    time = 0.01 * np.arange(count)
    value = np.sin(1.3 * time) + 0.01 * np.random.default_rng(1).normal(size=count)
    return write_page(path, Shown("run.csv", "", (Channel("y", "", time, value),)))


def first_picture(started, path):
    """Return how long it takes until a chart is there, s."""
    page = started.new_page()
    begun = time.perf_counter()
    page.goto(path.as_uri())
    page.locator("canvas").first.wait_for()
    taken = time.perf_counter() - begun
    page.close()
    return taken


def test_the_first_picture_of_ten_thousand_samples(browser, tmp_path):  # noqa: F811
    count = 10_000
    empty = tmp_path / "empty.html"
    style, script = (resource(f"uplot/{name}").read_text() for name in ("uPlot.min.css", "uPlot.iife.min.js"))
    empty.write_text(EMPTY.format(style=style, script=script, count=count), encoding="utf-8")
    page = written(tmp_path / "page.html", count)
    alone, whole = (min(first_picture(browser, path) for _ in range(5)) for path in (empty, page))
    size = Path(page).stat().st_size
    print(f"\n{1e3 * whole:.0f} ms, a chart alone {1e3 * alone:.0f} ms, ratio {whole / alone:.1f}; {size} bytes")
    assert whole <= LARGEST_RATIO * alone


@pytest.mark.parametrize("algorithm", ["eros3", "auto", "designed", "learnt"])
def test_moves_of_a_slider_with_a_hundred_thousand_samples(browser, tmp_path, algorithm):  # noqa: F811
    path = written(tmp_path / "page.html", 100_000)
    page = browser.new_page()
    page.goto(f"{path.as_uri()}#recording&k=4&algorithm={algorithm}")
    page.locator("#view-recording .advice p").first.wait_for(timeout=120_000)
    unseen = [page.evaluate(MOVE, 10 * k) for k in FIRST]
    time.sleep(REST)
    times = [page.evaluate(MOVE, 10 * k) for k in LATER]
    page.close()
    first, median = statistics.median(unseen), statistics.median(times)
    rested = f"after {REST:.0f} s {median:.3f} s, at most {max(times):.3f}; wanted {LONGEST_MOVE}"
    print(f"\n{algorithm}: median of moves at once {first:.2f} s, {rested}")
    assert len(times) == len(LATER)
