"""``couplant bench``: tables, JSON, files, the report on two machines, and one sentence for what is wrong."""

import json
from pathlib import Path

import pytest

from couplant.bench.record import write_records
from tests.bench.virtual import Bench, FmuLibrary

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "05_udp_bench"
SCENARIO = FOLDER / "scenario.toml"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the records of two machines, from a bench in virtual time."""
    place = tmp_path_factory.mktemp("records")
    with FmuLibrary() as library:
        bench = Bench(library, place, "duration=11.0")
        runs = [bench.run(algorithm, timing)[0] for timing, algorithm in bench.loaded.scenario.cases]
    for i, side in enumerate(("left", "right")):
        write_records(place / f"{side}.npz", bench.loaded.scenario.fingerprint(), [records[i] for records in runs])
    return place


@pytest.mark.landing("two sides in real time")
def test_the_report_on_two_machines(couplant, folder, tmp_path):
    done = couplant("bench", SCENARIO, "--duration", "11", "--join", folder, "-o", tmp_path)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "Oscillator over UDP: macro step 10 ms, in real time"
    assert lines[1].split() == ["algorithm", "timing", "error", "/", "%", "growth", "C", "M", "P", "late", "steps"]
    assert [line.split()[:2] for line in lines[2:4]] == [["wire", "event"], ["irregular", "event"]]
    assert [line.split()[:2] for line in lines[6:8]] == [["wire", "left-right"], ["wire", "right-left"]]
    assert max(map(len, lines[:-2])) <= 80
    assert lines[-1] == f"wrote report.html, report.png, metrics.json and runs to {tmp_path}"
    assert {path.name for path in tmp_path.iterdir()} == {"report.html", "report.png", "metrics.json", "runs"}
    assert len(list((tmp_path / "runs").glob("*.csv"))) == 2


def test_json(couplant, folder):
    done = couplant("bench", SCENARIO, "--duration", "11", "--join", folder, "--json")
    wire, irregular = json.loads(done.out)["runs"]
    assert wire["algorithm"] == "wire"
    assert irregular["mae"] < 0.5 * wire["mae"]
    assert irregular["late_share"] == 0.0
    assert [(d["from"], d["to"]) for d in irregular["network"]] == [("left", "right"), ("right", "left")]
    assert 0.01 <= irregular["network"][0]["latency_measured"]["min"]
    assert irregular["network"][0]["counts"]["sent"] == 1101


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--side", "middle"), "--side = middle, allowed left, right, relay"),
        (("--side", "left"), "needs --peer HOST:PORT"),
        (("--side", "left", "--peer", "10.0.0.1:5"), "allowed with anywhere = true only (--peer, --anywhere)"),
        (("--side", "relay", "--listen", "0.0.0.0:5"), "listen = 0.0.0.0:5: another machine than this one"),
        (("--side", "left", "--peer", "nonsense"), "allowed is HOST:PORT"),
        (("--transport", "os:path"), "allowed is a class derived from couplant.bench.Transport"),
        (("--set", "relay.los=0.1"), "relay.los is unknown: did you mean loss?"),
        (("--duration", "0"), "duration = 0.0, allowed a finite number above 0"),
        (("--duration", "11", "--join", "nowhere"), "nowhere/left.npz: cannot be read"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_written(couplant, tmp_path, words, sentence):
    done = couplant("bench", SCENARIO, *words, "-o", tmp_path / "out")
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_records_of_another_scenario(couplant, folder):
    done = couplant("bench", SCENARIO, "--join", folder)
    assert (done.status, done.err) == (2, f"couplant: {folder}/left.npz belongs to another scenario.\n")


def test_nobody_answers(couplant):
    done = couplant("bench", SCENARIO, "--side", "left", "--peer", "127.0.0.1:9", "--set", "bench.connect=0.3")
    assert (done.status, done.err) == (1, "couplant: no answer from the other side within 0.3 s.\n")


def test_the_example_is_explained():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert "couplant bench examples/05_udp_bench/scenario.toml" in text
    assert "](picture.png)" in text
    assert (FOLDER / "picture.png").is_file()
    assert "docs/bench.md" in text
