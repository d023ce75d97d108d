"""Example 14: with a model of the other side the coupling is stable at any latency, in every host."""

import json
from functools import cache

import pytest

from couplant.cosim.judgement.verdict import STABLE, UNSTABLE
from tests.cosim.conftest import EXAMPLES, guessed
from tests.pages.markdown import rows, shows
from tests.unwired import simulate

FOLDER = EXAMPLES / "14_long_latency"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
ROWS = {row["latency_steps"]: row for row in EXPECTED["rows"]}
PAGES = {
    "examples/14_long_latency/README.md":
        [*((name, "step") for name in ("wire", "zoh", "eros3", "auto", "model")), ("model", "event")],
    "docs/models.md": [(name, "step") for name in ("wire", "eros3", "auto", "model")],
}
"""Columns of the tables of pages: algorithm and timing."""


@cache
def runs(k, *assignments, algorithms=("model",)):
    words = [f"network.latency_steps={k}", f"algorithms={json.dumps(algorithms)}", *assignments]
    with guessed(most=1 if assignments or len(algorithms) > 1 else 64):
        return {(run.algorithm, run.timing): run for run in simulate(FOLDER / "scenario.toml", words).runs}


@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("k", ROWS)
def test_the_coupling_is_stable_and_as_accurate_as_worked_out_elsewhere(k, timing):
    run = runs(k)["model", timing]
    assert run.verdict == STABLE
    assert run.metrics["mae"] == pytest.approx(ROWS[k][timing], rel=EXPECTED["tolerance"][timing])


@pytest.mark.landing("long closed loops: 3 s of CPU")
@pytest.mark.parametrize("timing", ["event", "step"])
def test_no_published_algorithm_is_stable_there_and_auto_only_bounded(timing):
    whole = runs(15, algorithms=("zoh", "foh", "eros3", "auto"))
    found = {name: run for (name, own), run in whole.items() if own == timing}
    assert found["auto"].metrics["mae"] > 4.0 * runs(15)["model", timing].metrics["mae"]
    assert {run.verdict for name, run in found.items() if name != "auto"} == {UNSTABLE}


@pytest.mark.landing("long closed loops: 6 s of CPU each")
@pytest.mark.parametrize("k", [1, 3, 5, 8, 15, 25])
def test_the_pages_tell_what_was_found(k):
    """Without a model in step timing, with one communication step in a macro step."""
    names = ("wire", "zoh", "eros3", "auto")
    words = [f"network.latency_steps={k}", 'timing=["step"]', f"algorithms={json.dumps(names)}"]
    found = {(run.algorithm, run.timing): run for run in simulate(FOLDER / "scenario.toml", words).runs} | runs(k)
    for page, columns in PAGES.items():
        cells = rows(page, "| k | `wire` |").get(str(k), ())
        for (name, timing), cell in zip(columns, cells, strict=bool(cells)):
            run = found[name, timing]
            assert run.verdict == UNSTABLE if cell == "-" else shows(cell, run.metrics["error"]), (page, name, timing)


@pytest.mark.sample(1)
@pytest.mark.parametrize("k", [3, 15])
def test_a_host_that_reads_too_early_costs_nothing(k):
    early = runs(k, 'host="jacobi"', 'timing=["step"]')["model", "step"]
    assert early.verdict == STABLE
    assert early.metrics["mae"] <= 1.05 * runs(k)["model", "step"].metrics["mae"]


def test_a_host_that_takes_turns_stays_stable():
    assert runs(3, 'host="sequential"', 'timing=["step"]')["model", "step"].verdict == STABLE


@pytest.mark.landing("long runs: 3 s of CPU")
@pytest.mark.sample(1)
@pytest.mark.parametrize("bad", ["jitter_steps=4", "loss=0.05"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_jitter_and_loss_cost_no_more_than_the_largest_latency(bad, seed):
    words = (f"network.{bad}", f"network.seed={seed}", "coupling.latency.coast_steps=12")
    for timing in ("event", "step"):
        run, constant = runs(3, *words)["model", timing], runs(7)["model", timing]
        assert run.verdict == STABLE
        assert run.metrics["mae"] <= 1.5 * constant.metrics["mae"]


@pytest.mark.landing("long runs in all backends")
def test_both_backends_and_versions_agree():
    first = runs(8)["model", "step"]
    for words in (("coupling.backend='python'",), ("coupling.fmi='3'",)):
        other = runs(8, "duration=6.0", 'timing=["step"]', *words)["model", "step"]
        for name, trace in other.traces.items():
            assert trace.estimate == pytest.approx(first.traces[name].estimate[: trace.estimate.size], abs=1e-12)
