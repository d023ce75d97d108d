"""SYSTEM.toml: what it means, and that each mistake is named."""

import copy
import json
import re
import textwrap

import numpy as np
import pytest
import tomlkit

from couplant.analysis.assessment import assess
from couplant.analysis.stability import stability
from couplant.analysis.system import scatter
from couplant.analysis.system_file import parse_system, read_system
from couplant.base.errors import UsageError
from couplant.base.paths import root
from couplant.config.frame.read import read_toml
from couplant.config.system import ConnectionTable, PrototypeTable, SystemTable, WeightsTable
from couplant_runtime.algorithms import GENERIC
from tests.analysis.conftest import OSCILLATOR

NAMED = ", ".join(map(json.dumps, (*GENERIC, "linear", "model")))

DOCUMENT = read_toml(OSCILLATOR)
SCENARIO = OSCILLATOR.parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"


def changed(**changes):
    return copy.deepcopy(DOCUMENT) | changes


def block(number):
    """Return a block of TOML of the documentation."""
    text = (root() / "docs" / "system.md").read_text(encoding="utf-8")
    found = re.findall(r"(?:^(?:    .*)?\n)+", text, flags=re.MULTILINE)
    files = [textwrap.dedent(one) for one in found if one.strip().startswith("macro_step")]
    return tomlkit.parse(files[number]).unwrap()


def test_example_of_the_documentation_is_read(tmp_path):
    path = tmp_path / "system.toml"
    path.write_text(tomlkit.dumps(block(0)), encoding="utf-8")
    system = read_system(path)
    assert [c.algorithm.k for c in system.connections] == [3, 2]
    assert system.prototypes[0].A[1, 0] == -4.0
    assert stability(system).stable
    assert read_system(path, ["latency_steps=5", 'timing="step"']).connections[0].algorithm.k == 5


def test_second_example_has_what_the_page_says_of_it():
    system = parse_system(block(1), "x")
    frame, damper = system.prototypes
    assert (frame.inputs, frame.outputs) == (("left", "right"), ("shift", "tilt"))
    assert (damper.inputs, damper.outputs) == (("u1",), ("y1",))
    np.testing.assert_allclose(frame.response([0.0])[0], [[1.0, 0.5], [0.2, 1.0]])
    first, second = system.connections
    assert (first.algorithm.k, first.algorithm.a, first.lead) == (2, (3.0, -2.0), 1.0)
    assert (second.algorithm.name, second.lead) == ("foh", 0.5)
    assert system.stale == ("damper.y1",) and stability(system).stable
    ranges = {one.algorithm: (one.largest, one.frequency) for one in assess(system, plants=0).ranges}
    assert ranges["zoh"] == (63, None), "with the step that the host adds it looks 64 macro steps ahead"


def test_every_key_is_on_the_page():
    text = (root() / "docs" / "system.md").read_text(encoding="utf-8")
    for table in (SystemTable, PrototypeTable, ConnectionTable, WeightsTable):
        keys = [field.alias or name for name, field in table.model_fields.items()]
        assert [key for key in keys if not re.search(rf"[`\[{{ ]{key}[`\]. =]", text)] == []


def test_defaults_and_own_settings_of_a_connection():
    connections = [
        {"from": "mass_1.x", "to": "mass_2.x", "algorithm": {"a": [2.0, -1.0], "A": [1.0, -1.0]}},
        {"from": "mass_1.v", "to": "mass_2.v", "latency_steps": 0, "reconstruction": "hold"},
    ]
    system = parse_system(changed(connections=connections), "x")
    assert system.connections[0].algorithm.a == (2.0, -1.0) and system.connections[0].algorithm.k == 3
    assert system.connections[1].hold and system.connections[1].algorithm.k == 0


def test_parameters_scatter_together():
    """cc stands in A, B, C and D of mass_2: all entries move with it."""
    for plant in scatter(parse_system(DOCUMENT, "x"), 5):
        second = plant.prototypes[1]
        assert np.all(second.D == -second.C) and second.C[0, 0] != 2.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"macro_step": 0}, "x: macro_step = 0, allowed a finite number above 0"),
        ({"timeing": "event"}, "x: timeing is unknown: did you mean timing?"),
        ({"latency_steps": 65}, "x: latency_steps = 65, allowed 0 to 64"),
        (
            {"algorithm": "eros5"},
            f'x: algorithm = "eros5", allowed {NAMED}, {{ a = [..], A = [..] }} or {{ selected = "phasor", '
            'frequency = .., follow = "off" }',
        ),
        ({"connections": []}, "x: connections"),
        ({"connections": [{"from": "mass_1.x"}]}, "x: connections[1].to is missing: input of a prototype"),
        ({"connections": [{"from": "mass_1.x", "to": "mass_2.y"}]}, "x: input 'mass_2.y' does not exist"),
        ({"parameters": {"m1": 1.0}}, "x: prototypes.mass_1: 'c1' is not a parameter"),
        ({"prototypes": {"p": {"A": [[1.0]]}}}, "x: prototypes.p: needs A, B, C"),
        ({"prototypes": {"p": {"numerator": [1, 0], "denominator": [1]}}}, "not proper"),
        ({"algorithm": {"steps": 2, "a": [1.0], "A": [0.0]}}, "algorithm.steps = 2, allowed the latency"),
    ],
)
def test_mistakes_are_named(changes, message):
    with pytest.raises(UsageError) as found:
        parse_system(changed(**changes), "x")
    assert message in str(found.value)


def test_all_mistakes_at_once():
    with pytest.raises(UsageError) as found:
        parse_system(changed(macro_step=-1, timing="never", extra=1), "x")
    assert len(str(found.value).splitlines()) == 3


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_system(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("a = [", encoding="utf-8")
    with pytest.raises(UsageError, match="not a TOML file"):
        read_system(tmp_path / "bad.toml")


def test_a_file_of_another_kind_is_named():
    with pytest.raises(UsageError, match="is a scenario, which couplant simulate takes; systems have a table"):
        read_system(SCENARIO)


def test_content_of_another_kind_is_worded_key_by_key():
    with pytest.raises(UsageError) as found:
        content = tomlkit.parse(SCENARIO.read_text(encoding="utf-8")).unwrap()
        parse_system({key: value for key, value in content.items() if key != "components"}, "x")
    lines = [line.removeprefix("x: ") for line in str(found.value).splitlines()]
    assert "prototypes is missing: what is coupled" in lines
    assert 'timing = ["event", "step"], allowed "step" or "event"' in lines
    assert 'parameters.force_on_mass_1 = "mass_1.force.amplitude", allowed a finite number' in lines
    assert "algorithms is unknown: did you mean algorithm?" in lines
    assert len(lines) == 12 and not any("input" in line.lower() for line in lines[5:])
