"""The algorithm records refuse what cannot run and agree with the runtime's weights."""

import numpy as np
import pytest

from couplant.analysis import (
    LinearAlgorithm,
    Shifted,
    SlidingModeObserver,
    estimate_error,
    frequency_response,
    generic,
    tolerance_parameters,
)
from couplant.base.errors import UsageError
from couplant.design import DesignTask, design


def test_generic_has_the_weights_of_the_reference():
    """docs/reference.md 1, k = 3."""
    assert generic("eros3", 3).a == pytest.approx((4.75, -3, 0, 0, -3.75, 3))
    assert generic("eros4", 3).a == pytest.approx((10.75, -15, 6, 0, -9.75, 15, -6))
    assert generic("eros4", 3).m == 7


def test_observer_names_its_variant():
    assert generic("smb", 3).name == "smb"
    assert SlidingModeObserver(3, "transfer").name == "smb (0-5)"
    assert generic("smb (0-5)", 3) == SlidingModeObserver(3, "transfer")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: generic("eros5", 3), "allowed zoh, foh, smb, eros3, eros4"),
        (lambda: generic("foh", 65), "allowed 0 to 64"),
        (lambda: generic("foh", 1.5), "allowed 0 to 64"),
        (lambda: LinearAlgorithm(1, (1.0,), (0.0, 0.0)), "a has 1 weights, A has 2"),
        (lambda: LinearAlgorithm(1, (), ()), "m >= 1"),
        (lambda: LinearAlgorithm(1, (float("nan"),), (0.0,)), "not a finite number"),
        (lambda: SlidingModeObserver(1, "printed"), "allowed recursion, transfer"),
        (lambda: SlidingModeObserver(1, gain_ratio=1.0), "allowed above 0 and below 1"),
    ],
)
def test_refusals(make, message):
    with pytest.raises(UsageError, match=message):
        make()


def test_a_fraction_makes_foh_exact_on_lines_at_any_latency():
    """At low frequency the error of FOH at lead 2.7 steps lies between those at 2 and at 3."""
    share = 0.01
    between = estimate_error(Shifted(generic("foh", 3), 0.3), share)
    assert abs(estimate_error(generic("foh", 2), share)) < abs(between) < abs(estimate_error(generic("foh", 3), share))
    assert estimate_error(Shifted(generic("foh", 3), 0.3), 1e-6) == pytest.approx(0.0, abs=1e-9)


def test_a_fraction_of_zoh_is_the_shorter_delay():
    shorter = frequency_response(Shifted(generic("zoh", 3), 0.25), 0.1)
    assert shorter == pytest.approx(frequency_response(generic("zoh", 3), 0.1) * np.exp(0.025j * np.pi))


def test_fraction_of_a_designed_lead():
    """Step timing, lead 0.25: the FMU holds weights for k + 1 = 4 and shifts by 0.75; the horizon is 4.25."""
    one = design(DesignTask(0.02, 3, (0.5, 12.0), "step", lead=0.25))
    shown = LinearAlgorithm(one.fmu_steps, one.algorithm.a, one.algorithm.A)
    error = estimate_error(Shifted(shown, 0.75), 0.03, "step")
    tone = np.exp(-0.03j * np.pi * np.arange(7)) @ one.predictors[0].h * np.exp(-4.25j * 0.03 * np.pi)
    assert error == pytest.approx(tone - 1.0)
    zeta, delta = tolerance_parameters(Shifted(shown, 0.75), "step")
    assert zeta >= 0.0 and delta > 0.0


def test_fraction_out_of_range():
    for k, fraction in ((3, 1.0), (0, 3.1), (0, -0.1)):
        with pytest.raises(UsageError, match="fraction"):
            Shifted(generic("foh", k), fraction)


def test_a_fraction_above_one_goes_back_from_the_newest_value():
    """At k = 0 with f = 1 the end of the macro step is the newest value itself: nothing is estimated."""
    assert estimate_error(Shifted(generic("eros3", 0), 1.0), 0.1, "step") == pytest.approx(0.0, abs=1e-12)
    assert abs(estimate_error(Shifted(generic("foh", 0), 2.5), 0.1, "step")) > 0.01
