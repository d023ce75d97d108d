"""Figures of measured latencies and the choice of the macro step, on the examples of the dissertation."""

from itertools import count

import numpy as np
import pytest

from couplant.analysis.signal.latencies import (
    MANY_STEPS,
    choose_macro_step,
    news,
    round_trip_steps,
    statistics,
    step_choice,
)
from couplant.base.errors import UsageError
from couplant.tables import Latencies


def measured(latency, period=0.01):
    latency = np.asarray(latency, dtype=float)
    return Latencies(np.arange(latency.size) * period, latency, int(np.isnan(latency).sum()), 0)


def by_hand(latency, step):
    """Return for each news how many steps brought none before it, and how many values were sent meanwhile."""
    newest, since, found = None, 0, []
    for n in range(2 * latency.size):
        here = [m for m, late in enumerate(latency) if np.ceil(late / step - 1e-6) + m == n]
        if here and (newest is None or max(here) > newest):
            found += [] if newest is None else [(since, max(here) - newest)]
            newest, since = max(here), 0
        else:
            since += 1
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("period", [0.01, 0.0025])
def test_news_are_those_counted_by_hand(seed, period):
    rng = np.random.default_rng(seed)
    latency = rng.uniform(0.01, 0.08, 120)
    latency[rng.uniform(size=120) < 0.1] = np.nan
    found = news(measured(latency, period), 0.01)
    number = np.rint(np.arange(120) * period / 0.01)
    every = [np.flatnonzero(number == n)[0] for n in range(int(number[-1]) + 1)]
    assert list(zip(found.silent.tolist(), found.values.tolist(), strict=True)) == by_hand(latency[every], 0.01)


@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_batches_need_as_many_steps_and_values(size):
    last = (size - 1 - np.arange(800) % size) * 0.01
    found = news(measured(0.02 + last), 0.01)
    assert (found.silent == size - 1).all() and (found.values == size).all()
    assert (found.coast_steps, found.burst) == (max(3, size), size)
    assert found.beyond(3) == pytest.approx(max(size - 4, 0) / size) and found.beyond(found.coast_steps) == 0.0


def test_latencies_without_send_times_are_of_one_message_a_macro_step():
    timed = measured(0.02 + (4 - np.arange(100) % 5) * 0.01)
    bare = Latencies(np.arange(100.0), timed.latency, 0, 0, timed=False)
    assert (news(bare, 0.01).silent == news(timed, 0.01).silent).all()


def test_one_message_is_no_news_of_gaps():
    found = news(measured([0.02]), 0.01)
    assert (found.coast_steps, found.burst, found.beyond(0)) == (3, 1, 0.0)


def test_example_of_the_dissertation():
    """5.1.1: 30 ms ± 5 ms at 10 ms gives k = 3 and 4; doubling the macro step makes k = 2 constant."""
    data = measured(np.linspace(0.025, 0.035, 101))
    finest = step_choice(data, 0.01)
    assert (finest.smallest, finest.largest, finest.constant) == (3, 4, False)
    chosen = choose_macro_step(data, 0.01)
    assert (chosen.macro_step, chosen.smallest, chosen.largest) == (0.02, 2, 2)


def test_many_steps_ask_for_a_larger_macro_step():
    assert choose_macro_step(measured([0.0991, 0.0993]), 0.001).macro_step == pytest.approx(0.012)


def test_k_stays_below_ten_and_the_macro_step_is_the_smallest_that_keeps_it_constant():
    """100 ms at 1 ms were 10 macro steps of 10 ms; against all multiples, and with micro steps of any size."""
    rng = np.random.default_rng(3)
    for _ in range(100):
        micro_step = 10.0 ** rng.uniform(-3.3, -2.0)
        low, width = rng.uniform(0.0, 0.2), rng.choice([0.0, 1e-3, 5e-3, 0.05])
        data = measured([low, low + width * rng.uniform()])
        found = choose_macro_step(data, micro_step)
        assert found.largest < MANY_STEPS
        least = next(m for m in count(1) if step_choice(data, m * micro_step).largest < MANY_STEPS)
        every = [step_choice(data, m * micro_step) for m in range(least, int(0.3 / micro_step) + 2)]
        wanted = next((one for one in every if one.constant), every[0])
        assert found.macro_step == pytest.approx(wanted.macro_step, rel=1e-9)


@pytest.mark.parametrize("micro_step", [0.0, -1.0])
def test_the_micro_step_is_above_zero(micro_step):
    with pytest.raises(UsageError, match="macro_step"):
        choose_macro_step(measured([0.03]), micro_step)


def test_no_multiple_is_constant():
    chosen = choose_macro_step(measured([0.0, 0.03]), 0.01)
    assert not chosen.constant and chosen.macro_step == 0.01


def test_alignment_makes_k_constant():
    data = measured([0.0295, 0.0305, 0.0300])
    found = step_choice(data, 0.01)
    assert (found.smallest, found.largest, found.aligned) == (3, 4, 3)
    steps = np.ceil((data.latency - found.shift) / 0.01)
    assert np.all(steps == found.aligned)
    assert 0 < found.shift < 0.01
    assert found.gain == pytest.approx(0.04 - 0.03 - found.shift) and found.gain > 0.008


def test_alignment_cannot_help_beyond_one_step():
    found = step_choice(measured([0.01, 0.025]), 0.01)
    assert found.aligned is None and found.gain == 0.0


def test_random_latencies_stay_inside_the_aligned_grid():
    rng = np.random.default_rng(2)
    for _ in range(50):
        data = measured(rng.uniform(0, 0.05) + rng.uniform(0, rng.uniform(1e-4, 9.9e-3), 200))
        found = step_choice(data, 0.01)
        assert len(set(np.ceil((data.latency - found.shift) / 0.01))) == 1
        assert found.gain <= 0.01


def test_drift_of_the_clocks():
    t = np.arange(1000) * 0.1
    assert statistics(Latencies(t, 0.02 + 1e-4 * t, 0, 0)).drift == pytest.approx(1e-4)


def test_start_one_after_the_other():
    there, back = step_choice(measured([0.021]), 0.01), measured([0.012])
    assert round_trip_steps(there) == 6 and round_trip_steps(there, back) == 5


def test_the_coverage_is_a_share():
    with pytest.raises(UsageError, match="coverage"):
        step_choice(measured([0.1]), 0.01, 0.0)
