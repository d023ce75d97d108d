"""container.json; tests/importers has fmucontainer make a container of it."""

import json

from couplant.config.scenario import load_scenario
from couplant.elsewhere.export import container
from couplant.elsewhere.export.system import system_of


def test_the_description_has_parts_in_their_order_and_all_connections(system):
    content = json.loads(container(system, "fmus"))
    assert content["fmu"] == [f"fmus/{part.name}.fmu" for part in system.parts]
    assert (content["name"], content["step_size"]) == ("two_mass_oscillator.fmu", 0.02)
    assert content["sequential"] is False
    ends = [[f"fmus/{a.part}.fmu", a.name, f"fmus/{b.part}.fmu", b.name] for a, b in system.connections]
    assert content["link"] == ends and len(ends) == 15


def test_in_a_sequential_host_parts_step_in_the_order_of_the_scenario(oscillator, tmp_path):
    changes = ('timing=["step"]', 'algorithms=["zoh"]', 'host="sequential"', 'order=["f.coupling", "mass_2"]')
    content = json.loads(container(system_of(load_scenario(oscillator, changes), "zoh", tmp_path, "host"), "fmus"))
    assert content["sequential"] is True
    assert content["fmu"][:3] == ["fmus/f_coupling.fmu", "fmus/mass_2.fmu", "fmus/mass_1.fmu"]


def test_outputs_are_named_as_in_a_scenario_and_nothing_is_added(system):
    content = json.loads(container(system, "fmus"))
    names = {name for _, _, name in content["output"]}
    assert {"mass_1.x1", "mass_2.x2", "f_coupling.y_hat"} <= names and len(names) == len(content["output"])
    assert not any(content[key] for key in ("auto_link", "auto_input", "auto_output"))


def test_start_values_of_fmus_from_elsewhere_are_told(foreign, tmp_path):
    content = json.loads(container(system_of(load_scenario(foreign), "zoh", tmp_path, "host"), "fmus"))
    assert content["start"] == [
        ["fmus/first.fmu", "m1", "2.0"],
        ["fmus/first.fmu", "x1.start", "0.5"],
        ["fmus/wire.fmu", "reordering", "false"],
        ["fmus/wire.fmu", "seed", "5"],
    ]
