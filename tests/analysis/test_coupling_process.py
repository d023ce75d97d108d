"""G_p against the Laplace transform of the staircase that the algorithm really draws, and its limits at 0."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import erlang

from couplant.analysis import (
    GENERIC,
    ErlangLatency,
    LinearAlgorithm,
    SlidingModeObserver,
    estimate_error,
    frequency_response,
    generic,
    limit_frequencies,
    transfer_function,
)
from couplant.base.errors import UsageError

PULSE = np.exp(-0.5 * ((np.arange(60) - 20) / 2.5) ** 2)


def draw(algorithm, pulse, steps):
    """Return estimate and slope at each step by running the algorithm on a pulse that starts and ends at zero."""
    y = np.concatenate([pulse, np.zeros(steps)])

    def late(n):
        return y[n] if 0 <= n < y.size else 0.0

    k, estimate, slope = algorithm.k, np.zeros(y.size), np.zeros(y.size)
    for n in range(y.size):
        if isinstance(algorithm, SlidingModeObserver):
            correction = algorithm.lambda_dt * ((estimate[n - k] if n >= k else 0.0) - late(n - k)) if k else 0.0
            slope[n] = late(n - k) - late(n - k - 1) - correction
            estimate[n] = (estimate[n - 1] if n else 0.0) + slope[n]
        else:
            past = [late(n - k - i) for i in range(algorithm.m)]
            estimate[n], slope[n] = np.dot(algorithm.a, past), np.dot(algorithm.A, past)
    return estimate, slope


def laplace_ratio(algorithm, s, timing, steps=900):
    """Return transform of the staircase over transform of the samples, by quadrature, at sΔT = s."""
    estimate, slope = draw(algorithm, PULSE, steps)
    nodes, node_weights = np.polynomial.legendre.leggauss(24)
    theta, node_weights = (nodes + 1) / 2, node_weights / 2
    start = np.arange(estimate.size)[:, None]
    if timing == "step":
        drawn, start = (estimate + slope)[:, None] + 0 * theta, start + 1
    else:
        drawn = estimate[:, None] + slope[:, None] * theta
    transform = np.sum(drawn * node_weights * np.exp(-s * (start + theta)))
    return transform / np.sum(PULSE * np.exp(-s * np.arange(PULSE.size)))


FREE = LinearAlgorithm(2, (2.0, -1.5, 0.25, 0.25), (0.5, 0.1, -0.9, 0.3), "free")


@pytest.mark.sample(14)
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("algorithm", [FREE, *(generic(n, k) for n in GENERIC for k in (0, 1, 3, 6))], ids=str)
def test_coupling_process_is_the_transform_of_the_staircase(algorithm, timing):
    for s in (0.01j, 0.2j, 0.7j, 1.2j, 0.05 + 0.5j):
        expected = laplace_ratio(algorithm, s, timing)
        assert transfer_function(algorithm, s, timing) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", GENERIC)
@pytest.mark.parametrize("timing", ["event", "step"])
def test_constants_pass_unchanged(name, timing):
    for k in range(65):
        assert frequency_response(generic(name, k), 0.0, timing) == pytest.approx(1.0, abs=1e-11)


def test_free_weights_have_the_published_value_at_zero():
    assert frequency_response(FREE, 0.0) == pytest.approx(sum(FREE.a) + 0.5 * sum(FREE.A), abs=1e-15)


def test_published_transfer_functions_without_latency():
    """Dissertation (4-23) to (4-25)."""
    s = 1j * np.linspace(0.3, 3.0, 20)
    q = np.exp(-s)
    ramp = (1 - (1 + s) * q) / s**2
    assert transfer_function(generic("zoh", 0), s) == pytest.approx((1 - q) / s)
    assert transfer_function(generic("foh", 0), s) == pytest.approx((1 + s) * (1 - q) ** 2 / s**2)
    assert transfer_function(generic("eros3", 0), s) == pytest.approx((1 - q) / s + (2 - 3 * q + q * q) * ramp)


def test_largest_gains():
    """docs/reference.md 2: k = 6 at ΔT = 0.01 s."""
    omega = np.arange(100.0, 314.0, 0.1)
    gain = {n: np.abs(frequency_response(generic(n, 6), omega * 0.01 / np.pi)) for n in ("foh", "eros3")}
    assert gain["foh"].max() == pytest.approx(10.16, abs=0.005)
    assert omega[gain["foh"].argmax()] == pytest.approx(232.7, abs=0.1)
    assert gain["eros3"].max() == pytest.approx(20.93, abs=0.005)
    assert omega[gain["eros3"].argmax()] == pytest.approx(225.0, abs=0.1)
    low = omega < 180
    assert gain["eros3"][low].max() == pytest.approx(17.06, abs=0.005)
    assert omega[low][gain["eros3"][low].argmax()] == pytest.approx(139.4, abs=0.1)


def test_observer_transfer_function_is_printed_form():
    """Dissertation (0-5), written out."""
    s, gain, k = 1j * np.linspace(0.05, 3.0, 30), 0.85 * np.pi / 6, 3
    q = np.exp(-s)
    ramp = 1 - (1 + s) * q
    printed = ramp * (1 - q + gain) * q**k / (s**2 - (1 - q) * s + ramp * gain * q**k)
    assert transfer_function(SlidingModeObserver(3, "transfer"), s) == pytest.approx(printed, rel=1e-9)


def test_series_meets_closed_form():
    near = 1j * np.array([0.2 - 1e-9, 0.2 + 1e-9])
    for algorithm in (generic("eros4", 3), SlidingModeObserver(3, "transfer")):
        below, above = transfer_function(algorithm, near)
        assert abs(below - above) < 1e-7


def test_estimate_error_of_zoh_is_the_delay():
    x = np.array([0.01, 0.2])
    assert estimate_error(generic("zoh", 4), x) == pytest.approx(np.exp(-4j * np.pi * x) - 1)
    assert estimate_error(generic("zoh", 4), x, "step") == pytest.approx(np.exp(-5j * np.pi * x) - 1)


def test_wrong_timing_and_undefined_variant_are_refused():
    with pytest.raises(UsageError, match="timing = 'never'"):
        transfer_function(generic("foh", 1), 1j, "never")
    with pytest.raises(UsageError, match="event timing only"):
        transfer_function(SlidingModeObserver(3, "transfer"), 1j, "step")


@pytest.mark.parametrize(("mean", "order", "least"), [(3.0, 1, 0.0), (3.2, 4, 1.5), (6.0, 30, 5.0)])
def test_latency_that_varies(mean, order, least):
    """The mean of exp(-sτ) over the density of scipy, in place of exp(-s k)."""
    density, latency = erlang(order, least, (mean - least) / order), ErlangLatency(mean, order, least)
    assert (density.mean(), density.std()) == pytest.approx((mean, latency.deviation))
    for share in (0.01, 0.1, 0.6):
        mean_of = [quad(turning(density, f, np.pi * share), least, least + 60, limit=400)[0] for f in (np.cos, np.sin)]
        for name in ("eros3", "smb"):
            fixed = frequency_response(generic(name, 3), share)
            expected = fixed * np.exp(3j * np.pi * share) * (mean_of[0] - 1j * mean_of[1])
            assert frequency_response(generic(name, 3), share, latency=latency) == pytest.approx(expected, rel=1e-6)


def turning(density, part, w):
    return lambda x: density.pdf(x) * part(w * x)


def test_latency_that_does_not_vary_is_the_constant_one():
    share, one = np.array([0.0, 0.03, 0.4]), generic("eros4", 3)
    for timing in ("event", "step"):
        fixed = frequency_response(one, share, timing)
        assert frequency_response(one, share, timing, ErlangLatency(3.0, 5, 3.0)) == pytest.approx(fixed)
    assert limit_frequencies(one, "event", ErlangLatency(3.0, 5, 3.0)).gain == pytest.approx(0.0807, abs=5e-5)
    assert limit_frequencies(one, "event", ErlangLatency(3.0, 2)).gain < 0.04


def test_distribution_of_measured_latencies():
    measured = erlang(6, 0.02, 0.0025).rvs(20_000, random_state=1)
    found = ErlangLatency.of(measured, 0.01)
    assert found.order in (5, 6) and found.mean == pytest.approx(3.5, rel=0.01) and found.least == measured.min() / 0.01
    assert ErlangLatency.of(np.full(9, 0.03), 0.01) == ErlangLatency(3.0, 1, 3.0)


@pytest.mark.parametrize("numbers", [(3.0, 0, 0.0), (3.0, 1, 4.0), (3.0, 1, -1.0), (np.nan, 1, 0.0), (np.inf, 1, 0.0)])
def test_latencies_out_of_range(numbers):
    with pytest.raises(UsageError, match="allowed"):
        ErlangLatency(*numbers)
