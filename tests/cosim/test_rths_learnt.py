"""Example 13, the lag learnt: cases, plants, other ground motions, a lag that drifts, wrong answers."""

import json
import re

import numpy as np
import pytest
from scipy.signal import butter, sosfilt

from tests.cosim.rths import SAMPLE, UNTOLD, Laboratory, answering, ground, indices
from tests.cosim.test_rths import EXPECTED, FOLDER, LAG, STRONGEST, TEXT
from tests.unwired import simulate

pytestmark = pytest.mark.landing("the story of an example: a frame under an earthquake")

MODES = {"lag": 3.3, "lag_and_gain": 3.0}
"""Largest error allowed, J4 [%]."""


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory):
    made = Laboratory(tmp_path_factory.mktemp("learnt"))
    limits = {"mode": "constant", "constant_steps": 0, "offset": LAG, "offset_min": 0.002, "offset_max": 0.02}
    for mode in ("off", *MODES):
        made.coupling(mode, 4 * SAMPLE, algorithm="eros3", latency={**limits, "follow": mode})
    return made


def error_of(found):
    return indices(found)[3]


def lag_of(found):
    return found["coupling.latency.lag"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", (1, 2, 3, 4))
def test_with_the_lag_learnt_from_any_start_the_error_is_that_of_a_lag_measured_well(laboratory, case, mode):
    errors = []
    for start in (0.005, 0.015):
        found = laboratory.learn(case, mode, ground(), answering(), start=start)
        assert np.abs(found["bench.actuator.force"]).max() < STRONGEST
        assert lag_of(found)[0] == start
        assert np.abs(lag_of(found)[int(7.0 / SAMPLE) :] - LAG).max() < 5e-4
        errors.append(error_of(found))
    assert max(errors) <= MODES[mode]
    assert errors == pytest.approx([EXPECTED[mode][str(case)]] * 2, abs=0.02)


@pytest.mark.landing("long closed loops: 8 s of CPU")
def test_twenty_perturbed_plants_are_stable(laboratory):
    chance, shaken, found = np.random.default_rng(1), ground(15.0), []
    for plant, (start, mode) in enumerate(zip(np.linspace(0.005, 0.015, 20), [*MODES] * 10, strict=True)):
        k, a, b, c = chance.standard_normal(4) * (5e4, 3.3, 3.3e3, 1.3)
        bench = {"actuator.damping": 425.0 + a, "actuator.stiffness": 9.9976e4 + b, "actuator.pole": 3.3 + c}
        bench["stiffness"] = 1.19e6 + k
        run = laboratory.learn(1 + plant // 2 % 4, mode, shaken, answering(), start=start, bench=bench)
        assert run["bench.x_m"].size == shaken.size
        found.append(error_of(run))
    assert max(found) < 3.0


def late(shape):
    """Return by how many samples a command comes later, by time [s]."""
    time = SAMPLE * np.arange(ground().size)
    return {"jump": np.where(time > 8.0, 8, 0), "drift": np.clip((time - 8.0) / 25.0 * 16.0, 0, 16).round()}[shape]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("shape", "fixed", "end"), [("jump", 17.3, 8), ("drift", 22.9, 16)])
def test_a_lag_that_changes_is_followed(laboratory, shape, fixed, end):
    order = {mode: answering(command="coupling.y_hat late") for mode in ("off", "lag_and_gain")}
    runs = {mode: laboratory.learn(4, mode, ground(), order[mode], late=late(shape)) for mode in order}
    assert error_of(runs["off"]) == pytest.approx(fixed, rel=0.02)
    assert error_of(runs["lag_and_gain"]) < 3.5
    assert lag_of(runs["lag_and_gain"])[-1] == pytest.approx(LAG + end * SAMPLE, abs=3e-4)


TIME = SAMPLE * np.arange(int(12.0 / SAMPLE) + 1)
CHANCE = np.random.default_rng(15)


def soil(frequency, damping, peak):
    """Return noise that soil has filtered, with the course of an earthquake [m/s²]."""
    soft = butter(2, frequency * (1.0 + damping), fs=1.0 / SAMPLE, output="sos")
    filtered = sosfilt(soft, CHANCE.standard_normal(TIME.size))
    shaken = filtered * np.minimum(1.0, (TIME / 3.0) ** 2) * np.exp(-np.maximum(0.0, TIME - 7.0) / 3.0)
    return peak * shaken / np.abs(shaken).max()


OTHERS = {
    "soft soil": soil(2.0, 0.6, 3.0),
    "hard soil": soil(5.0, 0.4, 3.0),
    "weak": soil(2.5, 0.6, 0.5),
    "sweep to 12 Hz": np.minimum(1.0, TIME / 2.0) * np.sin(2.0 * np.pi * (0.2 * TIME + TIME**2 / 2.0)),
    "pulses": sum(1.5 * (-1) ** i * np.exp(-(((TIME - 1.5 - 2.3 * i) / 0.15) ** 2)) for i in range(4)),
    "long pulse": 2.0 * np.cos(2.0 * np.pi * (TIME - 5.0) / 1.8) * np.exp(-(((TIME - 5.0) / 1.5) ** 2)),
    "a tone after rest": np.where(TIME > 6.0, 0.5 * np.sin(4.0 * np.pi * TIME), 0.0),
}
"""Ground motions on which nothing was chosen [m/s²]."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("motion", OTHERS)
def test_other_ground_motions_are_no_worse_than_with_the_lag_that_was_measured(laboratory, motion):
    measured = laboratory.learn(4, "off", OTHERS[motion], answering())
    for mode, start in zip(MODES, (0.005, 0.015), strict=True):
        found = laboratory.learn(4, mode, OTHERS[motion], answering(), start=start)
        assert error_of(found) < 1.06 * error_of(measured)
        assert lag_of(found)[-1] == pytest.approx(LAG, abs=6e-4)


SHAKEN = ground(12.0)
NUMBER = SHAKEN.size
WRONG = {
    "nothing": {},
    "force": {"answer": "bench.f"},
    "acceleration of the ground": {"answer": "given"},
    "another storey": {"answer": "frame.x[3]"},
    "noise": {"values": 1e-3 * CHANCE.standard_normal(NUMBER)},
    "strong noise": {"values": 1e-1 * CHANCE.standard_normal(NUMBER)},
    "a constant": {"values": np.full(NUMBER, 0.005)},
    "a tone": {"values": 3e-3 * np.sin(6.0 * np.pi * SAMPLE * np.arange(NUMBER))},
    "no number": {"values": np.full(NUMBER, np.nan)},
    "huge": {"values": 1e300 * CHANCE.standard_normal(NUMBER)},
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("wrong", WRONG)
def test_answers_that_are_none_cost_little(laboratory, wrong):
    held = error_of(laboratory.learn(1, "off", SHAKEN, answering(UNTOLD)))
    more = {"other": WRONG[wrong]["values"]} if "values" in WRONG[wrong] else {}
    order = answering("other" if more else WRONG[wrong].get("answer", UNTOLD))
    for mode in MODES:
        found = laboratory.learn(1, mode, SHAKEN, order, more=more)
        assert found["bench.x_m"].size == NUMBER
        assert error_of(found) < 1.7 * held
        assert lag_of(found)[-1] == pytest.approx(LAG, abs=3e-4)


def test_what_is_lost_on_the_way_leaves_the_lag_as_it_is(laboratory):
    shaken = ground(20.0)
    answers = laboratory.learn(1, "lag", shaken, answering(), start=0.005)
    until = int(9.0 / SAMPLE)
    broken = np.where(np.arange(shaken.size) < until, answers["bench.x_m"], np.nan)
    found = laboratory.learn(1, "lag", shaken, answering("other"), start=0.005, more={"other": broken})
    assert np.array_equal(lag_of(found)[:until], lag_of(answers)[:until])
    assert np.ptp(lag_of(found)[until + 10 :]) == 0.0
    assert error_of(found) < 3.0


@pytest.mark.night("long closed loops: 17 s of CPU each")
@pytest.mark.parametrize("options", [{"fmi": "3"}, {"backend": "python"}], ids=str)
def test_the_scenario_learns_and_is_the_same_in_all_versions(options):
    words = ["duration=6.1", "signals.x.debug=true"]
    changed = [f"coupling.{key}={json.dumps(value)}" for key, value in options.items()]
    (run,), (other,) = (simulate(FOLDER / "learnt.toml", [*words, *more]).runs for more in ([], changed))
    (lag,), (same,) = ([values for key, values in r.debug["x"].items() if "latency.lag" in key] for r in (run, other))
    assert lag[0] == 0.005
    assert lag[-1] == pytest.approx(LAG, abs=2e-4)
    assert np.array_equal(lag, same)
    assert np.array_equal(run.traces["x_m"].sent, other.traces["x_m"].sent)


def test_the_readme_tells_what_was_learnt():
    rows = re.findall(r"^\| (\d) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \|$", TEXT, re.MULTILINE)
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    for case, measured, lag, both in rows:
        wanted = EXPECTED["eros3"][case][3], EXPECTED["lag"][case], EXPECTED["lag_and_gain"][case]
        assert (float(measured), float(lag), float(both)) == pytest.approx(wanted, abs=0.006)
