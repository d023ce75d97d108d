"""Power bonds in settings files."""

import pytest

from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.config.interface import Bonded
from couplant.config.rules.interface import advice


def document(bonds, timing="step", host="reads_again", **signals):
    given = {"f": {"unit": "N"}, "x1": {"unit": "m"}, "v1": {"unit": "m/s"}} | signals
    signals = {name: {"latency": {"constant_steps": 3, "host_lead": 0.0}, **table} for name, table in given.items()}
    common = {"name": "i", "macro_step": 0.02, "timing": timing, "host": host}
    return {"interface": common, "signals": signals, "bonds": bonds}


def parse(bonds, **given):
    return parse_interface(document(bonds, **given), "test")


def lines(bonds, **given):
    with pytest.raises(UsageError) as found:
        parse(bonds, **given)
    return [line.removeprefix("test: ") for line in str(found.value).splitlines()]


SHAFT = {"effort": "f", "flow": "x1"}


def test_both_signals_get_their_end():
    made = parse({"shaft": SHAFT | {"take_back": 0.02, "budget": 2.0, "stiffness": 3.0, "source": "bond"}})
    effort, flow = made.signals["f"].energy, made.signals["x1"].energy
    assert (effort.kind, effort.conjugate_is, effort.take_back, effort.partner) == ("effort", "displacement", 0.02, "m")
    assert (flow.kind, flow.conjugate_is, flow.take_back, flow.partner) == ("displacement", "displacement", 0.0, "N")
    for end in (effort, flow):
        assert (end.budget, end.stiffness, end.source, end.reversed, end.stale) == (2.0, 3.0, "bond", False, False)
    assert not isinstance(made.signals["v1"], Bonded)


def test_a_flow_may_be_a_velocity_and_power_may_count_the_other_way():
    made = parse({"shaft": {"effort": "f", "flow": "v1", "flow_is": "velocity", "sign": -1}})
    assert [made.signals[name].energy.kind for name in ("f", "v1")] == ["effort", "velocity"]
    assert made.signals["f"].energy.reversed and made.signals["v1"].energy.reversed


@pytest.mark.parametrize(("host", "stale"), [("reads_again", False), ("jacobi", True)])
def test_a_host_that_reads_before_it_sets_is_known(host, stale):
    assert parse({"shaft": SHAFT}, host=host).signals["x1"].energy.stale is stale


def test_an_end_in_another_file_is_left_out():
    made = parse({"shaft": {"flow": "x1"}})
    assert made.signals["x1"].energy.partner == "" and not isinstance(made.signals["f"], Bonded)


@pytest.mark.parametrize(
    ("bonds", "line"),
    [
        ({"a": {}}, "bonds.a has neither effort nor flow, allowed at least one of them"),
        ({"a": {"effort": "f", "flow": "f"}}, 'bonds.a.flow = "f", allowed another signal than the effort'),
        ({"a": {"effort": "g"}}, 'bonds.a.effort = "g", allowed f, x1, v1'),
        (
            {"a": SHAFT, "b": {"effort": "f", "flow": "v1"}},
            "signals.f is in bonds.a and in bonds.b, allowed one bond a signal",
        ),
        (
            {"a": {"flow": "x1", "take_back": 0.1}},
            "bonds.a.take_back = 0.1, allowed 0 without effort: energy is taken back from the effort",
        ),
        ({"a": SHAFT | {"sign": 0}}, "bonds.a.sign = 0, allowed 1 or -1"),
        ({"a": SHAFT | {"flow_is": "force"}}, 'bonds.a.flow_is = "force", allowed "displacement" or "velocity"'),
        ({"a": SHAFT | {"take_back": 2.0}}, "bonds.a.take_back = 2.0, allowed 0 to 1"),
        ({"a": SHAFT | {"budget": -1.0}}, "bonds.a.budget = -1.0, allowed a finite number of at least 0"),
    ],
)
def test_what_makes_no_bond_is_refused(bonds, line):
    assert lines(bonds) == [line]


def test_a_displacement_that_wraps_round_is_refused_and_a_velocity_is_not():
    wraps = {"x1": {"unit": "rad", "signal": {"period": 6.0}}}
    assert lines({"a": SHAFT}, **wraps) == ["bonds.a.flow wraps round: signals.x1.signal.period = 6.0, allowed 0"]
    parse({"a": SHAFT | {"flow_is": "velocity"}}, **wraps)


def of_bonds(bonds, **given):
    return [line for line in advice(parse(bonds, **given)) if line.startswith("bonds.")]


def test_a_budget_at_one_end_is_warned_of():
    assert of_bonds({"a": SHAFT | {"budget": 1.0, "stiffness": 2.0}}) == []
    (line,) = of_bonds({"a": {"effort": "f", "budget": 1.0}})
    assert "this end only" in line and "end of the flow" in line


def test_a_budget_that_does_not_see_jumps_of_a_displacement_is_warned_of():
    (line,) = of_bonds({"a": SHAFT | {"budget": 1.0}})
    assert line.startswith("bonds.a.stiffness is not set") and "receiver of x1" in line
    for quiet in ({"stiffness": 0.0}, {"flow_is": "velocity", "stiffness": 0.0}, {"budget": 0.0}):
        assert not [line for line in of_bonds({"a": SHAFT | {"budget": 1.0} | quiet}) if "stiffness" in line]


def test_a_budget_that_does_not_see_contacts_of_a_velocity_is_told_what_to_give():
    velocity = SHAFT | {"flow_is": "velocity"}
    (line,) = of_bonds({"a": velocity | {"budget": 1.0}}, f={"unit": "N"}, x1={"unit": "m/s"})
    assert line.startswith("bonds.a.stiffness is not set") and "x1 has neither play nor stops" in line
    for quiet in ({"budget": 1.0, "stiffness": 0.0}, {"budget": 1.0, "stiffness": 9.0}, {"budget": 0.0}):
        assert of_bonds({"a": velocity | quiet}, f={"unit": "N"}, x1={"unit": "m/s"}) == []


def test_holding_in_a_bond_is_warned_of():
    held = {"quality": {"action": "hold"}}
    found = [line for line in advice(parse({"a": SHAFT}, f=held)) if "quality.action" in line]
    assert len(found) == 1 and found[0].startswith("signals.f.quality.action = hold") and "bonds.a" in found[0]


@pytest.mark.parametrize(
    ("units", "flow_is", "words"),
    [
        (("N", "m"), "displacement", None),
        (("N.m", "rad"), "displacement", None),
        (("Pa", "m3/s"), "velocity", None),
        (("V", "A"), "velocity", None),
        (("kN", "m"), "displacement", "1000 W"),
        (("N.m", "rpm"), "velocity", "0.10472 W"),
        (("N", "m"), "velocity", "no power"),
        (("N", "1"), "displacement", "no power"),
        (("N", "furlong"), "displacement", None),
    ],
)
def test_units_whose_product_is_no_watt_are_warned_of(units, flow_is, words):
    signals = {name: {"unit": unit} for name, unit in zip(("f", "x1"), units, strict=True)}
    found = of_bonds({"a": SHAFT | {"flow_is": flow_is}}, **signals)
    assert len(found) == (words is not None)
    assert words is None or words in found[0]
