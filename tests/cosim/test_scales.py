"""Units along the connections of a scenario."""

import pytest

from couplant.base.errors import UsageError
from couplant.cli import main
from couplant.config import advice, parse_interface
from tests.cosim.conftest import EXAMPLES
from tests.unwired import simulate

SCENARIO = """
name = "units"
macro_step = 0.01
[components]
bench = { recording = "bench.csv" }
mass = { model = "mass_2" }
[network]
latency_steps = 2
[signals.x]
from = "bench.x"
to = ["mass.x1"]
UNIT
[signals.f]
from = "mass.f"
unit = "N"
"""
INTERFACE = '[interface]\nname = "b"\nmacro_step = 0.01\n[signals.x]\nunit = "m"\nlatency = { constant_steps = 2 }\n'


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def written(folder, unit="", recorded="m"):
    rows = "".join(f"{0.01 * n:.2f},{(n % 7) / 10}\n" for n in range(200))
    (folder / "bench.csv").write_text(f"t,x\ns,{recorded}\n{rows}", encoding="utf-8")
    (folder / "interface.toml").write_text(INTERFACE, encoding="utf-8")
    path = folder / "scenario.toml"
    path.write_text(SCENARIO.replace("UNIT", unit), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("unit", "recorded", "sentence"),
    [
        ('unit = "km"', "km", 'signals.x.unit is in "km", allowed "m" as mass.x1: 1000 times as large.'),
        ('unit = "m"', "mm", 'signals.x.unit is in "m", allowed "mm" as bench.x: 1000 times as large.'),
        ("", "mm", 'signals.x: bench.x is in "mm", allowed "m" as mass.x1: 0.001 times as large.'),
        (
            'unit = "mm"\ncoupling = { configuration = "interface.toml" }',
            "",
            'signals.x.unit is in "mm", allowed "m" as mass.x1: 0.001 times as large.',
        ),
    ],
)
def test_ends_that_differ_in_scale_are_refused(folder, unit, recorded, sentence):
    with pytest.raises(UsageError) as problem:
        simulate(written(folder, unit, recorded))
    assert str(problem.value).endswith(sentence)


def test_the_settings_of_a_coupling_fmu_are_held_against_what_it_gets(folder):
    path = written(folder, 'coupling = { configuration = "interface.toml" }', "")
    (folder / "interface.toml").write_text(INTERFACE.replace('"m"', '"km"'), encoding="utf-8")
    with pytest.raises(UsageError, match=r'the coupling FMU is in "km", allowed "m" as mass.x1: 1000 times as large'):
        simulate(path, ["duration=0.1"])


def test_ends_of_one_scale_are_taken(folder, caplog):
    simulate(written(folder, 'unit = "m"'), ["duration=0.1"])
    assert not caplog.records


def test_unknown_units_get_a_question(folder, caplog):
    torque = parse_interface(
        {"interface": {"name": "b", "macro_step": 0.01}, "signals": {"x": {"unit": "Nm"}}}, "b.toml"
    )
    assert 'signals.x.unit: "Nm" is no known unit, did you mean "N.m"?' in advice(torque)
    simulate(EXAMPLES / "03_recording" / "scenario.toml", ["duration=0.1", "signals.torque_a.unit='Nm'"])
    assert 'signals.torque_a.unit: "Nm" is no known unit, did you mean "N.m"?' in caplog.text


@pytest.mark.parametrize("verb", ["inspect", "design", "learn"])
def test_a_recording_in_another_scale_than_the_settings_is_refused(folder, verb, capsys):
    written(folder, recorded="km")
    files = ("--recording", folder / "bench.csv") if verb == "design" else (folder / "bench.csv",)
    before = (folder / "interface.toml").read_bytes()
    words = (verb, *files, "--config", folder / "interface.toml", "--signal", "x")
    assert main([str(word) for word in words]) == 2
    assert 'x is in "km", allowed "m" as' in capsys.readouterr().err
    assert (folder / "interface.toml").read_bytes() == before
