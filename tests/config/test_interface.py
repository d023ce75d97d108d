"""Every key: defaults, limits, and what is said about values beyond them."""

import json
import math

import pytest

from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.config.interface import Signal
from couplant_runtime.algorithms import BY_NAME, GENERIC
from couplant_runtime.generated.numbers import ENUMERATIONS
from couplant_runtime.generated.variables import ALL

INTERFACE = [variable for variable in ALL if not variable.feature and variable.role != "independent"]
LARGEST = 1.7976931348623157e308


def document(signal=None, **interface):
    return {"interface": {"name": "bench", "macro_step": 0.01, **interface}, "signals": {"f": signal or {}}}


def lines(settings):
    with pytest.raises(UsageError) as error:
        parse_interface(settings, "b.toml")
    assert error.value.exit_code == 2
    return [line.removeprefix("b.toml: ") for line in str(error.value).splitlines()]


def nested(key, value):
    for part in reversed(key.split(".")):
        value = {part: value}
    return value


def read(signal, key):
    for part in key.split("."):
        signal = getattr(signal, part)
    return signal


def problems_of(settings):
    try:
        parse_interface(settings, "b.toml")
    except UsageError as error:
        return str(error)
    return ""


ENDS_WITH_A_REASON = {
    ("output.rate_max", 0.0),  # a bound of FMI includes its end
    ("output.min", LARGEST),
    ("output.max", -LARGEST),
    ("latency.offset", LARGEST),
    ("latency.offset", -LARGEST),
    ("latency.host_lead", -64.0),
    ("latency.hold_lead", -64.0),
    ("latency.lost_steps", 0),
}
"""Ends of a range that another key forbids."""


STEPS = "0 to 64"
NUMBER = "a finite number"
AT_LEAST_0 = "a finite number of at least 0"
TABLE_OR_0 = "-1 (from the table) or a finite number of at least 0"
BOOLEAN = "true or false"
ASCENDING = "two finite numbers of at least 0, the second larger"


@pytest.mark.parametrize(
    ("key", "good", "bad", "phrase"),
    [
        ("unit", ["\ufffd"], ["a\ufffe", "a\uffff"], 'a unit without blanks, for instance "N.m"'),
        ("unit", ["N.m", "1", "%"], ["", "N m", 3, "a\n"], 'a unit without blanks, for instance "N.m"'),
        ("start", [0, -1.5, LARGEST], [math.inf, math.nan, "0", True, None], NUMBER),
        ("bypass", [True], [1, "true"], BOOLEAN),
        ("debug", [True], [0], BOOLEAN),
        ("reconstruction", ["linear", "hold"], ["Linear", 1], '"linear" or "hold"'),
        ("algorithm.observer_gain", [0, 12.5], [-1e-9, math.inf], AT_LEAST_0),
        (
            "latency.mode",
            ["constant", "stamps", "resequenced", "round_trip"],
            ["stamp", 2],
            '"constant", "stamps", "resequenced" or "round_trip"',
        ),
        ("latency.clock", ["common"], ["own"], '"common" or "free"'),
        ("latency.minimum", [0, 0.01], [-0.1], AT_LEAST_0),
        ("algorithm.band", [(0.0, 5.0), (1.0, 2.0)], [[2.0, 1.0], [1.0], 3.0], ASCENDING),
        ("algorithm.values", [2, 10], [1, 11, 2.5], "2 to 10"),
        ("algorithm.exact", [0, 3], [-1, 4], "0 to 3"),
        ("algorithm.noise", [1e-9, 1e6], [0, -1, 2e6], "above 0, at most 1e+06"),
        ("burst", [1], [0, 9], "1 to 8"),
        ("signal.period", [0, 720.0], [-1.0], AT_LEAST_0),
        ("discontinuity.detector", ["spectral", "residual"], ["both"], '"spectral" or "residual"'),
        ("latency.constant_steps", [0, 64], [-1, 65, 80, 6.0, "6", True], STEPS),
        ("latency.offset", [0, 0.1, -0.02], [math.inf, math.nan], NUMBER),
        ("latency.host_lead", [0, 1.5, -2, 64], [-64.1, 65, math.nan], "-64 to 64"),
        ("latency.hold_lead", [0, 0.25, -1, 64], [-64.1, 65, math.nan], "-64 to 64"),
        ("latency.coast_steps", [0, 64], [-1, 65], STEPS),
        ("latency.lost_steps", [3, 1000000], [-1, 1000001, 4.5], "0 to 1000000"),
        ("discontinuity.enabled", [True], ["yes"], BOOLEAN),
        ("discontinuity.sensitivity", [1, 5.0], [0, 0.99, -5, math.inf], "a finite number of at least 1"),
        ("discontinuity.hold", [True], [2], BOOLEAN),
        ("discontinuity.floor", [0, 3.0], [-1], AT_LEAST_0),
        ("quality.action", ["ignore", "warn", "stop", "hold"], ["WARN", 1], '"ignore", "warn", "stop" or "hold"'),
        ("quality.zeta", [-1, 0, 0.5], [-0.5, -2, math.inf], TABLE_OR_0),
        ("quality.delta", [-1, 0, 0.5], [-0.001, math.nan], TABLE_OR_0),
        ("output.min", [-1, -LARGEST], [-math.inf], NUMBER),
        ("output.max", [1, LARGEST], [math.inf, "max"], NUMBER),
        ("output.rate_max", [1e-9, LARGEST], [0, -1, math.inf], "a finite number above 0"),
        ("output.on_loss", ["hold", "safe"], ["stop"], '"hold" or "safe"'),
        ("output.safe_value", [0, -4.5], [math.nan], NUMBER),
        ("output.variability", ["continuous", "discrete"], ["fixed"], '"continuous" or "discrete"'),
    ],
)
def test_a_key_takes_what_is_allowed_and_names_it_otherwise(key, good, bad, phrase):
    for value in good:
        signal = parse_interface(document(nested(key, value)), "b.toml").signals["f"]
        assert read(signal, key) == value
    for value in bad:
        (line,) = lines(document(nested(key, value)))
        assert line.startswith(f"signals.f.{key} = ")
        assert line.endswith(f", allowed {phrase}")


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("name", ["a", "Engine_bench_2", "x" * 55], ["", "2a", "a-b", "a b", "ä", "x" * 56, "_a", 5]),
        ("macro_step", [0, 1e-6, 5], [-0.01, math.inf, "0.01"]),
        ("timing", ["step", "event"], ["Step", "jacobi"]),
    ],
)
def test_the_interface_table(key, good, bad):
    for value in good:
        assert getattr(parse_interface(document(**{key: value}), "b.toml"), key) == value
    for value in bad:
        (line,) = lines(document(**{key: value}))
        assert line.startswith(f"interface.{key} = ")


@pytest.mark.parametrize("name", ["", "2a", "a b", "a.b", "ä", "x" * 56])
def test_signal_names_are_identifiers(name):
    (line,) = lines({"interface": document()["interface"], "signals": {name: {}}})
    assert "is not allowed as a name: a letter, then letters, digits and underscores" in line


@pytest.mark.parametrize("name", GENERIC)
def test_the_name_of_an_algorithm_is_short_for_its_table(name):
    short = parse_interface(document({"algorithm": name}), "b.toml")
    assert short == parse_interface(document({"algorithm": {"selected": name}}), "b.toml")


def test_the_value_of_a_wrong_algorithm_is_shown_in_both_forms():
    *first, last = map(json.dumps, BY_NAME)
    expected = f'signals.f.algorithm.selected = "eros5", allowed {", ".join(first)} or {last}'
    assert lines(document({"algorithm": "eros5"})) == [expected]
    assert lines(document({"algorithm": {"selected": "eros5"}})) == [expected]


def test_weights_are_lists_of_1_to_64_numbers():
    for wrong in ([], [1.0] * 65, ["x"], [math.inf], 3):
        (line,) = lines(document({"algorithm": {"a": wrong, "A": [0.0]}}))
        assert line.startswith("signals.f.algorithm.a = ")
        assert line.endswith("allowed a list of 1 to 64 finite numbers")
    longest = parse_interface(document({"algorithm": {"a": [1.0] * 64, "A": [0.0] * 64}}), "b.toml")
    assert longest.signals["f"].algorithm.a == (1.0,) * 64


def test_sections_must_be_tables():
    assert lines(document({"latency": 6})) == ["signals.f.latency = 6, allowed a table"]
    assert lines({"interface": [], "signals": 1}) == [
        "interface = [], allowed a table",
        "signals = 1, allowed a table",
    ]
    assert lines({"interface": document()["interface"], "signals": {}}) == [
        "signals = { .. }, allowed at least one entry"
    ]


@pytest.mark.parametrize(
    ("signal", "line"),
    [
        ({"latncy": {}}, "signals.f.latncy is unknown: did you mean latency?"),
        ({"constant_steps": 3}, "signals.f.constant_steps is unknown: did you mean latency.constant_steps?"),
        ({"output": {"rate": 3.0}}, "signals.f.output.rate is unknown: did you mean rate_max?"),
        ({"quality": {"β": 1}}, 'signals.f.quality."\\u03b2" is unknown: allowed are action, zeta, delta'),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_one(signal, line):
    assert lines(document(signal)) == [line]


@pytest.mark.parametrize("variable", [v for v in INTERFACE if v.causality == "parameter"], ids=lambda v: v.name)
def test_every_parameter_of_the_fmu_is_a_key_with_the_same_start_value(variable):
    if variable.name == "macro_step":
        return
    value = read(Signal(), "algorithm.selected" if variable.name == "algorithm" else variable.name)
    if variable.items:
        value = ENUMERATIONS[variable.items][value]
    assert float(value) == float(variable.start)


@pytest.mark.parametrize(
    "variable",
    [v for v in INTERFACE if v.causality == "parameter" and v.kind in ("integer", "real") and v.name != "macro_step"],
    ids=lambda v: v.name,
)
def test_the_ranges_are_those_of_the_fmu(variable):
    good = [max(variable.minimum, -LARGEST), min(variable.maximum, LARGEST)]
    beyond = [variable.minimum - 1 if variable.minimum > -LARGEST else -math.inf]
    beyond += [variable.maximum + 1 if variable.maximum < LARGEST else math.inf]
    whole = variable.kind == "integer"
    for value in beyond:
        settings = document(nested(variable.name, int(value) if whole and math.isfinite(value) else value))
        assert lines(settings)[0].startswith(f"signals.f.{variable.name} = ")
    for value in good:
        if (variable.name, value) in ENDS_WITH_A_REASON:
            continue
        found = problems_of(document(nested(variable.name, int(value) if whole else value)))
        assert f"signals.f.{variable.name} = " not in found
