"""Rows: order, ratios, medians, the CSV file and what is none."""

import csv
import math
import random

import pytest

from couplant.base.errors import UsageError
from couplant.sweep.axes import Point
from couplant.sweep.table import COLUMNS, Cell, Row, Table, best, read_table, summarise


def row(algorithm="wire", latency=1, seed=1, error=1.0, verdict="stable", **rest):
    point = Point("event", algorithm, latency, 2.0, 0.05, seed)
    return Row(point, error=error, verdict=verdict, settings="abc", **rest)


def table(*rows):
    return Table({r.point: r for r in rows})


def test_the_order_is_that_of_the_axes_whatever_comes_first():
    rows = [row(a, k, s) for a in ("wire", "zoh", "foh", "eros3", "network") for k in (1, 2, 10) for s in (1, 2)]
    shuffled = random.Random(1).sample(rows, len(rows))
    assert [r.point for r in table(*shuffled).sorted()] == [r.point for r in rows]


def test_ratios_are_over_the_wire_at_the_same_point():
    rows = table(row(error=2.0), row("foh", error=0.5), row("foh", seed=2, error=0.5), row("smb", error=math.inf))
    assert [r.ratio for r in rows.sorted()] == [1.0, 0.25, None, math.inf]
    assert table(row(error=math.inf), row("foh")).sorted()[1].ratio is None
    assert table(row(error=2.0, verdict="unstable"), row("foh")).sorted()[1].ratio is None, "no measure of another one"
    assert table(row(error=None, verdict="failed"), row("foh")).sorted()[1].ratio is None


def test_ratios_stay_when_the_wire_is_not_chosen():
    points = [row("foh").point]
    assert table(row(error=2.0), row("foh", error=1.0)).select(points).sorted()[0].ratio == 0.5


def test_medians_count_infinite_errors_and_leave_failures_out():
    rows = [
        row(seed=s, error=e, verdict=v)
        for s, e, v in ((1, 0.1, "stable"), (2, math.inf, "unstable"), (3, 0.3, "stable"))
    ]
    (median,) = table(*rows, row(seed=4, error=None, verdict="failed", reason="no")).medians()
    assert median.cell == Cell("event", "wire", 1, 2.0, 0.05)
    assert (median.seeds, median.unstable, median.failed, median.error) == (4, 1, 1, 0.3)
    assert not median.is_unstable
    (median,) = table(rows[0], rows[1]).medians()
    assert (median.error, median.is_unstable) == (math.inf, True)


def test_the_best_is_stable_and_has_the_smallest_median():
    rows = [row("foh", error=0.2), row("eros3", error=0.1, verdict="unstable"), row("smb", error=0.3)]
    rows += [row("foh", 2, error=math.inf, verdict="unstable")]
    assert best(table(*rows).medians()) == {("event", 1, 2.0, 0.05): "foh"}


def test_a_summary_counts_and_takes_medians():
    rows = [row(error=1.0), row(seed=2, error=3.0, verdict="unstable"), row(seed=3, error=None, verdict="failed")]
    assert summarise(rows, 4)[:] == (3, 1, 1, (2.0, None, None, None), 4)


def test_the_file_gives_back_every_bit(tmp_path):
    rows = [
        row(error=0.1 + 0.2, max=5e-324, growth=math.inf, C=1 / 3, radius=1.000000000000001),
        row("foh", error=None, verdict="failed", reason='a "b", c; é\nsecond line'),
    ]
    table(*rows).write(tmp_path / "a.csv")
    again = read_table(tmp_path / "a.csv")
    assert again.sorted() == table(*rows).sorted()
    again.write(tmp_path / "b.csv")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


@pytest.mark.parametrize(("delimiter", "decimal"), [(";", ","), (";", "."), ("\t", ",")])
def test_a_file_that_another_program_wrote(tmp_path, delimiter, decimal):
    rows = [row(error=0.125, growth=math.inf, C=1 / 3), row("foh", verdict="failed", reason="1.5, or 2.5; what else")]
    table(*rows).write(tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        head, *cells = csv.reader(file)
    numbers = [
        [c if HEAD.split(",")[i] == "reason" else c.replace(".", decimal) for i, c in enumerate(r)] for r in cells
    ]
    with (tmp_path / "b.csv").open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows([head, *numbers])
    assert read_table(tmp_path / "b.csv").sorted() == table(*rows).sorted()


def test_a_last_line_that_was_cut_costs_one_row(tmp_path):
    rows = [Row(Point("event", "zoh", 1, 0.0, 0.0, seed), error=0.5, verdict="stable") for seed in (1, 2, 3)]
    path = tmp_path / "cut.csv"
    table(*rows).write(path)
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rindex(b"\n") + 1
    path.write_bytes(whole[: last + 12])
    assert list(read_table(path).rows) == [row.point for row in rows[:2]]
    path.write_bytes(whole[: last + 12] + b"\n")
    with pytest.raises(UsageError, match="not the CSV file of a sweep"):
        read_table(path)


def test_wherever_a_file_was_cut_the_rows_before_are_there(tmp_path):
    """Reasons may have several lines; nothing of the row that was cut is taken for a result or for other settings."""
    failed = row(seed=2, error=None, verdict="failed", reason="one,\n two\nthree")
    rows = [row(error=1 / 3), failed, row(seed=3, error=0.25)]
    path = tmp_path / "cut.csv"
    table(*rows).write(path)
    whole, good = path.read_bytes(), read_table(path).sorted()
    begins = [whole.index(f"event,wire,1,2.0,0.05,{seed}".encode()) for seed in (1, 2, 3)]
    for size in range(begins[1], len(whole)):
        path.write_bytes(whole[:size])
        assert read_table(path).sorted() == good[: sum(size >= begin for begin in begins[1:])]


def test_no_file_is_an_empty_table(tmp_path):
    assert read_table(tmp_path / "none.csv").rows == {}


HEAD = ",".join(COLUMNS)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"a,b\n1,2\n", f"{HEAD}\nevent,zoh,1\n".encode(), f"{HEAD}\nevent,zoh,x{',0' * 14}\n".encode()],
)
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "x.csv").write_bytes(content)
    with pytest.raises(UsageError, match=r"x\.csv: not the CSV file of a sweep; fresh = true replaces it\."):
        read_table(tmp_path / "x.csv")


def test_figures_of_the_scenario_have_columns_behind_the_others(tmp_path):
    figures = {"figures.peak": 1.5, "bonds.b.sent": -2.0}, {"figures.peak": 0.5, "figures.at": 3.0}
    rows = [row(own=figures[0]), row("foh", own=figures[1])]
    path = tmp_path / "sweep.csv"
    table(*rows).write(path)
    heading, *_ = path.read_text(encoding="utf-8").splitlines()
    assert heading == ",".join([*COLUMNS, "figures.peak", "bonds.b.sent", "figures.at"])
    found = read_table(path)
    assert {r.point: r.own for r in found.rows.values()} == {r.point: r.own for r in rows}
    again = tmp_path / "again.csv"
    found.write(again)
    assert again.read_bytes() == path.read_bytes()
