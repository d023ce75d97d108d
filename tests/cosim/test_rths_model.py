"""Example 13 over a network with 9.8 ms each way: a model of the frame, or derivatives and a model of the specimen."""

import json

import numpy as np
import pytest

from couplant.config.scenario import load_scenario
from tests.cosim.rths import CASES, SPECIMEN, frame_model
from tests.cosim.test_rths import EXPECTED, FOLDER, error_of
from tests.unwired import simulate

pytestmark = pytest.mark.landing("the story of an example: a frame under an earthquake")

SCENARIO = FOLDER / "network_model.toml"
DERIVED = {"x": "linear", "v": "linear", "a": "auto", "f": "model"}
FOUND = EXPECTED["network_model"]


def error(case, words=()):
    mass, damping = CASES[case]
    own = [f"models.frame.{key}={json.dumps(value)}" for key, value in frame_model(case).items()]
    words = [f"mass={mass}", f"damping={damping}", "duration=10.0", 'algorithms=["configured"]', *own, *words]
    return error_of(simulate(SCENARIO, words).runs[0])


def chosen(algorithms):
    return [f'signals.{signal}.coupling.algorithm="{name}"' for signal, name in algorithms.items()]


def test_the_model_in_the_file_is_that_of_case_1():
    model = load_scenario(SCENARIO).scenario.models["frame"]
    for key, value in frame_model(1).items():
        assert np.array(getattr(model, key)) == pytest.approx(np.array(value), rel=1e-8)


@pytest.mark.night("many designs and runs: 7 s of CPU each")
@pytest.mark.parametrize("case", CASES)
def test_with_a_model_of_the_frame_nothing_needs_to_be_known_of_the_specimen(case):
    found = error(case)
    assert found <= 5.0
    assert found == pytest.approx(FOUND["frame"][str(case)], rel=0.02)


@pytest.mark.night("many designs and runs: 7 s of CPU each")
@pytest.mark.parametrize("case", [1, 4])
def test_with_derivatives_and_a_model_of_the_specimen(case):
    found = error(case, chosen(DERIVED))
    assert found <= 5.0
    assert found == pytest.approx(FOUND["derivatives and specimen"][str(case)], rel=0.02)


@pytest.mark.landing("long closed loops: 12 s of CPU")
def test_what_a_stiffness_of_the_specimen_that_is_wrong_by_a_twentieth_costs():
    through = [[0.95 * SPECIMEN["stiffness"], 2 * 0.0097 * np.sqrt(0.95 * 1.19e6 * 29.13), 29.13]]
    found = error(4, [*chosen(DERIVED), f"models.specimen.D={json.dumps(through)}"])
    assert found == pytest.approx(FOUND["specimen 5 % softer in the model"]["4"], rel=0.02)
