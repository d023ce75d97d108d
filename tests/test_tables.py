"""Columns from CSV files as tools write them, and files that are none."""

import numpy as np
import pytest

from couplant.errors import UsageError
from couplant.tables import column_names, read_columns


@pytest.fixture
def write(tmp_path):
    def make(content, encoding="utf-8"):
        path = tmp_path / "data.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return make


def test_columns_by_name(write):
    path = write("t, x ,y\n0,1,2\n1,3,4\n")
    assert column_names(path) == ["t", "x", "y"]
    y, t = read_columns(path, ["y", "t"])
    assert y.tolist() == [2.0, 4.0] and t.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    "content", ["t;y\n0;1,5\n1;-2,5\n", "t\ty\r\n0\t1.5\r\n1\t-2.5\r\n", "\ufefft,y\n0,1.5\n1,-2.5"]
)
def test_delimiters_and_decimal_comma(write, content):
    assert read_columns(write(content), ["y"])[0].tolist() == [1.5, -2.5]


def test_missing_values_are_nan(write):
    y = read_columns(write("t,y\n0,1\n1,\n2,NaN\n3,n/a\n4\n5,2\n"), ["y"])[0]
    assert np.isnan(y).tolist() == [False, True, True, True, True, False]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "has to name the columns"),
        ("t,,y\n0,1,2\n", "has to name the columns"),
        ("1,2\n3,4\n", "the first line holds numbers"),
        ("t,y\n", "no data"),
        ("t,y\n0,1\n1,x\n", "line 3: 'x' is not a number"),
        ("t,z\n0,1\n", "no column 'y', allowed t, z"),
        (b"\xff\xfe\x00t", "UTF-8"),
        (b"t,y\n0,\xff\n", "UTF-8"),
    ],
)
def test_refusals(write, content, message):
    with pytest.raises(UsageError) as found:
        read_columns(write(content), ["y"])
    assert message in str(found.value)


def test_missing_file(tmp_path):
    with pytest.raises(UsageError, match="cannot be read: no such file"):
        column_names(tmp_path / "none.csv")
