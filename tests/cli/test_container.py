"""``couplant container``: what it prints and refuses; tests/export and tests/importers look at the FMU."""

import json
from pathlib import Path

import pytest

from couplant.elsewhere.container import RUNS_ON
from couplant.pack.binaries.platforms import host

ROOT = Path(__file__).resolve().parents[2]
OSCILLATOR = ROOT / "examples" / "01_two_mass_oscillator" / "scenario.toml"
PAGE = ROOT / "docs" / "importing.md"

pytestmark = pytest.mark.skipif(host().name not in RUNS_ON, reason="there is no container for this machine")


def test_it_prints_what_goes_in_and_out_and_what_is_predicted(couplant, tmp_path):
    file = tmp_path / "side.fmu"
    done = couplant("container", OSCILLATOR, "--components", "mass_2", "--algorithm", "eros3", "-o", file)
    assert (done.status, done.err) == (0, "") and file.is_file()
    rows = [line.split() for line in done.out.splitlines()]
    assert ["in", "x1.y", "m", "x1_coupling.y"] in rows and ["out", "f", "N", "mass_2.f"] in rows
    lines = [" ".join(row) for row in rows]
    shown = [" ".join(line.split()) for line in PAGE.read_text(encoding="utf-8").splitlines()]
    place = shown.index("predicted, in macro steps, for a container that is jacobi:")
    assert shown[place : place + 4] == lines[-6:-2]
    assert lines[-2] == f"mass_2, x1_coupling, v1_coupling in {file}"
    told = f"algorithm eros3, jacobi, communication step a multiple of 0.02 s, for {host().name}"
    assert lines[-1] == told


def test_json_tells_the_same(couplant, tmp_path):
    words = ("--order", "f.coupling, mass_1", "--components", "mass_1", "--algorithm", "zoh", "--json")
    done = couplant("container", OSCILLATOR, "-o", tmp_path / "side.fmu", *words)
    told = json.loads(done.out)
    assert (told["host"], told["parts"], told["algorithm"]) == ("sequential", ["f_coupling", "mass_1"], "zoh")
    reasons = ["f.coupling has its turn before mass_1"]
    assert told["signals"] == [{"signal": "f", "network": 3, "host": -1, "hold": 0, "reasons": reasons}]
    assert [end["name"] for end in told["inputs"]] == ["f.y", "f.y_time", "f.y_valid"]


def test_wrong_use_is_one_sentence_and_leaves_nothing_behind(couplant, tmp_path, caplog):
    done = couplant("container", OSCILLATOR, "--components", "mass_3", "--algorithm", "zoh", "-o", tmp_path / "a.fmu")
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith("there is no component mass_3, allowed mass_1, mass_2.\n")
    words = ("--set", 'watch=["mass_1.nope"]', "--algorithm", "zoh", "-o", tmp_path / "a.fmu")
    done = couplant("container", OSCILLATOR, *words)
    assert done.status == 2 and len(done.err.splitlines()) == 1
    assert done.err.startswith("couplant: ") and "watch: mass_1 has no output nope" in done.err
    assert caplog.messages == []  # those would stand before it
    words = ("--threads", "--order", "mass_1", "--algorithm", "zoh")
    done = couplant("container", OSCILLATOR, *words, "-o", tmp_path / "a.fmu")
    assert done.status == 2 and done.err.startswith("couplant: threads = true: ")
    assert not list(tmp_path.iterdir())
