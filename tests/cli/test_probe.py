"""``couplant probe``: an FMU of both versions, for platforms by name, with sources."""

import json
import zipfile

import pytest
from fmpy import read_model_description

from couplant.pack.platforms import host


@pytest.mark.parametrize("fmi", ["2", "3"])
def test_the_probe_carries_what_is_asked_for(couplant, tmp_path, fmi):
    words = ("--fmi", fmi, "--platform", host().fmi2, "--sources", "--macro-step", "0.005", "--json")
    done = couplant("probe", "-o", tmp_path, *words)
    assert (done.status, done.err) == (0, "")
    file = json.loads(done.out)["file"]
    assert float(read_model_description(file).defaultExperiment.stepSize) == 0.005
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
    assert f"binaries/{host().folder(fmi)}/probe{host().suffix}" in names
    assert {"sources/all.c", "sources/fmi/model.c", "sources/fmi/variables.h", "sources/fmi/built_in.h"} <= set(names)
    assert ("sources/buildDescription.xml" in names) == (fmi == "3")


def test_an_unknown_platform_leaves_nothing_behind(couplant, tmp_path):
    done = couplant("probe", "-o", tmp_path / "new", "--platform", "amiga")
    assert (done.status, done.out) == (2, "") and "platform = amiga, allowed host, all" in done.err
    assert not list(tmp_path.iterdir())


def test_a_platform_that_nobody_compiles_for_here_is_one_sentence(couplant, tmp_path, monkeypatch):
    monkeypatch.setenv("COUPLANT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("couplant.pack.compile.importlib.util.find_spec", lambda _: None)
    done = couplant("probe", "-o", tmp_path / "new", "--platform", "aarch64-darwin")
    assert (done.status, done.out) == (1, "")
    assert done.err == "couplant: compiling for aarch64-darwin needs zig: pip install ziglang.\n"
    assert not (tmp_path / "new").exists()
