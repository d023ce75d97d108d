"""The top level of the package, as a notebook uses it: few lines, tables in memory, objects that show themselves."""

import json
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas
import pytest

import couplant
from couplant.config.frame.read import read_toml
from couplant.cosim import METRICS
from couplant.tables import Recording, read_recording
from tests import commands
from tests.analysis.conftest import OSCILLATOR

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SCENARIO = EXAMPLES / "01_two_mass_oscillator" / "scenario.toml"
SHORT = ["duration=1.0", "timing=['step']", "algorithms=['zoh', 'eros3']"]
STEP = 0.01
NOTEBOOK = """
channels = couplant.read("run.csv")
inspection = couplant.inspect(channels, column="torque", steps=3)
designs = couplant.design(channels, column="torque", steps=[3, 4])
built = couplant.build(interface, "fmus")
result = couplant.simulate(scenario, short)
assessment = couplant.stability(system, plants=3)
"""


class Reader(HTMLParser):
    """Collects the texts of a page, and counts elements that do not end."""

    def __init__(self, page):
        super().__init__()
        self.texts, self.open = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def signal():
    time = STEP * np.arange(600)
    return time, np.sin(4.0 * time) + 0.3 * np.sin(11.0 * time)


@pytest.fixture
def recording():
    _, value = signal()
    return Recording("torque", STEP, value, unit="N.m")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return what the lines of a notebook make, by name."""
    folder = tmp_path_factory.mktemp("notebook")
    rows = "\n".join(f"{t!r},{y!r}" for t, y in zip(*(one.tolist() for one in signal()), strict=True))
    (folder / "run.csv").write_text(f"time [s],torque\n{rows}\n", encoding="utf-8")
    interface = {
        "interface": {"name": "bench", "macro_step": STEP},
        "signals": {"torque": {"unit": "N.m", "output": {"min": -9.0, "max": 9.0}}},
    }
    names = {"couplant": couplant, "interface": interface, "scenario": SCENARIO, "short": SHORT, "system": OSCILLATOR}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        exec(NOTEBOOK, names)
        yield {name: one for name, one in names.items() if hasattr(one, "_repr_html_")} | {"folder": folder}


def test_lines_of_a_notebook_run(made):
    assert made["inspection"].recommended
    assert list(made["designs"]) == [3, 4] and made["designs"][3].design.task.k == 3
    assert (made["folder"] / made["built"].files["torque"]).is_file()
    assert [run.algorithm for run in made["result"].runs] == ["wire", "zoh", "eros3"]
    assert made["assessment"].stable


@pytest.mark.parametrize("name", ["channels", "inspection", "designs", "built", "result", "assessment"])
def test_what_comes_out_shows_itself(made, name):
    page = made[name]._repr_html_()
    reader = Reader(page)
    assert reader.open == [] and len(page) < 20_000
    assert "table" in page and not any(word in page for word in ("<script", "color:#", "background:#"))
    assert all(text.strip() not in ("nan", "None") for text in reader.texts)


@pytest.mark.parametrize("name", ["channels", "inspection", "designs", "built", "result", "assessment"])
def test_what_comes_out_shows_itself_at_a_prompt(made, name):
    lines = repr(made[name]).splitlines()
    page = "".join(Reader(made[name]._repr_html_()).texts)
    assert 1 < len(lines) < 50 and not any("array(" in line for line in lines)
    assert lines[0] in page
    assert [word for line in lines for word in line.split("  ") if word.strip()[:40] not in page] == []


def test_headings_are_escaped():
    page = couplant.read({"time": [0.0, 1.0], "<b>&": [1.0, 2.0]})._repr_html_()
    assert "&lt;b&gt;&amp;" in page and "<b>" not in page


def test_a_recording_with_a_column_of_words_shows_its_channels():
    page = couplant.read({"time": [0.0, 1.0], "y": [1.0, 2.0], "gear": ["N", "D"]})._repr_html_()
    assert "gear holds something else than numbers" in page and page.count("<tr>") == 1 + 2


def test_margins_are_at_hand(made):
    margins = made["assessment"].margins["mass_1.f"]
    assert margins.rise.value > 1.0 and margins.phase.frequency > 0.0 and margins.delay.value > 0.0


def test_figures_are_those_of_the_command_line(couplant_verb, made, tmp_path):
    recording = made["folder"] / "run.csv"
    assert couplant_verb("inspect", recording, "--steps", 3) == plain(made["inspection"].to_dict())
    designs = couplant_verb("design", "--recording", recording, "--steps", 3, "--steps", 4)
    assert designs == plain(made["designs"].to_dict())
    figures = couplant_verb("stability", OSCILLATOR, "--plants", 3, "--margins")
    assert figures.pop("margins")["mass_1.f"]["rise"]["value"] == made["assessment"].margins["mass_1.f"].rise.value
    assert figures == plain(made["assessment"].to_dict())


@pytest.fixture
def couplant_verb(capsys):
    """Return a function that runs a verb and returns its JSON."""
    from couplant.cli import main

    def run(*words):
        assert main([*map(str, words), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return run


def plain(figures):
    return json.loads(json.dumps(figures))


def test_figures_as_a_data_frame(made):
    frame = made["result"].to_dataframe()
    assert list(frame["algorithm"]) == ["wire", "zoh", "eros3"]
    for name in METRICS:
        known = made["result"].runs[1].metrics[name]
        assert frame[name].dtype == float, "None would make a column of objects"
        assert frame[name].iloc[1] == known or (known is None and np.isnan(frame[name].iloc[1]))
    assert frame["signals.x1.mae"].iloc[0] == made["result"].runs[0].per_signal["x1"]["mae"]
    errors = made["inspection"].to_dataframe()
    assert errors.loc["zoh", "rms"] == made["inspection"].judged.rows["zoh"].rms


def test_courses_as_a_data_frame(made):
    run = made["result"].runs[0]
    frame = run.to_dataframe()
    trace = run.traces["x1"]
    assert frame.index.name == "time" and np.array_equal(frame.index, trace.time)
    assert np.array_equal(frame["x1.estimate"], trace.estimate)


def test_without_pandas_one_sentence_says_what_to_install(made, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(couplant.UsageError, match=r"^a data frame needs pandas: pip install couplant\[pandas\]$"):
        made["result"].to_dataframe()


def test_a_recording_may_come_from_anywhere(made, recording, tmp_path):
    time, value = signal()
    moments = pandas.Timestamp("2026-11-22T08:15:00") + pandas.to_timedelta(time, unit="s")
    sources = [
        {"time": time, "torque": value},
        {"t / ms": 1e3 * time, "torque": value},
        pandas.DataFrame({"time": time, "torque": value}),
        pandas.DataFrame({"torque": value}, index=pandas.Index(time, name="t [s]")),
        pandas.DataFrame({"torque": value}, index=pandas.to_timedelta(time, unit="s")),
        pandas.DataFrame({"torque": value}, index=moments),
        couplant.read(made["folder"] / "run.csv"),
    ]
    for source in sources:
        found = read_recording(source)
        assert (found.name, found.macro_step) == ("torque", STEP)
        np.testing.assert_allclose(found.value, recording.value, rtol=0.0, atol=1e-9)
    assert read_recording(recording) is recording
    halved = read_recording(recording, macro_step=2 * STEP)
    assert (halved.macro_step, halved.unit) == (2 * STEP, "N.m")
    np.testing.assert_allclose(halved.value, recording.value[::2], atol=1e-12)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"torque": [1.0, 2.0]}, "no column of times"),
        (pandas.DataFrame({"torque": [1.0, 2.0]}), "no column of times"),
        ({"time": [0.0, 1.0], "torque": [1.0]}, r"torque has the shape \(1,\), allowed \(2,\) like the times"),
        ({"time": [0.0, 1.0], "torque": ["a", "b"]}, "torque holds something else than numbers"),
        ({"time [furlong]": [0.0, 1.0], "torque": [1.0, 2.0]}, 'unit of time .* = "furlong", allowed s, ms'),
    ],
)
def test_what_is_no_recording_is_refused(data, sentence):
    with pytest.raises(couplant.UsageError, match=sentence):
        couplant.read(data)["torque"]


def test_files_may_be_mappings():
    document = read_toml(OSCILLATOR)
    assert couplant.stability(document, plants=0).to_dict() == couplant.stability(OSCILLATOR, plants=0).to_dict()
    with pytest.raises(couplant.UsageError, match=r"^settings: interface is missing"):
        couplant.build({"signals": {"x": {}}}, "nowhere")
    with pytest.raises(couplant.UsageError, match="settings is a coupled system, which couplant stability takes"):
        couplant.simulate(document)
    assert not Path("nowhere").exists()


def test_a_setting_of_a_design_that_does_not_exist_is_refused(recording):
    with pytest.raises(couplant.UsageError, match="peek is no setting of a design: allowed are m, degree, peak"):
        couplant.design(recording, steps=3, peek=2.0)
    assert couplant.design(recording, steps=3, m=5)[3].design.task.m == 5


def test_nothing_heavy_is_loaded_before_it_is_used():
    code = (
        "import sys, couplant; assert 'design' in dir(couplant)\n"
        "print([name for name in ('numpy', 'pydantic', 'fmpy') if name in sys.modules])\n"
        "from couplant.design import DesignTask\n"
        "import couplant.design\n"
        "print(callable(couplant.design), couplant.design.DesignTask is DesignTask, hasattr(couplant, 'nothing'))"
    )
    done = commands.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "True True False"]


@pytest.mark.parametrize("name", couplant.__all__)
def test_everything_at_the_top_is_there_and_has_words(name):
    assert getattr(couplant, name) is not None
    assert name == "__version__" or getattr(couplant, name).__doc__
