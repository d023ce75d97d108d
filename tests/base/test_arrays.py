"""Courses that are longer than what is worked on at once: the same bits as in memory."""

import numpy as np
import pytest

from couplant.base.arrays import blocks, make_course, read_rows, reduce_rows


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr("couplant.base.arrays.ROWS", 128)


@pytest.mark.parametrize("count", [1, 128, 129, 1000, 12_345])
def test_sums_and_maxima_have_the_bits_of_numpy(count):
    values = np.random.default_rng(count).standard_normal(count) * 1e3
    for how in (np.add, np.maximum):
        assert reduce_rows(how, lambda rows: values[rows], 0, count) == how.reduce(values)
    values[count // 2] = np.nan
    assert np.isnan(reduce_rows(np.maximum, lambda rows: values[rows], 0, count))


@pytest.mark.parametrize("count", [0, 128, 129, 1000])
def test_a_long_course_lies_on_disk(count):
    course = make_course(count, lambda rows: np.arange(rows.start, rows.stop, dtype=float))
    assert isinstance(course, np.memmap) == (count > 128)
    assert np.array_equal(course, np.arange(count))
    parts = [read_rows(course, rows) for rows in blocks(count)]
    assert all(type(part) is np.ndarray and part.base is None for part in parts)
    assert [value for part in parts for value in part] == list(range(count))
