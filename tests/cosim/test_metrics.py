"""Metrics by values worked by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from couplant.cosim.judgement.metrics import combine, growth, judge, ripple
from couplant.cosim.traces import Trace


def trace(sent, estimate, reference=None, time=None, name="s"):
    sent, estimate = np.asarray(sent, float), np.asarray(estimate, float)
    n = sent.size
    time = np.arange(n, dtype=float) if time is None else time
    reference = sent if reference is None else np.asarray(reference, float)
    whole, flags = np.zeros(n, dtype=int), np.zeros(n, dtype=bool)
    return Trace(name, "1", time, reference, sent, sent, estimate, whole, whole, flags, flags)


def test_mae_and_maximum_compare_the_estimate_with_the_reference():
    figures = judge(trace([9, 9, 9, 9], [1, 2, 3, 4], reference=[1, 1, 5, 4]))
    assert figures["mae"] == 0.75
    assert figures["max"] == 2.0


@pytest.mark.parametrize("offset", [0.0, 2.0, 1.5, -1.0])
def test_sprague_and_geers_compare_with_the_signal_an_offset_later(offset):
    time = np.arange(40.0)
    one = replace(trace(3 * time + 1, 3 * (time + offset) + 1, reference=time), offset=offset)
    figures = judge(one)
    assert (figures["C"], figures["M"]) == pytest.approx((0.0, 0.0), abs=1e-5)
    assert figures["mae"] == pytest.approx(np.abs(one.estimate - time).mean())
    assert one.caught_up()[0].size == 40 - abs(int(np.ceil(abs(offset))))


@pytest.mark.parametrize("offset", [0.0, 0.013, -0.2])
def test_a_long_run_is_judged_part_by_part_with_the_same_bits(offset, monkeypatch):
    time, chance = 0.02 * np.arange(10_000.0), np.random.default_rng(2)
    waves, noise = np.sin(np.add.outer([0.0, 0.1, 0.2], time)), chance.standard_normal((3, time.size))
    sent, estimate, reference = waves + 0.1 * noise
    one = replace(trace(sent, estimate, reference, time), offset=offset, since=17)
    columns = [sent, estimate, np.zeros(time.size)]
    whole = judge(one), growth(time, *columns), ripple(time, *columns), ripple(time, sent)
    error = np.abs(estimate - reference)[17:]
    assert (whole[0]["mae"], whole[0]["max"]) == (error.mean(), error.max())
    monkeypatch.setattr("couplant.base.arrays.ROWS", 1 << 12)
    assert whole == (judge(one), growth(time, *columns), ripple(time, *columns), ripple(time, sent))


@pytest.mark.parametrize("signals", [([0, 0], [1, 2]), ([1, 2], [0, 0]), ([0, 0], [0, 0])])
def test_a_zero_signal_has_no_sprague_and_geers_figures(signals):
    figures = judge(trace(*signals))
    assert (figures["C"], figures["M"], figures["P"]) == (None, None, None)


def test_growth_compares_the_last_five_seconds_with_the_five_before():
    time = np.arange(0, 1001) * 0.01
    values = np.where(time > 5.0 + 1e-9, 3.0, 2.0)
    assert growth(time, values) == pytest.approx(1.5)
    assert growth(time + 100.0, values) == pytest.approx(1.5)


def test_growth_of_an_exponential_is_its_factor_over_five_seconds():
    time = np.arange(0, 2501) * 0.01
    assert growth(time, np.exp(0.1 * time)) == pytest.approx(math.exp(0.5), rel=1e-12)


def test_growth_of_an_oscillation_needs_position_and_velocity_together():
    time = np.arange(0, 2501) * 0.01
    swing = np.column_stack([np.sin(0.9 * time), np.cos(0.9 * time)])
    assert abs(growth(time, swing[:, 0]) - 1.0) > 0.02
    assert growth(time, swing) == pytest.approx(1.0, abs=1e-12)


def test_a_ripple_that_grows_shows_its_growth_over_five_seconds():
    time = np.arange(0, 1251) * 0.02
    slow, other = (np.exp(-0.02 * time) * wave(1.6 * time) for wave in (np.sin, np.cos))
    fast = 1e-4 * np.cos(55.0 * time)
    for factor in (1.1, 1.7):
        values = np.column_stack([slow + fast * factor ** (time / 5.0), other])
        assert growth(time, values) < 1.0
        assert ripple(time, *values.T) == pytest.approx(factor, rel=0.02)
    assert ripple(time, slow) <= 1.0


@pytest.mark.parametrize("seed", range(5))
def test_a_ripple_that_varies_at_random_has_no_trend(seed):
    time, chance = np.arange(0, 1251) * 0.02, np.random.default_rng(seed)
    size = np.repeat(chance.uniform(0.5, 1.5, 26), 50)[: time.size]
    values = np.sin(1.6 * time) + 1e-2 * size * chance.standard_normal(time.size)
    assert ripple(time, values) == 1.0


def test_a_ripple_needs_twenty_five_seconds_and_no_rounding():
    time = np.arange(0, 1251) * 0.02
    values = (1e-3 * np.exp(0.1 * time) * np.cos(55.0 * time))[:, None]
    assert ripple(time, *values.T) > 1.5
    assert ripple(time[:1200], *values[:1200].T) == 1.0
    assert ripple(time, *(1.0 + 1e-10 * values).T) == 1.0
    assert ripple(time, *np.zeros((2, 1251))) == 1.0


@pytest.mark.parametrize("count", [2, 1000])
def test_runs_shorter_than_ten_seconds_have_no_growth(count):
    time = np.arange(count) * 0.01
    assert growth(time, np.ones(count)) is None


def test_growth_from_rest_to_rest_is_not_defined():
    time = np.arange(0, 1001) * 0.01
    assert growth(time, np.zeros(1001)) is None


def test_a_run_sums_its_signals_and_takes_the_largest_maximum():
    traces = [trace([3, -4], [6, -8], name="a"), trace([1, 0], [0, 1], name="b"), trace([0, 0], [1, 1], name="c")]
    whole = combine(traces, [judge(t) for t in traces])
    assert whole["mae"] == 3.5 + 1.0 + 1.0
    sizes = np.sqrt([np.mean(np.square(one.judged()[0])) for one in traces[:2]])
    assert whole["error"] == pytest.approx(100.0 * np.mean([3.5, 1.0] / sizes)), "c does not move"
    assert whole["max"] == 4.0
    assert whole["C"] == pytest.approx(150.0)
    assert whole["growth"] is None


def test_a_run_of_zero_signals_has_no_sprague_and_geers_figures():
    traces = [trace([0, 0], [0, 0])]
    assert combine(traces, [judge(t) for t in traces])["C"] is None


def test_a_signal_that_is_not_finite_shows():
    figures = judge(trace([1, 2], [1, math.nan]))
    assert math.isnan(figures["mae"])
    figures = judge(trace([1, 2], [1, math.inf]))
    assert figures["max"] == math.inf
