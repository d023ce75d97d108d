"""The plain wire: a network and no coupling FMU, which every scenario is compared with."""

import json

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.base.style import WIRE
from couplant.config.scenario import load_scenario
from couplant.cosim import simulate
from couplant.cosim.judgement.stability import stability_of
from couplant.cosim.wiring.coupling import coupling_of, couplings_of, wire_of

SHORT = ("duration=3.0", 'algorithms=["zoh"]')
JITTER = ("network.jitter_steps=2", "network.loss=0.1")
HALF_STEPS = "micro_step=0.005"


def runs_of(path, *words):
    return {(run.algorithm, run.timing): run for run in simulate(path, [*SHORT, *words]).runs}


def estimates(run):
    return np.column_stack([trace.estimate for trace in run.traces.values()])


def test_it_is_the_first_run_unless_it_is_named_or_not_wanted(oscillator):
    for words, names in (
        ((), ["wire", "zoh"]),
        (("wire=false",), ["zoh"]),
        (('algorithms=["zoh", "wire"]',), ["zoh", "wire"]),
        (('algorithms=["wire"]', "wire=false"), ["wire"]),
    ):
        assert load_scenario(oscillator, [*SHORT, *words]).scenario.compared == names
    direct = ('algorithms=["direct"]', 'host="jacobi"', 'timing=["step"]', "network.latency_steps=0")
    assert load_scenario(oscillator, direct).scenario.compared == ["direct"]
    runs = simulate(oscillator, ["duration=0.1", 'timing=["step"]']).runs
    assert [run.algorithm for run in runs][:2] == [WIRE, "zoh"]


@pytest.mark.sample(2)
@pytest.mark.parametrize("words", [(), ("network.latency_steps=0",), ("network.loss=0.1",), ("signals.f.to=[]",)])
def test_in_event_timing_it_is_what_zoh_gives(oscillator, words):
    found = runs_of(oscillator, 'timing=["event"]', *words)
    assert np.array_equal(estimates(found["wire", "event"]), estimates(found["zoh", "event"]))


def test_in_step_timing_it_is_a_step_newer_than_zoh_and_what_it_is_in_event_timing(oscillator):
    found = runs_of(oscillator, "duration=25.0")
    wire, zoh = found["wire", "step"], found["zoh", "step"]
    assert np.array_equal(estimates(wire), estimates(found["wire", "event"]))
    assert (wire.metrics["mae"], zoh.metrics["mae"]) == pytest.approx((1.2019, 2.2264), rel=1e-3)
    assert (wire.verdict, wire.stable) == ("unstable", False)
    assert wire.radius == pytest.approx(1.001971066, abs=1e-8)


@pytest.mark.sample(3)
@pytest.mark.parametrize("host", ["reads_again", "jacobi", "sequential"])
@pytest.mark.parametrize("words", [(), JITTER, (HALF_STEPS,)])
def test_what_a_receiver_gets_is_what_arrived(oscillator, host, words):
    run = runs_of(oscillator, 'timing=["step"]', f'host="{host}"', *words)["wire", "step"]
    for trace in run.traces.values():
        first = np.isfinite(trace.received).argmax()
        assert np.array_equal(trace.estimate[first:], trace.received[first:])
        assert not trace.active.any() and not trace.state.any()


def test_small_communication_steps_of_a_wire_change_nothing(oscillator):
    whole, split = (runs_of(oscillator, 'timing=["step"]', *words)["wire", "step"] for words in ((), (HALF_STEPS,)))
    assert estimates(whole) == pytest.approx(estimates(split), abs=1e-9)


def test_a_recording_comes_so_many_steps_later(example):
    one = example("03_recording", "wire=true", "duration=1.0", 'algorithms=["zoh"]')
    wire, zoh = one.runs
    for name, trace in wire.traces.items():
        assert np.array_equal(trace.estimate[6:], trace.sent[:-6])
        assert trace.since == zoh.traces[name].since, "all are judged from the same time on"


def test_before_a_value_arrives_it_has_the_start_and_it_is_judged_with_the_lag_of_the_signal(oscillator):
    changes = ("coupling.start=0.25", "coupling.latency.offset=0.01")
    run = runs_of(oscillator, 'timing=["step"]', *changes)["wire", "step"]
    assert all(trace.estimate[0] == 0.25 and trace.offset == 0.01 for trace in run.traces.values())
    assert wire_of(load_scenario(oscillator), "f").start is None


def test_a_power_bond_has_the_books_that_its_signals_show(oscillator):
    bond = 'bonds.spring={effort="f", flow="x1", flow_is="displacement", sign=1, budget=0.1}'
    run = runs_of(oscillator, 'timing=["step"]', bond, "wire=true")["wire", "step"]
    created = run.bonds["spring"].figures()["created"]
    assert np.isfinite(created) and created != 0.0
    assert run.bonds["spring"].left_effort is None, "nothing keeps a budget"


@pytest.mark.parametrize(
    ("timing", "words"),
    [
        ("event", ("network.jitter_steps=1",)),
        ("step", ("network.latency_steps=0",)),
        ("step", ('host="sequential"', 'timing=["step"]')),
    ],
)
def test_theory_says_nothing_where_it_knows_nothing(oscillator, timing, words):
    loaded = load_scenario(oscillator, words)
    assert stability_of(loaded, couplings_of(loaded, WIRE, timing), timing) is None


@pytest.mark.landing("a run of 60 s: 4 s of CPU")
def test_the_radius_in_a_jacobi_host_is_what_the_run_grows_by(oscillator):
    words = ('timing=["step"]', 'host="jacobi"', "duration=60.0")
    run = runs_of(oscillator, *words)["wire", "step"]
    assert run.metrics["growth"] == pytest.approx(run.radius**250, rel=0.02)


def test_it_is_in_files_tables_and_data(oscillator, tmp_path):
    one = simulate(oscillator, [*SHORT, 'timing=["step"]', "signals.f.debug=true"], output=tmp_path)
    assert json.loads(one.to_json())["runs"][0]["algorithm"] == WIRE
    assert (tmp_path / "runs" / "step_wire.csv").is_file()
    assert not (tmp_path / "runs" / "step_wire_f_stages.csv").exists(), "there are no stages"
    assert list(one.to_dataframe()["algorithm"]) == [WIRE, "zoh"]


def test_figures_name_the_communication_step_and_fmus_have_it(oscillator):
    for words, step in (((), 0.02), ((HALF_STEPS,), 0.005)):
        loaded = load_scenario(oscillator, words)
        assert coupling_of(loaded, "f", "foh", "step").communication_step == step
        one = simulate(oscillator, ["duration=0.2", *SHORT[1:], 'timing=["step"]', *words])
        assert one.communication_step == step and one.stepping == f"macro step 0.02 s, communication step {step} s"


def test_its_name_for_readers(oscillator):
    (wire, _) = simulate(oscillator, [*SHORT, 'timing=["step"]']).runs
    assert wire.label == "wire"


def test_other_tools_refuse_it_in_a_sentence(oscillator):
    from couplant.elsewhere.export.system import algorithm_of
    from couplant.elsewhere.helics.plan import load_federation

    wired = ('algorithms=["wire"]', 'timing=["step"]')
    with pytest.raises(UsageError, match="algorithms = wire cannot be exported: it has no coupling FMU"):
        algorithm_of(load_scenario(oscillator, wired))
    assert algorithm_of(load_scenario(oscillator, ['algorithms=["wire", "foh"]', wired[1]])) == "foh"
    with pytest.raises(UsageError, match='algorithms has "wire", which a federation does not run'):
        load_federation(oscillator, wired)
