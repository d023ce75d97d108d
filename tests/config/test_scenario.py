"""Scenario files: assignments, named parameters, all errors at once, and the page that describes their keys."""

import json
import re
from pathlib import Path

import pytest

from couplant.base.errors import UsageError
from couplant.config.network import NetworkTable
from couplant.config.scenario import ComponentTable, SignalTable, flat, load_scenario
from couplant_runtime.algorithms import NAMES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scenarios.md"
HEAD = 'name = "x"\nmacro_step = 0.02\nduration = 1.0\n'
PARTS = '[components]\na = { model = "mass_1" }\nb = { model = "mass_2" }\n'
SIGNALS = '[signals.f]\nfrom = "b.f"\nto = ["a.f"]\n'


def lines_of(path, *assignments):
    with pytest.raises(UsageError) as error:
        load_scenario(path, assignments)
    return [line.removeprefix(f"{path}: ") for line in str(error.value).splitlines()]


def test_defaults(scenario):
    loaded = load_scenario(scenario(HEAD + PARTS + SIGNALS)).scenario
    assert (loaded.timing, loaded.algorithms, loaded.micro_steps) == (["step"], ["configured"], 1)
    assert loaded.network.is_absent


def test_named_parameters_set_those_of_components(scenario):
    text = (
        "force = 2.0\n" + HEAD + '[parameters]\nforce = ["a.force.amplitude", "b.force.amplitude"]\n' + PARTS + SIGNALS
    )
    path = scenario(text)
    assert load_scenario(path).parameters == {"a": {"force.amplitude": 2.0}, "b": {"force.amplitude": 2.0}}
    changed = load_scenario(path, ["force=3", "components.b.parameters.force.start=0.5"]).parameters
    assert changed == {"a": {"force.amplitude": 3}, "b": {"force.start": 0.5, "force.amplitude": 3}}


def test_a_named_parameter_without_a_value_changes_nothing(scenario):
    text = HEAD + '[parameters]\nforce = "a.force.amplitude"\n' + PARTS + SIGNALS
    assert load_scenario(scenario(text)).parameters == {"a": {}, "b": {}}


def test_nested_tables_are_names_with_dots():
    assert flat({"a": {"b": 1, "c": {"d": True}}, "e.f": "x"}) == {"a.b": 1, "a.c.d": True, "e.f": "x"}


def test_a_signal_may_have_its_own_network(scenario):
    text = (
        HEAD
        + "[network]\nlatency_steps = 3\nseed = 5\n"
        + PARTS
        + SIGNALS
        + "network = { latency_steps = 1, loss = 0.5 }\n"
    )
    loaded = load_scenario(scenario(text))
    network = loaded.networks["f"]
    assert (network.latency_steps, network.loss, network.seed) == (1, 0.5, 5)
    assert loaded.scenario.network.latency_steps == 3


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ("macro_step=0", "macro_step = 0, allowed a finite number above 0"),
        ("macro_step='x'", 'macro_step = "x", allowed a finite number above 0'),
        ("micro_step=0.015", "micro_step must divide macro_step"),
        ("timing=['jacobi']", 'timing[1] = "jacobi", allowed "step" or "event"'),
        ("timing=[]", "timing = [], allowed at least one entry"),
        (
            "algorithms=['fo']",
            f'algorithms[1] = "fo", allowed {", ".join(map(json.dumps, NAMES))}, '
            '"model", "phasor", "network", "network_off", "network_unsafe", "network_embedded", "network_server", '
            '"recursive_fir", "coupling_element", "configured", "wire" or "direct"',
        ),
        ("network.latency_steps=65", "network.latency_steps = 65, allowed 0 to 64"),
        ("network.jitter_steps=1.5", 'network jitter_steps = 1.5, allowed whole numbers with distribution = "uniform"'),
        ("network.loss=1.1", "network.loss = 1.1, allowed 0 to 1"),
        ("network.lost=0.1", "network.lost is unknown: did you mean loss?"),
        ("signals.f.from='f'", 'signals.f.from = "f", allowed "component.variable"'),
        ("signals.f.from='c.f'", 'signals.f.from = "c.f": there is no component c; there are a, b'),
        ("signals.f.u='mass_9.x'", 'signals.f.u = "mass_9.x": there is no component mass_9; there are a, b'),
        ("signals.f.network.loss=2", "signals.f.network.loss = 2, allowed 0 to 1"),
        ("components.a.fmu='x.fmu'", "components.a needs exactly one of fmu, model, source, recording"),
        ("components.a.parameters.m1=[1]", "components.a.parameters.m1 = [1], allowed a number, true, false or a text"),
        ("amplitude=1.0", "amplitude is unknown: allowed are"),
    ],
)
def test_wrong_settings_are_named_with_what_is_allowed(scenario, monkeypatch, change, line):
    monkeypatch.setattr("couplant.config.own._known", {})  # algorithms in Python that other tests made
    (found,) = lines_of(scenario(HEAD + PARTS + SIGNALS), change)
    assert found.startswith(line)


def test_all_errors_are_told_at_once(scenario):
    found = lines_of(scenario(HEAD + PARTS + SIGNALS), "macro_step=0", "network.loss=2", "signals.f.form='a.x1'")
    assert len(found) == 3


@pytest.mark.parametrize("key", ["name", "macro_step", "components", "signals"])
def test_what_is_missing_is_named(scenario, key):
    parts = {"name": 'name = "x"\n', "macro_step": "macro_step = 0.02\n", "components": PARTS, "signals": SIGNALS}
    text = "duration = 1.0\n" + "".join(part for name, part in parts.items() if name != key)
    assert lines_of(scenario(text))[0].startswith(f"{key} is missing: ")


def test_without_a_recording_the_duration_is_needed(scenario):
    assert lines_of(scenario(HEAD.replace("duration = 1.0\n", "") + PARTS + SIGNALS))[0].startswith(
        "duration is missing"
    )


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        load_scenario(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("heading", "table"),
    [("components.NAME", ComponentTable), ("signals.NAME", SignalTable), ("network", NetworkTable)],
)
def test_every_key_is_on_the_page_and_every_key_of_the_page_is_allowed(heading, table):
    section = PAGE.read_text(encoding="utf-8").partition(f"## `[{heading}]`")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    keys = {field.alias or name for name, field in table.model_fields.items()}
    assert set(re.findall(r"`(\w+)`", "".join(rows))) == keys


def test_the_scenario_of_the_page_is_read(scenario):
    text = re.findall(r"(?:^    .*\n|^\n)+", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = max(text, key=len).splitlines()
    loaded = load_scenario(scenario("\n".join(line.removeprefix("    ") for line in lines)))
    assert loaded.scenario.coupling == {"burst": 3} and list(loaded.scenario.signals) == ["x1"]


def test_what_a_key_gets_wrong_does_not_hide_what_keys_get_wrong_together(scenario):
    text = HEAD + PARTS + SIGNALS.replace('["a.f"]', '["nobody.f"]')
    assert lines_of(scenario(text), "network.loss=2", "timing=['jacobi']") == [
        'timing[1] = "jacobi", allowed "step" or "event"',
        "network.loss = 2, allowed 0 to 1",
        'signals.f.to = "nobody.f": there is no component nobody; there are a, b',
    ]


def test_a_component_that_is_wrong_is_not_missed_besides(scenario):
    assert lines_of(scenario(HEAD + PARTS + SIGNALS), "components.a.model=3") == [
        "components.a.model = 3, allowed a text"
    ]


def logged(*names):
    return "".join(f'[signals.{name}]\nfrom = "b.f"\nto = []\ndebug = true\n' for name in names)


def test_names_of_signals_are_names_of_files(scenario):
    text = HEAD + PARTS + logged("con", "F", "f")
    assert lines_of(scenario(text)) == [
        "signals.f and signals.F differ in case only: their FMUs would overwrite each other",
        "signals.con: allowed any name but those of devices, which Windows refuses for files",
    ]


def test_logs_of_two_signals_are_two_files(scenario):
    path = scenario(HEAD + PARTS + logged("x", "off_x"))
    line = "signals.off_x with network and signals.x with network_off would have the same log: rename one of them"
    assert lines_of(path, 'algorithms=["network", "network_off"]') == [line]
    assert lines_of(path, 'algorithms=["network_off", "network"]') == [
        "signals.x with network_off and signals.off_x with network would have the same log: rename one of them"
    ]
    load_scenario(path, ['algorithms=["network", "network_embedded"]'])


def test_a_name_that_no_file_can_have(scenario):
    loaded = load_scenario(scenario(HEAD + PARTS + SIGNALS))
    with pytest.raises(UsageError, match=r"'a\\x00b' cannot be the name of a file\.$"):
        loaded.file("a\0b")


def test_the_reference_has_parameters_of_its_own(scenario):
    text = HEAD + PARTS + SIGNALS + "[reference.parameters.a]\nforce.amplitude = 0.0\n"
    loaded = load_scenario(scenario(text), ["components.a.parameters={ m1 = 2.0, force.amplitude = 3.0 }"])
    assert loaded.parameters["a"] == {"m1": 2.0, "force.amplitude": 3.0}
    assert loaded.reference_parameters() == {"a": {"m1": 2.0, "force.amplitude": 0.0}, "b": {}}


def test_mistakes_of_what_is_watched_and_of_the_reference(scenario):
    text = "watch = ['c.x']\n" + HEAD + PARTS + SIGNALS + "[reference.parameters]\nc.m1 = 1.0\na.m1 = [1]\n"
    assert lines_of(scenario(text)) == [
        'watch = "c.x": there is no component c; there are a, b',
        "reference.parameters.c: there is no component c; there are a, b",
        "reference.parameters.a.m1 = [1], allowed a number, true, false or a text",
    ]
