"""Stable or not, told from the growth of a run; recordings have no loop."""

from dataclasses import replace

import numpy as np

from couplant.cosim.judgement.metrics import growth
from couplant.cosim.judgement.verdict import is_open_loop, verdict
from tests.report.conftest import CLOSED_LOOP
from tests.report.conftest import build_run as make_run

DOUBLES = float(np.log(2.0) / 5.0)


def test_stable_unstable_borderline_unknown():
    assert verdict(make_run("eros3", "step", 0.01)) == "stable"
    assert verdict(make_run("zoh", "step", 0.01, rate=DOUBLES)) == "unstable"
    assert verdict(make_run("foh", "step", 0.0, rate=0.003)) == "borderline"
    assert verdict(make_run("foh", "step", 0.01, rows=100)) == "unknown"


def test_what_only_theory_calls_unstable_is_borderline():
    slow = replace(make_run("foh", "step", 0.01), radius=1.000164)
    assert (slow.stable, verdict(slow)) == (False, "borderline")
    assert verdict(replace(slow, radius=0.99)) == "stable"


def test_theory_says_nothing_that_the_run_does_not_show():
    run = make_run("foh", "step", 0.01)
    said = [replace(run, radius=radius, excess=excess).stable for radius in (0.999, 1.001) for excess in (0.98, 1.01)]
    assert said == [True, None, None, False]
    assert replace(run, radius=1.001, excess=float("nan")).stable is False


def test_a_ripple_that_grows_in_the_estimates_is_unstable():
    """The signals show it only later."""
    run = make_run("irregular", "step", 0.01)
    for trace in run.traces.values():
        ripple = 1e-2 * np.exp(DOUBLES * (trace.time - trace.time[-1])) * np.cos(np.pi * np.arange(trace.time.size))
        object.__setattr__(trace, "estimate", trace.estimate + 100.0 * ripple)
    assert run.metrics["growth"] < 1.0 and verdict(run) == "unstable"


def test_a_ripple_too_small_for_the_growth_of_the_estimates_shows_by_its_trend():
    """As `irregular` in step timing at k = 3 used to: .986 after 25 s, and all lost after 100 s."""
    run = make_run("irregular", "step", 0.01)
    for trace in run.traces.values():
        ripple = 1e-3 * np.exp(DOUBLES * (trace.time - trace.time[-1])) * np.cos(1.1 * np.arange(trace.time.size))
        object.__setattr__(trace, "estimate", trace.estimate + ripple)
    estimates = np.column_stack([trace.estimate for trace in run.traces.values()])
    assert growth(next(iter(run.traces.values())).time, estimates) < 1.0
    assert verdict(run) == "unstable"


def test_growth_is_judged_against_the_reference():
    run = make_run("foh", "step", 0.01, rate=0.1)
    for trace in run.traces.values():
        object.__setattr__(trace, "reference", np.exp(0.11 * trace.time))
    assert verdict(run) == "stable"


def test_a_run_that_blew_up_is_unstable():
    run = make_run("zoh", "step", 0.1, rows=50)
    run.metrics["mae"] = float("inf")
    assert verdict(run) == "unstable"


def test_growth_that_is_not_a_number_is_unstable():
    run = make_run("zoh", "step", 0.1)
    run.metrics["growth"] = float("nan")
    assert verdict(run) == "unstable"


def test_what_has_no_loop():
    torque = {"from": "bench.torque", "to": []}
    assert not is_open_loop(CLOSED_LOOP)
    assert is_open_loop({"components": {"bench": {"model": "mass_1"}}, "signals": {"torque": torque}})
    recorded = {"bench": {"recording": "torque.csv"}, "brake": {"model": "mass_1"}}
    assert is_open_loop({"components": recorded, "signals": {"torque": torque | {"to": ["brake.f"]}}})
    assert not is_open_loop({})
