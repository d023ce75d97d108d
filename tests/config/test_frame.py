"""Reading settings: files, TOML, --set."""

import pytest

from couplant.base.errors import UsageError
from couplant.config import load_interface, parse_interface
from couplant.config.frame.read import apply_assignments, read_toml

BENCH = """
[interface]
name = "engine_bench"
macro_step = 0.01                  # s
timing = "step"

[signals.shaft_torque]
unit = "N.m"
start = 0.0
algorithm = "eros3"
latency = { mode = "constant", constant_steps = 6 }
discontinuity = { enabled = true, sensitivity = 5.0 }
quality = { action = "warn" }
output = { min = -200.0, max = 400.0, rate_max = 20000.0 }
"""


@pytest.fixture
def bench(tmp_path):
    path = tmp_path / "bench.toml"
    path.write_text(BENCH, encoding="utf-8")
    return path


def test_the_example_of_the_design_is_read_key_by_key(bench):
    interface = load_interface(bench)
    signal = interface.signals["shaft_torque"]
    assert (interface.name, interface.macro_step, interface.timing) == ("engine_bench", 0.01, "step")
    assert (signal.unit, signal.start, signal.algorithm.selected) == ("N.m", 0.0, "eros3")
    assert (signal.latency.mode, signal.latency.constant_steps) == ("constant", 6)
    assert (signal.discontinuity.enabled, signal.discontinuity.sensitivity) == (True, 5.0)
    assert signal.quality.action == "warn"
    assert (signal.output.min, signal.output.max, signal.output.rate_max) == (-200.0, 400.0, 20000.0)


def test_a_byte_order_mark_and_other_line_ends_change_nothing(bench):
    plain = load_interface(bench)
    bench.write_bytes(b"\xef\xbb\xbf" + BENCH.replace("\n", "\r\n").encode())
    assert load_interface(bench) == plain


def test_assignments_are_applied_before_the_check(bench):
    changed = load_interface(bench, ["interface.macro_step=0.005", 'signals.shaft_torque.algorithm="foh"'])
    assert changed.macro_step == 0.005
    assert changed.signals["shaft_torque"].algorithm.selected == "foh"
    with pytest.raises(UsageError, match=r"shaft_torque\.latency\.constant_steps = 80, allowed 0 to 64"):
        load_interface(bench, ["signals.shaft_torque.latency.constant_steps=80"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "interface is missing"),
        (b"\xff\xfe\x00", "byte 0 is not UTF-8"),
        (b"[interface\nname = 1", "line 1"),
        (b"a = 1\na = 2", "not a TOML file"),
        (b"\x00\x01", "not a TOML file"),
        (b"PK\x03\x04 zip", "not a TOML file"),
    ],
)
def test_a_file_that_is_no_settings_file_is_refused_in_one_sentence(tmp_path, content, message):
    path = tmp_path / "wrong.toml"
    path.write_bytes(content)
    with pytest.raises(UsageError) as error:
        load_interface(path)
    assert message in str(error.value)
    assert all(line.startswith(str(path)) for line in str(error.value).splitlines())


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(UsageError, match=r"nowhere\.toml: cannot be read: no such file"):
        read_toml(tmp_path / "nowhere.toml")
    with pytest.raises(UsageError, match="cannot be read: is a directory"):
        read_toml(tmp_path)


def test_plain_values_come_out_of_a_file(tmp_path):
    path = tmp_path / "any.toml"
    path.write_text('a = true\nb = "x"\n[c]\nd = [1, 2.5]\n', encoding="utf-8")
    document = read_toml(path)
    assert document == {"a": True, "b": "x", "c": {"d": [1, 2.5]}}
    assert {type(value) for value in (document["a"], document["b"], document["c"]["d"][0])} == {bool, str, int}


@pytest.mark.parametrize(
    ("assignment", "expected"),
    [
        ("a.b=3", {"a": {"b": 3, "keep": 1}}),
        (" a.b = 3 ", {"a": {"b": 3, "keep": 1}}),
        ("a.c.d='x=y'", {"a": {"keep": 1, "b": 2, "c": {"d": "x=y"}}}),
        ("a={b=1}", {"a": {"b": 1}}),
        ('a."b c"=[1, "z"]', {"a": {"keep": 1, "b": 2, "b c": [1, "z"]}}),
        ("a.b=-1.5e-3", {"a": {"b": -1.5e-3, "keep": 1}}),
    ],
)
def test_assignments_set_toml_values_and_leave_the_document_alone(assignment, expected):
    document = {"a": {"keep": 1, "b": 2}}
    assert apply_assignments(document, [assignment]) == expected
    assert document == {"a": {"keep": 1, "b": 2}}


def test_later_assignments_win():
    assert apply_assignments({}, ["a=1", "a=2"]) == {"a": 2}


@pytest.mark.parametrize("assignment", ["a", "=3", "a..b=1", "a=1\nb=2", "", "[a]=1", "a b=1", "#=1"])
def test_what_is_no_assignment_is_refused(assignment):
    with pytest.raises(UsageError, match="allowed is key=value"):
        apply_assignments({}, [assignment])


@pytest.mark.parametrize("assignment", ["a=eros3", "a=", "a=1 2", "a=01", "a=[1", "a=1#\n"])
def test_a_value_that_is_not_toml_is_refused(assignment):
    with pytest.raises(UsageError, match="assignment = "):
        apply_assignments({}, [assignment])


def test_a_key_through_a_value_is_refused():
    with pytest.raises(UsageError, match=r"assignment = a\.b\.c=1: a\.b is not a table\."):
        apply_assignments({"a": {"b": 3}}, ["a.b.c=1"])


def test_settings_cannot_be_changed_afterwards(bench):
    interface = load_interface(bench)
    with pytest.raises(ValueError, match="frozen"):
        interface.signals["shaft_torque"].latency.constant_steps = 3


def test_origin_stands_at_the_head_of_every_line():
    with pytest.raises(UsageError) as error:
        parse_interface({"interface": {"name": "x"}, "signals": {"y": {"unti": "m"}}}, "here.toml")
    assert str(error.value).splitlines() == [
        "here.toml: interface.macro_step is missing: period of the data exchange, 0: the importer's first step [s]",
        "here.toml: signals.y.unti is unknown: did you mean unit?",
    ]
