"""Plain decimals: bit for bit what `float` gives, and None for all that is not plain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from couplant.decimals import plain_table
from couplant.errors import UsageError
from couplant.tables import _BLOCK, read_columns

cell = st.one_of(
    st.integers(-(10**14), 10**14).map(str),
    st.from_regex(r"-?[0-9]{1,7}\.[0-9]{0,7}", fullmatch=True),
    st.from_regex(r"-?\.[0-9]{1,14}", fullmatch=True),
)


@given(st.lists(st.tuples(cell, cell), min_size=1, max_size=30))
def test_every_plain_number_is_that_of_float(rows):
    block = "".join(f"{a},{b}\n" for a, b in rows).encode()
    found = plain_table(block, b",", 2, [1, 0])
    assert found is not None
    assert found.tobytes() == np.array([[float(b), float(a)] for a, b in rows]).tobytes()


@given(st.lists(st.floats(-1e6, 1e6).map(lambda x: f"{x:.4f}"), min_size=1, max_size=50))
def test_the_same_number_of_decimals_everywhere(cells):
    found = plain_table("".join(f"{c}\n" for c in cells).encode(), b",", 1, [0])
    assert found[:, 0].tobytes() == np.array([float(c) for c in cells]).tobytes()


@pytest.mark.parametrize(
    "line", ["1,", ",1", "1,-", "1,.", "1,1e3", "1,+1", "1, 1", "1,nan", "1,1.2.3", "1,1-", "1,0x1", '1,"1"', "1",
             "1,2,3", "", "1,1234567890123456", "1,é"]
)  # fmt: skip
@pytest.mark.parametrize("before", ["", "0.5,1.5\n", "0,1\n"])
def test_what_is_not_plain(line, before):
    assert plain_table(f"{before}{line}\n".encode(), b",", 2, [0, 1]) is None


def test_decimal_comma_and_carriage_return():
    assert plain_table(b"1;2,5\r\n-3;0\r\n", b";", 2, [0, 1]).tolist() == [[1.0, 2.5], [-3.0, 0.0]]


@pytest.fixture(scope="module")
def long_rows():
    return [f"{0.01 * n:.2f},{np.sin(n):.6f}" for n in range(_BLOCK // 6)]


def write(tmp_path, rows):
    path = tmp_path / "long.csv"
    path.write_text("t,y\n" + "\n".join(rows), encoding="utf-8")
    return path


def test_blocks_follow_each_other(tmp_path, long_rows):
    path = write(tmp_path, long_rows)
    assert path.stat().st_size > 2 * _BLOCK
    t, y = read_columns(path, ["t", "y"])
    assert t.tolist() == [float(row.split(",")[0]) for row in long_rows]
    assert y.tolist() == [float(row.split(",")[1]) for row in long_rows]


def test_gaps_in_a_later_block(tmp_path, long_rows):
    rows = [*long_rows[:-3], "5,", "6,NaN", "7"]
    y = read_columns(write(tmp_path, rows), ["y"])[0]
    assert np.isnan(y).nonzero()[0].tolist() == [len(rows) - 3, len(rows) - 2, len(rows) - 1]


def test_the_line_of_a_wrong_cell_in_a_later_block(tmp_path, long_rows):
    path = write(tmp_path, [*long_rows[:-1], "5,x"])
    with pytest.raises(UsageError, match=f"line {len(long_rows) + 1}: 'x' is not a number"):
        read_columns(path, ["y"])
