"""The default rules put together."""

from dataclasses import replace

import numpy as np
import pytest
import tomlkit
from scipy.signal import lfilter

from couplant.analysis.certify import certify
from couplant.base.errors import UsageError
from couplant.config.load import load_interface
from couplant.design.optimal import design
from couplant.design.request import Request, answer, certified_answer
from couplant.design.settings import write_settings
from couplant.report.design import describe
from couplant.tables import resample
from tests.design.canonical import OSCILLATOR, mae, run

BAND = (0.5, 12.0)


def test_band_alone():
    found = answer(Request(0.02, [2, 3], band=BAND))
    assert list(found) == [2, 3]
    task = found[3].design.task
    assert (task.degree, task.peak, task.slope, task.lead) == (2, 4.0, 2.0, 0.0)
    assert found[3].table == [] and found[3].robustness is None


@pytest.mark.parametrize("timing", ["event", "step"])
def test_band_alone_takes_as_many_values_as_help(timing):
    """Twice as many do not make the canonical run better by a tenth."""
    task = answer(Request(0.02, [3], timing, BAND))[3].design.task
    errors = [mae(run(design(replace(task, m=m)).algorithm, timing)[1]) for m in (task.m, 2 * task.m)]
    assert task.m == 7 and errors[1] > 0.9 * errors[0]


def test_step_timing_gets_a_lead():
    assert answer(Request(0.02, [3], "step", BAND, settings={"m": 7}))[3].design.task.lead == 0.25
    assert answer(Request(0.02, [3], "step", BAND, settings={"m": 7, "lead": 0.0}))[3].design.task.lead == 0.0


def test_given_settings_are_kept():
    settings = {"m": 9, "degree": 1, "peak": 3.0, "slope": 1.0}
    task = answer(Request(0.02, [3], band=BAND, settings=settings))[3].design.task
    assert (task.m, task.degree, task.peak, task.slope) == (9, 1, 3.0, 1.0)


def test_plant_chooses_bound_and_values():
    one = answer(Request(0.02, [3], band=BAND, system=OSCILLATOR))[3]
    assert one.robustness.stable_share == 1.0
    assert one.design.task.peak == 6.0 and one.design.task.slope == pytest.approx(2.0, abs=0.15)
    assert 5 <= one.design.task.m <= 8


def test_recording_chooses_and_judges():
    t = np.arange(1500) * 0.02
    value = np.sin(2 * t) + 0.02 * np.random.default_rng(0).standard_normal(t.size)
    one = answer(Request(0.02, [4], recording=resample(t, value, 0.02)))[4]
    errors = {row.algorithm: row.rms for row in one.table}
    # what has members that learn learns a sine by itself
    assert errors["designed"] == min(errors[name] for name in errors if not name.startswith("auto"))


@pytest.mark.landing("designs for closed loops: 13 s of CPU each")
@pytest.mark.parametrize(("poles", "expected"), [(1, 1.0), (2, 2.0)])
def test_slope_is_measured_on_the_recording(poles, expected):
    """White noise through real poles at 3 rad/s falls with ω^-poles above them."""
    step, signal = 0.01, np.random.default_rng(2).standard_normal(60_000)
    for _ in range(poles):
        signal = lfilter([1 - np.exp(-3.0 * step)], [1.0, -np.exp(-3.0 * step)], signal)
    t = np.arange(signal.size) * step
    request = Request(step, [4], band=(0.1, 6.0), recording=resample(t, signal, step), settings={"m": 6})
    assert answer(request)[4].design.task.slope == pytest.approx(expected, abs=0.35)
    kept = Request(step, [4], band=(0.1, 6.0), recording=request.recording, settings={"m": 6, "slope": 0.5})
    assert answer(kept)[4].design.task.slope == 0.5


def test_slope_hidden_by_noise_is_the_default():
    t = np.arange(3000) * 0.02
    value = np.sin(2 * t) + 0.05 * np.random.default_rng(0).standard_normal(t.size)
    one = answer(Request(0.02, [3], band=(0.5, 4.0), recording=resample(t, value, 0.02), settings={"m": 6}))[3]
    assert one.design.task.slope == 2.0


def test_nothing_given():
    with pytest.raises(UsageError, match="needs a band or a recording"):
        answer(Request(0.02, [3]))


@pytest.mark.landing("designs and their proofs: 12 s of CPU")
def test_designs_with_a_proof(tmp_path):
    """Ages of 2 to 4 macro steps come from latencies of 2 to 3 in any order; FOH and EROS4 have no proof there."""
    system = replace(OSCILLATOR, timing="event")
    found, proof = certified_answer(Request(system.macro_step, [2, 3], band=(0.5, 12.0), system=system), 0)
    assert (proof.verdict, proof.rules.burst, sorted(found)) == ("proven", 2, [2, 3, 4])
    again = certify(system, (2, 3), burst=2, by_k=lambda k: found[k].design.algorithm)
    assert again.verdict == "proven" and again.margin == pytest.approx(proof.margin)
    page = describe(found, Request(system.macro_step, [2, 3], system=system), "x", proof)
    signal = tomlkit.parse(page.toml)["signals"]["x"]
    assert (signal["latency"]["mode"], signal["burst"]) == ("stamps", 2)
    assert [row["steps"] for row in signal["algorithm"]["table"]] == [2, 3, 4]
    config = tmp_path / "side.toml"
    config.write_text(SIDE, encoding="utf-8")
    write_settings(config, "x", {k: one.design for k, one in found.items()}, proof.rules.burst)
    made = load_interface(config).signals["x"]
    assert (made.latency.mode, made.burst, [row.steps for row in made.algorithm.table]) == ("stamps", 2, [2, 3, 4])


SIDE = """[interface]
name = "side"
macro_step = 0.02
timing = "event"
[signals.x]
latency = { mode = "constant", constant_steps = 2 }
"""


def test_a_proof_needs_a_plant():
    with pytest.raises(UsageError, match="a proof needs a plant"):
        certified_answer(Request(0.02, [2], band=(0.5, 12.0)), 1)
