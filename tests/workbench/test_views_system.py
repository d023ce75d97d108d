"""The view of the coupled system, used as a person does: what it shows, says, refuses, and what its link holds."""

import json
import shlex
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from couplant.base.paths import demonstration
from couplant.base.style import DARK, LIGHT, label, number
from couplant.config.scenario import load_scenario
from couplant_runtime.generated.numbers import MAX_STEPS
from tests.workbench.browser import WIDTHS, served

EXPECTED = json.loads((Path(demonstration()) / "expected.json").read_text(encoding="utf-8"))


def headline(page):
    page.locator("#view-system h1", has_text=".").wait_for()
    return page.locator("#view-system h1").inner_text()


def cells(page, algorithm):
    row = page.locator("#view-system tbody tr").filter(has=page.get_by_role("rowheader", name=algorithm, exact=True))
    return row.locator("td").all_inner_texts()


@pytest.mark.sample(1)
@pytest.mark.parametrize("place", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_view(opened, scheme, place):
    seen = opened(scheme=scheme, place=place)
    headline(seen.page)
    seen.usable(f"system-{scheme}-{place}")
    theme = LIGHT if scheme == "light" else DARK
    assert all(len(seen.pixels(0, theme.algorithms[name])) > 100 for name in ("zoh", "auto"))


def test_texts_that_cover_each_other_are_found(opened):
    """In the document and on charts: what `usable` refuses."""
    seen = opened()
    headline(seen.page)
    place = "position: absolute; left: 6px; top: 6px; right: auto"
    seen.page.evaluate(f"document.querySelector('.copy > button').style.cssText = '{place}'")
    assert [two for _, two in seen.overlaps()] == ["copy"]
    seen.page.evaluate("""() => {
        const [canvas, legend] = ["canvas", ".legend"].map((name) => document.querySelector(name));
        const around = canvas.getBoundingClientRect(), own = legend.getBoundingClientRect();
        const [{ box: [x, y] }] = writtenOn(canvas), scale = around.width / canvas.width;
        const [right, down] = [around.left + scale * x - own.left - 60, around.top + scale * y - own.top - 6];
        legend.style.cssText = `position: relative; left: ${right}px; top: ${down}px`;
    }""")
    assert ["without latency", "time / s"] in seen.overlaps()


def test_from_a_web_server_that_is_not_this_machine_to_the_browser(opened, written):
    with served(written.parent) as address:
        seen = opened(address=f"{address}/index.html")
        assert headline(seen.page).startswith("ZOH grows without bound; auto follows the undelayed run")
        assert not seen.page.evaluate("isSecureContext"), "plain http"


def test_zoh_is_seen_to_diverge_and_the_estimate_is_not(opened):
    seen = opened()
    assert headline(seen.page).startswith("ZOH grows without bound; auto follows the undelayed run with 0")
    zoh, auto = (seen.pixels(0, LIGHT.algorithms[name]) for name in ("zoh", "auto"))
    assert len(zoh) > 100 and len(auto) > 300
    late = [low for x, low, _ in zoh if x > 0.7], [high for x, _, high in zoh if x > 0.7]
    own = [low for x, low, _ in auto if x > 0.7], [high for x, _, high in auto if x > 0.7]
    assert max(late[1]) - min(late[0]) > 1.4 * (max(own[1]) - min(own[0])), "ZOH leaves the chart, auto does not"
    assert cells(seen.page, "ZOH")[0] == "grows" and cells(seen.page, "auto")[0] == "does not grow"


def test_sliders_and_numbers_change_the_figures(opened):
    page = opened().page
    first = headline(page)
    page.get_by_label("algorithm").select_option("eros3")
    page.locator("#view-system h1", has_text="EROS3 follows").wait_for()
    before = cells(page, "EROS3")
    page.locator("#field-system-latency").focus()
    page.keyboard.press("ArrowRight")
    page.locator("#view-system tbody td", has_text=before[3]).wait_for(state="detached")
    assert page.locator("#field-system-latency").input_value() == "80"
    assert "80 ms = 4 macro steps of 20 ms" in page.locator("#view-system form").inner_text()
    later = cells(page, "EROS3")
    assert float(later[3]) > float(before[3]), "a later signal is harder to estimate"
    page.get_by_label("latency τ, number").fill("0")
    page.keyboard.press("Enter")
    page.locator("#view-system tbody td", has_text=later[3]).wait_for(state="detached")
    assert float(cells(page, "EROS3")[3]) < float(before[3])
    assert "0 ms = 0 macro steps of 20 ms" in page.locator("#view-system form").inner_text()
    page.get_by_role("button", name="Reset").click()
    page.locator("#view-system h1", has_text=first).wait_for()


def test_algorithm_and_timing_are_chosen(opened):
    page = opened().page
    headline(page)
    page.get_by_label("algorithm").select_option("eros3")
    page.locator("#view-system h1", has_text="EROS3 follows").wait_for()
    page.get_by_label("timing").select_option("event")
    page.locator("#view-system pre", has_text='timing=["event"]').wait_for()
    page.locator("#view-system tbody th", has_text="EROS3").wait_for()


WRONG = [
    ("latency τ", "-1", f"latency τ = -1, allowed 0 to {20 * MAX_STEPS} ms."),
    ("communication steps", "2.5", "communication steps = 2.5, allowed whole numbers from 1 to 100 per ΔT."),
    ("loss", "nan", "loss = nan, allowed 0 to 0.5"),
    ("mass 1", "", "mass 1 = nothing, allowed 0.1 to 10 kg."),
    ("macro step ΔT", "1e9", "macro step ΔT = 1e9, allowed 0.005 to 0.1 s."),
]


def test_wrong_values_are_refused_by_a_sentence_and_the_page_goes_on(opened):
    page = opened().page
    before = headline(page)
    for field, typed, words in WRONG:
        number = page.get_by_label(f"{field}, number", exact=True)
        number.fill(typed)
        page.keyboard.press("Enter")
        assert words in page.locator("#view-system .wrong:not(:empty)").inner_text()
        assert number.get_attribute("aria-invalid") == "true"
        assert headline(page) == before
        page.get_by_role("button", name="Reset").click()
        assert page.locator("#view-system .wrong:not(:empty)").count() == 0


def test_a_link_holds_the_settings(opened):
    seen = opened("#system&k=2&algorithm=foh&m1=2&loss=7&nonsense=1&timing=never")
    headline(seen.page)
    keys = ("latency", "algorithm", "loss", "timing", "micro")
    shown = {key: seen.page.locator(f"#field-system-{key}").input_value() for key in keys}
    assert shown == {"latency": "40", "algorithm": "foh", "loss": "0", "timing": "step", "micro": "10"}
    assert seen.page.get_by_label("mass 1, number", exact=True).input_value() == "2"
    seen.page.get_by_label("algorithm").select_option("smb")
    seen.until("location.hash === '#system&algorithm=smb&k=2&m1=2'")


def test_only_the_newest_of_many_questions_is_answered(opened):
    seen = opened()
    page = seen.page
    headline(page)
    page.evaluate("""() => {
        window.told = [];
        const place = document.querySelector("#view-system h1");
        new MutationObserver(() => window.told.push(place.textContent)).observe(place, { childList: true });
        const slider = document.getElementById("field-system-cc");
        for (let i = 0; i <= 60; i++) { slider.value = String(100 + i); slider.dispatchEvent(new Event("input")); }
    }""")
    last = page.get_by_label("coupling spring, number").input_value()
    seen.until("window.told.length > 0")
    page.wait_for_timeout(300)
    assert last == str(float(f"{0.2 * 100 ** (160 / 400):.3g}"))
    assert page.evaluate("window.told.length") <= 3, "61 questions, and those before the newest are dropped"


def test_growth_is_that_of_an_independent_simulation(opened):
    page = opened().page
    for one in (run for run in EXPECTED["runs"] if run["algorithm"] != "wire"):
        page.evaluate(f"location.hash = 'system&micro=1&algorithm={one['algorithm']}&timing={one['timing']}'")
        name = label(one["algorithm"])
        page.locator("#view-system tbody tr.focus th", has_text=name).wait_for()
        page.locator("#view-system tr.focus td", has_text=number(one["growth"])).wait_for()


@pytest.mark.landing("a page in the browser: 12 s of CPU")
def test_a_link_is_followed_though_the_address_is_written_before_it_is_heard(opened):
    page = opened().page
    headline(page)
    page.evaluate("() => { location.hash = 'system&algorithm=foh'; history.replaceState(null, '', '#system'); }")
    page.locator("#view-system tbody tr.focus th", has_text="FOH").wait_for()


@pytest.mark.landing("the page in a browser and a simulation")
def test_the_command_does_the_same(opened):
    page = opened("#system&k=5&jitter=2&loss=0.1&macro_step=0.01&m2=0.2&cc=3&algorithm=smb&timing=step").page
    headline(page)
    simulate = page.locator("#view-system pre").inner_text().replace("\\\n", " ").splitlines()[1]
    words = shlex.split(simulate)
    assert words[:3] == ["couplant", "simulate", "demo/scenario.toml"]
    changes = [after for word, after in pairwise(words) if word == "--set"]
    scenario = load_scenario(demonstration() / "scenario.toml", changes).scenario
    network = scenario.network
    assert (network.latency_steps, network.jitter_steps, network.loss, scenario.macro_step) == (5, 2, 0.1, 0.01)
    assert scenario.micro_step == 0.001
    assert (list(scenario.algorithms), list(scenario.timing)) == (["zoh", "smb"], ["step"])
    assert scenario.components["mass_2"].parameters == {"m2": 0.2, "cc": 3.0}


@pytest.mark.landing("a person with a chart for 9 s of CPU")
def test_a_chart_zooms_by_mouse_and_keys_and_reads_in_words(opened):
    page = opened().page
    headline(page)
    chart = page.locator("#view-system .chart").first
    assert "auto does not grow, largest error" in chart.get_attribute("aria-label")
    before = page.locator("#view-system canvas").first.evaluate("one => one.toDataURL()")
    zoom = page.get_by_role("button", name="+").first
    zoom.focus()
    page.keyboard.press("Enter")
    changed = page.locator("#view-system canvas").first.evaluate("one => one.toDataURL()")
    assert changed != before
    page.get_by_role("button", name="all").last.click()
    page.wait_for_timeout(100)
    assert page.locator("#view-system canvas").first.evaluate("one => one.toDataURL()") == before


@pytest.mark.landing("watches the page for seconds")
def test_the_masses_stand_still_for_those_who_ask_for_it_and_move_on_request(opened):
    seen = opened()
    page = seen.page
    headline(page)
    boxes = page.locator("#view-system svg rect")
    places = boxes.evaluate_all("all => all.map((one) => one.getAttribute('x'))")
    page.wait_for_timeout(200)
    assert boxes.evaluate_all("all => all.map((one) => one.getAttribute('x'))") == places
    page.get_by_role("button", name="play").click()
    seen.until("Number.parseFloat(document.querySelector('.clock').textContent) > 1.5")
    moved = boxes.evaluate_all("all => all.map((one) => one.getAttribute('x'))")
    assert np.abs(np.array(moved, float) - np.array(places, float)).max() > 2.0
    page.get_by_role("button", name="pause").click()
