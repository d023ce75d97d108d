"""Stability of loops in which models give the estimates: theory against what runs of the FMUs do, to rounding."""

import numpy as np
import pytest

from couplant.analysis.model_map import macro_step
from couplant.config.scenario import load_scenario
from couplant.cosim.judgement.stability import coupled_system, stability_of
from couplant.cosim.wiring.coupling import coupling_of, couplings_of
from couplant_runtime.generated.algorithms import MODEL
from tests.cosim.conftest import EXAMPLES, guessed
from tests.unwired import simulate

SCENARIO = EXAMPLES / "14_long_latency" / "scenario.toml"
TWINS = ("models.mass_1.echo=false", "models.mass_2.echo=false")
JACOBI = ('host="jacobi"', 'timing=["step"]')
BY_MODEL = "coupling.algorithm.selected='model'"
OTHER = "signals.v1.coupling.algorithm.selected='eros3'"


def fitted(values, pairs, last):
    """Return the largest size of a mode of the end of a run, by a recursion of twice as many `pairs` of values."""
    y = values[-last:] / np.abs(values[-last:]).max()
    rows = np.array([y[i : len(y) - 2 * pairs + i] for i in range(2 * pairs)]).T
    return np.abs(np.roots([1.0, *-np.linalg.lstsq(rows, y[2 * pairs :], rcond=None)[0][::-1]])).max()


@pytest.mark.sample(1)
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


def unexplained(run, window, words):
    """Return how far the signals of a run are from a free motion of the macro map, over the largest of each.

    The motion is the one that fits best; latencies of a step more must not do as well.
    """
    loaded = load_scenario(SCENARIO, words)
    late = {"x1": True, "v1": True, "f": False}
    couplings = {name: coupling_of(loaded, name, "model", run.timing, late=late[name]) for name in late}
    system = coupled_system(loaded, couplings, run.timing)
    advance, first = macro_step(system).matrix, sum(len(one.A) for one in system.prototypes)
    y = np.array([trace.sent[window] for trace in run.traces.values()]).T
    size = np.abs(y).max(axis=0)
    rows = [np.eye(len(advance))[first : first + len(size)] / size[:, None]]
    for _ in y[1:]:
        rows.append(rows[-1] @ advance)
    rows, y = np.vstack(rows), (y / size).ravel()
    return np.abs(rows @ np.linalg.lstsq(rows, y, rcond=None)[0] - y).max()


@pytest.mark.sample(1)
@pytest.mark.parametrize("words", [(12, 'timing=["event"]', *TWINS), (10, *TWINS, *JACOBI)])
def test_until_auto_takes_over_unstable_runs_are_sums_of_the_modes(words):
    k, *words = words
    with guessed():
        runs = simulate(SCENARIO, ['algorithms=["model"]', f"network.latency_steps={k}", *words]).runs
    for run in runs:
        fallen = np.any([trace.active[120:] != MODEL for trace in run.traces.values()], axis=0)
        end = 120 + int(np.argmax(fallen))
        assert run.radius > 1.005 and end > 150
        right, wrong = (unexplained(run, slice(120, end), [f"network.latency_steps={n}", *words]) for n in (k, k + 1))
        assert right < 1e-9 < 0.1 < wrong


@pytest.mark.parametrize("change", ["network.latency_steps=0", "network.jitter_steps=1"])
def test_theory_is_silent_where_models_have_no_constant_latency(change):
    loaded = load_scenario(SCENARIO, [change])
    assert stability_of(loaded, couplings_of(loaded, "model", "step"), "step") is None
