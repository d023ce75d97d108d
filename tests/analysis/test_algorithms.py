"""The algorithm records refuse what cannot run and agree with the runtime's weights."""

import pytest

from couplant.analysis import LinearAlgorithm, SlidingModeObserver, generic
from couplant.errors import UsageError


def test_generic_has_the_weights_of_the_reference():
    """REFERENCE 1, k = 3."""
    assert generic("eros3", 3).a == pytest.approx((4.75, -3, 0, 0, -3.75, 3))
    assert generic("eros4", 3).a == pytest.approx((10.75, -15, 6, 0, -9.75, 15, -6))
    assert generic("eros4", 3).m == 7


def test_observer_names_its_variant():
    assert generic("smb", 3).name == "smb"
    assert SlidingModeObserver(3, "transfer").name == "smb (0-5)"


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
