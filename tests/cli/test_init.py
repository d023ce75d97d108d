"""``couplant init``: a start that works at once and harms nothing."""

import json
import math
import re

import pytest
import tomlkit
from jsonschema import Draft202012Validator

from couplant.cli.completion import directive, schema_file
from couplant.config import Signal, advice, load_interface
from docs.site.schemas import json_schema


def test_what_is_written_is_a_configuration_without_warnings(couplant, tmp_path):
    done = couplant("init", tmp_path / "new" / "bench")
    assert (done.status, done.err) == (0, "")
    found = sorted(path.name for path in (tmp_path / "new" / "bench").iterdir())
    assert found == ["README.md", "interface.schema.json", "interface.toml", "scenario.schema.json", "scenario.toml"]
    assert advice(load_interface(tmp_path / "new" / "bench" / "interface.toml")) == []


def test_it_writes_into_the_current_folder_by_default(couplant, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert couplant("init").status == 0
    assert couplant("build", "interface.toml", "-o", "fmus").status == 0
    assert len(list((tmp_path / "fmus").glob("*.fmu"))) == 2


@pytest.mark.parametrize("name", ["interface.toml", "scenario.toml", "README.md", "scenario.schema.json"])
def test_nothing_is_overwritten_and_nothing_is_added(couplant, tmp_path, name):
    (tmp_path / name).write_text("mine", encoding="utf-8")
    done = couplant("init", tmp_path)
    assert done.status == 2
    assert done.err == f"couplant: {tmp_path / name}: exists already and is not overwritten.\n"
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"


@pytest.mark.sample(1)
@pytest.mark.parametrize("recording", [False, True])
def test_editors_find_the_schemas_that_the_files_keep_to(couplant, tmp_path, recording):
    lines = [f"{n / 100};{math.sin(0.1 * n)}" for n in range(200)]
    (tmp_path / "r.csv").write_text("\n".join(["t [s];Moment [Nm]", *lines]), encoding="utf-8")
    target = tmp_path / "start"
    assert couplant("init", target, *(("--recording", tmp_path / "r.csv") if recording else ())).status == 0
    for kind in ("interface", "scenario"):
        text = (target / f"{kind}.toml").read_text(encoding="utf-8")
        assert text.splitlines()[0] == directive(kind)
        schema = json.loads((target / schema_file(kind)).read_text(encoding="utf-8"))
        assert schema == json_schema(kind)
        assert list(Draft202012Validator(schema).iter_errors(tomlkit.parse(text).unwrap())) == []


def test_a_file_in_place_of_the_folder_is_refused(couplant, bench):
    done = couplant("init", bench / "sub")
    assert done.status == 2
    assert "cannot be a folder" in done.err


@pytest.mark.landing("an inspection and a simulation")
def test_the_scenario_runs_and_the_configuration_is_better_than_nothing(couplant, tmp_path):
    couplant("init", tmp_path)
    words = ("--json", "--set", 'algorithms=["zoh", "configured"]', "--set", "duration=5.0")
    done = couplant("simulate", tmp_path / "scenario.toml", *words)
    assert done.status == 0
    mae = {run["algorithm"]: run["mae"] for run in json.loads(done.out)["runs"]}
    assert mae["configured"] < 0.75 * mae["zoh"]


HEADINGS = "t [ms];Moment [Nm];MOMENT (2);con;speed;note;temp [°C];still;ticks\n"


def rows():
    """Return a recording with a channel of a rate of its own, gaps, words, a constant and names that are taken."""
    wave = [math.sin(0.1 * n) for n in range(200)]
    slow, gap = ([50 + y if n % 4 == 0 else "" for n, y in enumerate(wave)], ["" if n == 7 else n for n in range(200)])
    cells = ((10 * n, y, -y, 2 * y, slow[n], "ok", gap[n], 5, n % 3) for n, y in enumerate(wave))
    return HEADINGS + "".join(";".join(map(str, one)) + "\n" for one in cells)


@pytest.mark.landing("whole commands: 5 s of CPU")
def test_all_channels_of_a_recording_with_units_limits_and_algorithms(couplant, tmp_path):
    (tmp_path / "bench run.csv").write_text(rows(), encoding="utf-8")
    done = couplant("init", tmp_path / "new", "--recording", tmp_path / "bench run.csv")
    assert done.status == 0 and "note" not in done.out
    path = tmp_path / "new" / "interface.toml"
    made = load_interface(path)
    assert advice(made) == []
    assert {name: one.unit for name, one in made.signals.items()} == {
        "Moment": "N.m", "MOMENT__2": "1", "con_signal": "1", "speed": "1", "temp": "degC", "still": "1", "ticks": "1",
    }  # fmt: skip
    torque = made.signals["Moment"].output
    assert (torque.min, torque.max) == pytest.approx((-1.4, 1.4), abs=0.01)
    assert torque.rate_max == pytest.approx(200.0, rel=0.01), "twice the largest change in a communication step"
    assert (made.macro_step, made.timing, made.host) == (0.01, "step", "jacobi")
    assert made.signals["still"].algorithm.selected == "zoh"
    assert couplant("build", path, "-o", tmp_path / "fmus").status == 0
    short = ("--set", "duration=0.5", "--set", "judge_from=0.0", "--set", 'algorithms=["auto"]')
    done = couplant("simulate", tmp_path / "new" / "scenario.toml", "--json", *short)
    assert done.status == 0
    assert list(json.loads(done.out)["runs"][0]["signals"]) == list(made.signals)
    built = ("--set", 'algorithms=["configured"]', "--set", 'coupling.configuration="interface.toml"')
    assert couplant("simulate", tmp_path / "new" / "scenario.toml", "--set", "duration=0.5", *built).status == 0


def test_what_is_told_about_a_recording_stays_told(couplant, tmp_path):
    text = "clock;a\n" + "".join(f"{n};{n % 7},{n % 10}00\n" for n in range(1, 100))
    (tmp_path / "r.txt").write_text(text, encoding="utf-8")
    dialect = ("--decimal", ",", "--delimiter", ";", "--time", "clock", "--time-unit", "ms")
    words = ("--column", "a", *dialect, "--macro-step", "0.001")
    assert couplant("init", tmp_path / "new", "--recording", tmp_path / "r.txt", *words).status == 0
    assert couplant("simulate", tmp_path / "new" / "scenario.toml").status == 0
    wrong = couplant("init", tmp_path / "no", "--recording", tmp_path / "r.txt", *words[2:], "--column", "b")
    assert (wrong.status, "has no column b; there are: a." in wrong.err) == (2, True)


def test_the_defaults_shown_in_comments_are_the_defaults(couplant, tmp_path):
    couplant("init", tmp_path)
    path = tmp_path / "interface.toml"
    shown = re.findall(r"^# (\w+ = \S+) ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [line.split(" = ")[0] for line in shown] == ["bypass", "debug", "reconstruction", "coast_steps"]
    assert all(read(Signal(), line) for line in shown)


def read(signal, line):
    key, value = line.split(" = ")
    section = signal if key in Signal.model_fields else signal.latency
    return getattr(section, key) == tomlkit.parse(f"x = {value.rstrip(':')}").unwrap()["x"]


@pytest.mark.landing("an inspection and a simulation")
def test_a_command_and_its_response_come_with_a_hint_how_to_learn_the_lag(couplant, tmp_path):
    wave = [math.sin(0.1 * n) + 0.4 * math.sin(0.23 * n) for n in range(-3, 400)]
    text = "t,x_cmd,x_act\n" + "".join(f"{0.01 * n:.6g},{wave[n + 3]!r},{0.9 * wave[n]!r}\n" for n in range(400))
    (tmp_path / "r.csv").write_text(text, encoding="utf-8")
    words = ("--recording", tmp_path / "r.csv", "--command", "x_cmd")
    assert couplant("init", tmp_path / "new", *words).status == 2
    done = couplant("init", tmp_path / "new", *words, "--response", "x_act")
    (hint,) = [line for line in done.out.splitlines() if line.startswith("x_cmd: x_act lags 30 ms behind it")]
    assert "latency.offset = 0.03 " in hint
    follow = re.search(r"\{ \.\., (follow = .*) \}", hint)[1]
    path = tmp_path / "new" / "interface.toml"
    assert f"# {hint.removeprefix('x_cmd: ')}\n" in path.read_text(encoding="utf-8")
    keys = [word for key in follow.split(", ") for word in ("--set", f"signals.x_cmd.latency.{key.replace(' ', '')}")]
    done = couplant("build", path, "-o", tmp_path, *keys, "--set", 'signals.x_cmd.algorithm="foh"')
    assert done.status == 0, done.err
    asked = couplant("lag", tmp_path / "r.csv", "--column", "x_cmd", "--response", "x_act")
    assert follow in asked.out
    wrong = couplant("init", tmp_path / "no", *words[:2], "--command", "none", "--response", "x_act")
    assert (wrong.status, wrong.err) == (2, "couplant: command = none, allowed x_cmd, x_act (--command)\n")
    assert not (tmp_path / "no").exists()
