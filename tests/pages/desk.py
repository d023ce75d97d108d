"""The folder in which the commands of a page are run: the files that pages name, small."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from couplant.cosim import simulate
from couplant.pack import build_model_fmu
from tests.elsewhere.ssp import systems
from tests.pages.blocks import ROOT, blocks
from tests.prototypes import PUBLISHED

EXAMPLES = ("scenario.toml", "*.toml", "*.csv")
SCENARIO = "examples/01_two_mass_oscillator/scenario.toml"
INTERFACE = """
[interface]
name = "bench"
macro_step = 0.01

[signals.torque]
unit = "N.m"
latency = { constant_steps = 3 }
output = { min = -200.0, max = 400.0 }

[signals.x]
latency = { constant_steps = 3 }
"""
SHORT = ('algorithms=["foh"]', "duration=0.2")
"""Keys of a scenario that is run only to see that its command works."""

RECORDED = 'name = "bench"\nmacro_step = 0.01\nalgorithms = ["foh"]\n'


def lay(folder: Path) -> None:
    """Put into a folder what commands of the pages read."""
    for source in sorted({path for name in EXAMPLES for path in ROOT.glob(f"examples/*/{name}")}):
        target = folder / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    shutil.copytree(PUBLISHED, folder / PUBLISHED.relative_to(ROOT))
    scenario = (ROOT / SCENARIO).read_text(encoding="utf-8")
    for given, short in (("duration = 25.0", "duration = 0.2"), ('["zoh", "foh", "smb", "eros3", "eros4"]', '["foh"]')):
        assert given in scenario
        scenario = scenario.replace(given, short)
    (folder / "scenario.toml").write_text(scenario, encoding="utf-8")
    (folder / "examples" / "03_recording" / "settings.toml").write_text(RECORDED, encoding="utf-8")
    for name in ("interface.toml", "bench.toml"):
        (folder / name).write_text(INTERFACE, encoding="utf-8")
    system = next(block for block in blocks("docs/system.md") if block.language == "toml")
    (folder / "system.toml").write_text(system.text, encoding="utf-8")
    (folder / "side.toml").write_text(next(iter(blocks("docs/models.md"))).text, encoding="utf-8")
    for name, new in (("mass_1", "plant"), ("mass_2", "my_prototype"), ("engine_bench", "engine")):
        build_model_fmu(name, folder).rename(folder / f"{new}.fmu")
    masses = {f"resources/{name}.fmu": build_model_fmu(name, folder) for name in ("mass_1", "mass_2")}
    systems.archive(folder / "system.ssp", systems.flat(), masses)
    _record(folder)
    simulate(folder / "scenario.toml", ["duration=2.0", 'bonds.b={effort="f", flow="x1"}'], output=folder / "result")


def _record(folder: Path) -> None:
    """Write recordings of 20 s, a signal that moves slowly and one that follows it; the extension does not count."""
    t = np.arange(2000) * 0.01
    torque, lag = (np.sin(1.3 * (t - late)) + 0.4 * np.sin(3.1 * (t - late)) for late in (0.0, 0.037))
    speed = 1.3 * np.cos(1.3 * t) + 1.24 * np.cos(3.1 * t)
    for name in ("recording.csv", "command.csv", "a.csv", "b.csv", "c.csv", "run.mf4"):
        _table(folder / name, ("t", "torque"), (t, torque * (1.2 if name == "b.csv" else 1.0)))
    _table(folder / "response.csv", ("t", "torque"), (t, lag))
    late = [np.roll(value, 3) for value in (torque, speed)]
    bench = folder / "examples" / "03_recording" / "bench.csv"
    _table(bench, ("t", "torque", "torque_filtered"), (t, torque, torque))
    for name in ("run.csv", "undelayed.csv", "power.csv"):
        _table(folder / name, ("t", "f", "x", "x1", "fh", "x1h"), (t, speed, torque, torque, late[1], late[0]))


def _table(path: Path, heads: tuple[str, ...], columns: tuple[np.ndarray, ...]) -> None:
    np.savetxt(path, np.column_stack(columns), delimiter=",", header=",".join(heads), comments="", fmt="%.9g")
