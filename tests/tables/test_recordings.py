"""Recordings: columns by name, any sampling, gaps, damaged files refused."""

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.tables import Reading, read_recording, read_signals, read_together, resample, usual_step

STEP = 0.02
T = np.arange(4000) * STEP
RNG = np.random.default_rng(8)


def test_any_sampling_is_brought_to_the_grid():
    times = np.sort(RNG.uniform(0, 40, 20_000))
    found = resample(times, np.sin(times), 0.05)
    grid = times[0] + 0.05 * np.arange(found.value.size)
    assert found.value == pytest.approx(np.sin(grid), abs=1e-4)


def test_gaps_are_bridged_and_counted():
    value = 2.0 * T
    value[100:150] = np.nan
    value[700] = np.nan
    found = resample(T, value, STEP)
    assert found.gaps == 2 and found.longest_gap == pytest.approx(51 * STEP)
    assert found.value == pytest.approx(2.0 * T)


def test_file_with_a_chosen_column(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("t,a,b\n" + "".join(f"{i / 100},{i},{-i}\n" for i in range(200)), encoding="utf-8")
    assert read_recording(path).value[-1] == 199 and read_recording(path).macro_step == 0.01
    assert read_recording(path, column="b", macro_step=0.02).value[1] == -2


@pytest.mark.parametrize(
    ("t", "y", "step", "message"),
    [
        ([0.0, 1.0], [np.nan, np.nan], 0.1, "fewer than two values"),
        ([0.0, 2.0, 1.0], [0.0, 1.0, 2.0], 0.1, "time does not increase at 2 s"),
        ([0.0, 1.0], [0.0, 1.0], 0.1, "11 macro steps of 0.1 s, at least 64"),
        ([0.0, 1.0], [0.0, 1.0], 1e-6, "far below the sampling"),
        ([0.0, 1.0], [0.0, 1.0], -1.0, "at least 64"),
    ],
)
def test_what_cannot_be_put_on_the_grid(t, y, step, message):
    with pytest.raises(UsageError) as found:
        resample(np.array(t), np.array(y), step)
    assert message in str(found.value)


def written(folder, text):
    path = folder / "r.csv"
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return path


def test_columns_by_name_and_time_from_the_first_sample(tmp_path):
    series = read_signals(written(tmp_path, "t, b ,a,remark\r\n5,1,10,x\r\n5.5,2,30,y\r\n7,3,0,z\r\n"))
    assert {name: (t.tolist(), y.tolist()) for name, (t, y) in series.columns.items()} == {
        "b": ([0.0, 0.5, 2.0], [1, 2, 3]),
        "a": ([0.0, 0.5, 2.0], [10, 30, 0]),
    }
    assert series.span() == 2.0


def test_samples_that_are_missing_are_left_out_and_every_signal_has_times_of_its_own(tmp_path):
    series = read_signals(written(tmp_path, "t,a,b,c\n1,5,,x\n2,nan,1,\n3,7,,y\n4,8,2,\n"))
    assert {name: (t.tolist(), y.tolist()) for name, (t, y) in series.columns.items()} == {
        "a": ([0.0, 2.0, 3.0], [5, 7, 8]),
        "b": ([1.0, 3.0], [1, 2]),
    }
    assert series.span() == 3.0


def test_what_a_user_tells_about_a_text_counts(tmp_path):
    path = written(tmp_path, "t;a\n0;1,500\n1;2,500\n")
    with pytest.raises(UsageError, match="decimal = "):
        read_signals(path)
    assert read_signals(path, Reading(decimal=",")).columns["a"][1].tolist() == [1.5, 2.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "needs a row of headings"),
        ("t,a\n", "needs a row of headings"),
        ("t,a\n0,1\n1\n", "over at least 2 samples of a"),
        ("t,a\n0,1\n1,nan\n", "over at least 2 samples of a"),
        ("t,a\n0,1\nx,2\ny,3\n", 'row 3: t = "x", allowed a number'),
        ("t,a\n0,1\n0,2\n", "times must increase"),
        ("t,a\n1,1\n0,2\n", "times must increase"),
        ("s,a\n1,1\n2,2\n", "has no column t; there are: s, a"),
        (b"t,a\n\xff,1\n", 'row 2: t = "\xff", allowed a number'),
    ],
)
def test_damaged_recordings_are_refused_in_one_line(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(UsageError) as error:
        read_signals(path, Reading(time="t"))
    assert message in str(error.value)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_a_pause_is_said_and_no_line_is_made_up_for_it(tmp_path):
    t = np.concatenate([STEP * np.arange(300), 30.0 + STEP * np.arange(500)])
    found = resample(t, np.sin(t), STEP)
    assert found.value == pytest.approx(np.sin(t[300:]), abs=1e-9)
    assert found.assumed == "a pause of up to 24 s: only the longest stretch without one counts, 9.98 s"
    with pytest.raises(UsageError, match=r"20 macro steps of 0\.02 s between pauses, at least 64 are needed"):
        resample(t[[*range(20), *range(300, 310)]], np.ones(30), STEP)
    solver = np.cumsum(np.geomspace(0.01, 3.0, 400))
    assert not resample(solver, np.sin(solver), 0.01).assumed, "sampled where it is needed"
    rows = "".join(f"{a:.2f},{np.sin(a):.6f},{np.cos(a):.6f}\n" for a in t)
    (values,), step, said = read_together([written(tmp_path, "time_s,a,b\n" + rows)], ["a", "b"])
    assert step == STEP and values.shape == (500, 2) and any("a pause of up to 24 s" in one for one in said)


def test_of_rows_with_the_same_time_the_last_one_counts():
    t = np.insert(T[:200], [20, 90, 90], [T[20], T[90], T[90]])
    found = resample(t, np.arange(203.0))
    assert found.value.size == 200 and found.value[19:22].tolist() == [19.0, 21.0, 22.0]
    assert found.assumed == "3 rows have the time of the row below, which counts"


@pytest.mark.parametrize("step", [0.001, 0.002, 0.005, 0.01])
def test_steps_have_the_digits_that_the_clock_tells_apart(step):
    assert usual_step(1.7e9 + step * np.arange(1000)) == step == usual_step(step * np.arange(1000))
    assert usual_step(np.arange(1000) / 1024) == 1 / 1024 and usual_step(np.arange(1000) / 3) == 0.333333333


def test_a_missing_recording_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_signals(tmp_path / "none.csv")


def test_signals_are_put_on_the_same_steps_while_all_are_there(tmp_path):
    """The second starts later, ends earlier and has a gap; the step of the first file is that of the second."""
    rows = [f"{5 + 0.1 * i:.1f},{i},{10 * i if 3 <= i < 97 and i != 50 else ''}" for i in range(100)]
    path = written(tmp_path, "\n".join(["t,a,b", *rows]) + "\n")
    other = tmp_path / "other.csv"
    other.write_text("t,b,a\n" + "".join(f"{0.05 * i:.2f},{i},{-i}\n" for i in range(160)), encoding="utf-8")
    (one, two), step, _ = read_together([path, other], ["b", "a"])
    assert step == 0.1
    assert one == pytest.approx(np.arange(3.0, 97.0)[:, None] * [10.0, 1.0])
    assert two == pytest.approx(np.arange(0.0, 160.0, 2.0)[:, None] * [1.0, -1.0])
    for macro_step, message in ((0.2, "47 macro steps of 0.2 s"), (1e-9, "far below"), (float("nan"), "at least 64")):
        with pytest.raises(UsageError, match=message):
            read_together([path], ["a", "b"], macro_step=macro_step)
