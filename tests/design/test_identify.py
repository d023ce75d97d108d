"""Models from the three recordings of example 15, and on loops of the prototypes that the recordings are of."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import tomllib

from couplant.analysis.signal.pieces import pieces
from couplant.base.errors import UsageError
from couplant.design.both_sides import Side, radius
from couplant.design.identify import LEAST_SHARE, identify, learn
from couplant.tables import read_together
from tests.cosim.conftest import EXAMPLES
from tests.design.test_both_sides import ENGINE, VEHICLE, H, engine, scattered, vehicle

RECORDED = sorted((EXAMPLES / "15_engine_shaft").glob("recorded_*.csv"))


@cache
def data():
    values, step, _ = read_together(RECORDED, ["torque", "speed"])
    return pieces([(one[:, :1], one[:, 1:]) for one in values], step)


@cache
def learnt(signal):
    """Return models of the sender of a signal, for the numbers of states that matter."""
    if signal == "torque":
        return learn(data(), ["speed"], ["torque"], [2, 3])
    return learn(data().mirror(), ["torque"], ["speed"], [3])


def share(steps, spread=0.05, count=30):
    """Return the share of shafts within the spread on which the loop with both identified models is stable."""
    models = [identify(learnt(signal), steps).chosen.model.observer(H) for signal in ("torque", "speed")]
    rng, stable = np.random.default_rng(7), 0
    for _ in range(count):
        own = engine(**scattered(ENGINE, rng, spread)), vehicle(**scattered(VEHICLE, rng, spread))
        sides = [Side(one, model) for one, model in zip(own, models, strict=True)]
        stable += radius(*sides, steps, H) < 1.0
    return stable / count


@pytest.mark.night("designs for closed loops: 9 s of CPU")
def test_at_three_steps_the_loop_of_nearly_all_shafts_is_stable():
    for signal in ("torque", "speed"):
        assert identify(learnt(signal), 3).refused == ""
    assert share(3) >= 0.9


@pytest.mark.night("long recordings: 15 s of CPU")
def test_the_models_in_example_15_are_those_that_are_found():
    tables = tomllib.loads((RECORDED[0].parent / "identified.toml").read_text(encoding="utf-8"))["models"]
    for name, signal in (("engine", "torque"), ("vehicle", "speed")):
        found = identify(learnt(signal), 3).chosen.model
        own = np.sort_complex(np.linalg.eigvals(np.array(tables[name]["A"])))
        assert own == pytest.approx(np.sort_complex(np.linalg.eigvals(found.A)), rel=0.02)
        assert tables[name]["noise"] == pytest.approx(found.noise, rel=0.02)


@pytest.mark.landing("identifies many models")
def test_at_six_steps_the_loop_is_stable_or_the_model_is_refused():
    """The frontier: what a refusal says is tested too, on ten steps."""
    found = identify(learnt("torque"), 6)
    assert share(6) >= 0.9 or ("is stable on" in found.refused and "speed is excited by itself" in found.refused)


@pytest.mark.landing("identifies models until none agree: 11 s of CPU")
def test_where_the_models_do_not_agree_none_is_given_and_the_reason_is_said():
    found = identify(learnt("torque"), 10)
    assert found.chosen.share < LEAST_SHARE or found.chosen.gain > 1.0
    assert found.refused.startswith(("at 10 macro steps and one more the loop", "10 macro steps ahead the model errs"))
    assert share(10, spread=0.0, count=1) == 0.0 or found.chosen.gain > 1.0


@pytest.mark.landing("identifies where no model was made")
def test_errors_are_told_where_a_model_was_not_made():
    found = identify(learnt("torque"), 3)
    assert found.left_out == "recordings that were left out in turn"
    assert found.chosen.one[0] == pytest.approx(0.4, rel=0.15)
    assert 0.15 < found.chosen.one[0] < found.chosen.ahead[0] < 0.5 * found.chosen.zoh[0]
    assert found.chosen.model.noise == pytest.approx([0.15], rel=0.1)
    vehicle_side = identify(learnt("speed"), 3)
    assert vehicle_side.chosen.model.noise == pytest.approx([0.02], rel=0.1)
    modes = np.sort(np.linalg.eigvals(vehicle_side.chosen.model.A).imag)
    assert modes == pytest.approx(np.sort(np.linalg.eigvals(vehicle(**VEHICLE).A).imag), abs=0.3)


@pytest.mark.parametrize(
    ("inputs", "outputs", "states", "words"),
    [
        ([], ["torque"], [], "inputs = 0 signals, allowed 1 to 4"),
        (["speed"], ["torque"], [8], "states = 8, allowed 1 to 7"),
        (["speed"], ["speed"], [], "speed is named 2 times"),
    ],
)
def test_what_is_wrong_is_said(inputs, outputs, states, words):
    with pytest.raises(UsageError, match=words):
        learn(data(), inputs, outputs, states)


def test_signals_that_never_change_and_short_recordings_are_refused():
    t = np.arange(100.0)[:, None]
    with pytest.raises(UsageError, match="u never changes"):
        learn(pieces([(t, 0.0 * t)], H), ["u"], ["y"])
    with pytest.raises(UsageError, match="100 macro steps at most, allowed at least 192"):
        learn(pieces([(t, t**2)], H), ["u"], ["y"])
    with pytest.raises(UsageError, match="steps = 65, allowed 1 to 64"):
        identify(learnt_alone(), 65)


def test_a_prototype_alone_is_found_even_without_noise():
    """Inputs that follow nothing tell of no loop, thus there is none to judge the model by."""
    found = identify(learnt_alone(), 3)
    assert found.chosen.share is None and found.refused == ""
    assert found.chosen.model.A[0, 0] == pytest.approx(-5.0, rel=1e-3)
    assert found.chosen.ahead[0] < 1e-4 * found.chosen.zoh[0]


@cache
def learnt_alone():
    """Return models of a prototype that nothing answers."""
    return learn(pieces([alone(0), alone(1)], H), ["u"], ["y"], [1])


def alone(seed):
    """Return y' = 5 (u - y) with u linear between macro steps."""
    u, y = np.cumsum(np.random.default_rng(seed).standard_normal(250)), [0.0]
    phi = np.exp(-5.0 * H)
    for now, then in pairwise(u):
        rise = (then - now) / H
        y.append(phi * y[-1] + (1.0 - phi) * (now - rise / 5.0) + then - now)
    return np.array(y)[:, None], u[:, None]
