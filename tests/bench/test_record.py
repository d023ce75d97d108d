"""The file of one side: there and back, and what is none."""

import numpy as np
import pytest

from couplant.bench.record import read_records, write_records
from couplant.errors import UsageError


@pytest.fixture(scope="module")
def records(bench):
    return bench.run("foh")[0]


def test_there_and_back(records, tmp_path):
    write_records(tmp_path / "left.npz", 5, records)
    for before, after in zip(records, read_records(tmp_path / "left.npz", 5), strict=True):
        for key, value in vars(before).items():
            same = np.array_equal(value, getattr(after, key), equal_nan=True) if hasattr(value, "shape") else None
            assert same if same is not None else value == getattr(after, key), key


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04 and more"])
def test_what_is_no_record(tmp_path, content):
    (tmp_path / "left.npz").write_bytes(content)
    with pytest.raises(UsageError, match="not a record of one side of a bench"):
        read_records(tmp_path / "left.npz", 5)


def test_of_another_scenario_or_not_there(records, tmp_path):
    write_records(tmp_path / "left.npz", 5, records)
    with pytest.raises(UsageError, match="belongs to another scenario"):
        read_records(tmp_path / "left.npz", 6)
    with pytest.raises(UsageError, match="cannot be read: no such file"):
        read_records(tmp_path / "right.npz", 5)
