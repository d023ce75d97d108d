"""CSV files of a run."""

import csv

import numpy as np

from couplant.cosim.judgement.output import write_columns, write_run
from couplant.cosim.result import Courses, Figures, Run
from couplant.cosim.traces import Trace


def test_columns_come_back_exactly_and_gaps_are_empty(tmp_path):
    path = tmp_path / "deep" / "x.csv"
    write_columns(
        path, {"a b": np.array([0.1, np.nan, 1e-300]), "k": np.array([1, 2, 3]), "on": np.array([True, False, True])}
    )
    assert path.read_bytes() == b"a b,k,on\n0.1,1,1\n,2,0\n1e-300,3,1\n"


def test_a_run_is_one_file_and_one_for_each_log(tmp_path):
    time, whole, flags = np.array([0.0, 0.5]), np.array([0, 3]), np.array([False, True])
    trace = Trace("s", "N", time, time + 1, time + 2, np.array([np.nan, 3.0]), time + 4, whole, whole, flags, flags)
    logged = {"s": {"time": time[:1], "debug.slot": whole[:1]}}
    run = Run("foh", "step", Courses({"s": trace}, debug=logged), Figures({}, {}))
    assert write_run(run, tmp_path) == [tmp_path / "step_foh.csv", tmp_path / "step_foh_s_stages.csv"]
    rows = list(csv.DictReader((tmp_path / "step_foh.csv").open(encoding="utf-8")))
    assert rows[0]["s.received"] == ""
    assert {key: float(value) for key, value in rows[1].items()} == {
        "time": 0.5,
        "s.reference": 1.5,
        "s.sent": 2.5,
        "s.received": 3.0,
        "s.estimate": 4.5,
        "s.active": 3,
        "s.state": 3,
        "s.detected": 1,
        "s.limited": 1,
    }
    assert (tmp_path / "step_foh_s_stages.csv").read_text(encoding="utf-8") == "time,debug.slot\n0.0,0\n"
