"""Which algorithm a periodic signal is to have: phasors where they measure better than all others, and nowhere else."""

import numpy as np
import pytest
import tomlkit

from couplant.analysis.signal.recording import Span
from couplant.base.style import WIRE
from couplant.config import parse_interface
from couplant.config.scenario import load_scenario
from couplant.design.inspection import inspect_recording
from couplant.design.judged import judge_span
from couplant.design.recommendation import PHASOR, best, share
from couplant.design.start import start_from
from couplant.tables import Recording
from tests.runtime.periodic import HARMONICS, Wave

STEP = 1e-3
INSPECTED, MORE = 4000, 1000  # macro steps that are inspected, and those that follow


def recording(value):
    return Recording("v", STEP, value[:INSPECTED])


def swing(noise=0.01):
    """Return a phase whose frequency swings by half a hertz, with a 5th and a 7th harmonic."""
    t = STEP * np.arange(INSPECTED + MORE)
    chance = np.random.default_rng(5).standard_normal(t.size)
    return Wave("swing", harmonics=HARMONICS[:2]).values(t) + noise * chance


@pytest.fixture(scope="module")
def found():
    return inspect_recording(recording(swing()), 20, "step")


@pytest.mark.landing("every candidate on four seconds of a grid")
def test_a_grid_whose_frequency_swings_is_to_have_phasors(found):
    rows = found.judged.rows
    assert found.recommended == PHASOR
    assert share(rows, PHASOR) < 0.1 and all(share(rows, PHASOR) <= share(rows, name) for name in rows)
    assert "up to 5 % slower or faster" in found.reason and "within ten percent of 50 Hz" in found.reason
    assert {factor for factor, scene in found.judged.shifted.items() if PHASOR in scene} >= {0.95, 1.05}
    assert found.to_dict()["periodic"]["nominal"] == 50.0
    # as good on what follows, which nothing was made of
    table = {PHASOR: {"algorithm": found.periodic.algorithm()}}
    after = judge_span(Recording("v", STEP, swing()), Span(INSPECTED, INSPECTED + MORE), 20, "step", table).rows
    assert share(after, PHASOR) < min(0.1, share(after, "auto"))


@pytest.mark.landing("every candidate on four seconds of a grid")
def test_its_settings_are_those_that_were_judged(found):
    (signal,) = tomlkit.parse(found.settings()).unwrap()["signals"].values()
    assert signal["algorithm"] == {"selected": PHASOR, "frequency": 50.0, "harmonics": 7, "follow": "frequency"}
    head = {"name": "grid", "macro_step": STEP, "micro_step": STEP / 10}
    made = parse_interface({"interface": head, "signals": {"v": signal}}, "test")
    assert made.signals["v"].algorithm.frequency == 50.0


@pytest.mark.landing("every candidate on four seconds of a grid")
def test_the_scenario_of_a_start_has_its_row(tmp_path):
    path = tmp_path / "grid.csv"
    t = STEP * np.arange(INSPECTED)
    np.savetxt(path, np.c_[t, swing()[:INSPECTED]], delimiter=",", header="time_s,v", comments="", fmt="%.6f")
    start = start_from(path, steps=20)
    (tmp_path / "scenario.toml").write_text(start.scenario(tmp_path), encoding="utf-8")
    scenario = load_scenario(tmp_path / "scenario.toml").scenario
    assert scenario.algorithms[-1] == PHASOR
    assert scenario.signals["v"].coupling["algorithm"] == {"frequency": 50.0, "harmonics": 7, "follow": "frequency"}


def half_periodic(name):
    """Return a signal in which a wave is, and something else that counts."""
    t, chance = STEP * np.arange(INSPECTED + MORE), np.random.default_rng(11)
    white, wave = chance.standard_normal(t.size), np.cos(2.0 * np.pi * 50.0 * t)
    speed = 50.0 + np.convolve(chance.standard_normal(t.size + 400), np.hanning(401) / 20.0, "valid")
    angle = 2.0 * np.pi * np.cumsum(speed) * STEP
    return {
        "bench noise": wave + 0.3 * white,
        "hum on a drifting signal": 0.3 * wave + 0.1 * np.cumsum(white),
        "orders of an engine": np.cos(angle) + 0.3 * np.cos(2.0 * angle + 1.0) + 0.2 * np.cos(0.5 * angle + 2.0),
        "beat": wave + 0.6 * np.cos(2.0 * np.pi * 53.0 * t),
        "a wave that ends": np.where(t < 3.5, wave, 0.0) + 0.05 * white,
    }[name]


HALF = ("bench noise", "hum on a drifting signal", "orders of an engine", "beat", "a wave that ends")


@pytest.mark.landing("every candidate on signals of four seconds")
@pytest.mark.parametrize("name", HALF)
def test_half_periodic_signals_have_phasors_only_where_these_are_best(name):
    value = half_periodic(name)
    one = inspect_recording(recording(value), 5, "step")
    rows = one.judged.rows
    if one.recommended == PHASOR:
        assert share(rows, PHASOR) <= min(share(rows, name) for name in ("auto", WIRE))
        table = {PHASOR: {"algorithm": one.periodic.algorithm()}}
        after = judge_span(Recording("v", STEP, value), Span(INSPECTED, INSPECTED + MORE), 5, "step", table).rows
        assert share(after, PHASOR) < 1.0
    elif PHASOR in rows and one.is_worth_it:
        assert share(rows, one.recommended) <= 1.05 * share(rows, PHASOR)


def test_phasors_that_err_more_than_another_are_not_chosen():
    class Row:
        def __init__(self, error):
            self.mae = self.rms = self.worst = error

    def rows(**errors):
        return {name: Row(error) for name, error in {"wire": 1.0, "auto": 0.5, **errors}.items()}

    assert best(rows(phasor=0.4), []) == PHASOR
    assert best(rows(phasor=0.51), []) == "auto"
    # the cost of what is judged faster and slower too is higher: the error on the recording decides
    assert best(rows(phasor=0.51), [rows(auto=0.9)]) == "auto"
    assert best(rows(phasor=0.49), [rows(auto=0.9)]) == PHASOR
    assert best(rows(phasor=0.4), [rows(phasor=1.1)]) == "auto"
    assert best(rows(phasor=0.97, auto=0.99), []) == WIRE
