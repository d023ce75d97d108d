"""Where the settings of a coupling FMU come from, and which of two counts."""

import pytest

from couplant.base.errors import UsageError
from couplant.cosim import load_scenario
from couplant.cosim.wiring.coupling import Prebuilt, build_options, coupling_of, identifier, start_value

TEXT = """
name = "two masses: a test"
macro_step = 0.02
duration = 1.0
[components]
a = { model = "mass_1" }
b = { model = "mass_2" }
[network]
latency_steps = 3
[signals.f]
from = "b.f"
to = ["a.f"]
unit = "N"
"""
BENCH = """
[interface]
name = "bench"
macro_step = 0.5
[signals.torque]
unit = "N.m"
start = 2.0
algorithm = "eros4"
latency = { constant_steps = 9, coast_steps = 5 }
"""


def settings(path, *changes, algorithm="foh", timing="event"):
    return coupling_of(load_scenario(path, changes), "f", algorithm, timing)


def test_scenario_gives_macro_step_timing_latency_algorithm_and_unit(scenario):
    interface = settings(scenario(TEXT))
    signal = interface.signals["f"]
    assert (interface.macro_step, interface.timing, interface.name) == (0.02, "event", "two_masses_a_test")
    assert (signal.algorithm.selected, signal.latency.mode, signal.latency.constant_steps) == ("foh", "constant", 3)
    assert (signal.unit, signal.debug) == ("N", False)


@pytest.mark.parametrize("change", ["network.loss=0.1", "network.jitter_steps=1"])
def test_random_latencies_need_stamps(scenario, change):
    assert settings(scenario(TEXT), change).signals["f"].latency.mode == "stamps"


OWN_CLOCK = ["network.loss=0.1", "network.clock_offset=5.0"]


@pytest.mark.parametrize(
    ("changes", "mode", "clock", "steps"),
    [
        (OWN_CLOCK, "stamps", "free", 0),
        (["network.clock_drift=1e-5"], "constant", "common", 3),
        (["network.clock_drift=1e-5", "coupling.latency.mode='round_trip'"], "round_trip", "free", 3),
        ([*OWN_CLOCK, "coupling.latency.clock='common'"], "stamps", "common", 0),
        (["network.jitter_steps=2", "coupling.latency.mode='resequenced'"], "resequenced", "common", 5),
        (["network.replay='l.csv'", "coupling.latency.mode='resequenced'"], "resequenced", "common", 0),
    ],
)
def test_the_latency_of_the_coupling_fmu_fits_the_network(scenario, changes, mode, clock, steps, tmp_path):
    (tmp_path / "l.csv").write_text("latency_s\n0.03\n", encoding="utf-8")
    latency = settings(scenario(TEXT), *changes).signals["f"].latency
    assert (latency.mode, latency.clock, latency.constant_steps) == (mode, clock, steps)


def test_repeated_values_need_stamps(scenario):
    with pytest.raises(UsageError, match=r"f.burst = 3, allowed 1 with latency.mode = .constant.: .* need stamps"):
        settings(scenario(TEXT), "coupling.burst=3")


def test_the_table_coupling_counts_more_than_the_network_and_that_of_the_signal_more_than_the_common_one(scenario):
    changes = [
        "coupling.latency.constant_steps=5",
        "coupling.latency.coast_steps=7",
        "coupling.output.max=9.0",
        "signals.f.coupling.latency.coast_steps=8",
        "signals.f.debug=true",
    ]
    signal = settings(scenario(TEXT), *changes).signals["f"]
    assert (signal.latency.constant_steps, signal.latency.coast_steps) == (5, 8)
    assert (signal.output.max, signal.debug) == (9.0, True)


def test_the_algorithm_of_the_run_counts_most_unless_it_is_the_configured_one(scenario):
    path = scenario(TEXT)
    assert settings(path, "coupling.algorithm='smb'").signals["f"].algorithm.selected == "foh"
    kept = settings(path, "coupling.algorithm='smb'", algorithm="configured")
    assert kept.signals["f"].algorithm.selected == "smb"


def test_a_settings_file_is_the_base(scenario):
    scenario(BENCH, "bench.toml")
    changes = ["coupling.configuration='bench.toml'", "coupling.signal='torque'"]
    interface = settings(scenario(TEXT), *changes, algorithm="configured")
    signal = interface.signals["f"]
    assert (signal.algorithm.selected, signal.latency.coast_steps, signal.latency.constant_steps) == ("eros4", 5, 3)
    assert (interface.macro_step, signal.unit) == (0.02, "N")
    assert start_value(interface, "f") == 2.0


def test_a_host_that_the_scenario_gives_counts_more_than_the_lead_of_a_settings_file(scenario):
    """The file may have been written for another host, and its lead would come on top of those on other signals."""
    scenario(BENCH.replace("constant_steps = 9", "host_lead = 1.0"), "bench.toml")
    changes = ["coupling.configuration='bench.toml'", "coupling.signal='torque'"]

    def lead(*more):
        return settings(scenario(TEXT), *changes, *more, timing="step").signals["f"].latency.host_lead

    assert lead() == 1.0
    assert lead("host='jacobi'") == lead("host='reads_again'") == 0.0
    assert lead("host='jacobi'", "coupling.latency.host_lead=0.5") == 0.5


def test_a_signal_that_the_settings_file_lacks(scenario):
    scenario(BENCH, "bench.toml")
    with pytest.raises(UsageError, match="has no signal f; there are: torque"):
        settings(scenario(TEXT), "coupling.configuration='bench.toml'")


def test_an_fmu_that_exists_gets_parameters(scenario, tmp_path):
    made = settings(scenario(TEXT), "signals.f.coupling.fmu='c.fmu'", "coupling.output.max=9.0")
    assert isinstance(made, Prebuilt)
    assert made.path == tmp_path / "c.fmu"
    expected = {"latency.mode": "constant", "latency.constant_steps": 3, "algorithm.selected": "foh", "output.max": 9.0}
    assert made.parameters == expected
    assert start_value(made, "f") is None
    made = settings(scenario(TEXT), "signals.f.coupling.fmu='c.fmu'", "host='reads_again'")
    assert made.parameters["latency.host_lead"] == 0.0


def test_wrong_settings_are_told_with_the_file(scenario):
    path = scenario(TEXT)
    with pytest.raises(
        UsageError, match=r"scenario.toml .coupling.: signals.f.latency.coast_steps = 99, allowed 0 to 64"
    ):
        settings(path, "coupling.latency.coast_steps=99")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Two-mass oscillator", "two_mass_oscillator"),
        ("3 masses", "scenario_3_masses"),
        ("ŷ", "scenario"),
        ("a" * 99, "a" * 30),
    ],
)
def test_titles_become_names(title, name):
    assert identifier(title) == name


def test_backend_and_version_of_the_standard_are_options_of_the_build(scenario):
    loaded = load_scenario(scenario(TEXT), ["coupling.fmi='3'", "signals.f.coupling.backend='native'"])
    assert build_options(loaded, "f") == {"fmi": "3", "backend": "native"}
    assert build_options(load_scenario(scenario(TEXT)), "f") == {}


SPRING = """
[signals.x]
from = "a.x1"
to = ["b.x1"]
unit = "m"
[bonds.spring]
effort = "f"
flow = "x"
sign = -1
take_back = 0.02
budget = 0.5
scale = 750.0
"""


@pytest.mark.parametrize(("host", "stale"), [("reads_again", False), ("jacobi", True), ("sequential", True)])
def test_each_signal_of_a_bond_has_its_end(scenario, host, stale):
    path = scenario(TEXT + SPRING)
    loaded = load_scenario(path, [f'host="{host}"'])
    effort, flow = (coupling_of(loaded, name, "foh", "step").signals[name].energy for name in ("f", "x"))
    assert (effort.kind, effort.partner, effort.take_back) == ("effort", "m", 0.02)
    assert (flow.kind, flow.partner, flow.take_back) == ("displacement", "N", 0.0)
    for end in (effort, flow):
        assert (end.reversed, end.stale, end.budget, end.conjugate_is) == (True, stale, 0.5, "displacement")


def test_the_bond_of_a_settings_file_does_not_count_and_this_is_said(scenario, caplog):
    path = scenario(TEXT)
    bench = '[interface]\nname="b"\nmacro_step=0.02\n[signals.f]\nunit="N"\n[bonds.a]\neffort="f"\n'
    (path.parent / "bench.toml").write_text(bench, encoding="utf-8")
    made = settings(path, 'coupling.configuration="bench.toml"')
    assert not hasattr(made.signals["f"], "energy")
    assert "a bond of bench.toml does not count" in caplog.text


def test_a_displacement_of_a_bond_does_not_wrap_round(scenario):
    path = scenario(TEXT + SPRING)
    bench = '[interface]\nname="b"\nmacro_step=0.02\n[signals.x]\nsignal={period=6.0}\n'
    (path.parent / "bench.toml").write_text(bench, encoding="utf-8")
    with pytest.raises(UsageError, match=r"bonds\.spring\.flow wraps round"):
        coupling_of(load_scenario(path, ['signals.x.coupling.configuration="bench.toml"']), "x", "foh", "step")
