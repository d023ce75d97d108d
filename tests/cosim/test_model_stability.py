"""Stability of loops in which models give the estimates: theory against what runs of the FMUs do, to rounding."""

import numpy as np
import pytest

from couplant.config.scenario import load_scenario
from couplant.cosim import simulate
from couplant.cosim.coupling import couplings_of
from couplant.cosim.stability import stability_of
from tests.cosim.conftest import EXAMPLES, guessed

SCENARIO = EXAMPLES / "14_long_latency" / "scenario.toml"
JACOBI = ('host="jacobi"', 'timing=["step"]')
BY_MODEL = "coupling.algorithm.selected='model'"
OTHER = "signals.v1.coupling.algorithm.selected='eros3'"


def fitted(values, pairs, last):
    """Return the largest size of a mode of the end of a run, by a recursion of twice as many `pairs` of values."""
    y = values[-last:] / np.abs(values[-last:]).max()
    rows = np.array([y[i : len(y) - 2 * pairs + i] for i in range(2 * pairs)]).T
    return np.abs(np.roots([1.0, *-np.linalg.lstsq(rows, y[2 * pairs :], rcond=None)[0][::-1]])).max()


@pytest.mark.parametrize(
    "words",
    [
        ("network.latency_steps=3", "duration=30.0", *JACOBI, "coupling.latency.hold_lead=0.25"),
        ("network.latency_steps=3", "duration=30.0", 'algorithms=["configured"]', BY_MODEL, OTHER),
    ],
)
def test_runs_grow_as_the_spectral_radius_says(words):
    with guessed():
        runs = simulate(SCENARIO, ['algorithms=["model"]', *words]).runs
    for run in runs:
        assert run.stable is not (run.radius >= 1.0)
        for trace in run.traces.values():
            assert fitted(trace.sent, 2, 500) == pytest.approx(run.radius, abs=1e-9)


@pytest.mark.parametrize("change", ["network.latency_steps=0", "network.jitter_steps=1"])
def test_theory_is_silent_where_models_have_no_constant_latency(change):
    loaded = load_scenario(SCENARIO, [change])
    assert stability_of(loaded, couplings_of(loaded, "model", "step"), "step") is None
