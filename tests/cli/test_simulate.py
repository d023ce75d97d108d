"""``couplant simulate``: a table, the same figures as JSON, files, and one sentence for what is wrong."""

import json
import re
from pathlib import Path

import pytest

SCENARIO = Path(__file__).resolve().parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"
NAMES = ("wire", "zoh", "foh")
SHORT = ("--set", "duration=1.6", "--set", 'algorithms=["zoh", "foh"]', "--set", 'timing=["step"]')


def test_the_table_leads_with_error_and_growth(couplant):
    done = couplant("simulate", SCENARIO, *SHORT)
    assert (done.status, done.err) == (0, "")
    title, headings, wire, zoh, foh = done.out.splitlines()[:5]
    assert "macro step 0.02 s, communication step 0.02 s, latency 3 macro steps" in title
    assert headings.split() == ["algorithm", "timing", "error", "/", "%", "growth", "C", "M", "P", "stable", "radius"]
    assert wire.split()[:2] == ["wire", "step"]
    assert zoh.split()[:2] == ["zoh", "step"]
    assert foh.split()[:2] == ["foh", "step"]
    assert foh.split()[3] == "-", "a run of less than 10 s has no growth"
    assert float(foh.split()[2]) < float(zoh.split()[2])
    assert zoh.split()[-2] == "no" and float(zoh.split()[-1]) > 1.0


def test_json_and_files(couplant, tmp_path):
    done = couplant("simulate", SCENARIO, *SHORT, "--json", "-o", tmp_path / "result")
    figures = json.loads(done.out)
    assert [(run["algorithm"], run["timing"]) for run in figures["runs"]] == [(name, "step") for name in NAMES]
    assert all({"mae", "max", "growth", "C", "M", "P"} <= set(run) for run in figures["runs"])
    assert json.loads((tmp_path / "result" / "metrics.json").read_text(encoding="utf-8")) == figures
    assert (tmp_path / "result" / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert (tmp_path / "result" / "report.png").read_bytes().startswith(b"\x89PNG")
    assert len(list((tmp_path / "result" / "runs").glob("*.csv"))) == 3


def test_assignments_reach_the_scenario(couplant):
    words = ("--json", *SHORT, "--set", "algorithms=['foh']", "--set", "wire=false")
    latencies = [
        json.loads(couplant("simulate", SCENARIO, *words, "--set", f"network.latency_steps={k}").out)["runs"][0]["mae"]
        for k in (1, 6)
    ]
    assert latencies[0] < latencies[1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--set", "network.latency_steps=65"), "network.latency_steps = 65, allowed 0 to 64"),
        (("--set", "network.latncy_steps=3"), "did you mean latency_steps?"),
        (("--set", "algorithms=foh"), "texts need quotes"),
        (("--set", 'algorithms=["fho"]'), "fho"),
        (("--set", "duration=-1"), "duration = -1"),
        (("--set", "duration=1e12"), "duration = 1000000000000.0 s, allowed up to 200000 s, 10000000 macro steps"),
    ],
)
def test_wrong_settings_are_told_and_nothing_is_written(couplant, tmp_path, words, sentence):
    done = couplant("simulate", SCENARIO, "-o", tmp_path / "result", *words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"\xff", b"[", b"PK\x03\x04", b"name = 1", b"components = 3"])
def test_what_is_no_scenario(couplant, tmp_path, content):
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    done = couplant("simulate", path)
    assert (done.status, done.out) == (2, "")
    assert all(line.startswith(f"couplant: {path}: ") for line in done.err.splitlines())


def test_a_component_that_is_no_fmu(couplant, tmp_path):
    (tmp_path / "bad.fmu").write_bytes(b"not an FMU")
    path = tmp_path / "x.toml"
    path.write_text(
        'name = "x"\nmacro_step = 0.1\nduration = 1.0\n[components.a]\nfmu = "bad.fmu"\n[signals.s]\nfrom = "a.y"\n',
        encoding="utf-8",
    )
    done = couplant("simulate", path)
    assert done.status in (1, 2)
    assert "bad.fmu" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_missing_file_and_a_file_in_place_of_the_folder(couplant, tmp_path):
    done = couplant("simulate", tmp_path / "nowhere.toml")
    assert (done.status, done.err) == (
        2,
        f"couplant: {tmp_path / 'nowhere.toml'}: cannot be read: no such file or directory.\n",
    )
    (tmp_path / "file").touch()
    done = couplant("simulate", SCENARIO, *SHORT, "-o", tmp_path / "file")
    assert (done.status, done.err) == (
        2,
        f"couplant: {tmp_path / 'file'}: cannot be a folder, {tmp_path / 'file'} is a file.\n",
    )


def test_a_run_that_grows_is_named_and_so_is_what_does_not(couplant):
    settings = ("duration=25.0", 'timing=["step"]', 'algorithms=["zoh", "eros3"]', "network.latency_steps=3")
    done = couplant("simulate", SCENARIO, *(word for setting in settings for word in ("--set", setting)))
    grows = "unstable in this run, signals or estimates grow: wire (step), zoh (step); stable: eros3 (step)\n"
    assert grows in done.out


def test_what_a_network_did_to_messages_is_a_table(couplant, tmp_path):
    bad = ("network={latency_steps=1, jitter_steps=2, loss=0.2, reordering=true}", 'coupling.latency.mode="stamps"')
    done = couplant("simulate", SCENARIO, *SHORT, *(w for s in bad for w in ("--set", s)), "-o", tmp_path)
    lines = done.out.splitlines()
    (table,) = (i for i, line in enumerate(lines) if line.startswith("run "))
    assert lines[table].split("  ")[-1].strip() == "messages reordered"
    counts = json.loads((tmp_path / "metrics.json").read_text(encoding="utf-8"))["runs"][1]["messages"]
    assert [*counts] == ["x1", "v1", "f"] and all(one["lost"] > 5 and one["reordered"] > 0 for one in counts.values())
    assert lines[table + 1].split() == ["zoh", "step", "x1", *map(str, counts["x1"].values())]


def test_a_network_that_loses_nothing_has_no_such_table(couplant, tmp_path):
    done = couplant("simulate", SCENARIO, *SHORT, "--set", 'coupling.latency.mode="stamps"', "-o", tmp_path)
    runs = json.loads((tmp_path / "metrics.json").read_text(encoding="utf-8"))["runs"]
    assert {count for run in runs for one in run.get("messages", {}).values() for count in one.values()} == {0}
    assert done.status == 0 and "messages" not in done.out


def test_what_a_bond_did_is_a_column_and_a_table(couplant):
    bond = ("--set", 'bonds.shaft={effort="f", flow="x1", budget=0.0091}')
    done = couplant("simulate", SCENARIO, *SHORT, *bond)
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[1].endswith("created / J"), "theory does not judge a run with a budget"
    (table,) = (i for i, line in enumerate(lines) if line.startswith("run "))
    assert "created / J" in lines[table] and "limited / %" in lines[table]
    assert lines[table + 2].split()[:4] == ["zoh", "step", "shaft", "79"]


def test_a_bond_whose_units_make_no_power_is_told(couplant, caplog):
    bond = ("--set", 'bonds.shaft={effort="f", flow="x1"}', "--set", 'signals.f.unit="mm"')
    done = couplant("simulate", SCENARIO, *SHORT, *bond)
    assert done.status == 0 and "bonds.shaft: mm times m/s is no power" in caplog.text


def test_a_budget_that_does_not_see_jumps_is_told_the_stiffness(couplant, caplog):
    bond = 'bonds.shaft={{effort="f", flow="x1", budget=0.0091{}}}'
    couplant("simulate", SCENARIO, *SHORT, "--set", bond.format(""))
    assert "bonds.shaft.stiffness is not set: mass_2 swings with omega dT = 0.22" in caplog.text
    assert caplog.text.rstrip().endswith("give stiffness = 2.")
    caplog.clear()
    slower = ("--set", "macro_step=0.005", "--set", "duration=0.4")
    for words in ((bond.format(", stiffness=2.0"),), (bond.format(", stiffness=0.0"),), (bond.format(""), *slower)):
        couplant("simulate", SCENARIO, *SHORT, "--set", *words)
    assert "stiffness" not in caplog.text


def test_what_fmus_say_is_one_line_for_each_run_and_the_rest_in_the_report(couplant, caplog, tmp_path):
    warn = ("--set", "coupling.quality.action='warn'", "--set", "timing=['step', 'event']", "--set", "duration=3.0")
    done = couplant("simulate", SCENARIO, *SHORT, *warn, "-o", tmp_path)
    assert done.status == 0
    lines = [record.getMessage() for record in caplog.records]
    assert [line.split(": ")[0] for line in lines] == ["zoh, step", "foh, step", "zoh, event", "foh, event"]
    assert all(re.search(r"exceeds its tolerance .* \(the first of \d+ messages, see the report\)$", x) for x in lines)
    count = sum(int(re.search(r"first of (\d+)", line)[1]) for line in lines)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.split("What the FMUs said")[1].split("</ul>")[0].count("<li>") == count
