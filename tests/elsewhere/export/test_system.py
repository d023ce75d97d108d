"""The parts of a system, what they start with and how they are connected; what cannot be exported."""

import pytest
from fmpy import read_model_description

from couplant.base.errors import CouplantError, UsageError
from couplant.config.scenario import load_scenario
from couplant.elsewhere.export.system import algorithm_of, system_of

SIGNALS = {"x1": ("mass_1", "mass_2"), "v1": ("mass_1", "mass_2"), "f": ("mass_2", "mass_1")}
RECORDING = """
name = "Recording"
macro_step = 0.01
[components.recorder]
recording = "torque.csv"
[signals.torque]
from = "recorder.torque_Nm"
network = { latency_steps = 2 }
"""


def refused(path, *changes, folder):
    with pytest.raises(UsageError) as error:
        loaded = load_scenario(path, changes)
        system_of(loaded, algorithm_of(loaded), folder, "host")
    return str(error.value)


def starts(part):
    return {v.name: v.start for v in read_model_description(str(part.fmu)).modelVariables if v.start is not None}


def test_each_signal_passes_a_network_and_a_coupling_fmu(system):
    chains = {((sender, signal), (f"{signal}_network", "value")) for signal, (sender, _) in SIGNALS.items()}
    for signal, (_, receiver) in SIGNALS.items():
        network, coupling = f"{signal}_network", f"{signal}_coupling"
        pairs = {"received": "y", "stamp": "y_time", "valid": "y_valid"}
        chains |= {((network, output), (coupling, target)) for output, target in pairs.items()}
        chains.add(((coupling, "y_hat"), (receiver, signal)))
    assert len(system.connections) == len(chains)
    assert {tuple(map(tuple, connection)) for connection in system.connections} == chains


def test_parts_are_in_the_order_of_the_scenario_and_have_files_of_their_own(system):
    paths = [f"{signal}_{kind}" for signal in SIGNALS for kind in ("network", "coupling")]
    assert [part.name for part in system.parts] == ["mass_1", "mass_2", *paths]
    assert [part.fmu.stem for part in system.parts] == [part.name for part in system.parts]
    assert (system.step, system.duration, system.name) == (0.02, 2.0, "two_mass_oscillator")


def test_prototypes_and_networks_start_with_the_parameters_of_the_scenario(system):
    parts = {part.name: part for part in system.parts}
    assert not any(part.parameters for part in system.parts)
    assert float(starts(parts["mass_1"])["x1.start"]) == 0.5
    assert float(starts(parts["mass_2"])["force.amplitude"]) == 0.0
    networks = [starts(parts[f"{signal}_network"]) for signal in SIGNALS]
    for network in networks:
        assert (float(network["latency.seconds"]), network["latency.jitter_steps"]) == (0.06, "1")
        assert network["latency.mode"] == "2"
    assert len({network["seed"] for network in networks}) == 3


def test_networks_start_with_what_their_senders_begin_with(system):
    parts = {part.name: part for part in system.parts}
    assert [float(starts(parts[f"{name}_network"])["received.start"]) for name in ("x1", "v1", "f")] == [0.5, 0.0, -1.0]


def test_senders_that_cannot_be_started_here_are_told(oscillator, tmp_path, monkeypatch, caplog):
    def refuse(loaded):
        raise CouplantError("first cannot be loaded.")

    monkeypatch.setattr("couplant.elsewhere.export.system.sender_starts", refuse)
    found = system_of(load_scenario(oscillator, ["duration=1.0"]), "zoh", tmp_path, "host")
    assert {part.name for part in found.parts} >= {"mass_1", "mass_2", "x1_network"}
    assert "Signals are 0 until the first value arrives" in caplog.text and "first cannot be loaded" in caplog.text


def test_a_part_lists_its_connected_inputs_and_what_is_worth_seeing(system):
    parts = {part.name: part for part in system.parts}
    assert [port.name for port in parts["mass_1"].inputs] == ["f"]
    assert [port.name for port in parts["mass_2"].outputs] == ["f", "x2", "v2"]
    assert [port.name for port in parts["f_network"].outputs] == ["received", "stamp", "valid"]
    assert {"y_hat", "latency.steps", "quality.error"} <= {port.name for port in parts["f_coupling"].outputs}
    assert "state" not in {port.name for port in parts["f_coupling"].outputs}


def test_parameters_that_an_fmu_from_elsewhere_does_not_start_with_are_kept(foreign, tmp_path):
    parts = {part.name: part for part in system_of(load_scenario(foreign), "zoh", tmp_path, "host").parts}
    kept = {port.name: (port.kind, value) for port, value in parts["first"].parameters}
    assert kept == {"m1": ("real", 2.0), "x1.start": ("real", 0.5)}
    assert parts["first"].fmu.read_bytes() == (foreign.parent / "prototype.fmu").read_bytes()
    loaded = load_scenario(foreign, ["components.first.parameters.mass=1.0"])
    with pytest.raises(UsageError, match="first has no parameter mass"):
        system_of(loaded, "zoh", tmp_path, "host")


def test_smaller_steps_of_the_scenario_are_those_of_the_system(oscillator, tmp_path):
    loaded = load_scenario(oscillator, ["micro_step=0.005", 'algorithms=["zoh"]'])
    assert system_of(loaded, "zoh", tmp_path, "host").step == 0.005


def test_a_signal_without_network_needs_no_clock_unless_it_needs_stamps(oscillator, tmp_path):
    one = ("algorithms=['zoh']", "signals.f.network={latency_steps=0}")
    system = system_of(load_scenario(oscillator, one), "zoh", tmp_path, "host")
    assert [c.source for c in system.connections if c.target.part == "f_coupling"] == [("mass_2", "f")]
    assert "clock" not in {part.name for part in system.parts}
    text = refused(oscillator, *one, "signals.f.coupling={latency={mode='stamps'}}", folder=tmp_path)
    assert text.endswith("signals.f cannot be exported with stamps but without a network; give network.latency_steps.")


def test_what_no_tool_can_run_is_one_sentence(oscillator, tmp_path):
    text = refused(oscillator, 'timing=["event"]', folder=tmp_path)
    assert text.endswith("timing = event cannot be exported, allowed step; another host has it.")
    text = refused(oscillator, folder=tmp_path)
    assert text.endswith("algorithms = zoh, foh, smb, eros3, eros4, allowed one of them, such as algorithm = zoh.")
    text = refused(oscillator, 'algorithms=["zoh"]', "components.f_network={model='mass_1'}", folder=tmp_path)
    assert text.endswith("f_network and f.network would both be called f_network; rename one of them.")
    text = refused(oscillator, 'algorithms=["zoh"]', "components.F_Network={model='mass_1'}", folder=tmp_path)
    assert text.endswith("F_Network and f.network would both be called f_network; rename one of them.")
    text = refused(oscillator, 'algorithms=["zoh"]', "components.Con={model='mass_1'}", folder=tmp_path)
    assert text.endswith("Con: Con.fmu is a device for Windows, no file; rename it.")


def test_a_recording_cannot_be_exported(tmp_path):
    (tmp_path / "torque.csv").write_text("time_s,torque_Nm\n0,1\n1,2\n", encoding="utf-8")
    path = tmp_path / "scenario.toml"
    path.write_text(RECORDING, encoding="utf-8")
    text = refused(path, folder=tmp_path)
    assert text == f"{path}: components.recorder: a recording cannot be exported, an FMU can."


SPRING = 'bonds.spring={effort="f", flow="x1", budget=0.01}'


def test_ends_of_a_bond_are_connected_through_the_networks(oscillator, tmp_path):
    loaded = load_scenario(oscillator, [SPRING, 'algorithms=["foh"]'])
    system = system_of(loaded, "foh", tmp_path, "host")
    found = {(*source, *target) for source, target in system.connections}
    assert ("mass_1", "x1", "f_coupling", "conjugate") in found
    assert ("mass_2", "f", "x1_coupling", "conjugate") in found
    for word in ("given", "passed", "time"):
        assert ("f_coupling", f"energy.{word}", "x1_network", f"energy.{word}") in found
        assert ("x1_network", f"energy.far_{word}", "x1_coupling", f"energy.far_{word}") in found
    (coupling,) = (part for part in system.parts if part.name == "f_coupling")
    assert float(starts(coupling)["energy.budget"]) == 0.01


def test_a_host_that_takes_turns_cannot_be_given_bonds(oscillator, tmp_path):
    text = refused(oscillator, SPRING, 'algorithms=["foh"]', 'timing=["step"]', 'host="sequential"', folder=tmp_path)
    assert "bonds cannot be exported for a sequential host" in text and len(text.splitlines()) == 1
