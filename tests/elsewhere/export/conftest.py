"""Example 01, exported once with starts of its own; a system with an FMU from elsewhere."""

from pathlib import Path

import pytest

from couplant.config.scenario import load_scenario
from couplant.elsewhere.export import export
from couplant.elsewhere.export.system import system_of
from couplant.pack import build_model_fmu

OSCILLATOR = Path(__file__).resolve().parents[3] / "examples" / "01_two_mass_oscillator" / "scenario.toml"
CHANGES = ("duration=2.0", "network.jitter_steps=1", "components.mass_1.parameters.x1.start=0.5")
FOREIGN = """
name = "An FMU from elsewhere"
macro_step = 0.02
duration = 1.0
algorithms = ["zoh"]

[components.first]
fmu = "prototype.fmu"
parameters = { m1 = 2.0, x1 = { start = 0.5 } }

[components.wire]
fmu = "wire.fmu"
parameters = { reordering = false, seed = 5, latency = { mode = "uniform" } }

[connections]
"wire.value" = "first.x1"

[signals.back]
from = "wire.received"
to = ["first.f"]
network = { latency_steps = 1 }
"""


@pytest.fixture(scope="session")
def oscillator():
    return OSCILLATOR


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    """Return what was exported."""
    return export(OSCILLATOR, tmp_path_factory.mktemp("exported"), CHANGES, algorithm="eros3")


@pytest.fixture(scope="session")
def system(tmp_path_factory):
    """Return the system of the same scenario."""
    loaded = load_scenario(OSCILLATOR, (*CHANGES, 'algorithms=["eros3"]'))
    return system_of(loaded, "eros3", tmp_path_factory.mktemp("system"), "host")


@pytest.fixture(scope="session")
def foreign(tmp_path_factory):
    """Return the path of a scenario whose prototypes are FMUs of which only the file is known."""
    folder = tmp_path_factory.mktemp("foreign")
    build_model_fmu("mass_1", folder, file_name="prototype")
    build_model_fmu("network", folder, file_name="wire")
    path = folder / "scenario.toml"
    path.write_text(FOREIGN, encoding="utf-8")
    return path
