"""What the page of a coupling FMU says, by its settings."""

import pytest

from couplant.base import paths
from couplant.config import parse_interface
from couplant.pack.describe.coupling import describe
from couplant.pack.describe.coupling_page import PLAIN, coupling_page
from couplant.pack.describe.xml import Capabilities
from couplant.pack.settings import runtime_settings


def shown(head=None, event_mode=False, python=False, **signal):
    section = {"algorithm": "eros3", "unit": "N.m", "latency": {"constant_steps": 3}, **signal}
    document = {"interface": {"name": "bench", "macro_step": 0.02, **(head or {})}, "signals": {"torque": section}}
    settings = parse_interface(document, "test")
    can = Capabilities(event_mode=event_mode, needs_execution_tool=python)
    own, needed = settings.signals["torque"], settings.inputs == "needed"
    described = describe(runtime_settings(settings, "torque"), "bench_torque", own, can, needed)
    return coupling_page(settings, "torque", described, can)


def test_what_it_does():
    assert shown().what == "Tells what torque is now, though it arrives 3 macro steps late"
    assert shown(latency={"constant_steps": 1}).what == "Tells what torque is now, though it arrives 1 macro step late"
    assert shown(latency={"constant_steps": 0}).what == "Continues torque to now"
    assert shown(latency={"mode": "stamps"}).what.endswith("though it arrives late: stamps tell by how much")


def test_facts():
    limits = {"min": -2.0, "max": 4.0, "rate_max": 100.0}
    facts = shown({"host": "jacobi"}, algorithm="zoh", output=limits).facts
    assert facts == {
        "algorithm": "ZOH", "latency": "3 macro steps, 0.06 s", "macro step": "0.02 s",
        "communication step": "0.02 s", "timing": "step", "importer": "jacobi", "unit": "N.m",
        "limits": "from -2, up to 4, at most, per s 100",
    }  # fmt: skip
    facts = shown({"macro_step": 0.0}, latency={"mode": "stamps"}).facts
    assert (facts["latency"], facts["limits"]) == ("by stamps", "none")
    assert facts["macro step"] == facts["communication step"] == "the importer's first step"


def test_what_it_stands_between():
    ends = {"from": "car.torque", "to": ["engine.torque", "dyno.torque"]}
    assert shown(**ends).flow == [
        "car.torque over the network", "`y` `y_time` `y_valid`", "bench_torque", "`y_hat`", "engine.torque, dyno.torque"
    ]  # fmt: skip
    assert shown(burst=2, latency={"mode": "stamps"}).flow[1] == "`y` `y_time` `y_valid` .."
    assert (shown().flow[0], shown().flow[-1]) == ("network", "prototype")


def test_backticks_of_a_user_mark_no_code():
    found = shown(unit="`a`b`", **{"from": "car.`x`", "to": ["e.``"]})
    assert found.facts["unit"].replace(PLAIN, "'") == "'a'b'"
    assert found.flow[0].replace(PLAIN, "'") == "car.'x' over the network"
    assert found.flow[-1].replace(PLAIN, "'") == "e.''"
    assert 'replaceAll("\\0", "`")' in paths.resource("importer/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("latency", "words"),
    [
        ({"constant_steps": 3}, "stays unconnected"),
        ({"mode": "stamps"}, "in s of the receiver's clock."),
        ({"mode": "stamps", "clock": "free"}, "in s of the sender's clock."),
        ({"mode": "round_trip"}, "`y_echo` is when the newest message"),
    ],
)
def test_stamps(latency, words):
    assert words in shown(latency=latency).connect["stamps"]


@pytest.mark.parametrize(
    ("head", "event_mode", "words"),
    [
        ({}, False, "no importer sees an algebraic loop"),
        ({"timing": "event"}, False, "in others `y_hat` is a macro step late"),
        ({"timing": "event"}, True, "For importers that use Event Mode"),
    ],
)
def test_timing(head, event_mode, words):
    assert words in shown(head, event_mode).connect["timing"]


def test_the_importer_and_what_it_adds():
    assert shown().connect["importer"].startswith("`reads_again`: made for importers that read outputs again")
    assert "made up for" not in shown().connect["importer"]
    lead = shown({"host": "jacobi"}, latency={"constant_steps": 3, "host_lead": 1.0}).connect["importer"]
    assert lead.startswith("`jacobi`: ") and "What it adds, 1 macro step, is made up for." in lead


def test_sentences_come_where_they_are_true():
    assert shown().connect.keys() == {
        "place", "stamps", "news", "communication step", "timing", "importer", "first run", "limits"
    }  # fmt: skip
    more = shown(latency={"mode": "stamps"}, burst=4, python=True, output={"max": 1.0}).connect
    assert more.keys() == (shown().connect.keys() | {"bursts", "Python"}) - {"limits"}
    assert more["bursts"].startswith("`y[2]` to `y[4]`")
    assert "stamps" not in shown({"inputs": "needed"}).connect
    assert "first one becomes the macro step" in shown({"macro_step": 0.0}).connect["communication step"]


def test_the_communication_step_is_named_and_what_a_whole_macro_step_costs():
    about, finer = "communication step", "step it at 0.002 s, or as the prototype steps"
    whole, part = shown(), shown({"micro_step": 0.002})
    assert part.facts[about] == "0.002 s"
    assert whole.connect[about].startswith("Made for 0.02 s;") and finer in whole.connect[about]
    assert part.connect[about].startswith("Made for 0.002 s;") and finer not in part.connect[about]
    assert finer not in shown({"timing": "event"}).connect[about]


def test_inputs_beyond_messages_are_pointed_at():
    connect = shown(algorithm="coupling_element", python=True).connect
    assert connect["more inputs"] == "`u`: see the table of inputs."
