import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from couplant.report.signals import error_level, limits, signal_level, thin


def test_limits_ignore_a_run_that_blows_up(make_run):
    trace = make_run("zoh", "step", 0.1, rate=1.0).traces["f"]
    low, high = limits(trace, (trace.estimate,))
    assert -2.5 < low < trace.reference.min()
    assert trace.reference.max() < high < 2.5


def test_limits_of_a_constant_are_not_empty(make_run):
    trace = make_run("zoh", "step", 0.0).traces["f"]
    object.__setattr__(trace, "reference", np.zeros(len(trace.time)))
    low, high = limits(trace)
    assert low < 0.0 < high


def test_level_of_a_known_error(make_run):
    run = make_run("foh", "step", 0.1, rate=-0.01, signals=("f",))
    _, level = error_level(run)
    trace = run.traces["f"]
    expected = 0.1 / np.sqrt(2.0) / np.sqrt(np.mean(trace.reference**2))
    assert level[20:-20] == pytest.approx(np.full(len(level) - 40, expected), rel=0.15)


def test_where_nothing_is_judged_there_is_no_level(make_run):
    run = make_run("zoh", "step", 0.1)
    run.traces.clear()
    assert error_level(run)[1].size == signal_level(run)[1].size == 0


def test_level_rises_in_an_unstable_run(make_run):
    _, level = signal_level(make_run("zoh", "step", 0.1, rate=1.0))
    assert np.all(np.diff(level[len(level) // 4 :]) > 0.0)


def test_level_survives_overflow(make_run):
    run = make_run("zoh", "step", 0.1, rate=20.0)
    run.traces["f"].estimate[1200:] = np.inf
    _, level = signal_level(run)
    assert np.isfinite(level).all()


def test_level_of_a_run_that_ended_early(make_run):
    run = make_run("zoh", "step", 0.1, rows=3)
    time, level = error_level(run)
    assert len(time) == len(level) == 3


values = arrays(float, st.integers(1, 60), elements=st.floats(-1e6, 1e6) | st.just(float("nan")))


@given(values, st.integers(1, 9))
def test_thinning_keeps_every_extreme(signal, size):
    kept = thin(signal, size).reshape(-1, 2)
    for pair, start in zip(kept, range(0, len(signal), size), strict=True):
        group = signal[start : start + size]
        group = group[~np.isnan(group)]
        if group.size:
            assert sorted(pair) == [group.min(), group.max()]
        else:
            assert np.isnan(pair).all()


def test_thinning_keeps_the_order():
    assert thin(np.array([3.0, 1.0, 2.0, 5.0, 9.0, 4.0]), 3).tolist() == [3.0, 1.0, 9.0, 4.0]
