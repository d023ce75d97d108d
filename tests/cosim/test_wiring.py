"""From a scenario to components: own FMUs, coupling FMUs that exist, what is refused."""

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.config.scenario import load_scenario
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.wiring.components import Workshop
from couplant.pack import build_coupling_fmu
from couplant.pack.models import build_model_fmu
from tests.unwired import simulate

SHORT = ["duration=3.0", 'algorithms=["foh"]', 'timing=["event"]']


@pytest.fixture
def workshop(oscillator, tmp_path):
    with FmuLibrary() as library:
        builder = Builder(tmp_path / "fmus")
        yield lambda *changes: Workshop(load_scenario(oscillator, changes), library, builder)


def test_the_reference_has_neither_network_nor_coupling(workshop):
    wiring = workshop().direct()
    assert list(wiring.components) == ["mass_1", "mass_2"]
    assert {(str(link.source.ref), str(link.target)) for link in wiring.links} == {
        ("mass_1.x1", "mass_2.x1"),
        ("mass_1.v1", "mass_2.v1"),
        ("mass_2.f", "mass_1.f"),
    }


def test_a_run_has_a_network_and_a_coupling_fmu_for_each_signal(workshop):
    names = list(workshop().couple("foh", "step").components)
    assert sorted(names) == sorted(
        ["mass_1", "mass_2", *(f"{s}.{p}" for s in ("x1", "v1", "f") for p in ("network", "coupling"))]
    )


def test_slopes_are_handed_over_in_event_timing_only(workshop):
    for timing, expected in (("event", {"x1.slope", "v1.slope", "f.slope"}), ("step", set())):
        links = workshop().couple("foh", timing).links
        assert {link.target.variable for link in links if link.source.slope} == expected


def inputs_u(wiring):
    return {link.target.component: str(link.source.ref) for link in wiring.links if link.target.variable == "u"}


@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["step", "event"])
def test_the_coupling_element_gets_what_goes_to_the_sender(workshop, timing):
    wiring = workshop().couple("coupling_element", timing)
    expected = {"x1.coupling": "mass_2.f", "v1.coupling": "mass_2.f", "f.coupling": "mass_1.x1"}
    assert inputs_u(wiring) == expected
    chosen = workshop('signals.f.u="mass_1.v1"').couple("coupling_element", timing)
    assert inputs_u(chosen) == {**expected, "f.coupling": "mass_1.v1"}
    assert inputs_u(workshop().couple("recursive_fir", timing)) == {}


def test_a_coupling_element_without_a_signal_to_its_sender_is_refused(workshop):
    message = "signals.f.u is missing: the coupling FMU needs what goes to mass_2, and no signal does"
    with pytest.raises(UsageError, match=message):
        workshop("signals.x1.to=[]", "signals.v1.to=[]").couple("coupling_element", "step")


def test_without_latency_the_clock_stamps(workshop):
    components = workshop("network.latency_steps=0").couple("foh", "step").components
    assert "clock" in components
    assert not [name for name in components if name.endswith("network")]


def inputs_of(wiring, component):
    return {link.target.variable: str(link.source.ref) for link in wiring.links if link.target.component == component}


JITTER = "network.jitter_steps=2"


def test_a_coupling_fmu_that_takes_repeated_values_gets_them_from_a_network_that_repeats_them(workshop):
    wiring = workshop(JITTER, "coupling.burst=3", "signals.f.coupling.burst=1").couple("foh", "event")
    found = inputs_of(wiring, "x1.coupling")
    assert {name: found[name] for name in found if "[" in name} == {
        f"{y}[{i}]": f"x1.network.{output}[{i}]"
        for i in (2, 3)
        for y, output in (("y", "received"), ("y_time", "stamp"), ("y_valid", "valid"))
    }
    assert [wiring.parameters[f"{name}.network"]["burst"] for name in ("x1", "v1", "f")] == [3, 3, 1]
    assert set(inputs_of(wiring, "f.coupling")) == {"y", "y_time", "y_valid"}


def test_without_a_network_nothing_is_repeated(workshop):
    words = ["network.latency_steps=0", "coupling.burst=3", "coupling.latency.mode='stamps'"]
    wiring = workshop(*words).couple("foh", "event")
    assert inputs_of(wiring, "x1.coupling") == {"y": "mass_1.x1", "y_time": "clock.time"}


ROUND_TRIP = "coupling.latency.mode='round_trip'"


def test_round_trips_are_closed_over_the_first_signal_that_goes_back(workshop):
    wiring = workshop(JITTER, ROUND_TRIP).couple("foh", "event")
    for name, back in (("x1", "f"), ("v1", "f"), ("f", "x1")):
        assert inputs_of(wiring, f"{name}.network")["echo"] == f"{back}.network.newest"
        assert inputs_of(wiring, f"{name}.coupling")["y_echo"] == f"{name}.network.echoed"


def test_a_way_without_a_network_echoes_at_once(workshop):
    wiring = workshop(JITTER, ROUND_TRIP, "signals.f.network={latency_steps=0, jitter_steps=0}").couple("foh", "event")
    assert inputs_of(wiring, "x1.network")["echo"] == "clock.time"
    assert inputs_of(wiring, "f.coupling")["y_echo"] == "x1.network.newest"


def test_a_round_trip_without_a_signal_back_is_refused(workshop):
    with pytest.raises(UsageError, match=r"signals.x1: round trips need a signal from mass_2 back to mass_1; there is"):
        workshop(ROUND_TRIP, "signals.f.to=[]").couple("foh", "event")


def test_fmus_of_the_user_give_the_same_as_the_shipped_ones(oscillator, scenario, tmp_path):
    for name in ("mass_1", "mass_2"):
        build_model_fmu(name, tmp_path, macro_step=0.02, file_name=f"own_{name}")
    text = oscillator.read_text(encoding="utf-8")
    for name in ("mass_1", "mass_2"):
        text = text.replace(f'model = "{name}"', f'fmu = "own_{name}.fmu"')
    own, shipped = (simulate(path, SHORT).runs[0] for path in (scenario(text), oscillator))
    assert np.array_equal(own.traces["f"].estimate, shipped.traces["f"].estimate)


def test_a_coupling_fmu_that_exists_takes_algorithm_and_latency_as_parameters(oscillator, scenario, tmp_path):
    document = {"interface": {"name": "own", "macro_step": 0.02, "timing": "event"}, "signals": {"s": {}}}
    build_coupling_fmu(parse_interface(document, "test"), "s", tmp_path)
    path = scenario(oscillator.read_text(encoding="utf-8"))
    own = simulate(path, [*SHORT, "coupling.fmu='own_s.fmu'"]).runs[0]
    built = simulate(path, SHORT).runs[0]
    assert np.allclose(own.traces["f"].estimate, built.traces["f"].estimate, rtol=0, atol=1e-15)


def test_both_backends_give_the_same_figures_bit_for_bit(oscillator):
    words = [*SHORT, 'timing=["event", "step"]', "network.loss=0.1", "coupling.discontinuity.enabled=true"]
    native, python = (simulate(oscillator, [*words, f"coupling.backend='{name}'"]) for name in ("native", "python"))
    assert native.to_json() == python.to_json()
    for one, other in zip(native.runs, python.runs, strict=True):
        assert one.traces["f"].estimate.tobytes() == other.traces["f"].estimate.tobytes()


@pytest.mark.sample(1)
@pytest.mark.parametrize("micro_step", [0.02, 0.005])
def test_both_versions_of_the_standard_give_the_same_figures_bit_for_bit(oscillator, micro_step):
    words = [*SHORT, 'timing=["event", "step"]', f"micro_step={micro_step}", "network.jitter_steps=2"]
    two, three = (simulate(oscillator, [*words, f"coupling.fmi='{fmi}'"]) for fmi in ("2", "3"))
    assert two.to_json() == three.to_json()
    for one, other in zip(two.runs, three.runs, strict=True):
        assert one.traces["f"].estimate.tobytes() == other.traces["f"].estimate.tobytes()


def test_prototypes_of_fmi_3_give_the_same_figures_bit_for_bit(oscillator, scenario, tmp_path):
    """The force depends directly on the inputs of mass 2, which therefore has Event Mode."""
    for name in ("mass_1", "mass_2"):
        build_model_fmu(name, tmp_path, fmi="3", macro_step=0.02)
    text = oscillator.read_text(encoding="utf-8")
    for name in ("mass_1", "mass_2"):
        text = text.replace(f'model = "{name}"', f'fmu = "{name}.fmu"')
    two = simulate(oscillator, SHORT)
    three = simulate(scenario(text), [*SHORT, "coupling.fmi='3'"])
    for one, other in zip(two.runs, three.runs, strict=True):
        for name in ("x1", "v1", "f"):
            assert one.traces[name].estimate.tobytes() == other.traces[name].estimate.tobytes()
            assert one.traces[name].reference.tobytes() == other.traces[name].reference.tobytes()


def test_an_unknown_version_of_the_standard_is_refused(oscillator):
    with pytest.raises(UsageError, match="fmi = 1, allowed 2, 3"):
        simulate(oscillator, [*SHORT, "coupling.fmi='1'"])


def test_an_fmu_that_is_no_coupling_is_refused(oscillator, scenario, tmp_path):
    build_model_fmu("mass_1", tmp_path)
    with pytest.raises(UsageError, match="not a coupling FMU: it lacks the input y or the output y_hat"):
        simulate(scenario(oscillator.read_text(encoding="utf-8")), [*SHORT, "coupling.fmu='mass_1.fmu'"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("signals.f.from='mass_2.g'", r"mass_2 has no output g; allowed are: f, x2, v2"),
        ("signals.f.to=['mass_1.g']", r"mass_1 has no input g; allowed are: f, f.slope"),
        ("components.mass_1.model='mass_3'", r"mass_3, allowed .*\bmass_1, "),
        ("components.mass_1.parameters.m9=1.0", "mass_1 has no parameter m9"),
        ("components.mass_2.feedthrough.f=['x9']", "mass_2: feedthrough of f: no variable x9"),
    ],
)
def test_what_does_not_fit_the_model_descriptions_is_refused(oscillator, change, message):
    with pytest.raises(UsageError, match=message):
        simulate(oscillator, [*SHORT, change])


RECORDED = """
name = "recorded"
macro_step = 0.1
algorithms = ["zoh", "foh"]
timing = ["event"]
[components]
r = { recording = "r.csv", time = "t" }
[network]
latency_steps = 2
[signals.s]
from = "r.u"
"""


def test_a_recording_of_any_sampling_is_sent_at_macro_points(scenario, tmp_path):
    """u = 3 t sampled unevenly: FOH is exact on a line, ZOH two macro steps late."""
    times = np.array([7.0, 7.04, 7.3, 7.31, 7.9, 8.5])
    (tmp_path / "r.csv").write_text("t,u\n" + "".join(f"{t},{3 * t}\n" for t in times), encoding="utf-8")
    result = simulate(scenario(RECORDED))
    zoh, foh = (run.traces["s"] for run in result.runs)
    assert zoh.time.size == 16, "the duration is that of the recording"
    assert np.allclose(zoh.sent, 21 + 0.3 * np.arange(16))
    assert np.allclose(zoh.estimate[2:], zoh.sent[:-2])
    assert np.allclose(foh.estimate[3:], foh.sent[3:])
    assert "recording" in result.settings


def test_a_recording_that_is_too_short_is_refused(scenario, tmp_path):
    (tmp_path / "r.csv").write_text("t,u\n0,1\n0.5,2\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"duration = 2.0 s, allowed up to 0.5 s by recording r"):
        simulate(scenario(RECORDED), ["duration=2.0"])
    with pytest.raises(UsageError, match=r"shorter than macro_step"):
        simulate(scenario(RECORDED), ["macro_step=0.6"])
