"""The view that gives settings and FMUs away: the files are those of the command, and so are the sentences."""

import random
import shlex

import pytest
from typer.testing import CliRunner

from couplant.base.errors import UsageError
from couplant.cli import app
from couplant.config import advice, load_interface
from couplant.pack.binaries.platforms import PLATFORMS
from tests.pack.entries import entries
from tests.workbench.browser import WIDTHS
from tests.workbench.node import run
from tests.workbench.test_take import HEAD, LEFT, SIGNAL, WRONG, after_reading
from workbench.build.taken import left_to_command

pytestmark = pytest.mark.landing("FMUs of all platforms out of the browser")

VIEW = "#view-take"
TWO = HEAD + """
[signals.s]
algorithm = "eros3"
latency.constant_steps = 4
unit = "N.m"

[signals.speed]
algorithm = { selected = "irregular", band = [1.0, 9.0] }
latency = { mode = "stamps" }
"""


def headline(page, words="."):
    page.locator(f"{VIEW} h1", has_text=words).wait_for()
    return page.locator(f"{VIEW} h1").inner_text()


def text(page):
    return page.get_by_label("interface.toml").input_value()


def problems(page, first):
    """Return what stands below the text, as soon as its first line is there."""
    page.locator(f"{VIEW} .problems li", has_text=first).first.wait_for()
    return page.locator(f"{VIEW} .problems li").all_inner_texts()


def saved(page, name, folder):
    """Return the file that a button gives, put into a folder."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.mark.parametrize("place", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_view(opened, scheme, place):
    seen = opened("#take", scheme=scheme, place=place)
    for state, given in (("ready", TWO), ("wrong", WRONG[3] + "unit = 1\n")):
        seen.page.get_by_label("interface.toml").fill(given)
        headline(seen.page, "is ready" if state == "ready" else "2 errors")
        seen.usable(f"take-{state}-{scheme}-{place}")


@pytest.mark.parametrize(("fmi", "signal"), [("2", "speed"), ("3", "s")])
def test_the_files_are_those_of_the_command(opened, tmp_path, monkeypatch, fmi, signal):
    page = opened("#take").page
    headline(page, "is ready")
    page.get_by_label("interface.toml").fill(TWO)
    page.get_by_label("signal", exact=True).select_option(signal)
    page.get_by_label("standard").select_option(fmi)
    for name in PLATFORMS:
        page.get_by_label(name, exact=True).set_checked(name in ("aarch64-darwin", "x86_64-windows"))
    here = saved(page, f"Save a_{signal}.fmu", tmp_path)
    page.locator(f"{VIEW} form [role=status]", has_text=f"{here.stat().st_size / 1e3:.1f} kB").wait_for()
    there = tmp_path / "there"
    there.mkdir()
    assert saved(page, "Save interface.toml", there).read_bytes() == TWO.encode()
    monkeypatch.chdir(there)
    words = shlex.split(page.locator(f"{VIEW} pre").inner_text())
    done = CliRunner().invoke(app, words[1:])
    assert words[0] == "couplant" and done.exit_code == 0, done.output
    assert entries(there / here.name) == entries(here)


def test_what_is_wrong_is_told_in_the_sentences_of_the_command(opened, tmp_path, monkeypatch):
    page = opened("#take").page
    headline(page, "is ready")
    monkeypatch.chdir(tmp_path)
    for given in WRONG:
        (tmp_path / "interface.toml").write_text(given, encoding="utf-8")
        with pytest.raises(UsageError) as error:
            load_interface("interface.toml")
        lines = after_reading(str(error.value).splitlines())
        page.get_by_label("interface.toml").fill(given)
        assert after_reading(problems(page, lines[0])) == lines
        assert page.get_by_label("interface.toml").get_attribute("aria-invalid") == "true"
        assert page.get_by_role("button", name="Save the FMU").is_disabled()
    page.get_by_label("interface.toml").fill(TWO)
    headline(page, "a_s.fmu is ready")
    assert page.locator(f"{VIEW} .problems .wrong").count() == 0


def test_what_the_page_leaves_to_the_command_is_said(opened, tmp_path):
    page = opened("#take").page
    headline(page, "is ready")
    for given in LEFT:
        (tmp_path / "interface.toml").write_text(given, encoding="utf-8")
        told = left_to_command(load_interface(tmp_path / "interface.toml"), "s")
        page.get_by_label("interface.toml").fill(given)
        assert told in problems(page, told)
        assert headline(page, "left") == "The FMU of s is left to the command."
        assert page.get_by_role("button", name="Save a_s.fmu").is_disabled()


def test_warnings_do_not_keep_from_saving(opened, tmp_path):
    given = SIGNAL + 'unit = "bananas"\n'
    (tmp_path / "interface.toml").write_text(given, encoding="utf-8")
    told = [f"warning: {line}" for line in advice(load_interface(tmp_path / "interface.toml"))]
    page = opened("#take").page
    headline(page, "is ready")
    page.get_by_label("interface.toml").fill(given)
    assert told and problems(page, told[0]) == told
    assert page.get_by_role("button", name="Save a_s.fmu").is_enabled()


def test_it_begins_with_what_the_recording_shows(opened):
    page = opened("#recording&k=5&algorithm=foh").page
    page.locator("#view-recording h1", has_text="50 ms late").wait_for()
    page.locator("#field-recording-unit").fill("N.m")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Download FMU").click()
    headline(page, "bench_torque_Nm.fmu is ready")
    assert text(page) == page.locator("#view-recording pre").first.text_content()
    assert "constant_steps = 5" in text(page) and 'unit = "N.m"' in text(page)
    page.get_by_role("tab", name="Recording").click()
    page.get_by_label("algorithm").last.select_option("eros3")
    page.get_by_role("tab", name="Download FMU").click()
    assert 'algorithm = "eros3"' in text(page), "settings that nobody has touched follow"
    page.get_by_label("interface.toml").fill(SIGNAL)
    page.get_by_role("tab", name="Recording").click()
    page.get_by_role("tab", name="Download FMU").click()
    assert text(page) == SIGNAL, "and others stay"
    page.get_by_role("button", name="from the recording").click()
    assert 'algorithm = "eros3"' in text(page)
    page.keyboard.press("Control+Z")
    assert text(page) == SIGNAL


def test_a_link_holds_the_settings(opened):
    seen = opened("#take")
    headline(seen.page, "is ready")
    given = TWO + "# Prüfstand µ 😀\n"
    seen.page.get_by_label("interface.toml").fill(given)
    seen.page.get_by_label("signal", exact=True).select_option("speed")
    seen.page.get_by_label("standard").select_option("3")
    seen.page.get_by_label("x86_64-linux", exact=True).uncheck()
    seen.until("['fmi=3', 'signal=speed', 'platforms='].every((one) => location.hash.includes(one))")
    link = seen.page.evaluate("location.hash")
    assert len(link) < 400
    again = opened(link).page
    assert headline(again, "is ready") == "a_speed.fmu is ready: FMI 3.0 for x86_64-windows."
    assert text(again) == given


def test_settings_and_command_are_copied(opened):
    page = opened("#take&fmi=3&platforms=x86-windows", permissions=["clipboard-read", "clipboard-write"]).page
    headline(page, "is ready")
    for place, copied in enumerate((text(page), page.locator(f"{VIEW} pre").inner_text())):
        page.locator(VIEW).get_by_role("button", name="copy").nth(place).click()
        page.locator(VIEW).get_by_role("button", name="copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == copied
        page.locator(VIEW).get_by_role("button", name="copied").wait_for(state="detached")


@pytest.mark.parametrize("toml", ["eJw1jUEKwjAQRfdzipC1lIprr-AFSiljHNNAZkaT", "!!!", "eJyFwQ"])
def test_a_damaged_link_is_told(opened, toml):
    page = opened(f"#take&toml={toml}&fmi=9&platforms=x86_64-plan9,x86-windows").page
    assert headline(page, "is ready") == "bench_torque_Nm.fmu is ready: FMI 2.0 for x86-windows."
    page.locator(f"{VIEW} .rest", has_text="The link is damaged").wait_for()


def test_settings_that_are_too_long_for_a_link_are_told(opened):
    seen = opened("#take")
    page = seen.page
    headline(page, "is ready")
    noise = random.Random(7).randbytes(5000).hex()
    page.get_by_label("interface.toml").fill(f"{SIGNAL}# {noise}{noise[::-1]}\n")
    page.locator(f"{VIEW} .rest", has_text="characters, allowed 8000: save interface.toml.").wait_for()
    seen.until("location.hash === '#take'")
    page.get_by_role("button", name="from the recording").click()
    page.locator(f"{VIEW} .rest", has_text="The address of this page holds the settings.").wait_for()


def test_a_platform_is_needed(opened):
    page = opened("#take&platforms=x86-windows").page
    headline(page, "is ready")
    page.get_by_label("x86-windows", exact=True).uncheck()
    headline(page, "Choose at least one platform.")
    assert page.get_by_role("button", name="Save bench_torque_Nm.fmu").is_disabled()


AGENTS = {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0": ["x86_64-windows"],
    "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0": ["x86_64-linux", "x86_64-windows"],
    "Mozilla/5.0 (X11; Linux aarch64) Chrome/130.0": ["aarch64-linux", "x86_64-windows"],
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17": ["x86_64-windows", "x86_64-darwin", "aarch64-darwin"],
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/130.0": ["x86_64-windows"],
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17": ["x86_64-windows"],
    "": ["x86_64-windows"],
}
CHOSEN = """
import { usualPlatforms } from "./views/interface.js";
answer(given.agents.map((userAgent) => usualPlatforms(given.names, { userAgent })));
"""


def test_the_platform_of_the_browser_is_chosen_to_begin_with():
    given = {"names": list(PLATFORMS), "agents": list(AGENTS)}
    assert dict(zip(AGENTS, run(CHOSEN, given), strict=True)) == AGENTS
