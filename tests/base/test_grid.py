"""Latencies in macro steps."""

import pytest

from couplant.base.grid import latency_in_steps, micro_steps_in


@pytest.mark.parametrize(
    ("latency", "k"), [(0.0, 0), (1e-6, 0), (1.1e-6, 1), (0.5, 1), (1.0, 1), (3.0000009, 3), (3.0000011, 4), (2.9, 3)]
)
def test_a_hair_more_than_a_whole_number_is_that_number(latency, k):
    assert latency_in_steps(latency) == k


def test_steps_that_are_not_whole_or_without_end_are_none():
    assert [micro_steps_in(0.1, step) for step in (None, 0.1, 0.025, 0.03, 1e-320)] == [1, 1, 4, 0, 0]
