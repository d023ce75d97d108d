"""What a federate of others may send and do, with a stand-in for HELICS: what is wrong is one sentence."""

import json

import pytest

from couplant.base.errors import CouplantError
from couplant.cosim.fmu.component import LocalComponent, Port
from couplant.elsewhere.helics import bus, course
from couplant.elsewhere.helics.bus import Bus, Left
from couplant.elsewhere.helics.link import Address, Ended
from couplant.elsewhere.helics.part import Line, Part, Way


class Helics:
    """HELICS as one federate sees it: `box` is what arrives next, `there` who has joined, `error` what is raised."""

    HelicsException = type("HelicsException", (Exception,), {})
    HELICS_STATE_ERROR = 7

    def __init__(self):
        self.box, self.there, self.error, self.state, self.sender = [], ["mass_1", "mass_2"], None, 2, "executing"

    def __getattr__(self, name):
        return lambda *_: None

    def helicsFederateRequestTime(self, federate, t):
        if self.error:
            raise self.HelicsException(self.error)

    def helicsFederateGetState(self, federate):
        return self.state

    def helicsFederateIsAsyncOperationCompleted(self, federate):
        return True

    def helicsQueryCoreExecute(self, query, core):
        return self.there

    def helicsQueryExecute(self, query, federate):
        """Answer as HELICS does, which takes the name of a federate for that of its broker."""
        assert query == ("root", "current_state")
        return {"federates": [{"attributes": {"name": "mass_2"}, "state": self.sender}]}

    def helicsCreateQuery(self, target, what):
        return target, what

    def helicsInputIsUpdated(self, here):
        return bool(self.box)

    def helicsInputGetVector(self, here):
        return self.box.pop()

    def helicsEndpointHasMessage(self, here):
        return bool(self.box)

    def helicsEndpointGetMessage(self, here):
        return self.box.pop()

    def helicsMessageGetBytes(self, message):
        return message


@pytest.fixture
def other(monkeypatch):
    module = Helics()
    monkeypatch.setattr(bus, "helics", lambda: module)
    return module


def made(steps):
    """Return a bus that receives f, and the way of f."""
    names = ("received", "stamp", "valid", "newest")
    way = Way(LocalComponent("network", [Port(name) for name in names]), (), 1)
    way.start(0.0, {"received.start": 0.0})
    line = Line("f", way, "mass_2", ("mass_1",), steps, 0.02)
    return Bus(Part("mass_1", None, [], [line]), Address("127.0.0.1", 23404)), way


@pytest.mark.parametrize(
    "text",
    [b"[0, 1" + b"0" * 400 + b"]", b"\xff\xfe[0]", b"[" * 200000, b"", b"5", b'{"a": 1}', b"[0, 1e400]", b"[0, null]"],
)
def test_a_message_that_is_no_list_of_numbers(other, text):
    one, _ = made(steps=1)
    other.box = [text]
    with pytest.raises(CouplantError, match=r"^mass_2 sent .* as f, allowed 2 finite numbers: stamp \[s\], value\.$"):
        one.advance(0.04)


@pytest.mark.parametrize("stamp", [1e6, 0.041, -1e9])
@pytest.mark.parametrize("steps", [0, 1])
def test_a_stamp_that_cannot_be(other, stamp, steps):
    one, _ = made(steps)
    other.box = [[stamp, 0.1] if steps == 0 else json.dumps([stamp, 0.1]).encode()]
    with pytest.raises(CouplantError, match=r"^mass_2 sent f with stamp = .* s, allowed 0 to 0\.04 s, .* arrived\.$"):
        one.advance(0.04)


def test_a_stamp_of_now_as_helics_rounds_it(other):
    one, way = made(0)
    other.box = [[0.0400000004, 0.1]]
    one.advance(0.04)
    assert (way.newest, way.values["received"]) == (0.0400000004, 0.1)


def test_nothing_arrived(other):
    one, _ = made(1)
    one.advance(0.02)
    assert one.remarks(1) == [], "what is sent at 0 arrives after two steps"
    one.advance(0.04)
    with pytest.raises(CouplantError, match=r"^nothing arrived of f: mass_2 does not send it\.$"):
        one.remarks(2)
    other.sender = "disconnected"
    with pytest.raises(CouplantError, match=r"^nothing arrived of f: mass_2 does not send it\.$"):
        one.advance(0.04)
    with pytest.raises(Left):
        one.advance(0.02)


def test_nothing_new_arrived(other):
    one, _ = made(0)
    for n in range(1, 4):
        other.box = [[0.0, 0.1]]
        one.advance(0.02 * n)
    assert one.remarks(3) == ["3 messages of f came from mass_2, none newer than the first, sent at 0 s"]
    other.box = [[0.06, 0.1]]
    one.advance(0.08)
    assert one.remarks(4) == []


def test_somebody_else_joined(other):
    one, _ = made(0)
    one.enter(["mass_1", "mass_2"], lambda names: None)
    other.there = ["mass_1", "mass_3"]
    with pytest.raises(CouplantError, match=r"^mass_2 did not join the federation, but mass_3 did\.$"):
        one.enter(["mass_1", "mass_2"], lambda names: None)


def test_an_error_of_others_is_not_put_down_to_us(other):
    one, _ = made(0)
    other.error = "[-101] my own\nerror"
    with pytest.raises(CouplantError, match=r"^my own error\.$"):
        one.advance(0.02)
    other.state = other.HELICS_STATE_ERROR
    with pytest.raises(Ended, match=r"^a federate ended the federation: my own error\.$"):
        one.advance(0.02)


@pytest.fixture
def closed(monkeypatch):
    """Return HELICS at a broker whose federation is over; naps are taken down, not slept."""
    module, naps = Helics(), []
    module.helicsCreateCombinationFederate = refuse_to_join
    monkeypatch.setattr(bus, "helics", lambda: module)
    monkeypatch.setattr(bus.time, "sleep", naps.append)
    return naps


def refuse_to_join(name, info):
    raise Helics.HelicsException("[-12] core is unable to register.")


def test_who_cannot_join_says_so_and_lets_the_broker_name_the_cause_first(closed):
    with pytest.raises(CouplantError, match=r"^core is unable to register\.$"):
        Bus(Part("mass_1", None, [], []), Address("127.0.0.1", 23404))
    assert closed == [bus._HINDSIGHT] and bus._HINDSIGHT > course._HINDSIGHT
