"""Advice for loops that recordings drive: a phase of a grid and its load, by the ideal transformer method."""

import sys

import numpy as np
import pytest
import tomlkit

from couplant.analysis.loop_error import follow_driven, follow_undelayed
from couplant.analysis.system import Connection, Excitation, Prototype, System
from couplant.base.errors import UsageError
from couplant.base.style import WIRE
from couplant.config.models import PHASOR
from couplant.cosim import simulate
from couplant.sweep.advice import ask, errors_of
from couplant.sweep.loop_source import read_loop, wave_of

STEP, DURATION = 1e-3, 0.9
RS, R, L, T = 0.4, 0.8, 1.90986e-3, 2e-4  # ohm, ohm, H, s

GRID = {"A": [[-1.0 / T]], "B": [[0.0, 1.0 / T]], "C": [[-RS]], "D": [[1.0, 0.0]]}
GRID |= {"inputs": ["e", "i"], "outputs": ["v"]}
LOAD = {"A": [[-R / L, 0.0], [1.0 / T, -1.0 / T]], "B": [[1.0 / L], [0.0]], "C": [[0.0, 1.0]]}
LOAD |= {"inputs": ["v"], "outputs": ["i"]}
WAYS = [{"from": "grid.v", "to": "load.v"}, {"from": "load.i", "to": "grid.i"}]

SCENARIO = f"""
name = "phase"
macro_step = {STEP}
micro_step = {STEP / 5}
timing = ["event"]
algorithms = ["zoh"]
judge_from = 0.3

[components]
source = {{ recording = "drive.csv" }}
grid = {{ system = "phase.toml" }}
load = {{ system = "phase.toml" }}

[connections]
"grid.e" = "source.e"

[network]
latency_steps = 20

[signals.v]
from = "grid.v"
to = ["load.v"]

[signals.i]
from = "load.i"
to = ["grid.i"]
"""


def times():
    return 0.5 * STEP * np.arange(round(2.0 * DURATION / STEP) + 1)


def grid_voltage():
    """Return a phase that rises in a tenth of a second, 50.3 Hz."""
    t = times()
    angle = 2.0 * np.pi * 50.3 * t
    return np.minimum(1.0, t / 0.1) * (np.sin(angle) + 0.04 * np.sin(5.0 * angle))


def written(folder, drive=None, scenario=SCENARIO):
    """Write the loop into a folder, with what drives it, and return its scenario."""
    system = {"macro_step": STEP, "timing": "event", "latency_steps": 20, "algorithm": "zoh", "connections": WAYS}
    (folder / "phase.toml").write_text(tomlkit.dumps(system | {"prototypes": {"grid": GRID, "load": LOAD}}))
    values = grid_voltage() if drive is None else drive
    np.savetxt(folder / "drive.csv", np.c_[times(), values], delimiter=",", header="time_s,e", comments="", fmt="%.9f")
    (folder / "scenario.toml").write_text(scenario)
    return folder / "scenario.toml"


@pytest.mark.landing("simulates every candidate: half a minute of CPU")
def test_a_grid_is_advised_phasors_and_gets_the_files_of_what_was_simulated(tmp_path):
    found = ask(written(tmp_path))
    one = found.chosen
    assert one.name == PHASOR and one.settings["follow"] == "frequency"
    assert one.simulated < 0.5 * found.wire.simulated and one.worst < found.wire.worst
    fixed = next(c for c in found.candidates if c.name == PHASOR and c.settings["follow"] == "off")
    assert fixed.radius < 1.0 and one.radius is None, "theory covers the fixed frequency only"
    assert {c.name for c in found.candidates if c.radius is not None and c.radius >= 1.0} >= {"foh", "eros4"}
    texts = {name: tomlkit.parse(text).unwrap() for name, text in found.files().items()}
    table = {"selected": PHASOR, "frequency": 50.0, "harmonics": 5, "follow": "frequency"}
    assert all(signal["algorithm"] == table for signal in texts["interface.toml"]["signals"].values())
    assert texts["scenario.toml"]["connections"] == {"grid.e": "source.e"}
    assert texts["system.toml"]["excitation"] == {}, "the recordings alone move it"
    folder = tmp_path / "advised"
    folder.mkdir()
    for name, text in found.files().items():
        (folder / name).write_text(text, encoding="utf-8")
    wire, configured = simulate(folder / "scenario.toml").runs
    assert np.mean(list(errors_of(configured, found.system, 0.3).values())) == pytest.approx(one.simulated)
    assert np.mean(list(errors_of(wire, found.system, 0.3).values())) == pytest.approx(found.wire.simulated)


@pytest.mark.landing("simulates every candidate: half a minute of CPU")
def test_what_drives_a_loop_without_being_periodic_brings_no_phasors(tmp_path):
    course = np.cumsum(np.random.default_rng(1).standard_normal(times().size))
    found = ask(written(tmp_path, np.convolve(course, np.hanning(80), "same") / 40.0))
    assert PHASOR not in {one.name for one in found.candidates}
    assert found.chosen.name == WIRE or found.chosen.error < found.wire.error


def test_the_wave_is_that_of_all_that_drives(tmp_path):
    *_, drive = read_loop(written(tmp_path), {})
    assert drive["connections"] == {"grid.e": "source.e"} and drive["judge_from"] == 0.3
    wave = wave_of(drive, STEP)
    assert wave is not None and (wave.nominal, wave.harmonics) == (50.0, 5)
    *_, drive = read_loop(written(tmp_path, np.cumsum(np.ones(times().size))), {})
    assert wave_of(drive, STEP) is None


@pytest.mark.parametrize("link", ['"grid.e" = "load.i"', '"grid.i" = "source.e"'])
def test_other_direct_connections_are_refused(tmp_path, link):
    path = written(tmp_path, scenario=SCENARIO.replace('"grid.e" = "source.e"', link))
    with pytest.raises(UsageError):
        read_loop(path, {})


def test_the_reference_of_a_driven_system_is_that_of_small_steps(tmp_path, monkeypatch):
    path, changes = written(tmp_path), ["duration=0.2", "judge_from=0.1", "wire=false"]
    module = sys.modules["couplant.cosim.simulate"]
    (exact,) = simulate(path, changes).runs
    monkeypatch.setattr(module, "_follow_drive", lambda *given: None)
    (iterated,) = simulate(path, changes).runs
    for name, trace in exact.traces.items():
        assert trace.reference == pytest.approx(iterated.traces[name].reference, abs=1e-6)


def test_an_input_acts_as_an_excitation_does():
    """The same prototype moved by an input, and by what nobody measures."""
    one = Prototype("a", [[-3.0]], [[2.0, 1.0]], [[1.0]], [[0.0, 0.0]], ("e", "u"), ("y",))
    other = Prototype("b", [[-1.0]], [[1.0]], [[-1.0]], [[0.0]], ("u",), ("y",))
    ways = Connection.wire("a.y", "b.u", 1), Connection.wire("b.y", "a.u", 1)
    system = System((one, other), ways, 0.1, excitation={"a": Excitation((2.0,), 1.0, 1.0)})
    w = np.random.default_rng(0).standard_normal((50, 1))
    found = follow_driven(system, ["a.e"], w, 0.1)
    assert found == pytest.approx(follow_undelayed(system, w), abs=1e-12)
