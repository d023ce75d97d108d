"""``couplant try``: a recording, one word, a report; whatever is wrong is one sentence."""

import json
import math
import webbrowser

import pytest

from couplant.base.style import WIRE
from couplant.config import load_interface
from couplant.config.scenario import load_scenario
from couplant.design.recommendation import EVERY, WITHOUT_LOOP
from tests.tables import forms

"""Runs of the scenario that an inspection calls otherwise: they have the design as weights."""

FIGURES = ("mae", "max", "C")


def text(count=400, head="t,torque [N.m],word,speed\n", every=0.01):
    wave = [40 + 9 * math.sin(0.07 * n) + 3 * math.sin(0.23 * n) for n in range(count)]
    return head + "".join(f"{every * n:.6g},{y:.9g},on,{100 + n % 50}\n" for n, y in enumerate(wave))


@pytest.fixture
def recording(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my run.csv").write_text(text(), encoding="utf-8")
    return tmp_path / "my run.csv"


@pytest.fixture
def tried(couplant, recording):
    return couplant("try", recording.name, "--no-open")


def test_a_folder_called_as_the_recording_with_all_that_follows(couplant, tried, tmp_path):
    folder = tmp_path / "my run_couplant"
    assert tried.status == 0
    made = {"interface.toml", "scenario.toml", "inspection.html", "report.html", "metrics.json", "runs", "fmus"}
    assert made <= {path.name for path in folder.iterdir()}
    first = "torque [N.m], the first of 2 channels (--column names another): 4 s"
    assert tried.out.splitlines()[0] == first
    assert tried.err.splitlines() == [
        "Assumed: times (t) in s, as no unit is given",
        "Assumed: macro step 0.01 s, by the samples of the recording (--macro-step)",
        "Assumed: latency 0.03 s, 3 macro steps (--latency)",
    ]
    made = load_interface(folder / "interface.toml")
    assert list(made.signals) == ["torque"] and made.signals["torque"].unit == "N.m"
    assert "Recommended: " in tried.out and WITHOUT_LOOP in tried.out and len(tried.out.splitlines()) < 20


@pytest.mark.landing("an inspection and a simulation")
def test_nothing_is_written_over_until_told(couplant, tried, recording, tmp_path):
    metrics = tmp_path / "my run_couplant" / "metrics.json"
    before = metrics.stat().st_mtime_ns
    done = couplant("try", recording.name, "--no-open")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "couplant: my run_couplant: holds files already; name another folder by -o, or write over them by --force.\n"
    )
    assert metrics.stat().st_mtime_ns == before
    assert couplant("try", recording.name, "--no-open", "--force").status == 0
    assert metrics.stat().st_mtime_ns > before


@pytest.mark.landing("inspects and simulates a recording twice: 7 s of CPU")
@pytest.mark.sample(1, rest="night")
@pytest.mark.parametrize("name", ["plain.csv", "german_stamps.csv", "run.mf4", "run73.mat", "run.parquet"])
def test_the_figures_are_those_of_an_inspection_whatever_the_form(couplant, tmp_path, monkeypatch, name):
    """In the MDF file the other channel ends before."""
    monkeypatch.chdir(tmp_path)
    forms.write(tmp_path, name)
    words = (name, "--column", "torque", "--json")
    done = couplant("try", *words, "--no-open")
    assert done.status == 0
    known = json.loads(couplant("inspect", *words).out)
    figures = json.loads(done.out)
    assert [*figures["inspection"].values()] == [known]
    rows = {row["algorithm"]: row for row in known["errors"]}
    assert [run["algorithm"] for run in figures["simulation"]["runs"]] == [WIRE, *EVERY]
    weighted = {"auto": known["recommended"]} if known["recommended"].startswith("auto") else {}
    for run in figures["simulation"]["runs"]:
        row = rows[weighted.get(run["algorithm"], run["algorithm"])]
        for key in FIGURES:
            # C is an angle by its cosine, next to 0 hardly known
            rounding = 1e-6 if key == "C" else 1e-12
            assert run[key] == pytest.approx(row[key], rel=1e-9, abs=rounding), (run["algorithm"], key)


@pytest.mark.landing("several whole commands: 4 s of CPU")
def test_what_is_told_is_not_assumed(couplant, recording, tmp_path):
    words = ("--column", "speed", "--latency", "0.06", "--macro-step", "0.02", "--time-unit", "s", "-o", "out")
    done = couplant("try", recording.name, *words, "--no-open", "--json")
    assert (done.status, done.err) == (0, "")
    figures = json.loads(done.out)
    scenario = load_scenario(tmp_path / "out" / "scenario.toml").scenario
    assert (scenario.macro_step, scenario.network.latency_steps) == (0.02, 3)
    assert list(figures["inspection"]) == ["speed"] and figures["inspection"]["speed"]["steps"] == 3


@pytest.mark.landing("an inspection and a simulation")
def test_a_latency_of_many_samples_makes_the_macro_step_longer(couplant, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fast.csv").write_text(text(2000, every=0.0001), encoding="utf-8")
    done = couplant("try", "fast.csv", "--latency", "0.004", "--no-open", "--json")
    assert json.loads(done.out)["inspection"]["torque"]["macro_step"] == 0.0005


@pytest.mark.landing("an inspection and a simulation")
@pytest.mark.sample(1)
@pytest.mark.parametrize("browser", [True, False])
def test_the_report_is_opened(couplant, recording, tmp_path, monkeypatch, browser):
    opened = []

    def called(address):
        if not browser:
            raise webbrowser.Error("none")
        opened.append(address)

    monkeypatch.setenv("BROWSER", "any")
    monkeypatch.setattr(webbrowser, "open", called)
    done = couplant("try", recording.name)
    assert done.status == 0
    page = tmp_path / "my run_couplant" / "report.html"
    assert opened == ([page.as_uri()] if browser else [])
    assert ("No browser could be started: open " in done.err) is not browser


WRONG = {
    "missing.csv": (None, "missing.csv: cannot be read: no such file or directory."),
    "empty.csv": ("", "empty.csv: needs a row of headings and rows of numbers."),
    "words.csv": ("t,a\n0,x\n1,y\n", 'words.csv, row 2: a = "x", allowed a number without a unit.'),
    "short.csv": ("t,a\n0,1\n1,2\n", "short.csv, a: 2 macro steps of 1 s, at least 64 are needed"),
    "back.csv": (text(100).replace("\n0.5,", "\n0.2,"), "back.csv, torque [N.m]: time does not increase at 0.49 s"),
    "unit.csv": (text(100, "time [furlong],a,word,b\n"), 'time_unit = "furlong" of time [furlong], allowed s, ms'),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", WRONG)
def test_wrong_files_are_one_sentence_and_leave_nothing(couplant, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    content, sentence = WRONG[name]
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    for words in (("try", name, "--no-open"), ("init", "new", "--recording", name)):
        done = couplant(*words)
        assert (done.status, done.out) == (2, "")
        assert sentence in done.err and len(done.err.splitlines()) == 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--column", "none"), "my run.csv has no column none; there are: torque [N.m], word, speed."),
        (("--latency", "0"), "latency = 0 s, allowed above 0 and up to 64 macro steps of 0.01 s (--latency)"),
        (("--latency", "1", "--macro-step", "0.01"), "latency = 1 s, allowed above 0 and up to 64 macro steps"),
        (("--macro-step", "-1"), "at least 64 are needed"),
        (("--column", "word"), 'word = "on", allowed a number'),
        (("-o", "my run.csv"), "my run.csv: cannot be a folder, my run.csv is a file."),
    ],
)
def test_wrong_words_are_one_sentence(couplant, recording, words, sentence):
    done = couplant("try", recording.name, "--no-open", *words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err and len(done.err.splitlines()) == 1
