"""What the page asks about a recording before it says anything: how late it arrives, which tool steps the FMU."""

import numpy as np
import pytest

from couplant.config.frame.read import read_toml
from couplant.config.hosts import JACOBI, READS_AGAIN, SEQUENTIAL
from couplant.config.load import parse_interface
from couplant.design.recommendation import AUTO_DESIGNED, candidate_label
from couplant.workbench import write_page
from couplant.workbench.recording import read_shown
from couplant_runtime.generated.numbers import MAX_STEPS
from tests.recordings.real import channels
from tests.workbench.browser import WIDTHS
from tests.workbench.test_views_files import BACKWARDS, choose, written
from tests.workbench.test_views_recording import VIEW, answer, headline, table

QUESTIONS = f"{VIEW} .questions"
WORDS = ("ms late", "less error", "Use ")
STEP = 20
"""Macro step of the files that are opened [ms]."""


@pytest.fixture
def seen(opened):
    """The page, whose example is judged."""
    one = opened("#recording")
    headline(one.page)
    return one


def asks(page, name):
    """Wait for the questions about a file of this name."""
    page.locator(f"{VIEW} h1", has_text=f"Two questions before anything is said about {name}.").wait_for()


def seen_text(page):
    """Return all that is to be read in the view, names in legends too."""
    return page.locator(VIEW).inner_text()


def settings(page, folder):
    """Return the settings that the view shows, read as the command reads them."""
    path = folder / "interface.toml"
    path.write_text(page.locator(f"{VIEW} pre").first.inner_text(), encoding="utf-8")
    return parse_interface(read_toml(path), "page")


@pytest.mark.sample(1)
@pytest.mark.parametrize("place", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_answer(opened, tmp_path, scheme, place):
    one = opened("#recording", scheme=scheme, place=place)
    headline(one.page)
    choose(one.page, written(tmp_path / "Prüfstand.csv"))
    asks(one.page, "Prüfstand.csv")
    one.page.locator(f"{VIEW} .facts", has_text="400 of 0.02 s").wait_for()
    one.usable(f"questions-{scheme}-{place}")


def test_nothing_is_claimed_before_both_are_answered(seen, tmp_path):
    page = seen.page
    choose(page, written(tmp_path / "Prüfstand.csv"))
    asks(page, "Prüfstand.csv")
    page.locator(f"{VIEW} .facts", has_text="400 of 0.02 s").wait_for()
    page.wait_for_timeout(500)
    read = seen_text(page)
    assert not any(word in read for word in (*WORDS, "interface.toml", "torque_Nm")), read
    assert page.locator(f"{VIEW} tbody tr").count() == 0 and not page.locator(f"{VIEW} pre").first.is_visible()
    assert page.get_by_label("How late").input_value() == ""
    assert not page.locator("#field-recording-latency").is_visible()
    page.get_by_role("tab", name="Download FMU").click()
    page.locator("#view-take h1", has_text="No settings yet").wait_for()
    assert page.get_by_label("interface.toml").input_value() == ""
    assert page.locator("#view-take button.main").is_disabled()
    page.get_by_role("tab", name="Recording").click()
    page.get_by_label("How late").fill("60")
    page.keyboard.press("Enter")
    assert headline(page).startswith("60 ms late: ")
    assert not page.locator(QUESTIONS).is_visible() and page.locator(f"{VIEW} tbody tr").count() > 5
    assert page.get_by_label("latency τ, number").input_value() == "60"


def test_answers_that_are_none_are_refused_by_a_sentence(seen, tmp_path):
    page = seen.page
    choose(page, written(tmp_path / "a.csv"))
    asks(page, "a.csv")
    most = STEP * MAX_STEPS
    for typed in ("", "soon", "-1", "1e9"):
        answer(page, typed)
        told = page.locator(f"{QUESTIONS} .wrong")
        assert told.inner_text().startswith(f"latency = {typed or 'nothing'}, allowed 0 to {most} ms")
        assert page.get_by_label("How late").get_attribute("aria-invalid") == "true"
    answer(page, most)
    headline(page)
    assert page.get_by_label("latency τ, number").input_value() == str(most)


TOOLS = {"unknown": JACOBI, JACOBI: JACOBI, READS_AGAIN: READS_AGAIN, SEQUENTIAL: SEQUENTIAL}


@pytest.mark.sample(2)
@pytest.mark.parametrize("tool", TOOLS)
def test_the_answers_are_in_the_settings(seen, tmp_path, tool):
    page = seen.page
    choose(page, written(tmp_path / "a.csv"))
    answer(page, 45, tool)
    headline(page)
    page.get_by_label("algorithm").last.select_option("foh")
    page.locator(f"{VIEW} pre", has_text='algorithm = "foh"').wait_for()
    found = settings(page, tmp_path)
    assert (found.host, found.timing, found.macro_step, found.micro_step) == (TOOLS[tool], "step", 0.02, 0.002)
    assert found.signals["Drehmoment"].latency.constant_steps == 3
    assert "45 ms take 3 macro steps of 20 ms" in seen_text(page)


def test_answers_are_changed_by_the_ordinary_controls(seen, tmp_path):
    page = seen.page
    choose(page, written(tmp_path / "a.csv"))
    answer(page, 40, JACOBI)
    headline(page)
    page.get_by_label("tool", exact=True).select_option(READS_AGAIN)
    page.get_by_label("latency τ, number").fill("100")
    page.keyboard.press("Enter")
    page.get_by_label("communication steps, number").fill("4")
    page.keyboard.press("Enter")
    page.locator(f"{VIEW} h1", has_text="100 ms late").wait_for()
    page.locator(f"{VIEW} pre", has_text="micro_step = 0.005").wait_for()
    found = settings(page, tmp_path)
    assert (found.host, found.signals["Drehmoment"].latency.constant_steps) == (READS_AGAIN, 5)
    seen.until("location.hash.includes('k=5') && location.hash.includes('micro=4')")
    page.get_by_label("timing").last.select_option("event")
    page.locator(f"{VIEW} pre", has_text='timing = "event"').wait_for()
    assert settings(page, tmp_path).micro_step is None
    assert not page.get_by_label("communication steps, number").is_visible()
    page.get_by_label("tool", exact=True).select_option(JACOBI)
    page.locator(f"{VIEW} pre", has_text='timing = "step"').wait_for()
    assert settings(page, tmp_path).host == JACOBI


def test_the_latency_stays_when_the_macro_step_changes(seen):
    page = seen.page
    page.get_by_label("macro step ΔT, number").fill("0.02")
    page.keyboard.press("Enter")
    page.locator(f"{VIEW} form", has_text="30 ms take 2 macro steps of 20 ms").wait_for()
    page.get_by_label("macro step ΔT, number").fill("0.01")
    page.keyboard.press("Enter")
    page.locator(f"{VIEW} form", has_text="30 ms = 3 macro steps of 10 ms").wait_for()
    assert headline(page).startswith("30 ms late")


def test_the_latency_reaches_what_an_fmu_takes(opened):
    page = opened(f"#recording&k={MAX_STEPS}").page
    assert headline(page).startswith(f"{10 * MAX_STEPS} ms late")
    assert len(table(page)) > 10
    assert page.locator("#field-recording-latency").get_attribute("max") == str(10 * MAX_STEPS)
    page.get_by_label("algorithm").last.select_option("eros4")
    page.locator(f"{VIEW} form", has_text="above 60 macro steps FOH runs in its place").wait_for()


def test_each_new_file_is_asked_about(seen, tmp_path):
    page = seen.page
    choose(page, written(tmp_path / "a.csv"))
    answer(page, 60)
    headline(page)
    choose(page, written(tmp_path / "b.csv"))
    asks(page, "b.csv")
    assert page.locator(QUESTIONS).is_visible()
    page.get_by_label("recording", exact=True).select_option(label="a.csv")
    assert headline(page).startswith("60 ms late") and page.locator(QUESTIONS).is_hidden()


def test_a_recording_in_the_page_is_asked_about_unless_a_link_tells(opened, tmp_path):
    path = tmp_path / "run.csv"
    time = 0.02 * np.arange(400)
    np.savetxt(path, np.stack([time, np.sin(2.0 * time)], axis=1), "%.9g", ";", header="t;speed", comments="")
    address = write_page(tmp_path / "page.html", read_shown(path)).as_uri()
    asks(opened(address=address).page, "run.csv")
    assert headline(opened("#recording&k=2", address=address).page).startswith("40 ms late")
    page = opened("#take", address=address).page
    page.locator("#view-take h1", has_text="No settings yet").wait_for()


def test_nothing_of_the_former_file_stands_under_a_new_name(seen, tmp_path):
    page = seen.page
    choose(page, written(tmp_path / "back.csv", BACKWARDS))
    page.locator(f"{VIEW} h1", has_text="Time does not increase at 100 s.").wait_for()
    page.wait_for_timeout(500)
    read = seen_text(page)
    assert page.locator("#field-recording-file option:checked").inner_text() == "back.csv"
    assert not any(word in read for word in (*WORDS, "torque_Nm", "of 0.01 s", "useful")), read
    assert not any(one.is_visible() for one in page.locator(f"{VIEW} canvas").all())
    page.get_by_role("tab", name="Download FMU").click()
    page.locator("#view-take h1", has_text="No settings yet").wait_for()


@pytest.mark.landing("a page in the browser: 12 s of CPU")
def test_what_is_recommended_is_shown_and_saved_until_another_is_chosen(seen, tmp_path):
    """On a signal for which that is not the plain auto."""
    page, path = seen.page, tmp_path / "roll.csv"
    value = next(one.value for one in channels() if one.name == "parabolic_roll")[:1200]
    np.savetxt(path, np.stack([np.arange(value.size), value], axis=1), "%.9g", ",", header="t,roll", comments="")
    choose(page, path)
    answer(page, 3000, JACOBI)
    label = candidate_label(AUTO_DESIGNED)
    assert f"3000 ms late: use {label}," in headline(page)
    page.locator(f"{VIEW} pre", has_text='selected = "auto"').wait_for()
    assert page.locator("#field-recording-algorithm").input_value() == AUTO_DESIGNED
    assert page.locator(f"{VIEW} tr.focus th").inner_text() == label
    algorithm = settings(page, tmp_path).signals["roll"].algorithm
    assert (algorithm.selected, algorithm.steps) == ("auto", 3) and len(algorithm.a) > 1
    seen.until("location.hash.includes('k=3') && !location.hash.includes('algorithm')")
    text = page.locator(f"{VIEW} pre").first.text_content()
    page.get_by_role("tab", name="Download FMU").click()
    page.locator("#view-take h1", has_text="bench_roll.fmu is ready").wait_for()
    assert page.get_by_label("interface.toml").input_value() == text
    page.get_by_role("tab", name="Recording").click()
    page.get_by_label("algorithm").last.select_option("foh")
    page.get_by_label("latency τ, number").fill("2000")
    page.keyboard.press("Enter")
    page.locator(f"{VIEW} h1", has_text="2000 ms late: use").wait_for()
    assert page.locator("#field-recording-algorithm").input_value() == "foh"
    assert page.locator(f"{VIEW} tr.focus th").inner_text() == "FOH"


@pytest.mark.landing("a long recording in the page")
def test_long_work_is_visible(seen, tmp_path):
    page = seen.page
    page.evaluate(
        """() => {
            window.told = [];
            const place = document.querySelector("#view-recording .working");
            const note = () => { if (!place.classList.contains("idle")) window.told.push(place.textContent); };
            new MutationObserver(note).observe(place, { childList: true, subtree: true, attributes: true });
        }"""
    )
    choose(page, written(tmp_path / "a.csv"))
    answer(page, 60)
    headline(page)
    told = page.evaluate("window.told")
    for words in ("Reading a.csv", "Computing the design", "Computing linear with learnt weights",
                  "Computing the signal at 0.7 times its speed"):  # fmt: skip
        assert f"{words} …" in told
    assert not page.locator(f"{VIEW} .working").is_visible()
