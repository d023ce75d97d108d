"""``couplant export``: what it prints, writes and refuses."""

import json
from pathlib import Path

OSCILLATOR = Path(__file__).resolve().parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"


def test_it_says_what_was_written(couplant, tmp_path):
    done = couplant("export", OSCILLATOR, "-o", tmp_path, "--algorithm", "zoh", "--set", "duration=3.0")
    assert (done.status, done.err) == (0, "")
    files = "system.ssp, OspSystemStructure.xml, container.json, README.txt"
    assert done.out.splitlines() == [
        f"8 FMUs and {files} in {tmp_path}",
        "algorithm zoh, step timing, communication step 0.02 s, 3 s",
    ]


def test_json_lists_the_files(couplant, tmp_path):
    done = couplant("export", OSCILLATOR, "-o", tmp_path, "--algorithm", "zoh", "--json")
    told = json.loads(done.out)
    assert (told["algorithm"], told["step"], told["duration"]) == ("zoh", 0.02, 25.0)
    assert all((tmp_path / file).is_file() for file in told["files"]) and len(told["files"]) == 12


def test_wrong_use_is_one_sentence_and_leaves_nothing_behind(couplant, tmp_path):
    done = couplant("export", OSCILLATOR, "-o", tmp_path / "new")
    assert (done.status, done.out) == (2, "") and done.err.endswith("name one of them with --algorithm.\n")
    done = couplant("export", OSCILLATOR, "-o", tmp_path / "new", "--algorithm", "best")
    assert done.status == 2 and "algorithms" in done.err
    assert not list(tmp_path.iterdir())
