"""Stability of scenarios by theory: the numbers of the literature, the runs themselves, and where theory is silent."""

import json

import numpy as np
import pytest

from couplant.config.scenario import load_scenario
from couplant.cosim.judgement.stability import stability_of
from couplant.cosim.wiring.coupling import couplings_of
from couplant.design import DesignTask, design

RADIUS = {"zoh": 1.001971066, "foh": 0.999968405, "smb": 0.999898237, "eros3": 0.999870486, "eros4": 0.999888093}


def radius(path, algorithm, *assignments, timing="event"):
    loaded = load_scenario(path, assignments)
    found = stability_of(loaded, couplings_of(loaded, algorithm, timing), timing)
    return None if found is None else found.radius


@pytest.mark.parametrize("name", RADIUS)
def test_the_shipped_oscillator_has_the_published_radius(oscillator, name):
    assert radius(oscillator, name) == pytest.approx(RADIUS[name], abs=1e-8)


def test_parameters_and_latency_of_the_scenario_count(oscillator):
    assert radius(oscillator, "eros3", "network.latency_steps=6") > 1.0
    assert radius(oscillator, "eros3", "network.latency_steps=5") < 1.0
    damped = [f"components.mass_{i}.parameters.d{i}=0.5" for i in (1, 2)]
    assert radius(oscillator, "zoh", *damped) < 1.0


@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["event", "step"])
def test_simulated_runs_grow_at_the_rate_of_theory(example, timing):
    """Growth compares two windows of 5 s, 250 macro steps; near the end the slowest mode dominates."""
    runs = example("01_two_mass_oscillator", "duration=60.0", 'algorithms=["zoh"]').runs
    run = next(run for run in runs if run.timing == timing)
    assert run.stable is False
    assert run.metrics["growth"] == pytest.approx(run.radius**250, rel=0.02)


def test_json_adds_to_what_was_there(example):
    run = json.loads(example("01_two_mass_oscillator").to_json())["runs"][0]
    assert (run["algorithm"], run["stable"]) == ("zoh", False)
    assert run["radius"] == pytest.approx(RADIUS["zoh"], abs=1e-8)
    assert {"timing", "mae", "max", "growth", "C", "M", "P"} <= set(run)


@pytest.mark.landing("linearises what is not linear: 6 s of CPU")
@pytest.mark.parametrize("name", ["02_stop", "03_recording"])
def test_theory_is_silent_without_linear_prototypes(example, name):
    assert all(run.stable is None and run.radius is None for run in example(name).runs)


@pytest.mark.parametrize(
    "change",
    [
        "network.jitter_steps=2",
        "network.loss=0.1",
        "coupling.discontinuity.enabled=true",
        "coupling.bypass=true",
        "coupling.output.min=1.0",
        "coupling.latency.constant_steps=2",
        "coupling.fmu='x.fmu'",
    ],
)
def test_theory_is_silent_where_the_loop_switches_or_varies(oscillator, change):
    assert radius(oscillator, "eros3", change) is None


@pytest.mark.parametrize("algorithm", ["network", "irregular", "auto"])
def test_theory_is_silent_about_weights_that_change(oscillator, algorithm):
    assert radius(oscillator, algorithm) is None


def test_weights_of_a_design_with_a_lead(oscillator):
    """In step timing `latency.offset` and weights for one step more are the design's own a + A at k."""
    one = design(DesignTask(0.02, 3, (0.5, 12.0), "step", lead=0.25, peak=6.0))
    assert (one.fmu_steps, one.offset) == (4, pytest.approx(0.005))
    weights = {key: np.array(getattr(one.algorithm, key)) for key in "aA"}
    total = (weights["a"] + weights["A"]).tolist()
    text = f"coupling.algorithm={{selected='linear', steps=3, a={total}, A={[0.0] * len(total)}}}"
    flat = radius(oscillator, "configured", text, timing="step")
    late = text.replace("steps=3", "steps=4")
    assert radius(oscillator, "configured", late, "coupling.latency.offset=0.005", timing="step") == flat
    assert flat < 1.0


@pytest.mark.parametrize("lead", [-3.0, -0.75, 1.0, 1.25])
def test_leads_of_host_and_hold_are_an_offset_in_macro_steps(oscillator, lead):
    leads = f"coupling.latency.host_lead={lead - 0.25}", "coupling.latency.hold_lead=0.25"
    for timing in ("event", "step"):
        expected = radius(oscillator, "eros3", f"coupling.latency.offset={lead * 0.02}", timing=timing)
        assert radius(oscillator, "eros3", *leads, timing=timing) == pytest.approx(expected, rel=1e-12)
        assert expected != pytest.approx(radius(oscillator, "eros3", timing=timing))


@pytest.mark.parametrize("lead", [-3.0, -4.0, -5.0])
def test_foh_that_only_looks_back_is_a_pure_delay_in_step_timing(oscillator, lead):
    """With a lead of -1 macro step over a latency of none the estimate at the end of the step is the newest value."""
    changes = f"network.latency_steps={int(-1 - lead)}", f"coupling.latency.host_lead={lead}"
    held = radius(oscillator, "zoh", f"network.latency_steps={int(-1 - lead)}", timing="step")
    assert radius(oscillator, "foh", *changes, timing="step") == pytest.approx(held, rel=1e-9)


def test_own_weights(oscillator):
    text = "coupling.algorithm={selected='linear', a=[1.0], A=[0.0]}"
    assert radius(oscillator, "configured", text) == pytest.approx(RADIUS["zoh"], abs=1e-8)
    assert radius(oscillator, "configured", text, "coupling.latency.offset=0.02") == pytest.approx(RADIUS["zoh"])


def test_gain_of_the_observer(oscillator):
    known, own = pytest.approx(RADIUS["smb"], abs=1e-8), 0.85 * np.pi / (2 * 3 * 0.02)
    assert radius(oscillator, "smb", f"coupling.algorithm.observer_gain={own}") == known
    assert radius(oscillator, "smb", "coupling.algorithm.observer_gain=1.0") != known
