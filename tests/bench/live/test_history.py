"""The memory of the page of a running bench: bounded, evenly thinned, closed to what is not of the bench."""

import json
from itertools import pairwise

import pytest

from couplant.bench.live.history import OVERVIEW, RECENT, Course, History
from tests.bench.live.frames import WIDTHS, frame

HOUR = 36000
"""Frames of a side in an hour."""


def test_an_hour_stays_in_bounds_and_is_thinned_evenly():
    course = Course()
    for i in range(HOUR):
        course.add([i])
    rows = [row[0] for row in course.rows]
    assert len(rows) <= RECENT + OVERVIEW
    assert rows[-RECENT:] == list(range(HOUR - RECENT, HOUR)), "the newest are there one by one"
    old = rows[:-RECENT]
    steps = {b - a for a, b in pairwise(old)}
    assert len(steps) == 1 and old[0] == 0 and len(old) > OVERVIEW // 2 - 2


def test_the_record_does_not_grow_with_the_hours():
    history, sizes = History(WIDTHS, 1), []
    for i in range(2 * HOUR):
        assert history.add(frame(i))
        if i + 1 in (HOUR, 2 * HOUR):
            sizes.append(len(json.dumps(history.to_list())))
    assert sizes[1] < 1.5 * sizes[0] < 2e6


@pytest.mark.parametrize(
    "change",
    [
        {"side": "middle"}, {"case": 1}, {"case": -1}, {"case": True}, {"case": None}, {"points": None},
        {"points": [[0.0, 1.0]]}, {"points": [["<b>"] * 4]}, {"points": 101 * [[0.0] * 4]}, {"time": "now"},
        {"latency": {"a": 1}}, {"counts": [1]}, {"status": [0] * 8}, {"skill": [[1]]},
        {"energy": [1.0]}, {"energy": None},
    ],
)  # fmt: skip
def test_what_is_no_frame_of_the_bench_is_not_kept(change):
    history = History(WIDTHS, 1)
    assert not history.add(frame(0) | change)
    assert history.to_list() == []


@pytest.mark.parametrize("odd", [None, [], 3, "text"])
def test_other_texts_are_not_kept(odd):
    assert not History(WIDTHS, 1).add(odd)
