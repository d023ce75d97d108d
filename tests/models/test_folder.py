"""A prototype is two files in a folder: a copy under another name is the same prototype."""

import re
import shutil
import zipfile

import pytest

from couplant.analysis.system_file import prototype
from couplant.base import paths
from couplant.base.errors import UsageError
from couplant.config.scenario import load_scenario
from couplant.cosim.judgement.stability import stability_of
from couplant.cosim.wiring.coupling import couplings_of
from couplant.pack import build_model_fmu
from couplant.pack.describe.model_sheet import model_names, read_sheet

EXAMPLE = paths.root() / "examples" / "01_two_mass_oscillator" / "scenario.toml"
LINEAR = {
    "mass_1": (
        ("f",),
        ("x1", "v1"),
        ([[0, 1], [-3 / 4, -5 / 4]], [[0], [1 / 4]], [[1, 0], [0, 1]], [[0], [0]]),
    ),
    "mass_2": (
        ("x1", "v1"),
        ("f", "x2", "v2"),
        (
            [[0, 1], [-(3 + 7) / 4, -(5 + 9) / 4]],
            [[0, 0], [7 / 4, 9 / 4]],
            [[7, 9], [1, 0], [0, 1]],
            [[-7, -9], [0, 0], [0, 0]],
        ),
    ),
}


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """Return a function that copies the folder of a model under another name, in a copy of the sources."""
    here, there = paths.root(), tmp_path / "tree"
    for folder in ("fmu_src/base", "fmu_src/fmi", "fmu_src/models", "resources/headers", "resources/importer"):
        shutil.copytree(here / folder, there / folder)
    shutil.copy(paths.licence(), there)
    monkeypatch.setattr(paths, "root", lambda: there)

    def copy(model, name):
        folder = there / "fmu_src" / "models" / name
        shutil.copytree(folder.parent / model, folder)
        return folder

    return copy


def description(path):
    """Return the model description without the token."""
    with zipfile.ZipFile(path) as archive:
        return re.sub(r"\{[0-9a-f-]{36}\}", "", archive.read("modelDescription.xml").decode())


@pytest.mark.sample(1)
@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("model", ["mass_1", "mass_2", "network"])
def test_a_copy_has_the_same_description(copied, tmp_path, model, fmi):
    copied(model, "my_copy")
    assert "my_copy" in model_names()
    own = build_model_fmu("my_copy", tmp_path, fmi=fmi, macro_step=0.005, unit="N.m")
    first = build_model_fmu(model, tmp_path, fmi=fmi, macro_step=0.005, unit="N.m")
    assert description(own) == description(first).replace(f'"{model}"', '"my_copy"')


def stability(*assignments):
    loaded = load_scenario(EXAMPLE, assignments)
    return stability_of(loaded, couplings_of(loaded, "eros3", "event"), "event")


def test_a_copy_has_the_same_radius(copied):
    copied("mass_2", "my_copy")
    radii = [stability(*assignments).radius for assignments in ((), ("components.mass_2.model='my_copy'",))]
    assert radii[0] == radii[1] and 0.999 < radii[0] < 1.0


def test_theory_is_silent_about_a_copy_without_equations(copied):
    sheet = copied("mass_2", "my_copy") / "model.toml"
    text = sheet.read_text(encoding="utf-8")
    sheet.write_text(text[: text.index("[linear]")], encoding="utf-8")
    assert stability("components.mass_2.model='my_copy'") is None


def test_a_wrong_word_in_a_sheet_is_told_with_its_file(copied):
    sheet = copied("probe", "my_copy") / "model.toml"
    sheet.write_text(sheet.read_text(encoding="utf-8").replace("stop_time", "stop_tme"), encoding="utf-8")
    with pytest.raises(UsageError, match=r"my_copy.model\.toml: stop_tme is unknown"):
        read_sheet("my_copy")


@pytest.mark.parametrize("model", LINEAR)
def test_the_equations_of_the_linear_prototypes(model):
    """m x'' = -c x - d x' + u by hand; mass 2 is also held by the coupling, f = cc (x2 - x1) + dc (v2 - v1)."""
    values = {f"{symbol}{i}": value for i in "12" for symbol, value in (("m", 4.0), ("c", 3.0), ("d", 5.0))}
    inputs, outputs, matrices = LINEAR[model]
    found = prototype(model, read_sheet(model).linear, {**values, "cc": 7.0, "dc": 9.0})
    assert (found.inputs, found.outputs) == (inputs, outputs)
    for name, expected in zip("ABCD", matrices, strict=True):
        assert getattr(found, name).tolist() == expected, name


@pytest.mark.parametrize("name", model_names())
def test_a_sheet_promises_the_derivatives_that_the_code_has(name):
    code = (paths.fmu_source("models") / name / "model.c").read_text(encoding="utf-8")
    assert read_sheet(name).capabilities.directional_derivatives == (".partial = " in code)
