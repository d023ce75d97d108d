"""A sweep keeps what is done, goes on where it stopped, and refuses to mix settings."""

import threading
from dataclasses import replace

import pytest

import couplant.sweep as run_module
from couplant.base.errors import CouplantError, UsageError
from couplant.sweep import Where, sweep
from couplant.sweep.axes import Point
from couplant.sweep.processes import in_processes
from couplant.sweep.table import Row, Table, read_table
from tests.unwired import simulate

AXES = {"algorithms": "zoh,foh", "latency": "1:2", "jitter": "0,1", "seeds": "2"}


@pytest.fixture
def swept(oscillator, short, tmp_path):
    """Return a function that sweeps into one folder."""

    def run(axes=AXES, *changes, folder="out", **options):
        return sweep(oscillator, tmp_path / folder, axes, assignments=(*short, *changes), where=Where(2), **options)

    return run


def test_what_is_done_is_not_run_again(swept, tmp_path):
    assert swept().ran == 12
    first = (tmp_path / "out" / "sweep.csv").read_bytes()
    again = swept()
    assert (again.ran, len(again.table.rows)) == (0, 12)
    assert (tmp_path / "out" / "sweep.csv").read_bytes() == first
    more = swept({**AXES, "latency": "2:3"})
    assert (more.ran, len(more.table.rows)) == (6, 12)
    assert first.count(b"\n") + 6 == (tmp_path / "out" / "sweep.csv").read_bytes().count(b"\n")


def test_other_settings_are_refused_until_told(swept, tmp_path):
    axes = {"algorithms": "zoh", "latency": "1"}
    old = swept(axes).settings
    with pytest.raises(UsageError, match=rf"sweep\.csv: made with other settings \({old}, now .*fresh = true\.$"):
        swept(axes, "force_on_mass_2=1.0")
    fresh = swept(axes, "force_on_mass_2=1.0", fresh=True)
    assert fresh.ran == 1
    assert old not in (tmp_path / "out" / "sweep.csv").read_text(encoding="utf-8")


def stopping(job, folder, points, workers):
    """Run three points, then behave as if Ctrl-C had been pressed."""
    rows = in_processes(job, folder, points, workers)
    for _ in range(3):
        yield next(rows)
    rows.close()
    raise KeyboardInterrupt


def test_a_sweep_that_was_stopped_goes_on(swept, tmp_path, monkeypatch):
    monkeypatch.setattr(run_module, "in_processes", stopping)
    with pytest.raises(
        CouplantError, match=r"stopped by the user: 3 of 12 points are done and in .*sweep\.csv; the same"
    ):
        swept()
    monkeypatch.undo()
    assert swept().ran == 9
    swept(folder="other")
    assert (tmp_path / "out" / "sweep.csv").read_bytes() == (tmp_path / "other" / "sweep.csv").read_bytes()


def failing(job, folder, points, workers):
    """Fail every second point."""
    for i, row in enumerate(in_processes(job, folder, points, workers)):
        yield Row(row.point, reason="no luck", settings=job.settings) if i % 2 else row


def test_points_that_failed_are_run_again(swept, monkeypatch):
    monkeypatch.setattr(run_module, "in_processes", failing)
    assert swept().failed == 6
    monkeypatch.undo()
    again = swept()
    assert (again.ran, again.failed) == (6, 0)


def test_points_that_the_settings_refuse_are_rows_with_a_reason(swept):
    done = swept({"algorithms": "foh,network", "latency": "3", "jitter": "0,2", "seeds": "2"})
    reasons = {row.point[1:4]: row.reason for row in done.table.rows.values() if row.reason}
    assert set(reasons) == {("network", 3, 2.0)}
    assert 'allowed "constant" with a network' in reasons["network", 3, 2.0]
    assert (done.failed, len(done.table.rows)) == (2, 6)


def test_summary_and_json(swept):
    done = swept(AXES, "wire=true")
    figures = done.to_dict()
    assert (figures["points"], figures["failed"], len(figures["rows"]), len(figures["medians"])) == (18, 0, 18, 12)
    names = [("wire", "event"), ("zoh", "event"), ("foh", "event")]
    assert {key: s.points for key, s in done.summary().items()} == dict.fromkeys(names, 6)
    assert sum(s.best for s in done.summary().values()) == len(figures["best"]) == 4
    assert all(0.0 < row["ratio"] < 1.0 for row in figures["rows"] if row["algorithm"] == "foh")


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        (Where(0), "workers = 0, allowed 1 or more"),
        (Where(2, "tcp://host:1"), "workers = 2 and dask = tcp://host:1 exclude each other"),
    ],
)
def test_where_is_checked(oscillator, tmp_path, where, sentence):
    with pytest.raises(UsageError, match=sentence):
        sweep(oscillator, tmp_path / "out", AXES, where=where)
    assert list(tmp_path.iterdir()) == []


def test_power_bonds_count_in_a_sweep(swept, oscillator, short):
    """Not only that there are some: a budget is one of the settings that an FMU is built from."""
    for budget in (0.0, 1e-6):
        bond = f'bonds.spring={{effort="f", flow="x1", budget={budget}}}'
        (row,) = swept({"algorithms": "foh", "latency": "3"}, bond, folder=str(budget)).table.rows.values()
        (run,) = simulate(oscillator, [*short, bond, 'algorithms=["foh"]']).runs
        assert row.mae == run.metrics["mae"]
        assert (run.energy["limited_share"] > 0.0) == (budget > 0.0)


def test_sweeps_at_once_into_one_folder_lose_no_row(tmp_path, monkeypatch):
    monkeypatch.setattr(run_module, "_PAUSE", 0.0)
    monkeypatch.setattr(run_module, "_SHARE", 0.0)
    count, failed = 50, []

    def keep(seed):
        try:
            keeper = run_module._Keeper(Table(), tmp_path / "sweep.csv", "same", fresh=False)
            for latency in range(count):
                keeper.add(Row(Point("step", "zoh", latency, 0.0, 0.0, seed), error=1.0, settings="same"))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=keep, args=(seed,)) for seed in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert failed == []
    assert len(read_table(tmp_path / "sweep.csv").rows) == 8 * count
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != ".lock") == ["sweep.csv"]


def test_a_sweep_with_other_settings_meanwhile_is_refused_and_a_fresh_one_drops_only_what_was_there(tmp_path):
    path = tmp_path / "sweep.csv"
    row = Row(Point("step", "zoh", 1, 0.0, 0.0, 1), settings="a")
    first = run_module._Keeper(Table(), path, "a", fresh=False)
    first.add(row)
    with pytest.raises(UsageError, match=r"made with other settings \(a, now b\)"):
        run_module._Keeper(Table(), path, "b", fresh=False).add(replace(row, settings="b"))
    assert set(read_table(path).rows) == {row.point}
    fresh = run_module._Keeper(Table(), path, "a", fresh=True)
    other = row.point._replace(seed=2)
    fresh.add(replace(row, point=other))
    assert set(read_table(path).rows) == {other}
    first.write()
    assert set(read_table(path).rows) == {row.point, other}
