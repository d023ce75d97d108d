from dataclasses import replace

import numpy as np

from couplant.cosim.result import Courses
from couplant.cosim.traces import Replayed
from couplant.report.summary import events, glyph, summary


def heights(points):
    y = np.array([float(pair.split(",")[1]) for pair in points.split()])
    half = len(y) // 2
    return y[half:][::-1] - y[:half]


def test_glyph_opens_where_the_level_rises():
    time = np.linspace(0.0, 1.0, 40)
    widths = heights(glyph(np.exp(4.0 * time)))
    assert np.all(np.diff(widths) >= 0.0)
    assert widths[-1] > 10.0 * widths[0]


def test_glyph_of_nothing_is_a_line():
    assert heights(glyph(np.array([0.0, np.nan, 0.0]))).max() < 2.0


def test_the_table_says_the_verdict_of_each_run(canonical):
    rows = [row for group in summary(canonical).groups for row in group.rows]
    told = {(row.algorithm, row.verdict, row.verdict_text) for row in rows}
    assert {("zoh", "unstable", "unstable"), ("eros3", "stable", "stable")} <= told and len(rows) == len(canonical.runs)


def test_facts(canonical):
    facts = dict(summary(canonical).facts)
    assert facts["macro step"] == "20 ms"
    assert facts["latency"] == "3 macro steps (60 ms)"
    assert facts["duration"] == "25 s"
    assert facts["signals"] == "f, x1 and v1"


def test_the_latency_is_the_one_that_ran(canonical):
    def told(**replayed):
        return dict(summary(replace(canonical, replayed=replayed)).facts)["latency"]

    span, same = Replayed(0.031, 0.0425, 0.079), Replayed(0.04, 0.04, 0.04)
    words = "31 to 79 ms, median 42.5 ms (2 to 4 macro steps)"
    assert told(f=span, x1=span, v1=span) == words
    assert told(f=span) == f"f {words}; others 3 macro steps (60 ms)"
    assert told(f=same, x1=same, v1=same) == "40 ms (2 macro steps)"
    assert dict(summary(replace(canonical, latency_steps=1)).facts)["latency"] == "1 macro step (20 ms)"


def test_a_lag_that_is_made_up_for_is_told(canonical):
    def told(**offsets):
        (first, *_) = canonical.runs
        traces = {name: replace(trace, offset=offsets.get(name, 0.0)) for name, trace in first.traces.items()}
        late = replace(first, courses=Courses(traces))
        return dict(summary(replace(canonical, runs=[late])).facts).get("lag made up for")

    assert told() is None
    assert told(f=0.05) == "f 50 ms" and told(f=0.05, x1=0.05) == "f and x1 50 ms"
    assert told(f=0.05, x1=0.01) == "f 50 ms and x1 10 ms"


def test_facts_tell_what_the_network_does(make_run, make_result):
    def network(burst=1, **settings):
        settings = {"network": settings, "coupling": {"burst": burst}}
        result = make_result([make_run("foh", "step", 0.1)], settings=settings)
        return dict(summary(result).facts).get("network")

    assert network(jitter_steps=0, loss=0.0) is None
    assert network(jitter_steps=2, loss=0.05) == "at most 2 macro steps more and 5 % lost"
    assert network(jitter_steps=2, burst=3) == "at most 2 macro steps more and messages repeat 2 values"
    assert network(jitter_steps=1.5, distribution="erlang") == "on average 1.5 macro steps more"
    assert network(replay="measured.csv", jitter_steps=2) == "latencies replayed from measured.csv"


def test_rows_come_best_first(canonical):
    for group in summary(canonical).groups:
        assert [row.algorithm for row in group.rows] == ["eros4", "eros3", "foh", "smb", "zoh"]
        assert [row.verdict for row in group.rows] == ["stable"] * 4 + ["unstable"]


def test_what_did_not_happen_is_said(make_run):
    run = make_run("foh", "step", 0.1, signals=("f",))
    assert events([run], "f") == (
        "No discontinuity was flagged, the output was never held and the output was never limited."
    )
    run.traces["f"].detected[5] = run.traces["f"].limited[6] = True
    assert events([run], "f") == "The output was never held."
    run.traces["f"].state[7] = 4
    assert events([run], "f") == ""
