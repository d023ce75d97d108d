"""The algorithm `phasor` on periodic signals as they arrive: how well it foresees them, and when it leaves it."""

import math

import numpy as np
import pytest

from couplant.config import parse_interface
from couplant.pack.settings import runtime_settings
from tests.kernel.library import Kernel, needs_compiler

pytestmark = needs_compiler

STEP = 1e-3
HARMONICS = ((5, 0.05, 0.3), (7, 0.04, 1.0))
SETTLED = 1.0
"""Time after which a run is judged. [s]"""


def wave(times, rate, phase=0.0, size=1.0, harmonics=HARMONICS):
    """Return a fundamental of the frequencies `rate` [Hz] with harmonics of given orders, shares and phases."""
    angle = 2.0 * math.pi * np.cumsum(np.broadcast_to(rate, times.shape)) * (times[1] - times[0]) + phase
    return size * sum((share * np.cos(order * angle + at) for order, share, at in harmonics), np.cos(angle))


def coupling(k, step=STEP, **algorithm):
    """Return the kernel of a coupling, begun, for values that arrive `k` macro steps late."""
    signal = {
        "algorithm": {"selected": "phasor", **algorithm},
        "latency": {"constant_steps": k, "coast_steps": 20, "lost_steps": 100},
    }
    document = {"interface": {"name": "grid", "macro_step": step, "timing": "event"}, "signals": {"v": signal}}
    kernel = Kernel(runtime_settings(parse_interface(document, "test"), "v"))
    kernel.init(0.0)
    return kernel


def estimates(y, k, step=STEP, lost=0.0, **algorithm):
    """Return what the FMU in C gives out at each macro point for values that arrive `k` macro steps late."""
    kernel = coupling(k, step, **algorithm)
    found, chance = np.zeros(len(y)), np.random.default_rng(3)
    for n in range(len(y)):
        kernel.state.input.y_valid = int(n >= k and chance.random() >= lost)
        kernel.state.input.y = y[max(n - k, 0)]
        kernel.step(n * step, step)
        found[n] = kernel.state.algorithm.level
    return found, kernel


def error(found, y, judged):
    """Return the rms error over the rms of a fundamental of amplitude 1 [-]."""
    return float(np.sqrt(np.mean((found - y)[judged] ** 2) / 0.5))


@pytest.mark.parametrize("noise", [0.0, 0.005])
@pytest.mark.parametrize(("k", "bound"), [(20, 0.01), (60, 0.03)])
@pytest.mark.parametrize("nominal", [50.0, 60.0])
@pytest.mark.parametrize("course", ["low", "high", "swing"])
def test_waveform_of_a_grid_whose_frequency_is_off_and_swings(course, nominal, k, bound, noise):
    times = STEP * np.arange(6000)
    swing = 0.5 * np.sin(2.0 * math.pi * times / 20.0)
    rate = nominal + {"low": -0.5, "high": 0.5, "swing": swing}[course]
    y = wave(times, rate)
    measured = y + noise / math.sqrt(2.0) * np.random.default_rng(1).standard_normal(len(y))
    found, kernel = estimates(measured, k, frequency=nominal)
    assert error(found, y, times > SETTLED) < bound
    assert kernel.state.phasor.frequency == pytest.approx(np.broadcast_to(rate, times.shape)[-k - 1], abs=0.05)


@pytest.mark.parametrize(("k", "bound"), [(20, 0.01), (60, 0.03)])
def test_without_a_loop_the_frequency_may_drift_by_half_a_hertz_a_second(k, bound):
    times = STEP * np.arange(4000)
    y = wave(times, 49.5 + np.clip((times - 1.0) / 2.0, 0.0, 1.0))
    found, _ = estimates(y, k, settling=1.0)
    assert error(found, y, times > SETTLED) < bound


@pytest.mark.parametrize(("k", "bound"), [(20, 0.001), (60, 0.01)])
def test_a_ramp_of_the_frequency_is_followed_in_the_end(k, bound):
    times = STEP * np.arange(5000)
    y = wave(times, 49.5 + 0.5 * np.clip(times - 2.0, 0.0, None))
    found, _ = estimates(y, k)
    assert error(found, y, times > 4.0) < bound


@pytest.mark.parametrize("what", ["jump", "sag", "swell"])
@pytest.mark.parametrize(("k", "bound"), [(20, 0.01), (60, 0.03)])
def test_back_within_two_periods_after_what_arrives_has_jumped(k, bound, what):
    times = STEP * np.arange(3000)
    after = times >= 2.0
    changes = {"jump": {"phase": np.where(after, math.pi / 6, 0.0)}, "sag": {"size": np.where(after, 0.4, 1.0)}}
    y = wave(times, 50.2, **changes.get(what, {"size": np.where(after, 1.0, 0.4)}))
    found, _ = estimates(y, k)
    judged = (times > 2.0 + k * STEP + 0.04) & (times < 2.0 + k * STEP + 0.1)
    assert error(found, y, judged) < bound


def test_lost_values_cost_little():
    times = STEP * np.arange(4000)
    y = wave(times, 50.3)
    assert error(estimates(y, 20, lost=0.2)[0], y, times > SETTLED) < 0.02


def test_the_frequency_stays_where_it_is_not_followed():
    times = STEP * np.arange(3000)
    y = wave(times, 50.5)
    found, kernel = estimates(y, 20, follow="off")
    assert kernel.state.phasor.frequency == 50.0
    # half a hertz for 20 ms are 3.6 degrees
    assert error(found, y, times > SETTLED) == pytest.approx(2.0 * math.pi * 0.5 * 0.02, rel=0.4)


@pytest.mark.parametrize("what", ["noise", "steps", "constant", "nothing", "slower", "faster"])
def test_what_is_not_periodic_is_given_out_as_it_comes(what):
    times, chance = STEP * np.arange(3000), np.random.default_rng(5)
    signals = {
        "noise": chance.standard_normal(len(times)),
        "steps": np.repeat(chance.standard_normal(100), 30),
        "constant": np.full(len(times), 3.0),
        "nothing": np.zeros(len(times)),
        "slower": wave(times, 37.0, harmonics=()),
        "faster": wave(times, 67.0, harmonics=()),
    }
    y, k = signals[what], 20
    late = np.concatenate([np.zeros(k), y[:-k]])
    found, _ = estimates(y, k)
    judged = times > SETTLED
    wire = float(np.sqrt(np.mean((late - y)[judged] ** 2)))
    assert float(np.sqrt(np.mean((found - y)[judged] ** 2))) <= 1.02 * wire + 1e-12


def test_a_macro_step_tells_only_harmonics_below_half_its_frequency():
    times = STEP * np.arange(3000)
    y = wave(times, 50.0, harmonics=((9, 0.05, 0.0),))
    assert error(estimates(y, 20)[0], y, times > SETTLED) < 1e-3
    assert error(estimates(y, 20, harmonics=7)[0], y, times > SETTLED) > 0.01


def test_errors_name_frequencies_that_the_macro_step_cannot_tell():
    with pytest.raises(ValueError, match=r"frequency = 900.0 Hz, allowed 0.9091 to below 454.5 Hz"):
        estimates(np.zeros(3), 1, frequency=900.0)


@pytest.mark.parametrize("k", [20, 60])
@pytest.mark.parametrize("settling", [1.5, 3.5])
def test_a_modulation_is_foreseen_too_large_by_no_more_than_loops_allow(settling, k):
    times = STEP * np.arange(5000)
    judged, gains = times >= 3.0, []
    for rate in np.array([0.1, 0.2, 0.3, 0.4]) / (k * STEP * settling):
        turned = 0.003 * np.sin(2.0 * np.pi * rate * times)
        plain, modulated = wave(times, 50.0, harmonics=()), wave(times, 50.0, turned, harmonics=())
        found, _ = estimates(modulated, k, settling=settling)
        gains.append(np.std((found - plain)[judged]) / np.std((modulated - plain)[judged]))
    assert 1.0 < max(gains) <= 1.0 + 1.4 / settling
