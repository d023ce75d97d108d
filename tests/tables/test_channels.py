"""Recordings in the forms of tools: the same channels and the same figures, whatever wrote them."""

import json
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from couplant.base.errors import UsageError
from couplant.cli import app
from couplant.tables import Reading, read, read_recording
from tests.tables.forms import BINARIES, SPEED, TEXTS, TIME, TORQUE, UNITS, write

FORMS = [*TEXTS, *BINARIES]


@pytest.fixture
def table(tmp_path):
    def make(text, name="data.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return make


@pytest.mark.parametrize("form", FORMS)
def test_channels_of_every_form(tmp_path, form):
    found = read(write(tmp_path, form))
    torque = found["torque"]
    exact = 0.0 if form in TEXTS else 1e-12
    assert torque.value == pytest.approx(TORQUE, rel=exact or 1e-15)
    assert torque.time - torque.time[0] == pytest.approx(TIME, abs=1e-12)
    if form == "array.mat":
        return
    assert sorted(found) == ["speed", "torque"]
    speed = found["speed"]
    assert np.interp(speed.time, TIME, SPEED) == pytest.approx(speed.value, rel=1e-12)
    assert torque.unit in ("", "N·m", UNITS["torque"])


@pytest.mark.landing("every command on every form of a recording: 15 s of CPU each")
@pytest.mark.parametrize(
    "words",
    [
        ["inspect", "FILE", "--column", "torque", "--json"],
        ["design", "--recording", "FILE", "--column", "torque", "--steps", "3", "--json"],
        ["learn", "FILE", "--column", "torque", "--steps", "3", "--json"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_gives_the_same_figures_on_all_forms(tmp_path, words):
    def figures(form):
        path = str(write(tmp_path, form))
        done = CliRunner().invoke(app, [path if word == "FILE" else word for word in words])
        assert done.exit_code == 0, done.output
        return numbers(json.loads(done.stdout))

    expected = figures("plain.csv")
    assert len(expected) > 10
    for form in FORMS:
        assert figures(form) == pytest.approx(expected, rel=1e-6, abs=1e-9), form


def numbers(value):
    if isinstance(value, dict):
        return [x for one in value.values() for x in numbers(one)]
    if isinstance(value, list):
        return [x for one in value for x in numbers(one)]
    return [float(value)] if isinstance(value, int | float) else []


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("plain.csv", ""),
        ("german_excel.csv", "Windows-1252; decimal comma"),
        ("excel_unicode.txt", "UTF-16"),
        ("inca.ascii", "headings in line 3"),
        ("labview.lvm", "headings in line 21; times (X_Value) in s, as no unit is given"),
        ("canape.csv", "headings in line 4"),
        ("stamps.csv", ""),
        ("run.mat", "times in s, as no unit is given"),
    ],
)
def test_what_was_assumed_is_said(tmp_path, form, said):
    path = write(tmp_path, form)
    assert read(path).assumed == said
    done = CliRunner().invoke(app, ["inspect", str(path)])
    assert done.exit_code == 0 and done.stderr.count("Assumed: ") == bool(said) and said in done.stderr


def test_a_step_that_is_hardly_in_seconds_is_doubted(table):
    path = table("t,y\n" + "".join(f"{5 * n},{n % 7}\n" for n in range(100)))
    assert "steps of 5 s: are they in seconds? time_unit = s says so" in read_recording(path).assumed
    assert read_recording(path, how=Reading(time_unit="ms")).macro_step == 0.005
    done = CliRunner().invoke(app, ["inspect", str(path), "--time-unit", "ms", "--json"])
    assert done.exit_code == 0 and json.loads(done.stdout)["macro_step"] == 0.005


def test_channels_have_rates_of_their_own(table):
    rows = [f"{n / 100},{n},{n if n % 5 == 2 else ''}\n" for n in range(500)]
    found = read(table("time_s,quick,slow\n" + "".join(rows)))
    assert found["slow"].time == pytest.approx(0.02 + 0.05 * np.arange(100))
    recording = read_recording(table("time_s,quick,slow\n" + "".join(rows)), column="slow")
    assert recording.macro_step == pytest.approx(0.05) and recording.gaps == 0
    missing = [f"{n / 100},{n},{'' if n in (7, 8) else n}\n" for n in range(500)]
    holed = read_recording(table("time_s,quick,slow\n" + "".join(missing)), column="slow")
    assert holed.gaps == 1 and holed.longest_gap == pytest.approx(0.03)


def test_each_signal_has_the_times_left_of_it(table):
    rows = [f"{n / 100};{n};{n / 50};{2 * n}\n" for n in range(200)]
    found = read(table("time a;a;t_ms;b\n".replace("time a", "t_s") + "".join(rows)))
    assert found["a"].time[-1] == 1.99 and found["b"].time[-1] == pytest.approx(199 / 50 * 1e-3)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.xlsx", b"PK\3\4rest", "a workbook or an archive, allowed are text (CSV), MDF, MATLAB and Parquet"),
        ("a.mf4", b"MDF     4.10    broken", "cannot be read as MDF"),
        ("a.mat", b"MATLAB 5.0 MAT-file" + bytes(200), "MATLAB"),
        ("a.mat", b"MATLAB 7.3 MAT-file" + bytes(600), "cannot be read as a MATLAB file"),
        ("a.parquet", b"PAR1 broken", "cannot be read as Parquet"),
        ("a.csv", b"\0\1\2\3", "not a table as text"),
        ("a.csv", b"", "needs a row of headings"),
    ],
)
def test_other_files_are_refused_in_one_sentence(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError) as refused:
        read_recording(tmp_path / name)
    assert message in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("package", "form", "extra"),
    [("asammdf", "run.mf4", "mdf"), ("h5py", "run73.mat", "mat"), ("pyarrow", "run.parquet", "parquet")],
)
def test_a_missing_package_is_named(tmp_path, monkeypatch, package, form, extra):
    path = write(tmp_path, form)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError, match=rf"needs {package}: pip install couplant\[{extra}\]"):
        read(path)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"time_unit": "fortnight"}, 'time_unit = "fortnight", allowed s, ms, us, ns, min or h'),
        ({"decimal": "x"}, 'decimal = "x", allowed , or .'),
        ({"delimiter": "ab"}, 'delimiter = "ab", allowed one character'),
    ],
)
def test_what_may_be_told(how, message):
    with pytest.raises(UsageError) as refused:
        Reading(**how)
    assert str(refused.value) == message


def test_a_column_that_is_taken_for_the_time_is_no_signal(table):
    path = table("T,n\n" + "".join(f"{300 + n / 7:.3f},{n % 9}\n" for n in range(200)))
    with pytest.raises(UsageError, match=r"T is taken for the time: time = NAME names another"):
        read_recording(path, column="T")
    assert read_recording(path, column="T", how=Reading(time="10ms")).macro_step == 0.01


def test_thousands_and_decimal_commas_are_told_apart(table):
    path = table("t;y\n" + "".join(f"{n};{n + 1},{n:03}\n" for n in range(1, 100)))
    with pytest.raises(UsageError, match="may have a decimal comma or thousands"):
        read(path)
    assert read(path, Reading(decimal=","))["y"].value[0] == 2.001
    assert read(path, Reading(decimal="."))["y"].value[0] == 2001.0
