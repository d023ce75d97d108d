"""A prototype is two files in a folder: a copy under another name is the same prototype."""

import re
import shutil
import zipfile
from dataclasses import replace

import pytest

from couplant.analysis.system_file import prototype
from couplant.base import paths
from couplant.base.errors import UsageError
from couplant.config.scenario import load_scenario
from couplant.cosim.judgement.stability import stability_of
from couplant.cosim.wiring.coupling import couplings_of
from couplant.pack import build_model_fmu
from couplant.pack.describe.model_sheet import model_names, read_sheet
from couplant.sweep import Where, sweep
from couplant.sweep.job import settings_digest
from tests.prototypes import MODELS, PUBLISHED, sheet_of
from tests.unwired import simulate

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


@pytest.mark.parametrize("name", MODELS)
def test_a_sheet_promises_the_derivatives_that_the_code_has(name):
    folder = PUBLISHED if (PUBLISHED / name).is_dir() else paths.fmu_source("models")
    code = (folder / name / "model.c").read_text(encoding="utf-8")
    assert sheet_of(name).capabilities.directional_derivatives == (".partial = " in code)


@pytest.fixture
def beside(tmp_path):
    """Return a function that puts a scenario beside a copy of mass 2, which it names by its folder."""

    def written(name="my_mass", text='source = "models/my_mass"'):
        shutil.copytree(paths.fmu_source("models") / "mass_2", tmp_path / "models" / name, dirs_exist_ok=True)
        scenario = tmp_path / "scenario.toml"
        content = EXAMPLE.read_text(encoding="utf-8").replace('model = "mass_2"', text)
        scenario.write_text(content, encoding="utf-8")
        return scenario

    return written


SHORT = ('algorithms=["eros3"]', 'timing=["event"]', "duration=2.0")


@pytest.mark.landing("compiles a prototype for a scenario")
def test_a_scenario_brings_its_prototype_as_two_files(beside):
    (own,), (known,) = (simulate(path, SHORT).runs for path in (beside(), EXAMPLE))
    assert own.radius == known.radius and own.metrics == known.metrics
    assert all((own.traces[name].estimate == known.traces[name].estimate).all() for name in known.traces)


@pytest.mark.landing("a sweep with processes: 7 s of CPU")
def test_a_sweep_goes_with_such_a_prototype(beside, tmp_path):
    places = enumerate((beside(), EXAMPLE))
    given = {"axes": {"latency": "2,3"}, "assignments": SHORT, "where": Where(workers=1)}
    own, known = (sweep(path, tmp_path / str(i), **given).table.rows for i, path in places)
    assert [replace(row, settings="") for row in own.values()] == [replace(row, settings="") for row in known.values()]
    assert all(row.verdict == "unknown" and row.radius is not None for row in own.values())


def test_the_digest_of_a_sweep_follows_the_code_of_a_prototype(beside):
    path = beside()
    before, code = settings_digest(load_scenario(path)), path.parent / "models" / "my_mass" / "model.c"
    code.write_text(code.read_text(encoding="utf-8") + "/* changed */\n", encoding="utf-8")
    assert settings_digest(load_scenario(path)) != before


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("my_mass", 'source = "models/my_mas"', r"my_mas: a prototype is model\.c and model\.toml .* missing"),
        ("my-mass", 'source = "models/my-mass"', "called as its folder, allowed letters, digits and _"),
        ("my_mass", 'model = "mass_2"\nsource = "models/my_mass"', "exactly one of fmu, model, source, recording"),
        ("mass_1", 'source = "models/mass_1"', "mass_1 and components.mass_2 have models of one name in two places"),
    ],
)
def test_a_prototype_that_cannot_be_built_is_refused_by_a_sentence(beside, name, text, said):
    with pytest.raises(UsageError, match=said):
        simulate(beside(name, text), SHORT)
