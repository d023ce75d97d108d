"""Users' programs are type-checked against the packages: they carry their types."""

import sys
from pathlib import Path

import pytest

from tests import commands

PROGRAM = '''
from pathlib import Path

import couplant
from couplant.analysis import generic, limit_frequencies
from couplant.config import load_interface
from couplant.cosim import load_scenario, simulate
from couplant.pack import build_coupling_fmu, build_model_fmu
from couplant.tables import open_table
from couplant_runtime import Settings

interface = load_interface("bench/interface.toml")
paths: list[Path] = [build_coupling_fmu(interface, name, Path("fmus")) for name in interface.signals]
prototype: Path = build_model_fmu("mass_1", Path("fmus"), platform="all")
gain: float | None = limit_frequencies(generic("eros3", 4), "step").gain
result = simulate("scenario.toml")
event: bool = Settings.from_text("").event
names: tuple[str, ...] = open_table("recording.csv").names
fits: str = couplant.inspect({"time": [0.0, 1.0], "y": [0.0, 1.0]}, steps=3).recommended
weights: tuple[float, ...] = couplant.design("recording.csv", steps=[3])[3].design.algorithm.a
files: dict[str, Path] = couplant.build({"interface": {}}, fmi=3).files
runs = couplant.simulate("scenario.toml").runs
turn: float | None = couplant.stability("system.toml").margins["plant.force"].phase.value
signal: float = float(couplant.read("recording.csv")["y"].value[0])
wrong: int = build_coupling_fmu(interface, "f", Path("fmus"))
'''


@pytest.mark.landing("installs a wheel, or checks types: 11 s of CPU")
def test_a_program_of_a_user_sees_the_types(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nstrict = true\n", encoding="utf-8")
    options = ["--config-file", str(config), "--cache-dir", str(tmp_path / "cache")]
    command = [sys.executable, "-m", "mypy", *options, str(path)]
    found = commands.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
    errors = [line for line in found.splitlines() if "error:" in line and Path(line.split(":")[0]).name == path.name]
    assert len(errors) == 1, found
    assert 'expression has type "Path", variable has type "int"' in errors[0]
