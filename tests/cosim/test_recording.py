"""Recordings: columns by name, any sampling, damaged files refused."""

import numpy as np
import pytest

from couplant.cosim.recording import RecordingComponent, read_recording
from couplant.errors import UsageError


def written(folder, text):
    path = folder / "r.csv"
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return path


def test_columns_by_name_and_time_from_the_first_sample(tmp_path):
    series = read_recording(written(tmp_path, "t, b ,a,remark\r\n5,1,10,x\r\n5.5,2,30,y\r\n7,3,0,z\r\n"), "t")
    assert series.time.tolist() == [0.0, 0.5, 2.0]
    assert {name: values.tolist() for name, values in series.columns.items()} == {"b": [1, 2, 3], "a": [10, 30, 0]}
    assert series.span == 2.0


def test_values_between_samples_lie_on_the_line(tmp_path):
    series = read_recording(written(tmp_path, "t,a\n0,0\n1,10\n3,-10\n"), "t")
    component = RecordingComponent("r", series)
    read = component.reader(["a"])
    component.start(0.0, {})
    seen = [read()[0]]
    for n in range(6):
        component.step(n * 0.5, 0.5)
        seen.append(read()[0])
    assert np.allclose(seen, [0, 5, 10, 5, 0, -5, -10])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "needs a row of headings"),
        ("t,a\n", "needs a row of headings"),
        ("t,a\n0,1\n1\n", "row 3: 1 cells, allowed 2"),
        ("t,a\n0,1\n1,nan\n", 'row 3: a = "nan", allowed a finite number'),
        ("t,a\n0,1\nx,2\n", 'row 3: t = "x", allowed a finite number'),
        ("t,a\n0,1\n0,2\n", "t must increase"),
        ("t,a\n1,1\n0,2\n", "t must increase"),
        ("s,a\n1,1\n2,2\n", "has no column t; there are: s, a"),
        (b"t,a\n\xff,1\n", "not UTF-8"),
    ],
)
def test_damaged_recordings_are_refused_in_one_line(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(UsageError) as error:
        read_recording(path, "t")
    assert message in str(error.value)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_a_missing_recording_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_recording(tmp_path / "none.csv", "t")


def test_a_recording_has_no_parameters(tmp_path):
    component = RecordingComponent("r", read_recording(written(tmp_path, "t,a\n0,1\n1,2\n"), "t"))
    with pytest.raises(UsageError, match="r is a recording"):
        component.start(0.0, {"gain": 2.0})
