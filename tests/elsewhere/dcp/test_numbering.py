"""From sequence numbers to times: wrapping, losses, doubles, other orders, senders that start again."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from couplant.elsewhere.dcp.numbering import NEAR, WRAP, Numbering

H = 0.125  # so that times are exact


@given(st.integers(0, WRAP - 1), st.integers(1, 3), st.lists(st.integers(1, NEAR), min_size=1, max_size=200))
def test_numbers_wrap_and_gaps_are_kept(first, turns, gaps):
    numbering = Numbering(H, first)
    position = 0
    assert numbering.stamp(first, 0.0) == 0.0
    for gap in gaps * turns:
        position += gap
        assert numbering.stamp((first + position) % WRAP, position * H) == position * H
        assert numbering.missed == gap - 1
    assert numbering.counts["taken"] == 1 + turns * len(gaps)


def test_a_whole_turn_and_more():
    numbering = Numbering(H, WRAP - 2)
    for position in range(2 * WRAP + 10):
        assert numbering.stamp((WRAP - 2 + position) % WRAP, position * H) == position * H
    assert numbering.counts == {"taken": 2 * WRAP + 10, "doubled": 0, "overtaken": 0, "restarts": 0, "strange": 0}


@given(st.integers(0, WRAP - 1), st.randoms(use_true_random=False), st.integers(1, 40))
def test_in_any_near_order_every_value_has_its_time_once(first, chance: random.Random, reach):
    numbering = Numbering(H, first)
    sent = [position for position in range(300) if chance.random() > 0.1] or [0]
    sent += [position for position in sent if chance.random() < 0.2]
    sent.sort(key=lambda position: position + reach * chance.random())
    found: dict[int, float] = {}
    for position in sent:
        stamp = numbering.stamp((first + position) % WRAP, position * H)
        assert (stamp is None) == (position in found)
        found[position] = position * H if stamp is None else stamp
    assert found == {position: position * H for position in sent}
    assert numbering.counts["doubled"] == len(sent) - len(found)


def test_whatever_number_comes_first():
    numbering = Numbering(H, None, 2.0)
    assert [numbering.stamp(number, 0.0) for number in (500, 502, 501, 499)] == [2.0, 2.0 + 2 * H, 2.0 + H, 2.0 - H]


def test_a_sender_that_starts_again_goes_on_by_the_clock():
    numbering = Numbering(H)
    times = [numbering.stamp(number, 100.0 + number * H) for number in range(2000)]
    assert times[-1] == 1999 * H
    restarted = 100.0 + 2400 * H
    assert numbering.stamp(0, restarted) is None  # one alone may be of anybody
    # the second one is 401 periods after the last that was taken
    assert numbering.stamp(1, restarted + H) == (1999 + 402) * H
    assert numbering.stamp(2, restarted + 2 * H) == (1999 + 403) * H
    assert (numbering.counts["restarts"], numbering.counts["strange"]) == (1, 1)


def test_stray_numbers_change_nothing():
    numbering = Numbering(H)
    for number in range(100):
        assert numbering.stamp(number, number * H) == number * H
        assert numbering.stamp(30000 + 7 * number, number * H) is None
    assert numbering.counts["strange"] == 100


@pytest.mark.parametrize("steps", [[1, 1, 1], [3, 1, 5]])
def test_without_real_time_a_number_is_that_of_a_request_for_steps(steps):
    points: list[float] = []
    numbering = Numbering(H, 4, 0.0, points)
    assert numbering.stamp(4, 0.0) is None  # nobody has stepped yet
    t = 0.0
    for number, count in enumerate(steps, start=4):
        t += count * H
        points.append(t)
        assert numbering.stamp(number, 0.0) == t
    assert numbering.counts["strange"] == 1
