"""``couplant export``: what it prints, writes and refuses."""

import json
from pathlib import Path

from fmpy import read_model_description

OSCILLATOR = Path(__file__).resolve().parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"


def test_it_says_what_was_written(couplant, tmp_path):
    done = couplant("export", OSCILLATOR, "-o", tmp_path, "--algorithm", "zoh", "--set", "duration=3.0")
    assert (done.status, done.err) == (0, "")
    files = "system.ssp, OspSystemStructure.xml, container.json, README.txt"
    assert done.out.splitlines() == [
        f"8 FMUs and {files} in {tmp_path}",
        "for hosts of the kind reads_again: algorithm zoh, step timing, communication step 0.02 s, 3 s",
    ]


def test_the_coupling_fmus_are_made_for_a_kind_of_host(couplant, tmp_path):
    for host, lead in (("reads_again", None), ("jacobi", 1.0)):
        done = couplant("export", OSCILLATOR, "-o", tmp_path / host, "--algorithm", "eros3", "--host", host)
        assert (done.status, done.err) == (0, "") and f"for hosts of the kind {host}:" in done.out
        variables = read_model_description(str(tmp_path / host / "fmus" / "x1_coupling.fmu")).modelVariables
        starts = {v.name: float(v.start) for v in variables if v.name == "latency.host_lead"}
        assert starts == ({} if lead is None else {"latency.host_lead": lead})


def test_json_lists_the_files(couplant, tmp_path):
    done = couplant("export", OSCILLATOR, "-o", tmp_path, "--algorithm", "zoh", "--json")
    told = json.loads(done.out)
    assert (told["algorithm"], told["step"], told["duration"]) == ("zoh", 0.02, 25.0)
    assert all((tmp_path / file).is_file() for file in told["files"]) and len(told["files"]) == 12


def test_wrong_use_is_one_sentence_and_leaves_nothing_behind(couplant, tmp_path):
    done = couplant("export", OSCILLATOR, "-o", tmp_path / "new")
    assert (done.status, done.out) == (2, "") and done.err.endswith(" (--algorithm).\n")
    done = couplant("export", OSCILLATOR, "-o", tmp_path / "new", "--algorithm", "best")
    assert done.status == 2 and "algorithms" in done.err
    assert not list(tmp_path.iterdir())
