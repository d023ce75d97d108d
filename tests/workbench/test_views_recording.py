"""The view of a recording, used as a person does: curves, figures, what `couplant inspect` says of the same file."""

import shlex
from pathlib import Path

import numpy as np
import pytest
from typer.main import get_command

import couplant
from couplant.analysis.algorithms import generic
from couplant.analysis.limits import limit_frequencies
from couplant.base.paths import sample
from couplant.base.style import DARK, LIGHT, WIRE, number
from couplant.cli import app
from couplant.config.frame.read import read_toml
from couplant.config.load import parse_interface
from couplant.design.inspection import inspect_recording
from couplant.design.recommendation import DESIGNED, EVERY, LEARNT, PHASOR, candidate_label
from couplant.tables import read_recording
from couplant.workbench import write_page
from couplant.workbench.recording import read_shown
from couplant_runtime.algorithms import GENERIC
from tests.runtime.periodic import HARMONICS, Wave
from tests.workbench.browser import WIDTHS

VIEW = "#view-recording"


def headline(page):
    """Return what the view says once all algorithms are judged."""
    page.locator(f"{VIEW} .advice p").first.wait_for()
    return page.locator(f"{VIEW} h1").inner_text()


def answer(page, latency, tool="unknown"):
    """Answer what the page asks about a recording: how late it is [ms], and which tool steps the FMU."""
    page.get_by_label("How late does it arrive, in ms?").fill(str(latency))
    page.get_by_label("Which tool steps the FMU?").select_option(tool)
    page.get_by_role("button", name="Show", exact=True).click()


def table(page):
    """Return the texts of the table by algorithm, all of one moment."""
    read = "rows => rows.map(row => [...row.cells].map(cell => cell.innerText))"
    return {name: texts for name, *texts in page.locator(f"{VIEW} .figures-area tbody tr").evaluate_all(read)}


@pytest.mark.sample(1)
@pytest.mark.parametrize("place", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_view(opened, scheme, place):
    seen = opened("#recording", scheme=scheme, place=place)
    headline(seen.page)
    seen.usable(f"recording-{scheme}-{place}")
    theme = LIGHT if scheme == "light" else DARK
    assert len(seen.pixels(0, theme.algorithms["auto"])) > 100, "the estimate"
    assert len(seen.pixels(0, theme.muted)) > 50, "the late value"
    assert len(seen.pixels(3, theme.ink)) > 100, "the spectrum"


@pytest.mark.sample(1)
@pytest.mark.parametrize("more", [{}, {"jitter": 2, "loss": 0.05}])
def test_figures_and_bands_are_those_of_inspect(opened, more):
    page = opened("#recording&k=4&timing=event" + "".join(f"&{key}={value}" for key, value in more.items())).page
    said = headline(page)
    found = couplant.inspect(sample(), steps=4, timing="event", **more)
    texts = table(page)
    assert list(texts) == [candidate_label(one.algorithm) for one in found.table] and len(texts) == len(EVERY) + 5
    less = 1.0 - found.judged.rows[found.recommended].mae / found.judged.rows[WIRE].mae
    less_told = f"{100 * less:.0f} % less error than the plain wire."
    assert said == f"40 ms late: use {candidate_label(found.recommended)}, {less_told}"
    for one in found.table:
        figures = [number(value) for value in (one.mae, one.rms, one.worst, one.combined)]
        assert texts[candidate_label(one.algorithm)][:4] == figures, one.algorithm
    for name in GENERIC:
        limit = limit_frequencies(generic(name, 4), "event").in_rad_per_s(0.01).limit
        assert texts[candidate_label(name)][5] == number(limit)
    facts = page.locator(f"{VIEW} .facts").inner_text()
    assert f"up to {number(found.bands.useful)} rad/s" in facts
    assert all(f"{number(low)} to {number(high)} rad/s" in facts for low, high in found.bands.disturbances)
    assert number(found.noise.deviation) in facts
    warnings = [f"{one[0].upper()}{one[1:]}." for one in found.advice.warnings]
    told = [f"Use {candidate_label(found.recommended)}. {found.reason}", *warnings]
    assert page.locator(f"{VIEW} .advice p").all_inner_texts() == told


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", [DESIGNED, LEARNT])
def test_a_candidate_of_the_recording_is_drawn_and_its_weights_are_settings(opened, tmp_path, name):
    seen = opened("#recording&k=4&timing=event")
    headline(seen.page)
    seen.page.get_by_role("button", name=candidate_label(name), exact=True).last.click()
    text = seen.page.locator(f"{VIEW} pre", has_text='selected = "linear"')
    text.wait_for()
    found = inspect_recording(read_recording(sample()), 4, "event")
    weights = {DESIGNED: found.design and found.design.algorithm, LEARNT: found.learnt}[name]
    path = tmp_path / "interface.toml"
    path.write_text(text.inner_text(), encoding="utf-8")
    algorithm = parse_interface(read_toml(path), "page").signals["torque_Nm"].algorithm
    assert (algorithm.selected, algorithm.steps) == ("linear", 4)
    both = np.array([algorithm.a, algorithm.A]), np.array([weights.a, weights.A])
    assert np.abs(both[0] - both[1]).max() <= 1e-9 * np.abs(both[1]).max()
    colour = LIGHT.algorithms["linear" if name == DESIGNED else "network"]
    assert len(seen.pixels(0, colour)) > 100 and len(seen.pixels(1, colour)) > 100
    seen.until(f"location.hash.includes('algorithm={name}')")
    seen.page.get_by_role("tab", name="Download FMU").click()
    seen.page.locator("#view-take h1", has_text="is ready").wait_for()
    assert seen.page.locator("#field-take-toml").input_value() == path.read_text(encoding="utf-8")


def test_a_link_to_a_design_shows_it_and_take_it_follows(opened):
    seen = opened(f"#recording&algorithm={DESIGNED}")
    seen.page.get_by_role("tab", name="Download FMU").click()
    text = seen.page.locator("#field-take-toml")
    seen.until("document.querySelector('#field-take-toml').value.includes('selected = \"linear\"')")
    first = text.input_value()
    seen.page.get_by_role("tab", name="Recording").click()
    seen.page.locator("#field-recording-latency").focus()
    seen.page.keyboard.press("ArrowRight")
    seen.page.locator(f"{VIEW} pre", has_text="steps = 4").wait_for()
    seen.page.get_by_role("tab", name="Download FMU").click()
    seen.until("document.querySelector('#field-take-toml').value.includes('steps = 4')")
    assert text.input_value() != first


@pytest.mark.landing("every candidate on four seconds of a grid, in the browser and in Python")
def test_a_periodic_recording_has_phasors_and_no_other_has(opened, tmp_path):
    path, t = tmp_path / "grid.csv", 1e-3 * np.arange(4000)
    value = 325.0 * Wave("swing", 49.6, harmonics=HARMONICS[:2]).values(t) + np.random.default_rng(3).normal(size=4000)
    np.savetxt(path, np.c_[t, value], "%.9g", ",", header="time_s,u", comments="")
    page = write_page(tmp_path / "page.html", read_shown(path)).as_uri()
    seen = opened("#recording&k=20&jitter=2", address=page)
    said, found = headline(seen.page), couplant.inspect(path, steps=20, jitter=2)
    assert found.recommended == PHASOR and said.startswith("20 ms late: use phasor, ")
    assert list(table(seen.page)) == [candidate_label(one.algorithm) for one in found.table]
    facts = seen.page.locator(f"{VIEW} .facts").inner_text()
    assert f"{number(found.periodic.frequency)} Hz, odd harmonics up to order 7" in facts
    seen.page.locator(f"{VIEW} pre", has_text='selected = "phasor"').wait_for()
    assert len(seen.pixels(0, LIGHT.algorithms[PHASOR])) > 100
    seen.page.get_by_role("tab", name="Download FMU").click()
    seen.page.locator("#view-take h1", has_text="The FMU of u is left to the command.").wait_for()
    settings = tmp_path / "interface.toml"
    settings.write_text(seen.page.locator("#field-take-toml").input_value(), encoding="utf-8")
    assert read_toml(settings)["signals"]["u"]["algorithm"] == found.periodic.algorithm()
    seen.page.get_by_role("tab", name="Recording").click()
    choice = seen.page.locator("#field-recording-algorithm")
    assert PHASOR in choice.locator("option").all_inner_texts()
    seen.page.get_by_label("recording", exact=True).select_option(label="torque_a.csv")
    seen.page.locator(f"{VIEW} .facts", has_text="1200 of 0.01 s").wait_for()
    headline(seen.page)
    assert PHASOR not in {*choice.locator("option").all_inner_texts(), *table(seen.page), choice.input_value()}


@pytest.mark.sample(1)
@pytest.mark.parametrize("made", [DESIGNED, PHASOR])
def test_where_nothing_can_be_designed_what_needs_no_weights_is_shown(opened, tmp_path, made):
    path = tmp_path / "constant.csv"
    rows = np.stack([0.01 * np.arange(200), np.full(200, 2.5)], axis=1)
    np.savetxt(path, rows, "%.9g", ",", header="t,y", comments="")
    page = write_page(tmp_path / "page.html", read_shown(path))
    seen = opened(f"#recording&k=3&algorithm={made}", address=page.as_uri())
    headline(seen.page)
    assert len(table(seen.page)) == len(EVERY) + 1, "the wire"
    assert seen.page.locator("#field-recording-algorithm").input_value() == "auto"
    assert 'algorithm = "auto"' in seen.page.locator(f"{VIEW} pre").first.inner_text()


@pytest.mark.sample(1)
@pytest.mark.parametrize(("link", "more"), [("", {}), ("&jitter=2&loss=0.05", {"jitter": 2, "loss": 0.05, "seed": 1})])
def test_the_command_asks_inspect_for_the_same(opened, link, more):
    page = opened(f"#recording&k=4&timing=event&macro_step=0.02{link}").page
    headline(page)
    words = shlex.split(page.locator(f"{VIEW} pre").last.inner_text())
    asked = get_command(app).commands["inspect"].make_context("inspect", words[2:]).params
    expected = {"files": [Path("torque_a.csv")], "column": "torque_Nm", "macro_step": 0.02, "steps": 4}
    assert words[:2] == ["couplant", "inspect"]
    assert {name: value for name, value in asked.items() if value} == expected | {"timing": "event"} | more


def test_the_settings_are_those_of_an_fmu(opened, tmp_path):
    page = opened("#recording&k=4&timing=event&algorithm=foh").page
    headline(page)
    path = tmp_path / "interface.toml"
    path.write_text(page.locator(f"{VIEW} pre").first.inner_text(), encoding="utf-8")
    settings = parse_interface(read_toml(path), "page")
    signal = settings.signals["torque_Nm"]
    assert (settings.timing, settings.macro_step) == ("event", 0.01)
    assert (signal.algorithm.selected, signal.latency.constant_steps) == ("foh", 4)


def test_a_slider_redraws_the_curve_and_the_table_follows(opened):
    page = opened("#recording").page
    headline(page)
    before = table(page)
    page.locator("#field-recording-latency").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.locator(f"{VIEW} h1", has_text="60 ms late").wait_for()
    after = table(page)
    assert page.get_by_label("latency τ, number").input_value() == "60"
    assert "60 ms = 6 macro steps of 10 ms" in page.locator(f"{VIEW} form").last.inner_text()
    assert all(float(after[name][0]) > float(before[name][0]) for name in ("ZOH", "FOH", "EROS3"))
    page.get_by_role("button", name="FOH").last.click()
    page.locator(f"{VIEW} tr.focus th", has_text="FOH").wait_for()
    assert page.locator("#field-recording-algorithm").input_value() == "foh"


def test_the_legend_shows_the_estimates_of_others(opened):
    seen = opened("#recording")
    headline(seen.page)
    assert seen.pixels(0, LIGHT.algorithms["eros4"]) == []
    seen.page.get_by_title("Show or hide").filter(has_text="EROS4").click()
    assert len(seen.pixels(0, LIGHT.algorithms["eros4"])) > 100


def test_the_column_and_its_unit_are_chosen(opened):
    page = opened("#recording&column=torque_useful_Nm").page
    headline(page)
    assert page.locator("#field-recording-column").input_value() == "torque_useful_Nm"
    page.locator("#field-recording-unit").fill("N.m")
    page.keyboard.press("Enter")
    page.locator("#field-recording-column").select_option("torque_Nm")
    page.locator(f"{VIEW} pre", has_text="--column torque_Nm ").wait_for()


@pytest.mark.landing("a page in the browser: 10 s of CPU")
def test_a_macro_step_that_does_not_fit_is_refused_by_a_sentence_and_the_page_goes_on(opened):
    page = opened("#recording").page
    first = headline(page)
    wrong = {"1": "torque_Nm has 12 macro steps of 1 s, at least 64 are needed.", "0.00001": "far below the sampling"}
    for typed, words in wrong.items():
        page.get_by_label("macro step ΔT, number").fill(typed)
        page.keyboard.press("Enter")
        page.locator(f"{VIEW} h1", has_text=words).wait_for()
    page.get_by_role("button", name="Reset").click()
    page.locator(f"{VIEW} h1", has_text=first).wait_for()


@pytest.mark.landing("the page in a browser")
def test_a_recording_in_the_page_is_shown_first(opened, tmp_path):
    path = tmp_path / "one's run.csv"
    time = 0.02 * np.arange(900)
    rows = np.stack([time, np.sin(2.0 * time) + 3.0 * (time > 9.0)], axis=1)
    np.savetxt(path, rows, "%.9g", ";", header="t;speed\ns;rad/s", comments="")
    seen = opened(address=write_page(tmp_path / "page.html", read_shown(path)).as_uri())
    answer(seen.page, 60)
    assert headline(seen.page).startswith("60 ms late")
    assert seen.page.locator("#field-recording-unit").input_value() == "rad/s"
    facts = seen.page.locator(f"{VIEW} .facts").inner_text()
    assert "900 of 0.02 s" in facts and "rad/s" in facts
    words = shlex.split(seen.page.locator(f"{VIEW} pre").last.inner_text())
    assert words[2:5] == [path.name, "--column", "speed"]
    seen.page.get_by_label("recording", exact=True).select_option(label="torque_a.csv")
    seen.page.locator(f"{VIEW} .facts", has_text="1200 of 0.01 s").wait_for()


@pytest.mark.landing("waits for the page at each step")
def test_tabs_are_walked_by_keys_and_keep_their_settings(opened):
    seen = opened("#recording&k=5")
    headline(seen.page)
    seen.page.get_by_role("tab", name="Recording").focus()
    seen.page.keyboard.press("ArrowLeft")
    assert seen.page.get_by_role("tab", name="Coupled system").get_attribute("aria-selected") == "true"
    seen.page.locator("#view-system h1", has_text="ZOH grows").wait_for()
    seen.page.keyboard.press("ArrowRight")
    assert seen.page.locator("#field-recording-latency").input_value() == "50"
