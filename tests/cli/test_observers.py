"""`couplant design --model`: observers for the prototypes of a system, of a scenario or in FMUs, and where they go."""

import json
import shutil

import numpy as np
import pytest

from couplant.config import load_interface
from couplant.config.frame.read import read_toml
from couplant.config.scenario import load_scenario
from couplant.pack import build_model_fmu
from tests.analysis.conftest import OSCILLATOR
from tests.cosim.conftest import EXAMPLES
from tests.unwired import simulate

SCENARIO = EXAMPLES / "14_long_latency" / "scenario.toml"
ASKED = ("--noise", "0.01", "--excited", "mass_1=1", "--excited", "mass_2=0.1", "--plants", "3")
SIDE = """# kept
[interface]
name = "side_of_mass_2"
macro_step = 0.02
timing = "event"

[signals.x1]
unit = "m"                              # kept too
latency = { constant_steps = 5 }

[signals.v1]
unit = "m/s"
latency = { constant_steps = 5 }

[signals.f]
unit = "N"
latency = { constant_steps = 5 }
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["event", "step"])
def test_a_scenario_gets_tables_that_are_ready_to_use(timing, couplant, tmp_path):
    own, page, picture = (tmp_path / name for name in ("scenario.toml", "page.html", "picture.svg"))
    shutil.copy(SCENARIO, own)
    files = ("--config", str(own), "--output", str(page), "--picture", str(picture))
    done = couplant("design", "--model", str(own), "--timing", timing, "--steps", "5", *ASKED, *files, "--json")
    found = json.loads(done.out)
    assert (found["timing"], found["stable_share"], set(found["steps"].values())) == (timing, 1.0, {5})
    assert 0.0 < found["error"] < 0.5 * np.mean([*found["wire"].values()])
    loaded = load_scenario(own, ["network.latency_steps=5"])
    for name, weights in found["models"].items():
        table = loaded.scenario.models[name]
        assert (table.order, table.leak, table.drive) == (weights["order"], weights["leak"], weights["drive"])
        assert table.noise == tuple(weights["noise"])
    changes = ['algorithms=["model"]', f'timing=["{timing}"]', "network.latency_steps=5", "duration=1.0"]
    (run,) = simulate(own, changes).runs
    assert run.radius == pytest.approx(found["radius"], abs=1e-12)
    assert "Observers for models" in page.read_text(encoding="utf-8") and "<svg" in picture.read_text(encoding="utf-8")


def test_a_settings_file_gets_the_algorithm_too(couplant, tmp_path):
    side = tmp_path / "side.toml"
    side.write_text(SIDE, encoding="utf-8")
    done = couplant("design", "--model", str(SCENARIO), "--timing", "event", *ASKED, "--config", str(side))
    settings = load_interface(side)
    assert done.status == 0 and {one.algorithm.selected for one in settings.signals.values()} == {"model"}
    assert (settings.models["mass_2"].inputs, settings.models["mass_2"].outputs) == (("x1", "v1"), ("f",))
    assert "# kept\n" in side.read_text(encoding="utf-8") and "# kept too\n" in side.read_text(encoding="utf-8")


def test_a_system_file_says_the_same_as_a_scenario(couplant):
    words = ("--timing", "event", "--steps", "3", *ASKED, "--json")
    of_system, of_scenario = (json.loads(couplant("design", "--model", str(one), *words).out)
                              for one in (OSCILLATOR, SCENARIO))  # fmt: skip
    assert of_system["error"] == pytest.approx(of_scenario["error"], rel=1e-6)
    assert of_system["models"]["mass_2"] == of_scenario["models"]["mass_2"]


def test_a_prototype_in_an_fmu_is_made_linear(couplant, tmp_path):
    fmu = build_model_fmu("mass_2", tmp_path)
    words = ("--set", f"components.mass_2={{fmu='{fmu.as_posix()}'}}", "--timing", "event", "--steps", "3", *ASKED)
    text = couplant("design", "--model", str(SCENARIO), *words).out
    path = tmp_path / "models.toml"
    path.write_text(text[text.index("[models.mass_1]") :], encoding="utf-8")
    one = read_toml(path)["models"]["mass_2"]
    assert one["A"] == [pytest.approx(row, rel=1e-6) for row in ([0.0, 1.0], [-120.0, -0.02])]
    assert one["D"] == [pytest.approx([-2.0, -0.001], rel=1e-6)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--steps", "3", "--steps", "8"), "--steps = 3, 8, allowed one latency with --model"),
        (("--noise", "x9=0.1"), "--noise = x9=0.1, allowed names are x1, v1, f"),
        (("--noise", "much"), "--noise = much, allowed a number or NAME=NUMBER"),
        (("--excited", "1.0"), "--excited = 1.0, allowed names are mass_1, mass_2"),
        (("--plants", "-1"), "plants = -1, allowed 0 and more"),
        (("--set", "network.latency_steps=0"), "x1 has no latency: steps = 0, allowed 1 macro step and more (--steps)"),
        (("--host", "sequential", "--set", 'timing=["step"]'), "allowed are signals alone, in a host"),
    ],
)
def test_what_cannot_be_is_told(couplant, words, message):
    done = couplant("design", "--model", str(SCENARIO), *words)
    assert done.status == 2 and message in done.err


def test_excitation_is_that_of_models(couplant):
    done = couplant("design", "--macro-step", "0.02", "--steps", "3", "--band", "0.5", "12", "--excited", "mass_1=1")
    assert done.status == 2 and "--excited = mass_1=1, allowed with --model alone" in done.err
