"""Latencies in macro steps."""

import pytest

from couplant.base.grid import latency_in_steps


@pytest.mark.parametrize(
    ("latency", "k"), [(0.0, 0), (1e-6, 0), (1.1e-6, 1), (0.5, 1), (1.0, 1), (3.0000009, 3), (3.0000011, 4), (2.9, 3)]
)
def test_a_hair_more_than_a_whole_number_is_that_number(latency, k):
    assert latency_in_steps(latency) == k
