"""Bench files: what they add to scenarios, and one sentence for what is wrong."""

import pytest

from couplant.base.errors import UsageError
from couplant.bench import load_bench
from couplant.cosim.wiring.coupling import coupling_of
from tests.bench.virtual import SCENARIO


def signal_settings(*assignments, signal="f"):
    return coupling_of(load_bench(SCENARIO, assignments), signal, "irregular", "event").signals[signal]


def test_coupling_fmus_take_what_the_messages_carry():
    settings = signal_settings("bench.repeat=4")
    assert (settings.latency.mode, settings.latency.coast_steps, settings.burst) == ("stamps", 6, 4)
    assert signal_settings("coupling.burst=2").burst == 2
    assert signal_settings("coupling.latency.mode='round_trip'").latency.mode == "round_trip"
    assert signal_settings("signals.f.coupling={latency={mode='resequenced'}}").latency.mode == "resequenced"


def test_a_step_is_late_after_a_fifth_of_a_macro_step():
    assert load_bench(SCENARIO).scenario.late == pytest.approx(0.002)
    assert load_bench(SCENARIO, ["bench.late=0.001"]).scenario.late == 0.001


def test_both_sides_must_have_the_same_settings_but_not_the_same_network():
    plain = load_bench(SCENARIO).scenario.fingerprint()
    assert plain == load_bench(SCENARIO, ["relay.loss=0.5", "bench.connect=1.0"]).scenario.fingerprint()
    others = ["macro_step=0.02", "bench.repeat=2", "algorithms=['foh']", "signals.f.unit='kN'"]
    for other in (*others, "bench.start='on_arrival'", "bench.shift=0.001"):
        assert plain != load_bench(SCENARIO, [other]).scenario.fingerprint()


@pytest.mark.parametrize("where", ["coupling", "signals.f.coupling"])
@pytest.mark.parametrize("latency", ["mode='round_trip'", "clock='free'"])
def test_what_takes_both_directions_as_alike_needs_a_common_start(where, latency):
    assignments = [f"{where}.latency.{latency}"]
    load_bench(SCENARIO, assignments)
    with pytest.raises(UsageError, match=r'bench\.start = "on_arrival" needs latency\.mode other'):
        load_bench(SCENARIO, [*assignments, "bench.start='on_arrival'"])


def test_the_right_side_starts_a_fifth_of_a_macro_step_after_the_message():
    starts = [[], ["bench.start='on_arrival'"], ["bench.start='on_arrival'", "bench.shift=0.0"]]
    assert [load_bench(SCENARIO, start).scenario.shift for start in starts] == [0.0, pytest.approx(0.002), 0.0]

NO_ENERGY = ": messages of a bench carry no energy"


@pytest.mark.parametrize(
    ("assignment", "sentence"),
    [
        ("relay.los=0.1", "relay.los is unknown: did you mean loss?"),
        ("rellay.loss=0.1", "rellay is unknown: did you mean relay?"),
        ("relay.loss=2", "relay.loss = 2, allowed 0 to 1"),
        ("relay.latency=-1.0", "relay.latency = -1.0, allowed 0 to 10 s"),
        ("relay.jitter=0.05", "relay jitter = 0.05, allowed up to latency = 0.02"),
        ("relay.seed=1.5", "relay.seed = 1.5, allowed 0 to 2147483647"),
        ("bench.repeat=9", "bench.repeat = 9, allowed 1 to 8"),
        ("bench.shift=-0.1", "bench.shift = -0.1, allowed 0 to 10 s"),
        ("bench.start='later'", 'bench.start = "later", allowed "together" or "on_arrival"'),
        ("bench.port=70000", "bench.port = 70000, allowed 0 to 65535"),
        ("bench.late=0.0", "bench.late = 0.0, allowed a finite number above 0"),
        ("duration=0.0", "duration = 0.0, allowed a finite number above 0"),
        ("network.loss=0.1", "network is unknown to a bench: its messages pass the table relay"),
        ("signals.f.network={loss=0.1}", "network is unknown to a bench: its messages pass the table relay"),
        ("components.third={model='mass_1'}", "components are left, right, third, allowed left and right"),
        ("components.left={recording='a.csv'}", "components.*.recording: a bench runs FMUs only"),
        ("signals.f.to=['right.x1']", "signals.f must lead from one side to the other"),
        ("signals.f.to=[]", "signals.f must lead from one side to the other"),
        ("bonds.b={effort='f', flow='x1', budget=0.1}", f"bonds.b.budget = 0.1, allowed 0{NO_ENERGY}"),
        ("bonds.b={effort='f', flow='x1', take_back=0.1}", f"bonds.b.take_back = 0.1, allowed 0{NO_ENERGY}"),
        ("bonds.b={effort='f', flow='x1', source='bond'}", f"bonds.b.source = bond, allowed own{NO_ENERGY}"),
        (
            "bonds.b={effort='f', flow='left.x1'}",
            "bonds.b.flow = left.x1, allowed a signal: every signal of a bench passes the network",
        ),
        ("bonds.b={effort='x1', flow='v1'}", "bonds.b: x1 and v1 must lead from one component to another and back"),
        ("watch=['left.x1']", "watch is unknown to a bench: its records hold signals only"),
        ("connections={'left.f'='right.f'}", "connections is unknown to a bench: every signal passes the network"),
    ],
)
def test_what_is_wrong_is_one_sentence(assignment, sentence):
    with pytest.raises(UsageError) as error:
        load_bench(SCENARIO, [assignment])
    assert str(error.value) == f"{SCENARIO}: {sentence}"


def test_a_bench_needs_a_duration(tmp_path):
    text = SCENARIO.read_text(encoding="utf-8").replace("duration = 20.0", "")
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="duration is missing"):
        load_bench(tmp_path / "x.toml")
