"""Settings that are right one by one and wrong together, and those that deserve a warning."""

import pytest

from couplant.base.errors import UsageError
from couplant.config import advice, parse_interface

LIMITS = {"min": -1.0, "max": 1.0}


def document(signal=None, **interface):
    return {"interface": {"name": "bench", "macro_step": 0.01, **interface}, "signals": {"f": signal or {}}}


def lines(settings):
    with pytest.raises(UsageError) as error:
        parse_interface(settings, "b.toml")
    return [line.removeprefix("b.toml: ") for line in str(error.value).splitlines()]


def row(steps, m=1, n=None):
    return {"steps": steps, "a": [1.0] + [0.0] * (m - 1), "A": [0.0] * (m if n is None else n)}


ONE = {"selected": "linear", "a": [1.0, 0.0], "A": [1.0, -1.0]}
CONSTANT_4 = {"constant_steps": 4}


@pytest.mark.parametrize(
    ("signal", "interface", "line"),
    [
        ({}, {"macro_step": 1e308}, "interface.macro_step = 1e+308, allowed 0 or 1e-12 to 1e+09 s"),
        ({}, {"macro_step": 0, "timing": "event"}, 'interface.macro_step = 0.0, allowed with timing = "step" only'),
        (
            {"algorithm": {"selected": "irregular", "band": [1.0, 9.0]}},
            {"macro_step": 0},
            "signals.f.algorithm.band is in rad/s, allowed with interface.macro_step above 0 only",
        ),
        (
            {"burst": 3},
            {},
            'signals.f.burst = 3, allowed 1 with latency.mode = "constant": repeated values need stamps',
        ),
        (
            {"latency": {"clock": "free"}},
            {},
            'signals.f.latency.clock = "free", allowed "common" with latency.mode = "constant": there are no stamps',
        ),
        (
            {"output": {"variability": "discrete"}},
            {"timing": "event"},
            'signals.f.output.variability = "discrete", allowed with timing = "step" only',
        ),
        (
            {"algorithm": "smb", "discontinuity": {"enabled": True}},
            {},
            'signals.f.discontinuity.enabled = true, allowed false with algorithm "smb", which carries a state',
        ),
        (
            {"algorithm": "linear"},
            {},
            'signals.f.algorithm.selected = "linear" needs weights: signals.f.algorithm.a and signals.f.algorithm.A, '
            "or signals.f.algorithm.table",
        ),
        (
            {"algorithm": {"a": [1.0]}},
            {},
            "signals.f.algorithm.a and signals.f.algorithm.A belong together: one of them is missing",
        ),
        (
            {"algorithm": {"steps": 3}},
            {},
            "signals.f.algorithm.steps = 3, allowed together with signals.f.algorithm.a and signals.f.algorithm.A only",
        ),
        (
            {"algorithm": {"a": [1.0], "A": [0.0, 0.0]}},
            {},
            "signals.f.algorithm.a has length 1 and signals.f.algorithm.A has length 2, allowed the same length",
        ),
        (
            {"algorithm": {**ONE, "table": [row(0)]}},
            {},
            "signals.f.algorithm.table and signals.f.algorithm.a exclude each other",
        ),
        (
            {"algorithm": {"selected": "linear", "table": [row(0), row(0)]}},
            {},
            "signals.f.algorithm.table has the weights for 0 macro steps more than once",
        ),
        (
            {"algorithm": {"selected": "linear", "table": [row(0), row(1, 2, 3)]}},
            {},
            "signals.f.algorithm.table[2].a has length 2 and signals.f.algorithm.table[2].A has length 3, "
            "allowed the same length",
        ),
        (
            {"algorithm": {"selected": "linear", "table": [row(6), row(3)]}, "latency": CONSTANT_4},
            {},
            "signals.f.algorithm.table has no weights for the latency of the signal, 4 macro steps, only for 3, 6",
        ),
        (
            {"algorithm": {**ONE, "steps": 3}, "latency": CONSTANT_4},
            {},
            "signals.f.algorithm.steps = 3, allowed the latency of the signal, 4 macro steps",
        ),
        (
            {"algorithm": ONE, "latency": {"mode": "stamps"}},
            {},
            'signals.f.latency.mode = "stamps", allowed "constant" with weights for one latency: '
            "give signals.f.algorithm.table",
        ),
        (
            {"latency": {"constant_steps": 60, "offset": 0.05}},
            {},
            "signals.f.latency.offset = 0.05 s makes the latency longer than 64 macro steps, "
            "together with constant_steps = 60",
        ),
        (
            {"latency": {"constant_steps": 60, "host_lead": 4.0, "hold_lead": 0.25}},
            {},
            "signals.f.latency.offset = 0.0 s with host_lead = 4.0 and hold_lead = 0.25 makes the latency longer than "
            "64 macro steps, together with constant_steps = 60",
        ),
        (
            {"latency": {"constant_steps": 1, "offset": -0.045}},
            {},
            "signals.f.latency.offset = -0.045 s makes the lead -3.5 macro steps, allowed -3 or more",
        ),
        (
            {"latency": {"mode": "stamps", "constant_steps": 4, "host_lead": -3.25}},
            {},
            "signals.f.latency.offset = 0.0 s with host_lead = -3.25 and hold_lead = 0.0 makes the lead -3.25 macro "
            "steps, allowed -3 or more",
        ),
        (
            {"latency": {"offset": -0.001}},
            {"macro_step": 0.0},
            "signals.f.latency.offset = -0.001 s, allowed 0 or more with interface.macro_step = 0: "
            "host_lead can be less",
        ),
        (
            {"latency": {"coast_steps": 10, "lost_steps": 9}},
            {},
            "signals.f.latency.lost_steps = 9, allowed at least coast_steps = 10",
        ),
        (
            {"output": {"min": 1.0, "max": 1.0}},
            {},
            "signals.f.output.min = 1.0, allowed less than max = 1.0",
        ),
        (
            {"output": {**LIMITS, "on_loss": "safe", "safe_value": 2.0}},
            {},
            "signals.f.output.safe_value = 2.0, allowed -1.0 to 1.0",
        ),
    ],
)
def test_what_does_not_fit_together_is_one_line(signal, interface, line):
    assert lines(document(signal, **interface)) == [line]


@pytest.mark.parametrize(
    ("signal", "interface"),
    [
        ({}, {"macro_step": 0}),
        ({"output": {"variability": "discrete"}}, {}),
        ({"algorithm": "smb", "latency": {"mode": "stamps"}}, {}),
        ({"algorithm": ONE, "latency": CONSTANT_4}, {}),
        ({"algorithm": {**ONE, "steps": 4}, "latency": CONSTANT_4}, {}),
        ({"algorithm": {**ONE, "steps": 7}, "latency": {"constant_steps": 4, "offset": 0.03}}, {}),
        ({"algorithm": {**ONE, "selected": "foh"}, "latency": {"mode": "stamps"}}, {}),
        ({"algorithm": {"selected": "linear", "table": [row(3)]}, "latency": {"mode": "stamps"}}, {}),
        ({"latency": {"constant_steps": 60, "offset": 0.04}}, {}),
        ({"output": {**LIMITS, "safe_value": 2.0}}, {}),
    ],
)
def test_what_fits_together_is_accepted(signal, interface):
    parse_interface(document(signal, **interface), "b.toml")


def test_signals_that_differ_in_case_only_would_overwrite_each_other():
    settings = {"interface": document()["interface"], "signals": {"Torque": {}, "torque": {}}}
    assert lines(settings) == [
        "signals.torque and signals.Torque differ in case only: their FMUs would overwrite each other"
    ]


@pytest.mark.parametrize("name", ["con", "CON", "Aux", "nul", "prn", "COM1", "lpt9"])
def test_names_of_devices_are_refused_as_names_of_files(name):
    assert lines({"interface": document()["interface"], "signals": {name: {}}}) == [
        f"signals.{name}: allowed any name but those of devices, which Windows refuses for files"
    ]


def test_everything_that_is_wrong_is_told_at_once():
    settings = {
        "interface": {"name": "1", "timing": "event"},
        "signals": {
            "a": {"latency": {"constant_steps": 80}, "output": {"min": 2.0, "max": 1.0}, "nuit": "m"},
            "b": {"algorithm": "smb", "discontinuity": {"enabled": True}},
            "c": {"algorithm": "fho", "discontinuity": {"enabled": True}},
        },
    }
    assert sorted(line.split(" ")[0] for line in lines(settings)) == [
        "interface.macro_step",
        "interface.name",
        "signals.a.latency.constant_steps",
        "signals.a.nuit",
        "signals.a.output.min",
        "signals.b.discontinuity.enabled",
        "signals.c.algorithm.selected",
    ]


def test_a_wrong_key_does_not_cause_further_lines():
    broken = {"algorithm": {"selected": "linear", "table": [{"steps": 3, "a": ["x"], "A": [0.0]}]}}
    assert lines(document(broken)) == [
        'signals.f.algorithm.table[1].a = ["x"], allowed a list of 1 to 64 finite numbers'
    ]


@pytest.mark.parametrize(
    ("signal", "said"),
    [
        ({"algorithm": "auto"}, False),
        ({"algorithm": "auto", "output": {"guard": 0.0}}, True),
        ({"output": {"guard": 0.5}}, False),
        ({"output": {"rate_max": 5.0}}, True),
    ],
)
def test_no_limits_and_no_guard_are_worth_a_warning(signal, said):
    lines = advice(parse_interface(document({"latency": {"constant_steps": 0}, **signal}), "b.toml"))
    assert any("output.guard" in line for line in lines) == said


def test_missing_limits_and_latency_and_weights_that_drift_are_worth_a_warning():
    quiet = {"latency": {"constant_steps": 0}, "output": {"max": 5.0}}
    assert advice(parse_interface(document(quiet), "b.toml")) == []
    assert advice(parse_interface(document(), "b.toml")) == [
        "signals.f has no limits: set output.min and output.max, or output.guard, to bound a wrong estimate.",
        "signals.f.latency.constant_steps is not set: 0 macro steps are assumed.",
    ]
    drifting = {**quiet, "algorithm": {"selected": "linear", "a": [1.01], "A": [0.0]}}
    assert advice(parse_interface(document(drifting), "b.toml")) == [
        "signals.f.algorithm does not keep constants: a should add up to 1, A to 0."
    ]


@pytest.mark.parametrize(("algorithm", "most"), [("smb", 62), ("eros3", 61), ("eros4", 60)])
def test_a_latency_at_which_the_algorithm_gives_way_is_worth_a_warning(algorithm, most):
    def at(k: int) -> list[str]:
        late = {"latency": {"constant_steps": k}, "output": {"max": 5.0}, "algorithm": {"selected": algorithm}}
        return advice(parse_interface(document(late), "b.toml"))

    assert at(most) == []
    assert at(most + 1) == [
        f"signals.f: {algorithm} needs more values at a latency of {most + 1} macro steps than the history has and "
        f"gives way to foh: it runs up to {most}."
    ]
