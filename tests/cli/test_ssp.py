"""``couplant ssp``: what it prints, its exit status."""

import io
import json
import sys

import pytest

from couplant.cli import main
from couplant.pack import build_model_fmu
from tests.elsewhere.ssp import systems


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ssp")
    files = {f"resources/{name}.fmu": build_model_fmu(name, folder) for name in ("mass_1", "mass_2")}
    texts = {"SystemStructure.ssd": systems.flat(), "Other.ssd": systems.flat()}
    return systems.archive(folder / "system.ssp", texts, files)


def words(path, *more):
    return "ssp", "insert", str(path), "--signals", ",".join(systems.NAMES), "--macro-step", "0.02", *more


def test_list_insert_list_remove(couplant, path, tmp_path):
    out, back = tmp_path / "out.ssp", tmp_path / "back.ssp"
    assert [line.split() for line in couplant("ssp", "list", str(path)).out.splitlines()] == [
        ["signal", "type", "unit", "coupling", "FMU"],
        ["mass_1.x1->mass_2.x1", "Real", "m", "-"],
        ["mass_1.v1->mass_2.v1", "Real", "m/s", "-"],
        ["mass_2.f->mass_1.f", "Real", "N", "-"],
        ["other", "system", "descriptions,", "for", "--variant:", "Other.ssd"],
    ]
    done = couplant(*words(path, "-o", str(out), "--host", "jacobi", "--steps", "3"))
    assert (done.status, done.err) == (0, "")
    assert [line.split() for line in done.out.splitlines()[:4]] == [
        ["signal", "coupling", "FMU", "algorithm", "network", "host", "hold"],
        ["mass_1.x1->mass_2.x1", "mass_2_x1_coupling", "auto", "3", "1", "0.25"],
        ["mass_1.v1->mass_2.v1", "mass_2_v1_coupling", "auto", "3", "1", "0.25"],
        ["mass_2.f->mass_1.f", "mass_1_f_coupling", "auto", "3", "0", "0"],
    ]
    assert "mass_2_x1_coupling: mass_2.f depends on it at once\n" in done.out
    assert done.out.endswith(f"in macro steps of 0.02 s, for hosts of the kind jacobi; written to {out}\n")
    assert "mass_1_f_coupling" in couplant("ssp", "list", str(out)).out
    done = couplant("ssp", "remove", str(out), "-o", str(back))
    names = "mass_2_x1_coupling, mass_2_v1_coupling, mass_1_f_coupling"
    assert done.out.startswith(f"SystemStructure.ssd: {names} taken out")
    assert systems.entries(back) == systems.entries(path)


@pytest.mark.parametrize("words", [("list",), ("insert", "--signals", "mass_1.x1->Mäße✓.x1", "--macro-step", "0.02")])
def test_names_that_the_encoding_of_the_output_lacks_end_no_command(tmp_path, monkeypatch, words):
    path = systems.archive(tmp_path / "system.ssp", systems.flat().replace('"mass_2"', '"Mäße✓"'), {})
    stream = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["ssp", words[0], str(path), *words[1:], *(["--dry-run"] if words[1:] else [])]) == 0
    stream.flush()
    assert r"M\xe4\xdfe\u2713.x1" in stream.buffer.getvalue().decode()


def test_dry_run_writes_nothing(couplant, path, tmp_path):
    done = couplant(*words(path, "--dry-run", "-o", str(tmp_path / "out.ssp")))
    assert done.status == 0 and done.out.endswith("for hosts of the kind reads_again; nothing was written\n")
    assert list(tmp_path.iterdir()) == []


def test_json(couplant, path, tmp_path):
    done = json.loads(couplant(*words(path, "--dry-run", "--json", "--host", "jacobi")).out)
    assert [row["host"] for row in done["inserted"]] == [1.0, 1.0, 0.0]
    listed = json.loads(couplant("ssp", "list", str(path), "--json").out)
    assert (listed["version"], listed["rows"][0]["source"]) == ("1.0", "mass_1.x1")
    out = str(tmp_path / "out.ssp")
    couplant(*words(path, "-o", out))
    removed = json.loads(couplant("ssp", "remove", out, "-o", out, "--json").out)
    assert len(removed["components"]["SystemStructure.ssd"]) == len(removed["files"]) == 3


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ((), "--output is missing"),
        (("-o", "out.ssp", "--host", "sequential"), "in which they step (--order, --host)"),
        (("-o", "out.ssp", "--fmi", "1"), "fmi = 1, allowed 2, 3"),
        (("-o", "out.ssp", "--platform", "amiga"), "amiga"),
    ],
)
def test_wrong_use_is_one_sentence_and_status_2(couplant, path, tmp_path, monkeypatch, more, sentence):
    monkeypatch.chdir(tmp_path)
    done = couplant(*words(path, *more))
    assert (done.status, done.out) == (2, "") and sentence in done.err
    assert list(tmp_path.iterdir()) == []
    assert couplant("ssp", "remove", str(path)).status == couplant("ssp", "nothing").status == 2
