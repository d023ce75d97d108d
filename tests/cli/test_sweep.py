"""``couplant sweep``: a table, the same figures as JSON, files; what is wrong is told before the first run."""

import json
from pathlib import Path

import pytest

from couplant.sweep.table import read_table

SCENARIO = Path(__file__).resolve().parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"
SHORT = ("--set", "duration=1.0", "--set", "components.mass_1.parameters.force.start=0.0", "--timing", "event")


def test_table_files_and_json(couplant, tmp_path):
    words = (*SHORT, "--algorithms", "zoh,foh", "--latency", "1:2", "--workers", "1", "-o", tmp_path / "out")
    done = couplant("sweep", SCENARIO, *words)
    assert (done.status, done.err) == (0, "")
    title, headings, wire, zoh, foh = done.out.splitlines()[:5]
    assert title == f"Two-mass oscillator: 6 points run, 0 taken from {tmp_path / 'out' / 'sweep.csv'}"
    assert headings.split()[:6] == ["algorithm", "timing", "points", "failed", "unstable", "error"]
    assert wire.split()[:5] == ["wire", "event", "2", "0", "0"]
    assert zoh.split()[:5] == ["zoh", "event", "2", "0", "0"]
    assert (foh.split()[0], foh.split()[-1]) == ("foh", "2")
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"sweep.csv", "index.html", "error_event.png"}
    figures = json.loads(couplant("sweep", SCENARIO, *words, "--json").out)
    rows = read_table(tmp_path / "out" / "sweep.csv").sorted()
    assert [row["mae"] for row in figures["rows"]] == [row.mae for row in rows]
    assert [place["algorithm"] for place in figures["best"]] == ["foh", "foh"]


def test_all_errors_come_before_the_first_run(couplant, tmp_path):
    words = ("--latency", "1:70:69", "--loss", "2", "--algorithms", "zho")
    done = couplant("sweep", SCENARIO, *words, "-o", tmp_path / "out")
    assert (done.status, done.out) == (2, "")
    assert [line.split(" ")[1] for line in done.err.splitlines()] == ["algorithms:", "latency:", "loss:"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--dask", "nowhere"), "(--dask)"),
        (("--workers", "0"), "workers = 0, allowed 1 or more (--workers)"),
        (("--set", "macro_step=-1"), "macro_step = -1"),
        (("--set", "duration=0.001"), "is shorter than macro_step"),
    ],
)
def test_wrong_use(couplant, tmp_path, words, sentence):
    done = couplant("sweep", SCENARIO, *words, "-o", tmp_path / "out")
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_is_none_is_left_alone(couplant, tmp_path):
    (tmp_path / "sweep.csv").write_text("mine", encoding="utf-8")
    done = couplant("sweep", SCENARIO, *SHORT, "-o", tmp_path)
    assert (done.status, done.out) == (2, "")
    assert (tmp_path / "sweep.csv").read_text(encoding="utf-8") == "mine"


def test_without_any_result_the_command_fails(couplant, tmp_path):
    words = ("--set", "components.mass_1.parameters.force.period=-1.0", "--algorithms", "zoh")
    done = couplant("sweep", SCENARIO, *SHORT, *words, "--workers", "1", "-o", tmp_path / "out")
    assert done.status in (1, 2)
    assert "force.period" in done.err


def test_weights_for_one_latency_say_so_where_they_fail(couplant, tmp_path):
    weights = ("--set", "coupling.algorithm={steps=2,a=[2.0,-1.0],A=[0.0,0.0]}", "--algorithms", "linear")
    done = couplant("sweep", SCENARIO, *SHORT, *weights, "--steps", "1:3", "--workers", "1", "-o", tmp_path)
    said = "linear, event: 2 points failed, for instance: signals.x1.algorithm.steps = 2, allowed the latency"
    assert done.status == 0 and done.err.startswith(f"couplant: warning: {said}")
    assert all(row.reason for row in read_table(tmp_path / "sweep.csv").sorted() if row.verdict == "failed")


def test_a_host_has_step_timing_and_other_figures(couplant, tmp_path):
    words = (*SHORT[:-2], "--algorithms", "eros3", "--latency", "2", "--workers", "1")
    found = {}
    for host in ("reads_again", "jacobi"):
        done = couplant("sweep", SCENARIO, *words, "--timing", "step", "--host", host, "-o", tmp_path / host, "--json")
        found[host] = json.loads(done.out)["rows"][0]
    assert found["jacobi"]["timing"] == "step" and found["jacobi"]["mae"] != found["reads_again"]["mae"]
    refused = couplant("sweep", SCENARIO, *words, "--timing", "event", "--host", "jacobi", "-o", tmp_path / "no")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith('couplant: timing: host = "jacobi", allowed with timing = ["step"] only')
