"""The folder of an export: all files or none, and a README that says how to run them."""

import pytest
from fmpy import simulate_fmu
from fmpy.validation import validate_fmu

from couplant.base.errors import UsageError
from couplant.elsewhere.export import export
from tests import attacker

DESCRIPTIONS = ("system.ssp", "OspSystemStructure.xml", "container.json", "README.txt")


def test_the_folder_holds_what_is_said_and_nothing_else(exported):
    found = {path.relative_to(exported.folder).as_posix() for path in exported.folder.rglob("*") if path.is_file()}
    assert found == set(exported.files) and len(exported.files) == 8 + len(DESCRIPTIONS)
    assert set(DESCRIPTIONS) < found


def test_every_fmu_is_valid_and_runs_by_itself(exported):
    for path in (exported.folder / "fmus").iterdir():
        assert validate_fmu(str(path)) == []
    result = simulate_fmu(str(exported.folder / "fmus" / "mass_1.fmu"), stop_time=0.1, output_interval=0.02)
    assert result["x1"][0] == 0.5


@attacker.POSIX
def test_fmus_of_others_are_copied_and_not_run(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTACK", "load 1 abort")
    scenario = attacker.build(tmp_path)
    done = export(scenario, tmp_path / "out")
    assert (done.folder / "fmus" / "bad.fmu").read_bytes() == (tmp_path / attacker.NAME).read_bytes()


def test_the_readme_names_step_and_duration_and_every_tool(exported):
    text = (exported.folder / "README.txt").read_text(encoding="utf-8")
    assert "algorithm eros3, step timing, communication step 0.02 s, 2.0 s." in text
    assert "made for tools of the kind reads_again" in text
    for tool in ("OMSimulator", "libcosim", "Ecos", "fmucontainer", "FMPy"):
        assert f"\n{tool} " in text
    assert "$" not in text and "none: every FMU starts with the values of the scenario" in text
    assert max(map(len, text.splitlines())) <= 120


def test_the_readme_lists_the_parameters_of_fmus_from_elsewhere(foreign, tmp_path):
    export(foreign, tmp_path)
    text = (tmp_path / "README.txt").read_text(encoding="utf-8")
    assert "    first.m1 = 2.0\n" in text and "    wire.latency.mode = uniform\n" in text


def test_nothing_is_written_if_anything_is_wrong(oscillator, tmp_path):
    with pytest.raises(UsageError, match="allowed one of them, such as algorithm = "):
        export(oscillator, tmp_path / "new")
    with pytest.raises(UsageError, match="platform = amiga"):
        export(oscillator, tmp_path / "new", algorithm="zoh", platform="amiga")
    assert not list(tmp_path.iterdir())


def test_the_algorithm_need_not_be_one_that_the_scenario_runs(oscillator, tmp_path):
    assert export(oscillator, tmp_path, algorithm="irregular").algorithm == "irregular"
    with pytest.raises(UsageError, match="allowed"):
        export(oscillator, tmp_path, algorithm="best")
