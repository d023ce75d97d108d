import numpy as np

from couplant.report.headline import headline, join, times

DOUBLES = float(np.log(2.0) / 5.0)


def test_rank_puts_stable_runs_first(make_run, make_result):
    result = make_result(
        [make_run("zoh", "step", 1e-6, rate=DOUBLES), make_run("foh", "step", 0.5), make_run("eros3", "step", 0.1)]
    )
    result.runs[0].metrics["error"] = 1e-9
    assert [run.algorithm for run in result.ranked("step")] == ["eros3", "foh", "zoh"]


def test_headline_mixed(canonical):
    text = headline(canonical)
    assert text.startswith("ZOH makes the coupling unstable; EROS4 comes closest")
    assert text.endswith("EROS4 comes closest to the undelayed signal, ZOH diverges.")


def test_no_factor_is_told_of_a_run_that_diverges(make_run, make_result):
    runs = [make_run("wire", "step", 0.1, rate=DOUBLES), make_run("foh", "step", 0.01)]
    runs += [make_run("wire", "event", 0.1), make_run("foh", "event", 0.01)]
    both = headline(make_result(runs))
    assert "in step timing the plain wire diverges and in event timing the plain wire's mean error is 10 times" in both
    assert headline(make_result(runs[:2])).endswith("closest to the undelayed signal, the plain wire diverges.")
    errors = {name: run.judgement.error for name, run in zip(("wire", "foh"), runs[2:], strict=True)}
    assert f"{errors['wire'] / errors['foh']:.0f} times as large" in headline(make_result(runs[2:]))


def test_headline_follows_the_figures(canonical):
    for run in canonical.runs:
        if run.algorithm == "foh":
            run.metrics["error"] = 0.0
    assert "FOH comes closest" in headline(canonical)


def test_headline_all_stable(make_run, make_result):
    result = make_result([make_run("zoh", "step", 0.1), make_run("eros3", "step", 0.01)])
    assert headline(result).startswith("All 2 algorithms keep the coupling stable; EROS3 comes closest")


def test_headline_all_unstable(make_run, make_result):
    result = make_result([make_run(name, "step", 0.1, rate=DOUBLES) for name in ("zoh", "foh")])
    assert headline(result) == "Every coupling is unstable."


def test_headline_unstable_in_one_timing(make_run, make_result):
    runs = [make_run("zoh", timing, 0.1, rate=DOUBLES) for timing in ("event", "step")]
    runs += [make_run("foh", "event", 0.01), make_run("foh", "step", 0.01, rate=DOUBLES)]
    assert headline(make_result(runs)).startswith("ZOH makes the coupling unstable, also FOH in step timing;")
    only = headline(make_result(runs[2:]))
    assert only.startswith("FOH in step timing makes the coupling unstable")


def test_headline_different_best(make_run, make_result):
    errors = {("eros3", "event"): 0.01, ("eros4", "event"): 0.1, ("eros3", "step"): 0.1, ("eros4", "step"): 0.01}
    text = headline(make_result([make_run(*key, error) for key, error in errors.items()]))
    assert "EROS3 comes closest to the undelayed signal in event timing (" in text
    assert ", EROS4 in step timing (" in text


def test_headline_small_difference_is_a_percentage(make_run, make_result):
    text = headline(make_result([make_run("zoh", "step", 0.1), make_run("foh", "step", 0.08)]))
    assert "% smaller than ZOH's" in text


def test_headline_single_run(make_run, make_result):
    assert headline(make_result([make_run("eros3", "step", 0.1)])) == "EROS3 keeps the coupling stable."
    assert "mean error of" in headline(make_result([make_run("eros3", "step", 0.1, rows=50)]))
    assert headline(make_result([])) == "Nothing was run."


RECORDING = {
    "components": {"bench": {"recording": "torque.csv", "value": "torque_Nm"}},
    "signals": {"torque": {"from": "bench.torque", "to": []}},
}


def test_recordings_are_not_called_unstable(make_run, make_result):
    runs = [make_run("zoh", "step", 0.1, rate=DOUBLES), make_run("eros3", "step", 0.01, rate=DOUBLES)]
    result = make_result(runs, settings=RECORDING)
    assert "stable" not in headline(result)


def test_words():
    assert join(["a"]) == "a"
    assert join(["a", "b", "c"]) == "a, b and c"
    assert [times(factor) for factor in (2.44, 12.4, 186.6)] == ["2.4", "12", "187"]


def test_where_nothing_is_judged_it_says_so(make_run, make_result):
    run = make_run("zoh", "step", 0.1)
    run.traces.clear()
    assert headline(make_result([run])) == "No signal was compared with the reference."


def test_the_baseline_of_percentages_is_the_wire(make_run, make_result):
    errors = {"wire": 0.1, "zoh": 0.2, "foh": 0.08}
    text = headline(make_result([make_run(name, "step", error) for name, error in errors.items()]))
    assert text.startswith("The plain wire and all 2 algorithms keep the coupling stable; FOH comes closest")
    assert text.endswith("its mean error is 20 % smaller than the plain wire's.")


def test_where_no_fmu_is_better_than_the_wire_it_is_to_be_left_out(make_run, make_result):
    out = "leave the FMU out: the plain wire is better here."
    for error in (0.1, 0.2):
        result = make_result([make_run("zoh", "step", error), make_run("wire", "step", 0.1)])
        assert headline(result).endswith(out) and result.is_wire_best("step")
    errors = {("wire", "event"): 0.01, ("foh", "event"): 0.1, ("wire", "step"): 0.1, ("foh", "step"): 0.01}
    text = headline(make_result([make_run(*key, error) for key, error in errors.items()]))
    assert "the plain wire comes closest to the undelayed signal in event timing" in text
    assert text.endswith("; leave the FMU out in event timing.")
    assert not make_result([make_run("wire", "step", 0.1)]).is_wire_best("step"), "with nothing it is compared"
