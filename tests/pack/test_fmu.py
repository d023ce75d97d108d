"""Another kind of FMU is a folder of sources, a description, and what is compiled of it: no other file knows it."""

import shutil
import zipfile

import pytest
from fmpy import read_model_description, simulate_fmu
from fmpy.validation import validate_fmu

from couplant.base import paths
from couplant.pack.binaries import prebuilt
from couplant.pack.binaries.compile import binary_name, face_unit, host_compiler
from couplant.pack.binaries.platforms import host
from couplant.pack.describe.model_sheet import read_sheet
from couplant.pack.describe.shown import Shown
from couplant.pack.describe.xml import VERSIONS, ModelDescription
from couplant.pack.fmu import Native, build_fmu
from couplant.pack.models import c_table
from couplant.pack.plan import Plan
from tests import commands

OWN = '#include "../other/half.h"\n#define CP_HALF cp_half()\n'
HALF = "static double cp_half(void)\n{\n    return 0.5;\n}\n"
SHEET = read_sheet("probe")
LISTS = {"start": [float(v.start or 0.0) for v in SHEET.variables]}
DESCRIPTION = ModelDescription("own", SHEET.variables, "A kind of its own", step_size=0.01)


@pytest.fixture
def family(tmp_path, monkeypatch):
    """Return what is compiled for a kind of FMU in a folder of its own, which also reads a file by its place."""
    here, there = paths.root(), tmp_path / "tree"
    for folder in ("fmu_src/base", "fmu_src/fmi", "fmu_src/models/common", "resources/headers", "resources/importer"):
        shutil.copytree(here / folder, there / folder)
    shutil.copy(paths.licence(), there)
    other = there / "fmu_src" / "other"
    shutil.copytree(here / "fmu_src" / "models" / "probe", there / "fmu_src" / "own")
    other.mkdir()
    (other / "half.h").write_text(HALF, encoding="utf-8")
    model = there / "fmu_src" / "own" / "model.c"
    text = model.read_text(encoding="utf-8").replace("+ 0.5)", "+ CP_HALF)")
    model.write_text(OWN + text, encoding="utf-8")
    monkeypatch.setattr(paths, "root", lambda: there)
    generated, folders = {"variables.h": c_table(SHEET)}, ("own", "models/common")
    return lambda fmi: face_unit(fmi, generated, folders=folders, trees=("other",))


@pytest.mark.parametrize("fmi", VERSIONS)
def test_every_step_serves_every_kind(fmi, tmp_path, family):
    plan = Plan(DESCRIPTION, LISTS, {"extra/own.txt": b"result"})
    path = build_fmu(tmp_path / "own.fmu", plan, Native(family(fmi), fmi, [host()], sources=True))
    assert validate_fmu(str(path)) == []
    assert len(simulate_fmu(str(path), stop_time=0.5)) > 50
    with zipfile.ZipFile(path) as archive:
        assert archive.read("extra/own.txt") == b"result"
        archive.extractall(tmp_path / "u")
    assert (tmp_path / "u" / "sources" / "other" / "half.h").is_file()
    command = [*host_compiler(), "-c", str(tmp_path / "u" / "sources" / "all.c"), "-o", str(tmp_path / "own.o")]
    assert commands.run(command, check=False).returncode == 0


def test_the_files_and_texts_that_are_carried_along_are_no_part_of_its_identity(tmp_path, family):
    plans = (
        Plan(DESCRIPTION, LISTS),
        Plan(DESCRIPTION, LISTS, {"extra/own.txt": b"result"}),
        Plan(DESCRIPTION, LISTS, shown=Shown(what="Something else")),
        Plan(DESCRIPTION, {"start": [1.0, *LISTS["start"][1:]]}),
    )
    backend = Native(family("2"), "2", [host()])
    built = [build_fmu(tmp_path / f"{i}.fmu", plan, backend) for i, plan in enumerate(plans)]
    tokens = [read_model_description(str(path)).guid for path in built]
    assert tokens[0] == tokens[1] == tokens[2] != tokens[3]
    assert built[0].read_bytes() != built[2].read_bytes()


def test_a_row_puts_its_binaries_into_the_wheel(tmp_path, family, monkeypatch):
    monkeypatch.setattr(prebuilt, "units", lambda platform: [family(fmi) for fmi in VERSIONS])
    written = prebuilt.write_binaries(tmp_path / "binaries", [host()], portable=False)
    assert [path.name for path in written] == [binary_name(family(fmi), host()) for fmi in VERSIONS]
