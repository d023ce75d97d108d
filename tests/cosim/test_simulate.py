"""Whole scenarios through FMUs: the published tables, an independent simulation, latency, jitter, loss, seeds."""

import json
import zipfile
from contextlib import nullcontext
from importlib import import_module

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.cosim import Result
from couplant.cosim.traces import Replayed
from couplant.pack.reference import INPUTS, OUTPUTS
from couplant_runtime.generated.algorithms import AUTO
from tests.cosim import oracle
from tests.unwired import simulate

EVENT = {  # MAE sum, C, M, P
    "zoh": (1.201901, 9.6255, 1.6304, 9.4710),
    "foh": (0.033265, 2.1073, 2.0028, 0.6027),
    "smb": (0.034386, 2.4605, 2.2895, 0.8218),
    "eros3": (0.007821, 0.7052, 0.3968, 0.5454),
    "eros4": (0.006440, 0.6189, 0.4988, 0.3267),
}
STEP = {  # MAE sum, C
    "zoh": (2.226396, 12.9125),
    "foh": (0.067572, 3.4967),
    "eros3": (0.024437, 0.8384),
    "eros4": (0.028512, 0.3732),
    "wire": (1.201901, 9.6255),
}
"""Canonical run of the linear two-mass oscillator, k = 3: recomputed by two implementations that agree."""

SHORT = ["duration=4.0", 'algorithms=["eros3"]', 'timing=["event"]']


def run_of(result, algorithm, timing):
    return next(run for run in result.runs if (run.algorithm, run.timing) == (algorithm, timing))


@pytest.mark.parametrize("algorithm", EVENT)
def test_the_published_table_in_event_timing(example, algorithm):
    metrics = run_of(example("01_two_mass_oscillator"), algorithm, "event").metrics
    assert [metrics[key] for key in ("mae", "C", "M", "P")] == pytest.approx(EVENT[algorithm], rel=1e-3)


@pytest.mark.parametrize("algorithm", STEP)
def test_the_published_table_in_step_timing(example, algorithm):
    metrics = run_of(example("01_two_mass_oscillator", "wire=true"), algorithm, "step").metrics
    assert [metrics[key] for key in ("mae", "C")] == pytest.approx(STEP[algorithm], rel=1e-3)


@pytest.mark.landing("the published table once more")
@pytest.mark.sample(1)
@pytest.mark.parametrize("algorithm", EVENT)
def test_the_published_table_in_event_mode_of_fmi_3(example, algorithm):
    result = example("01_two_mass_oscillator", "coupling.fmi='3'")
    metrics = run_of(result, algorithm, "event").metrics
    assert [metrics[key] for key in ("mae", "C", "M", "P")] == pytest.approx(EVENT[algorithm], rel=1e-3)


@pytest.mark.landing("long closed loops: 6 s of CPU")
def test_the_canonical_runs_are_the_same_in_both_versions_of_the_standard_bit_for_bit(example):
    two, three = (example("01_two_mass_oscillator", *words) for words in ((), ("coupling.fmi='3'",)))
    for one, other in zip(two.runs, three.runs, strict=True):
        for trace, twin in zip(one.traces.values(), other.traces.values(), strict=True):
            assert trace.estimate.tobytes() == twin.estimate.tobytes()
            assert trace.sent.tobytes() == twin.sent.tobytes()


@pytest.mark.parametrize("timing", ["event", "step"])
def test_growth_tells_the_unstable_algorithm_from_the_others(example, timing):
    growths = {
        run.algorithm: run.metrics["growth"] for run in example("01_two_mass_oscillator").runs if run.timing == timing
    }
    assert growths.pop("zoh") > 1.5
    assert all(value < 1.0 for value in growths.values())


@pytest.mark.landing("long closed loops: 4 s of CPU")
@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("case", "duration"),
    [
        (oracle.Case(k=0, macro_step=0.02), 5.0),
        (oracle.Case(k=1, macro_step=0.01, force=(0.0, 1.0)), 3.0),
        (oracle.Case(k=4, macro_step=0.01, force=(1.0, 1.0)), 3.0),
        (oracle.Case(k=7, macro_step=0.017, force=(1.0, 1.0)), 5.0),
    ],
    ids=str,
)
def test_every_other_latency_and_macro_step_is_as_exact(oscillator, case, duration):
    """ΔT = 0.017 puts begin and end of the force between macro points."""
    count = int(duration / case.macro_step + 1e-6)
    case = oracle.Case(case.k, case.macro_step, count * case.macro_step, case.force)
    changes = {"network.latency_steps": case.k, "macro_step": case.macro_step, "duration": duration}
    changes |= {f"force_on_mass_{i}": force for i, force in enumerate(case.force, start=1)}
    for run in simulate(oscillator, ["wire=true", *(f"{key}={value}" for key, value in changes.items())]).runs:
        expected = oracle.simulate(run.algorithm, run.timing, case)
        found = np.column_stack([run.traces[name].estimate for name in oracle.SIGNALS])
        assert np.allclose(found, expected.estimate, rtol=0, atol=1e-10 * np.abs(expected.estimate).max())
        reference = np.column_stack([run.traces[name].reference for name in oracle.SIGNALS])
        assert np.allclose(reference, expected.reference, rtol=0, atol=1e-6)
        assert run.metrics["mae"] == pytest.approx(oracle.mae(expected), rel=1e-3)


def test_without_latency_there_is_no_network_and_zoh_in_event_timing_only_holds(oscillator):
    run = simulate(oscillator, [*SHORT, "network.latency_steps=0"]).runs[0]
    trace = run.traces["f"]
    assert np.array_equal(trace.estimate, trace.sent)
    assert np.array_equal(trace.received, trace.sent)


def test_micro_steps_do_not_change_what_is_linear_between_macro_points(oscillator):
    whole, split = (simulate(oscillator, [*SHORT, *more]).runs[0] for more in ([], ["micro_step=0.005"]))
    assert np.allclose(whole.traces["f"].estimate, split.traces["f"].estimate, rtol=0, atol=1e-12)


def test_two_runs_of_a_scenario_are_equal_bit_for_bit(oscillator):
    words = [*SHORT, "network.jitter_steps=2", "network.loss=0.1"]
    first, second = (simulate(oscillator, words) for _ in range(2))
    assert first.to_json() == second.to_json()
    assert first.runs[0].traces["v1"].estimate.tobytes() == second.runs[0].traces["v1"].estimate.tobytes()


def test_the_seed_changes_what_is_lost(oscillator):
    words = [*SHORT, "network.loss=0.2"]
    received = [
        simulate(oscillator, [*words, f"network.seed={seed}"]).runs[0].traces["v1"].received for seed in (1, 1, 7)
    ]
    assert np.array_equal(received[0], received[1], equal_nan=True)
    assert not np.array_equal(received[0], received[2], equal_nan=True)


def stages(oscillator, *words):
    debug = [f"signals.{name}.debug=true" for name in oracle.SIGNALS]
    return simulate(oscillator, [*SHORT, *debug, *words]).runs[0].debug


def test_jitter_adds_whole_steps_between_none_and_the_largest(oscillator):
    columns = stages(oscillator, "network.jitter_steps=2", "network.latency_steps=3")["v1"]
    arrived = columns["y_valid"] > 0
    age = (columns["time"] - columns["y_time"])[arrived] / 0.02
    assert np.allclose(age, np.round(age), atol=1e-6)
    assert set(np.round(age).astype(int)) == {3, 4, 5}


def test_loss_takes_about_its_share_and_other_values_of_each_signal(oscillator):
    logs = stages(oscillator, "network.loss=0.3", "duration=12.0")
    valid = np.array([logs[name]["y_valid"][3:] for name in oracle.SIGNALS])
    assert valid.mean() == pytest.approx(0.7, abs=4 * np.sqrt(0.21 / valid.size))
    assert len({row.tobytes() for row in valid}) == 3


def test_a_constant_latency_sets_k_and_jitter_or_loss_sets_stamps(oscillator):
    constant = stages(oscillator, "network.latency_steps=4")["f"]["latency.steps"]
    assert set(constant.tolist()) == {4}
    lossy = stages(oscillator, "network.latency_steps=4", "network.loss=0.2")["f"]["latency.steps"]
    assert lossy[10:].min() == 4
    assert lossy.max() > 4, "a lost value makes the newest one older"


def test_of_a_blend_the_trace_shows_the_leading_algorithm(oscillator):
    words = ["duration=4.0", 'algorithms=["auto"]', 'timing=["event"]', "signals.x1.debug=true"]
    run = simulate(oscillator, words).runs[0]
    log, active = run.debug["x1"], run.traces["x1"].active[:-1]
    blended = log["algorithm.active"] == AUTO
    assert blended.sum() > 150 and AUTO not in active[50:]
    assert (active[50:] == np.where(blended, log["auto.leading"], log["algorithm.active"])[50:]).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [1, 7])
def test_losses_cost_little(oscillator, seed):
    """5 % loss with stamps: FOH and EROS3 have at most 0.35 and 0.15 of ZOH's C."""
    words = ["network.loss=0.05", f"network.seed={seed}", 'algorithms=["zoh", "foh", "eros3"]', 'timing=["event"]']
    c = {run.algorithm: run.metrics["C"] for run in simulate(oscillator, words).runs}
    assert c["foh"] <= 0.35 * c["zoh"]
    assert c["eros3"] <= 0.15 * c["zoh"]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("reordering", "ages"),
    [
        ("true", {0.0: 0.04, 0.04: 0.02, 0.06: 0.04, 0.10: 0.02, 0.12: 0.04}),
        ("false", {0.0: 0.04, 0.06: 0.04, 0.12: 0.04}),
    ],
)
def test_measured_latencies_are_replayed_in_their_order(oscillator, tmp_path, scenario, reordering, ages):
    """0.04, 0.08, 0.02 s and again. Of values that arrive together the one sent last is given out."""
    (tmp_path / "measured.csv").write_text("n,latency_s,note\n1,0.04,a\n2,0.08,b\n3,0.02,c\n", encoding="utf-8")
    path = scenario(oscillator.read_text(encoding="utf-8"))
    words = ['network.replay="measured.csv"', f"network.reordering={reordering}", "duration=0.18"]
    log = stages(path, *words)["v1"]
    arrived = log["y_valid"] > 0
    sent = log["y_time"][arrived]
    assert dict(zip(sent.round(6).tolist(), (log["time"][arrived] - sent).round(6).tolist(), strict=True)) == ages


def test_the_result_knows_the_latencies_that_were_replayed(oscillator, tmp_path, scenario):
    (tmp_path / "measured.csv").write_text("n,latency_s\n1,0.04\n2,0.05\n3,0.02\n4,9.0\n", encoding="utf-8")
    path = scenario(oscillator.read_text(encoding="utf-8"))
    result = simulate(path, ['signals.f.network.replay="measured.csv"', "duration=0.04", 'algorithms=["zoh"]'])
    assert result.replayed == {"f": Replayed(0.02, 0.04, 0.05)}
    assert result.latency == "f 20 to 50 ms, median 40 ms (1 to 3 macro steps); others 3 macro steps (60 ms)"


def test_the_result_knows_signals_units_and_settings(oscillator):
    result = simulate(oscillator, [*SHORT, "network.latency_steps=2"])
    assert (result.scenario_name, result.macro_step, result.latency_steps) == ("Two-mass oscillator", 0.02, 2)
    assert result.settings["network"]["latency_steps"] == 2
    trace = result.runs[0].traces["f"]
    assert (trace.name, trace.unit, trace.time.size) == ("f", "N", 201)
    assert set(result.runs[0].traces) == set(result.runs[0].per_signal) == set(oracle.SIGNALS)
    assert np.isnan(trace.received[:2]).all()
    assert np.array_equal(trace.received[2:], trace.sent[:-2])
    assert trace.state[-1] == 2
    assert trace.active[-1] == 4
    figures = json.loads(result.to_json())["runs"][0]
    assert list(figures)[:9] == ["algorithm", "timing", "error", "mae", "growth", "max", "C", "M", "P"]
    assert figures["growth"] is None


def test_a_signal_that_is_not_judged_is_left_out(oscillator):
    run = simulate(oscillator, [*SHORT, "signals.f.judge=false"]).runs[0]
    assert list(run.traces) == ["x1", "v1"]


def test_files_of_a_run(oscillator, tmp_path):
    simulate(oscillator, [*SHORT, "signals.f.debug=true"], output=tmp_path / "out")
    files = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*"))
    assert files == [
        *(f"fmus/event_eros3/two_mass_oscillator_{name}.fmu" for name in ("f", "v1", "x1")),
        *(f"fmus/models/{name}.fmu" for name in ("mass_1", "mass_2", "network")),
        "runs/event_eros3.csv",
        "runs/event_eros3_f_stages.csv",
    ]
    stages_text = (tmp_path / "out" / "runs" / "event_eros3_f_stages.csv").read_text(encoding="utf-8").splitlines()
    assert stages_text[0].startswith("time,y,y_time,y_valid,y_hat,latency.steps,")
    assert ",debug." in stages_text[0]
    assert len(stages_text) == 201


@pytest.mark.parametrize("kept", [True, False])
def test_fmus_that_outlive_the_run_carry_a_reference(oscillator, tmp_path, monkeypatch, kept):
    out = tmp_path / "out"
    monkeypatch.setattr(import_module("couplant.cosim.simulate"), "_folder", lambda output: nullcontext(out))
    simulate(oscillator, SHORT, output=out if kept else None)
    with zipfile.ZipFile(out / "fmus/event_eros3/two_mass_oscillator_f.fmu") as archive:
        assert {INPUTS, OUTPUTS} & {*archive.namelist()} == ({INPUTS, OUTPUTS} if kept else set())


def test_progress_ends_at_one(oscillator):
    told = []
    simulate(oscillator, SHORT, progress=lambda share, text: told.append((share, text)))
    assert told[0] == (0.0, "reference")
    assert told[-1] == (1.0, "done")
    assert all(0.0 <= share <= 1.0 for share, _ in told)
    assert any(text == "eros3, event" for _, text in told)


def test_direct_connections_in_a_loop_are_refused(scenario):
    path = scenario(
        'name = "loop"\nmacro_step = 0.1\nduration = 1.0\n'
        '[components]\na = { model = "mass_2" }\nb = { model = "mass_2" }\n'
        '[signals.s]\nfrom = "a.x2"\n[connections]\n"a.x1" = "b.f"\n"b.x1" = "a.f"\n'
    )
    with pytest.raises(UsageError, match=r"Algebraic loop: \w\.f <- \w\.f <- \w\.f"):
        simulate(path)


def test_a_run_that_blows_up_ends_early_and_the_others_go_on(oscillator, monkeypatch):
    monkeypatch.setattr("couplant.cosim.run.master.DIVERGED", 1e9)
    words = ['timing=["event"]', 'algorithms=["eros4", "foh"]', "macro_step=0.05", "network.latency_steps=8"]
    unstable, other = simulate(oscillator, [*words, "duration=20.0"]).runs
    trace = unstable.traces["v1"]
    assert np.isnan(trace.estimate[-1])
    assert 1e7 < np.nanmax(np.abs(trace.estimate)) < 1e11
    assert np.isfinite(other.traces["v1"].estimate).all()
    figures = json.loads(Result("x", 0.05, 8, [unstable]).to_json())["runs"][0]
    assert {figures[key] for key in ("mae", "growth", "C")} == {None}


WATCH = 'watch=["mass_2.x2"]'


def test_outputs_are_watched_in_run_and_reference(oscillator, tmp_path):
    one = simulate(
        oscillator,
        ['algorithms=["foh"]', 'timing=["event"]', "network.latency_steps=0", WATCH, "duration=3.0"],
        output=tmp_path,
    )
    found = one.runs[0].watched["mass_2.x2"]
    assert 0.02 < np.abs(found.reference).max() < 0.1
    assert np.allclose(found.values, found.reference, rtol=0, atol=2e-4)
    table = np.genfromtxt(tmp_path / "runs" / "event_foh.csv", delimiter=",", names=True, deletechars="")
    assert np.array_equal(table["mass_2.x2"], found.values)
    assert np.array_equal(table["mass_2.x2.reference"], found.reference)


def test_outputs_are_watched_without_coupling(oscillator):
    words = ('algorithms=["direct"]', 'host="jacobi"', 'timing=["step"]', "network.latency_steps=0")
    (run,) = simulate(oscillator, [*words, WATCH, "macro_step=0.005", "duration=3.0"]).runs
    found = run.watched["mass_2.x2"]
    assert 0.0 < np.abs(found.values - found.reference).max() < 0.2 * np.abs(found.reference).max()


def test_only_the_reference_has_the_parameters_of_the_reference(oscillator):
    words = ('algorithms=["zoh"]', 'timing=["event"]', "network.latency_steps=0", WATCH, "duration=3.0")
    (run,) = simulate(oscillator, [*words, "reference.parameters.mass_1.force.amplitude=0.0"]).runs
    assert not run.watched["mass_2.x2"].reference.any() and run.watched["mass_2.x2"].values.any()


def test_what_is_watched_must_exist(oscillator):
    with pytest.raises(UsageError, match=r"mass_2.*x3"):
        simulate(oscillator, ['algorithms=["zoh"]', 'watch=["mass_2.x3"]'])
