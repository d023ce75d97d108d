"""Stable or not, told from the growth of a run; recordings have no loop."""

from dataclasses import replace

import numpy as np
import pytest

from couplant.cosim.judgement.metrics import growth
from couplant.cosim.judgement.verdict import is_open_loop, shown_by_both
from couplant.cosim.result import Theory
from tests.report.conftest import CLOSED_LOOP, build_result
from tests.report.conftest import build_run as make_run

OPEN_LOOP = {"components": {"bench": {"model": "mass_1"}}, "signals": {"torque": {"from": "bench.torque", "to": []}}}
DOUBLES = float(np.log(2.0) / 5.0)


def test_stable_unstable_borderline_unknown():
    assert make_run("eros3", "step", 0.01).verdict == "stable"
    assert make_run("zoh", "step", 0.01, rate=DOUBLES).verdict == "unstable"
    assert make_run("zoh", "step", 0.01, rate=float(np.log(1.05) / 5.0)).verdict == "unstable", "5 % in 5 s"
    assert make_run("foh", "step", 0.0, rate=0.003).verdict == "borderline"
    assert make_run("foh", "step", 0.01, rows=100).verdict == "unknown"


def test_what_only_theory_calls_unstable_is_borderline():
    slow = replace(make_run("foh", "step", 0.01), theory=Theory(1.000164))
    assert slow.verdict == "borderline"
    assert replace(slow, theory=Theory(0.99)).verdict == "stable"


def test_theory_says_nothing_that_the_run_does_not_show():
    said = [shown_by_both(radius, excess) for radius in (0.999, 1.001) for excess in (0.98, 1.01)]
    assert said == [True, None, None, False]
    assert shown_by_both(1.001, float("nan")) is shown_by_both(1.000164, None) is False
    run = replace(make_run("foh", "step", 0.01), theory=Theory(1.001))
    assert (run.excess <= 1.0, run.stable) == (True, None)
    assert replace(run, theory=Theory(0.999)).stable is True


def test_a_ripple_that_grows_in_the_estimates_is_unstable():
    """The signals show it only later."""
    run = make_run("irregular", "step", 0.01)
    for trace in run.traces.values():
        ripple = 1e-2 * np.exp(DOUBLES * (trace.time - trace.time[-1])) * np.cos(np.pi * np.arange(trace.time.size))
        object.__setattr__(trace, "estimate", trace.estimate + 100.0 * ripple)
    assert run.metrics["growth"] < 1.0 and run.verdict == "unstable"


def test_a_ripple_too_small_for_the_growth_of_the_estimates_shows_by_its_trend():
    """As `irregular` in step timing at k = 3 used to: .986 after 25 s, and all lost after 100 s."""
    run = make_run("irregular", "step", 0.01)
    for trace in run.traces.values():
        ripple = 1e-3 * np.exp(DOUBLES * (trace.time - trace.time[-1])) * np.cos(1.1 * np.arange(trace.time.size))
        object.__setattr__(trace, "estimate", trace.estimate + ripple)
    estimates = np.column_stack([trace.estimate for trace in run.traces.values()])
    assert growth(next(iter(run.traces.values())).time, estimates) < 1.0
    assert run.verdict == "unstable"


def test_growth_is_judged_against_the_reference():
    run = make_run("foh", "step", 0.01, rate=0.1)
    for trace in run.traces.values():
        object.__setattr__(trace, "reference", np.exp(0.11 * trace.time))
    assert run.verdict == "stable"


def test_a_run_that_blew_up_is_unstable():
    run = make_run("zoh", "step", 0.1, rows=50)
    run.metrics["mae"] = float("inf")
    assert run.verdict == "unstable"


def test_growth_that_is_not_a_number_is_unstable():
    run = make_run("zoh", "step", 0.1)
    run.metrics["growth"] = float("nan")
    assert run.verdict == "unstable"


def test_what_has_no_loop():
    torque = {"from": "bench.torque", "to": []}
    assert not is_open_loop(CLOSED_LOOP)
    assert is_open_loop({"components": {"bench": {"model": "mass_1"}}, "signals": {"torque": torque}})
    recorded = {"bench": {"recording": "torque.csv"}, "brake": {"model": "mass_1"}}
    assert is_open_loop({"components": recorded, "signals": {"torque": torque | {"to": ["brake.f"]}}})
    assert not is_open_loop({})


def test_a_result_ranks_its_runs_and_says_what_came_out():
    """Unstable runs come last, however small their error; in open loop only the error counts."""
    slowly = float(np.log(1.05) / 5.0)
    runs = [make_run("zoh", "step", 0.0, rate=slowly, rows=1001), make_run("foh", "step", 0.9, rows=1001)]
    closed, opened = build_result(runs), build_result(runs, settings=OPEN_LOOP)
    assert [run.label for run in closed.ranked("step")] == ["FOH", "ZOH"]
    assert [run.label for run in opened.ranked("step")] == ["ZOH", "FOH"]
    assert [[result.outcome(run) for run in runs] for result in (closed, opened)] == [
        ["unstable", "stable"], ["open loop", "open loop"]
    ]  # fmt: skip


def test_runs_are_ranked_by_errors_over_the_size_of_each_signal():
    """In mm the same signal has thousandfold numbers; what it counts among others stays the same."""
    metres, milli, other = (make_run(name, "step", error, rows=1001) for name, error in
                            (("foh", 0.2), ("foh", 0.2), ("eros3", 0.1)))  # fmt: skip
    trace = milli.traces["x1"]
    trace.estimate[:] = 1000.0 * trace.estimate
    trace.reference[:] = 1000.0 * trace.reference  # the same values as what is sent
    assert milli.judgement.error == pytest.approx(metres.judgement.error, rel=1e-9)
    assert milli.judgement.error > other.judgement.error > 0.0


def test_a_run_is_called_by_its_timing_where_there_are_several():
    runs = [make_run("zoh", timing, 0.1) for timing in ("event", "step")]
    assert build_result(runs[:1]).title(runs[0]) == "ZOH"
    assert [build_result(runs).title(run) for run in runs] == ["ZOH, event", "ZOH, step"]
