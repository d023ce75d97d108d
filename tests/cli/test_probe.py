"""``couplant probe``: two FMUs of both versions, for platforms by name, with sources; and what they measured."""

import json
import re
import zipfile

import pytest
from fmpy import read_model_description

from couplant.pack.binaries.platforms import host
from couplant.pack.probe import WIRING

SOURCES = ("fmi/model.c", "fmi/probe.h", "fmi/variables.h", "fmi/built_in.h")
HEADING = "time,host_lead.receiver,host_lead.sender,host_lead.feedthrough,result"


@pytest.fixture
def recording(tmp_path):
    """Return a function that writes the outputs of the probe after its last step."""

    def write(row):
        path = tmp_path / "run.csv"
        path.write_text(f"{HEADING}\n0,0,0,0,1\n0.2,{row}\n", encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("fmi", ["2", "3"])
def test_both_carry_what_is_asked_for(couplant, tmp_path, fmi):
    words = ("--fmi", fmi, "--platform", host().fmi2, "--sources", "--macro-step", "0.005", "--json")
    done = couplant("probe", "-o", tmp_path, *words)
    assert (done.status, done.err) == (0, "")
    files = json.loads(done.out)["files"]
    for name, file in zip(("probe", "probe_partner"), files, strict=True):
        assert float(read_model_description(file).defaultExperiment.stepSize) == 0.005
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
        assert f"binaries/{host().folder(fmi)}/{name}{host().suffix}" in names
        assert {f"sources/{part}" for part in ("all.c", *SOURCES)} <= set(names)
        assert ("sources/buildDescription.xml" in names) == (fmi == "3")


def test_it_says_in_ten_lines_what_to_do(couplant, tmp_path):
    done = couplant("probe", "-o", tmp_path)
    assert done.status == 0 and done.out.count("\n") <= 10
    for source, target in WIRING:
        assert re.search(rf"{'.'.join(source)} +-> {'.'.join(target)}\n", done.out)
    for name in ("result", "host", "host_lead", "--read"):
        assert name in done.out


@pytest.mark.parametrize(
    ("row", "lines"),
    [
        ("0,0,0,8", ['host = "reads_again"', "latency = { host_lead = 0 }"]),
        ("0,0,1,8", ['host = "jacobi"', "latency = { host_lead = 1 }", "latency = { host_lead = 0 }"]),
        ("-1,0,1,8", ['host = "sequential"', "latency = { host_lead = 0 }", "latency = { host_lead = -1 }"]),
    ],
)
def test_a_recording_becomes_lines_of_the_settings_file(couplant, recording, row, lines):
    done = couplant("probe", "--read", recording(row))
    assert (done.status, done.err) == (0, "")
    found = [line.partition("#")[0].strip() for line in done.out.splitlines()]
    assert [line for line in found if line.startswith(("host =", "latency ="))] == lines
    assert found[found.index(lines[0]) - 1] == "[interface]"


def test_shorter_steps_and_an_order_are_settings_too(couplant, recording):
    done = couplant("probe", "--read", recording("-0.25,0,0.25,8"))
    for line in ('host = "sequential"', "micro_step = ..", "order = [..]", "latency = { host_lead = 0 }"):
        assert any(found.startswith(line) for found in done.out.splitlines()), line


def test_delays_of_connections_are_told(couplant, recording):
    told = "Connections add steps of their own"
    assert told in couplant("probe", "--read", recording("1,0,1,8")).out
    assert told not in couplant("probe", "--read", recording("0,-1,1,8")).out


def test_a_recording_in_figures(couplant, recording):
    done = couplant("probe", "--read", recording("0,-1,1,8"), "--json")
    leads = {"receiver": 0.0, "sender": -1.0, "feedthrough": 1.0, "plain": -1.0, "direct": 0.0}
    assert json.loads(done.out) == {"host": "sequential", "host_lead": leads}


def test_a_recording_without_a_result_says_why(couplant, recording):
    done = couplant("probe", "--read", recording("0,0,0,2"))
    assert (done.status, done.out) == (1, "")
    assert done.err.endswith("nothing came back on `back`: connect it with `plain` of the partner.\n")


def test_no_recording_is_wrong_use(couplant, tmp_path):
    done = couplant("probe", "--read", tmp_path / "none.csv")
    assert (done.status, done.out) == (2, "") and done.err.count("\n") == 1


def test_an_unknown_platform_leaves_nothing_behind(couplant, tmp_path):
    done = couplant("probe", "-o", tmp_path / "new", "--platform", "amiga")
    assert (done.status, done.out) == (2, "") and "platform = amiga, allowed host, all" in done.err
    assert not list(tmp_path.iterdir())


def test_a_platform_that_nobody_compiles_for_here_is_one_sentence(couplant, tmp_path, monkeypatch):
    monkeypatch.setenv("COUPLANT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("couplant.pack.binaries.compile.importlib.util.find_spec", lambda _: None)
    done = couplant("probe", "-o", tmp_path / "new", "--platform", "aarch64-darwin")
    assert (done.status, done.out) == (1, "")
    assert done.err == "couplant: compiling for aarch64-darwin needs zig: pip install ziglang.\n"
    assert not (tmp_path / "new").exists()
