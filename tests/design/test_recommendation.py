"""What is recommended: not by luck, learnt weights and models too, with a word against what harms."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
import tomlkit
from scipy.signal import lsim

from couplant.analysis.signal.recording import Bands, Span, judge
from couplant.base.style import WIRE
from couplant.config import parse_interface
from couplant.config.scenario import CONFIGURED
from couplant.design.ask import inspect
from couplant.design.inspection import inspect_recording
from couplant.design.judged import Judged
from couplant.design.recommendation import (
    AUTO_DESIGNED,
    AUTO_LEARNT,
    EVERY,
    LEARNT,
    MODEL,
    Recommendation,
    best,
    recommend,
)
from couplant.tables import resample
from tests.design.test_torque import torque

STEP, COUNT = 0.02, 400


def advised(noisy=False, more=MappingProxyType({}), **errors):
    """Return what is recommended where algorithms err so much in four quarters; the wire, and others, by 1 in all."""
    true = resample(np.arange(COUNT) * STEP, np.arange(COUNT) % 7 * 1.0, STEP)
    own = {name: np.repeat(errors.get(name, (1.0,) * 4), COUNT // 4) for name in {WIRE, *EVERY, *errors}}
    estimates = {name: true.value + error for name, error in own.items()}
    table = [judge(name, true.value, estimate) for name, estimate in estimates.items()]
    found = Judged(true, Span(0, COUNT), table, estimates)
    scenes = [{name: replace(row, mae=row.mae * more.get(name, 1.0)) for name, row in found.rows.items()}]
    validated = found.validate(lambda rows: best(rows, scenes))
    return recommend(found.rows, scenes, validated, 3, Bands(2.0, ()), noisy, true.constant)


def test_what_is_better_by_luck_is_not_recommended():
    lucky = advised(auto=(0.0, 1.05, 1.05, 1.05))
    assert lucky.name == WIRE and "auto would be better by luck" in lucky.reason
    assert lucky.validated == pytest.approx((1.0 + 3 * 1.05) / 4)
    steady = advised(auto=(0.8, 0.8, 0.8, 0.8))
    assert steady.name == "auto" and steady.validated == pytest.approx(0.8)
    assert "20 % less error than the plain wire" in steady.reason and "in turn: 20 % less" in steady.reason


@pytest.mark.parametrize(("errors", "chosen"), [
    ({AUTO_LEARNT: 0.5, "auto": 0.7}, AUTO_LEARNT), ({AUTO_LEARNT: 0.5, "auto": 0.504}, "auto"),
    ({MODEL: 0.5, AUTO_DESIGNED: 0.496}, MODEL), ({AUTO_LEARNT: 1e-9, "auto": 0.005}, "auto"),
    ({"auto": 0.96}, WIRE), ({LEARNT: 0.1, "eros3": 0.2}, WIRE), ({}, WIRE),
])  # fmt: skip
def test_of_what_is_alike_that_of_which_most_is_known(errors, chosen):
    assert advised(**{name: (error,) * 4 for name, error in errors.items()}).name == chosen


def test_what_is_worse_than_the_wire_in_a_scene_is_not_recommended():
    errors = {"auto": (0.9,) * 4, AUTO_LEARNT: (0.5,) * 4}
    assert advised(**errors).name == AUTO_LEARNT
    assert advised(more={AUTO_LEARNT: 2.1}, **errors).name == "auto"
    said = advised(more={AUTO_LEARNT: 1.5}, **errors)
    assert said.name == AUTO_LEARNT
    assert "at least 25 % less where the signal is up to 30 % slower or faster" in said.reason
    assert advised(more={AUTO_LEARNT: 2.1, "auto": 1.2}, **errors).name == WIRE


def test_published_algorithms_are_warned_of_where_they_amplify_noise():
    (warning,) = advised(noisy=True, eros3=(3.0,) * 4).warnings
    assert warning.endswith("of this signal: EROS3 3 times the error of the plain wire")
    assert advised(eros3=(3.0,) * 4).warnings == ()
    found = inspect_recording(torque("a"), 6, "step").to_dict()
    assert all(name in found["warnings"][0] for name in ("FOH", "SMB", "EROS3", "EROS4"))


def test_learnt_weights_are_settings():
    found = inspect_recording(torque("a"), 6, "step")
    text = replace(found, advice=Recommendation(LEARNT, "")).settings()
    algorithm = tomlkit.parse(text).unwrap()["signals"]["torque_Nm"]["algorithm"]
    assert algorithm == {"selected": "linear", "steps": 6, "a": list(found.learnt.a), "A": list(found.learnt.A)}


@pytest.mark.landing("an inspection with a model")
@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["event", "step"])
def test_a_model_is_judged_where_its_inputs_are_recorded(timing):
    t = np.arange(600) * STEP
    push = np.repeat(np.random.default_rng(0).standard_normal(60), 10)
    x = lsim(([[0.0, 1.0], [-9.0, -0.6]], [[0.0], [1.0]], np.eye(2), np.zeros((2, 1))), push, t, interp=False)[1]
    recorded = {"time": t, "x1": x[:, 0], "v1": x[:, 1], "f": push}
    given = {"steps": 8, "timing": timing, "configured": settings(timing)}
    found = inspect(recorded, column="x1", **given)
    rows = found.judged.rows
    assert found.recommended == MODEL and found.settings().count('algorithm = "model"') == 1
    best = min(row.mae for name, row in rows.items() if name != MODEL and "auto" not in name)  # it learns by itself
    assert rows[MODEL].mae < min(0.5 * best, 0.6 * rows["auto"].mae) and CONFIGURED not in rows
    without = inspect({name: recorded[name] for name in ("time", "x1", "v1")}, column="x1", **given)
    assert MODEL not in without.judged.rows and "has no channel f beside it" in without.model
    assert "serve at any latency" in inspect(recorded, column="x1", steps=8).model


def settings(timing):
    model = {"A": [[0.0, 1.0], [-9.0, -0.6]], "B": [[0.0], [1.0]], "C": [[1.0, 0.0], [0.0, 1.0]]}
    model |= {"inputs": ["f"], "outputs": ["x1", "v1"]}
    signal = {"algorithm": MODEL, "latency": {"mode": "constant", "constant_steps": 8}}
    head = {"name": "side", "macro_step": STEP, "timing": timing}
    signals = {name: signal for name in ("x1", "v1")}
    return parse_interface({"interface": head, "signals": signals, "models": {"mass": model}}, "side.toml"), "x1"
