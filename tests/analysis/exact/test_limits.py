"""Limits of weights whose limits are known in closed form, and of all algorithms by another search."""

import math

import pytest

from couplant.analysis import GENERIC, generic
from couplant.analysis.exact.limits import gain_limit, limit, phase_limit
from couplant.analysis.limits import response_of
from tests.analysis.exact import oracle


@pytest.mark.parametrize("k", [0, 1, 6, 64])
def test_what_holds_is_late_by_half_a_step_more(k):
    response, reach = response_of(generic("zoh", k), "event")
    assert phase_limit(response, reach) == pytest.approx(1 / 60 / (k + 0.5), rel=1e-14)
    share = gain_limit(response, reach)
    assert math.sin(math.pi * share / 2) / (math.pi * share / 2) == pytest.approx(0.97, rel=1e-14)
    assert limit(response, reach) == min(share, phase_limit(response, reach))


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("name", GENERIC)
def test_the_lower_one_is_that_of_another_search(name, timing):
    for k in (0, 1, 2, 6, 25, 64):
        response, reach = response_of(generic(name, k), timing)
        both = gain_limit(response, reach), phase_limit(response, reach)
        assert limit(response, reach) == pytest.approx(oracle.limit(generic(name, k), timing), rel=1e-11)
        assert limit(response, reach) == pytest.approx(min(both), rel=1e-11)
