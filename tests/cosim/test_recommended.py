"""What couplant recommends for the torque of the hybrid vehicle is stable with all nine plants and drivers."""

import shutil

import numpy as np
import pytest
import tomlkit

import couplant
from couplant.cli import main
from couplant.design.settings import change_signal
from tests.cosim.conftest import guessed
from tests.cosim.hybrid import FOLDER, NINE
from tests.unwired import simulate

STEPS = ("--steps", "6")


@pytest.fixture(scope="module", autouse=True)
def unjudged():
    """C needs no reference: its first guess is enough."""
    with guessed():
        yield


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Return a recording of the torque, made with ZOH and another disturbance than that of the runs judged."""
    (run,) = simulate(FOLDER / "scenario.toml", ['algorithms=["zoh"]', "noise_seed=11"]).runs
    path, trace = tmp_path_factory.mktemp("recorded") / "torque.csv", run.traces["torque"]
    columns = np.column_stack([trace.time, trace.sent])
    np.savetxt(path, columns, fmt="%.17g", delimiter=",", header="time,torque", comments="")
    return path


@pytest.fixture(scope="module")
def folder(recorded):
    """Return copies of the example, with settings of a design, of what was learnt, and of what is recommended."""
    for verb in ("design", "learn"):
        place = recorded.parent / verb
        shutil.copytree(FOLDER, place)
        files = ("--recording", recorded) if verb == "design" else (recorded,)
        words = (verb, *files, *STEPS, "--config", place / "torque.toml", "--signal", "torque")
        assert main([str(word) for word in words]) == 0
    place, found = recorded.parent / "inspect", couplant.inspect(recorded, steps=6, timing="event")
    shutil.copytree(FOLDER, place)
    (settings,) = tomlkit.parse(found.settings()).unwrap()["signals"].values()
    change_signal(place / "torque.toml", "torque", lambda section: section.update(algorithm=settings["algorithm"]))
    return recorded.parent


@pytest.mark.landing("an inspection and its loop")
def test_inspect_recommends_what_falls_back_by_itself(recorded):
    """Bare weights err less on the recording, but nobody has asked the loop."""
    found = couplant.inspect(recorded, steps=6, timing="event")
    assert found.recommended in ("auto", "auto_designed", "auto_learnt")


@pytest.mark.sample(1, rest="night")
@pytest.mark.landing("designs and learns for nine vehicles: 7 s of CPU each")
@pytest.mark.parametrize("name", NINE)
def test_designed_and_learnt_weights_help_in_all_nine(folder, name):
    """Learnt weights without a bound on their gain are unstable where the engine is heavy for its clutch."""
    (zoh,) = simulate(FOLDER / "scenario.toml", ['algorithms=["zoh"]', *NINE[name]]).runs
    words = ['algorithms=["configured"]', *NINE[name]]
    runs = (simulate(folder / verb / "scenario.toml", words).runs[0] for verb in ("design", "learn", "inspect"))
    designed, learnt, recommended = runs
    assert recommended.metrics["C"] < zoh.metrics["C"]
    assert designed.metrics["C"] < 0.75 * zoh.metrics["C"]
    assert learnt.metrics["C"] < 0.64 * zoh.metrics["C"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", NINE)
@pytest.mark.parametrize("timing", ["event", "step"])
def test_irregular_takes_its_weights_back_where_the_loop_does_not_bear_them(timing, name):
    """They made C 500 times that of the wire. What is left is a burst of an eighth of a second before it knows."""
    words = ['algorithms=["wire", "irregular"]', f'timing=["{timing}"]', "noise=0.0", *NINE[name]]
    wire, irregular = simulate(FOLDER / "scenario.toml", words).runs
    assert irregular.metrics["C"] < (1.0 if name == "base" else 2.0) * wire.metrics["C"]
