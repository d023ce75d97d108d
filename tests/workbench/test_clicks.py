"""From a file to its FMU with a browser only: how many clicks it takes, and whether the FMU does what the page says."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

import couplant
from couplant.base.paths import sample
from couplant.base.style import WIRE
from couplant.tables import Recording
from tests.workbench.test_one_figure import run_in_fmpy

pytestmark = pytest.mark.landing("an FMU out of the browser, and a run of it")

MOST = 4
COUNTING = "window.clicks = 0; addEventListener('click', ({ isTrusted }) => { window.clicks += isTrusted; }, true)"
DROPPING = """
(text) => {
    const dataTransfer = new DataTransfer(), how = { dataTransfer, bubbles: true, cancelable: true };
    dataTransfer.items.add(new File([text], "bench.csv"));
    for (const name of ["dragover", "drop"]) document.querySelector("main").dispatchEvent(new DragEvent(name, how));
}
"""
LATE = 60  # ms


@pytest.fixture
def page(opened):
    """Return the page as it opens, whose clicks are counted; it waits half a minute for anything at most."""
    seen = opened().page
    seen.set_default_timeout(30_000.0)
    seen.locator("h1").first.wait_for()
    seen.evaluate(COUNTING)
    return seen


def test_four_clicks_from_a_dropped_file_to_an_fmu_that_does_what_is_said(page, tmp_path):
    page.evaluate(DROPPING, sample().read_text(encoding="utf-8"))
    page.get_by_label("How late does it arrive, in ms?").fill(str(LATE))
    page.get_by_role("button", name="Show", exact=True).click()
    page.locator("#view-recording .advice p").first.wait_for()
    said = page.locator("#view-recording h1").inner_text()
    row = page.locator("#view-recording .figures-area tbody tr", has_text="auto").first.inner_text().split()
    page.get_by_role("tab", name="Download FMU").click()
    page.locator("#view-take h1", has_text="is ready").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile(r"^Save .*\.fmu$")).click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert page.evaluate("window.clicks") <= MOST

    less = float(re.search(rf"{LATE} ms late: use auto, (\d+) % less error than the plain wire", said)[1])
    found = couplant.inspect(sample(), steps=LATE // 10)
    shown = SimpleNamespace(m=found.judged.micro_steps, timing="step", micro_step=0.01 / found.judged.micro_steps)
    assert isinstance(found.recording, Recording) and found.recording.macro_step == 0.01
    span = found.judged.span.points(shown.m)
    error = np.abs(run_in_fmpy(path, shown, found, found.recording.value[0])[span] - found.judged.value).mean()
    assert 100.0 * (1.0 - error / found.judged.rows[WIRE].mae) == pytest.approx(less, abs=1.0)
    assert error == pytest.approx(float(row[1]), rel=0.01)
