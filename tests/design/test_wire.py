"""What is recommended is compared with the plain wire: real signals, and tones whose pitch moves."""

import math
from dataclasses import replace

import numpy as np
import pytest
import tomlkit
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave

from couplant.base.errors import UsageError
from couplant.base.style import WIRE
from couplant.config import parse_interface
from couplant.design.inspection import inspect_recording
from couplant.design.judged import judge_span, play
from couplant.design.recommendation import share
from couplant.pack import build_coupling_fmu
from couplant.tables import Recording
from tests.recordings.real import channels

MANY = "judges 34 real channels: two minutes of CPU"


def inspected(channel, micro_steps=None):
    recording = Recording(channel.name, channel.macro_step, channel.value)
    step = None if micro_steps is None else channel.macro_step / micro_steps
    return inspect_recording(recording, channel.k, "step", micro_step=step)


def shares(micro_steps=None):
    """Return the error of what is recommended over that of the wire, by channel."""
    found = {one.name: inspected(one, micro_steps) for one in channels()}
    return {name: share(one.judged.rows, one.recommended) for name, one in found.items()}


def mean(values):
    return math.exp(np.mean(np.log(list(values))))


@pytest.mark.landing(MANY)
def test_at_the_proposed_communication_step_nothing_recommended_is_worse_than_the_wire():
    found = shares()
    assert len(found) == 34 and max(found.values()) <= 1.0
    assert mean(found.values()) <= 0.80


@pytest.mark.night(MANY)
def test_stepped_once_per_macro_step_neither():
    found = shares(1)
    assert max(found.values()) <= 1.0
    assert mean(found.values()) <= 0.95


def run_in_fmpy(path, received, step):
    """Return what the FMU gives out in a loop of FMPy's own: all inputs are set, then it steps (Jacobi), shape (N,)."""
    description = read_model_description(str(path))
    references = {one.name: one.valueReference for one in description.modelVariables}
    fmu = FMU2Slave(
        guid=description.guid,
        modelIdentifier=description.coSimulation.modelIdentifier,
        unzipDirectory=extract(str(path), str(path.with_suffix(""))),
        instanceName="coupling",
    )
    fmu.instantiate()
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    found = np.empty(received.size)
    found[0] = received[0]
    for i, value in enumerate(received[:-1]):
        fmu.setReal([references["y"]], [value])
        fmu.doStep(i * step, step)
        (found[i + 1],) = fmu.getReal([references["y_hat"]])
    fmu.terminate()
    fmu.freeInstance()
    return found


@pytest.mark.landing("builds FMUs and runs them in FMPy")
@pytest.mark.parametrize("channel", channels()[::3], ids=lambda one: one.name)
def test_the_fmu_that_is_built_errs_in_fmpy_as_inspect_says(channel, tmp_path):
    """The first k values, before anything has come, are what the FMU starts with."""
    found = inspected(channel)
    head = {"name": "real", "macro_step": channel.macro_step, "timing": "step"}
    (signal,) = tomlkit.parse(found.settings()).unwrap()["signals"].values()
    document = {"interface": head, "signals": {"y": signal | {"start": float(channel.value[0])}}}
    path = build_coupling_fmu(parse_interface(document, "real"), "y", tmp_path)
    sent = np.repeat(np.concatenate([np.full(channel.k, channel.value[0]), channel.value[: -channel.k]]), 10)
    estimate = run_in_fmpy(path, sent, channel.macro_step / 10)
    span = found.judged.span
    error = estimate[span.points(10)] - found.judged.value
    name = found.recommended if found.is_worth_it else "zoh"
    assert float(np.sqrt(np.mean(error**2))) == pytest.approx(found.judged.rows[name].rms, rel=0.01)


def tones(factor=1.0, seed=7, steps=3000):
    time = factor * 0.01 * np.arange(steps)
    noise = 0.05 * np.random.default_rng(seed).normal(size=steps)
    return Recording("tones", 0.01, np.sin(2.6 * np.pi * time) + np.sin(6.2 * np.pi * time + 1.0) + noise)


def test_tomorrow_s_operating_point_is_borne():
    """Tones of 1.3 and 3.1 Hz with noise; what was recommended is then used where they are slower or faster."""
    found = inspect_recording(tones(), 3, "step")
    learnt = found.judged.rows["learnt"]
    assert found.judged.rows[found.recommended].rms <= 1.1 * learnt.rms, "as good today as the best of today"
    table = {found.recommended: {"algorithm": found.algorithm}}
    for factor in (0.7, 0.8, 0.9, 1.1, 1.2, 1.3):
        other = tones(factor, seed=8)
        rows = judge_span(other, replace(found.judged.span), 3, "step", table).rows
        assert share(rows, found.recommended) <= 1.0, factor
    worst = [share(rows, "learnt") for rows in found.judged.shifted.values()]
    assert max(worst) > 1.0, "what was learnt alone would do harm"


def test_where_nothing_helps_the_fmu_is_left_out():
    noise = np.random.default_rng(3).normal(size=2000)
    found = inspect_recording(Recording("noise", 0.01, np.cumsum(noise)), 2, "step")
    assert found.recommended == WIRE and "leave the FMU out" in found.reason
    assert 'algorithm = "zoh"' in found.settings(), "what is written does no harm"


def test_the_wire_has_the_value_as_it_comes():
    recording = tones(steps=600)
    found = judge_span(recording, inspect_recording(recording, 3, "step").judged.span, 3, "step")
    span = found.span
    late = recording.value[span.first - 3 : span.last - 3]
    np.testing.assert_array_equal(found.estimates[WIRE], np.repeat(late, 10)[: 10 * span.size - 9])
    np.testing.assert_array_equal(found.value[::10], recording.value[span.first : span.last])
    event = judge_span(recording, span, 3, "event")
    assert event.rows[WIRE].rms == event.rows["zoh"].rms, "in event timing the wire is ZOH"


def test_a_signal_is_played_slower_and_faster():
    time = 0.01 * np.arange(1000)
    recording = Recording("sine", 0.01, np.sin(3.0 * time))
    for factor in (0.7, 1.3):
        played, _ = play(recording, inspect_recording(recording, 1, "step").judged.span, factor)
        true = np.sin(3.0 * factor * 0.01 * np.arange(played.value.size))
        np.testing.assert_allclose(played.value[2:-2], true[2:-2], atol=1e-5)


@pytest.mark.sample(2)
@pytest.mark.parametrize("step", [0.0, -0.001, 0.003, 0.02, math.nan])
def test_a_communication_step_that_does_not_divide_the_macro_step_is_refused(step):
    with pytest.raises(UsageError, match=r"micro_step = .* s, allowed what divides the macro step 0.01 s"):
        inspect_recording(tones(steps=200), 3, "step", micro_step=step)
