"""The state machine of a slave, led by a master by hand: states, transitions, data; test_errors.py has the errors."""

import struct
from dataclasses import replace

import pytest

from couplant.elsewhere.dcp.codes import Fault, State
from tests.elsewhere.dcp.hand import DESCRIPTION, MASTER, PERIOD, Hand

STATES = [state.name for state in State if state.name not in ("ERRORHANDLING", "ERRORRESOLVED")]


def failing(hand):
    """Let the model of a machine fail, in CONFIGURING."""
    hand.lead_to("CONFIGURING").model.fails = True
    return hand


@pytest.mark.parametrize("name", STATES)
def test_every_state_is_reached_and_told(name):
    hand = Hand().lead_to(name)
    state, number = hand.machine.state, hand.number
    assert hand.ask(0x80) == [struct.pack("<BHBB", 0xB2, number, 9, state)]


def test_a_run_tells_its_states_in_their_order():
    hand = Hand()
    told = []
    for name in [*STATES[:9], "CONFIGURED again", *STATES[9:15], "RUNNING again", "STOPPING", "STOPPED"]:
        step = Hand().lead_to(name)
        told.append(step.machine.state)
    assert [*dict.fromkeys(told)] == [State[name] for name in STATES]
    assert hand.ok(*hand.register()[0]) == [b"\xe0\x09\x01"]
    hand.configure()
    assert hand.ok(0x03) == [b"\xe0\x09\x02"]
    assert hand.advance() == [3]


# requests that lead from one state to another one, tables 35 to 54
RUNNING = ["SYNCHRONIZING", "SYNCHRONIZED", "RUNNING"]
STOPPABLE = [*STATES[2:15]]
TAKEN = {
    (0x02, ""): {"CONFIGURATION": "ALIVE", "STOPPED": "ALIVE"},
    (0x03, ""): {"CONFIGURATION": "PREPARING"},
    (0x04, ""): {"PREPARED": "CONFIGURING"},
    (0x05, ""): {"CONFIGURED": "INITIALIZING"},
    (0x06, "q"): {"CONFIGURED": "SYNCHRONIZING", "SYNCHRONIZED": "RUNNING"},
    (0x07, "I"): dict.fromkeys(RUNNING, "COMPUTING"),
    (0x08, ""): {"INITIALIZED": "SENDING_I", "COMPUTED": "SENDING_D"},
    (0x09, ""): {name: "STOPPING" for name in STOPPABLE},
    (0x0A, ""): {"STOPPED": "CONFIGURATION"},
}
PROGRESS = {0x03: "PREPARING", 0x04: "CONFIGURING", 0x05: "INITIALIZING", 0x07: "COMPUTING", 0x09: "STOPPING"}


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("request_", [*TAKEN], ids=lambda one: hex(one[0]))
def test_every_request_in_every_state(request_, name):
    kind, form = request_
    hand = Hand().lead_to(name)
    target = TAKEN[request_].get(name)
    words = [1] if form else []
    if (kind, name) == (0x03, "CONFIGURATION"):
        hand.configure()
    if target:
        words = [0] if kind == 0x06 else words
        told = hand.ok(kind, form, *words)
        assert hand.machine.state == State[target]
        assert told == [bytes([0xE0, 9, State[target]])]
    elif name == "ALIVE":  # a receiver that is not registered
        assert hand.refused(kind, form, *words) == Fault.PDU_NOT_ALLOWED_IN_THIS_STATE
    else:
        progress = PROGRESS.get(kind) == name
        expected = Fault.STATE_TRANSITION_IN_PROGRESS if progress else Fault.PDU_NOT_ALLOWED_IN_THIS_STATE
        assert hand.refused(kind, form, *words) == expected


@pytest.mark.parametrize("name", [name for name in STATES if name != "CONFIGURATION"])
def test_configuration_belongs_to_its_state(name):
    hand = Hand().lead_to(name)
    for request in hand.configuration():
        assert hand.refused(*request) == Fault.PDU_NOT_ALLOWED_IN_THIS_STATE


@pytest.mark.parametrize("kind", [0x02, 0x03, 0x09])
def test_a_request_names_the_state_that_the_slave_is_in(kind):
    hand = Hand().lead_to("PREPARED" if kind == 0x09 else "CONFIGURATION")
    assert hand.refused(kind, state=5) == Fault.INVALID_STATE_ID


def test_numbers_of_requests_follow_one_another_and_wrap():
    hand = Hand()
    hand.number = 65534
    hand.lead_to("CONFIGURATION")
    assert hand.number == 65535
    hand.ok(0x24)
    hand.ok(0x24)
    answer = hand.ask(0x24, number=5)[0]
    assert struct.unpack("<BHBHH", answer) == (0xB1, 5, 9, 1, Fault.INVALID_SEQUENCE_ID)
    hand.number = 1
    hand.ok(0x24)


def test_errors_of_the_model_are_told_and_a_reset_makes_good():
    hand = failing(Hand())
    hand.outlet.take()
    assert hand.advance() == [State.ERRORHANDLING]
    assert hand.ask(0x81)[0] == struct.pack("<BHBH", 0xB3, hand.number - 1, 9, Fault.GENERIC)
    assert hand.advance() == [State.ERRORRESOLVED]
    assert ("free",) in hand.model.calls
    assert hand.ask(0x81)[0][0] == 0xB3
    assert hand.ok(0x0A) == [b"\xe0\x09\x01"]
    hand.model.fails = False
    hand.configure()
    hand.ok(0x03)
    assert hand.advance() == [State.PREPARED]


@pytest.mark.parametrize("state", ["CONFIGURATION", "PREPARED", "CONFIGURED", "RUNNING", "STOPPED"])
def test_a_master_that_is_silent_too_long_is_an_error(state):
    hand = Hand(description=replace(DESCRIPTION, heartbeat=(3, 2))).lead_to(state)
    hand.now += 1.4
    hand.ask(0x80)
    hand.now += 1.4
    assert State.ERRORHANDLING not in hand.advance()
    hand.now += 0.2
    assert hand.advance()[:1] == [State.ERRORHANDLING]
    assert hand.machine.fault == Fault.HEARTBEAT_MISSED
    hand.advance()
    assert hand.ok(0x02) == [b"\xe0\x09\x00"]


def test_too_many_missed_data_are_an_error():
    variables = (replace(DESCRIPTION.variables[0], most_missed=2), *DESCRIPTION.variables[1:])
    hand = Hand(description=replace(DESCRIPTION, variables=variables), mode=1).lead_to("CONFIGURED again")
    hand.ok(0x06, "q", 0)
    hand.data(0, 1.0)
    hand.data(3, 1.0)
    assert hand.machine.state == State.SYNCHRONIZING
    hand.data(7, 1.0)
    assert (hand.machine.state, hand.machine.fault) == (State.ERRORHANDLING, Fault.PROPERTY_VIOLATED)


def test_only_the_master_that_registered_is_obeyed():
    hand = Hand().lead_to("CONFIGURATION")
    for source in (("127.0.0.1", 5001), ("127.0.0.2", 5000)):
        assert hand.ask(0x02, source=source) == []
    hand.number = 1
    hand.receiver = 8
    assert hand.ask(0x02) == []
    assert hand.machine.dropped["foreign"] == 3
    hand.receiver, hand.number = 9, 1
    hand.ok(0x02)


def test_datagrams_of_nobody_are_counted_and_change_nothing():
    hand = Hand(mode=1).lead_to("CONFIGURED again")
    machine, before = hand.machine, hand.machine.state
    for i in range(5000):
        machine.receive(bytes([i % 256]) * (i % 50), ("127.0.0.1", 1 + i), hand.now)
    assert (machine.state, hand.outlet.sent, hand.model.taken) == (before, [], [])
    assert sum(machine.dropped.values()) == 5000
    hand.ok(0x06, "q", 0)


def test_data_without_real_time_have_the_times_of_the_steps():
    hand = Hand().lead_to("CONFIGURED again")
    hand.data(0, 5.0)  # of the initialisation
    assert hand.model.taken == [(1, 0.0, 5.0)]
    hand.ok(0x06, "q", 0)
    hand.advance()
    hand.ok(0x06, "q", 0)
    numbers = []
    for n, steps in enumerate([1, 3, 1]):
        hand.ok(0x07, "I", steps)
        assert hand.advance() == [State.COMPUTED]
        hand.ok(0x08)
        assert hand.advance() == [State.RUNNING]
        (datagram,) = hand.outlet.take(("127.0.0.1", 6000))
        numbers.append(struct.unpack("<BHHd", datagram)[1])
        hand.data(1 + n, float(n))
    assert [stamp for _, stamp, _ in hand.model.taken[1:]] == [PERIOD, 4 * PERIOD, 5 * PERIOD]
    assert numbers == [1, 2, 3]  # 0 was that of SENDING_I
    assert [call for call in hand.model.calls if call[0] == "finish"] == [
        ("finish", n * PERIOD, PERIOD) for n in range(5)
    ]


def test_in_soft_real_time_points_are_on_the_clock():
    hand = Hand(mode=1).lead_to("CONFIGURED again")
    hand.ok(0x06, "q", 1002)
    assert hand.advance() == []
    assert hand.machine.rest(hand.now) > 0.0
    sent = []
    for n in range(4):
        hand.now = 1002.0 + n * PERIOD - 1e-6
        hand.advance()
        assert hand.outlet.take(("127.0.0.1", 6000)) == []
        hand.now = 1002.0 + n * PERIOD
        hand.data(n, n / 4.0)
        told = hand.advance()
        assert told == ([State.SYNCHRONIZED] if n == 0 else [])
        sent += [struct.unpack("<BHHd", one) for one in hand.outlet.take(("127.0.0.1", 6000))]
    assert [(number, value) for _, number, _, value in sent] == [(1 + n, n / 2.0) for n in range(4)]
    assert hand.model.taken == [(1, n * PERIOD, n / 4.0) for n in range(4)]
    hand.now += 10.0  # late: steps are made up for, and counted
    for _ in range(20):
        hand.advance()
    assert hand.machine.course.late > 0


def test_outputs_leave_at_every_so_many_steps():
    hand = Hand(mode=1).lead_to("CONFIGURATION")
    hand.configure(without=[(0x21, "IH", 1, 2)])
    hand.ok(0x21, "IH", 3, 2)
    for kind in (0x03, 0x04):
        hand.ok(kind)
        hand.advance()
    hand.ok(0x06, "q", 0)
    for n in range(10):
        hand.now = 1000.0 + n * PERIOD
        hand.advance()
    assert len(hand.outlet.take(("127.0.0.1", 6000))) == 4


@pytest.mark.parametrize(("scope", "initial", "run"), [(0, 1, 1), (1, 1, 0), (2, 0, 1)])
def test_scope_says_when_data_are_exchanged(scope, initial, run):
    hand = Hand().lead_to("CONFIGURATION")
    hand.configure(without=[(0x2B, "HB", 1, 0), (0x2B, "HB", 2, 0)])
    hand.ok(0x2B, "HB", 1, scope)
    hand.ok(0x2B, "HB", 2, scope)
    for kind in (0x03, 0x04, 0x05, 0x08):
        hand.ok(kind)
        hand.advance()
    assert len(hand.outlet.take(("127.0.0.1", 6000))) == initial
    hand.data(0, 1.0)
    assert len(hand.model.taken) == initial
    hand.ok(0x06, "q", 0)
    hand.advance()
    hand.ok(0x07, "I", 1)
    hand.advance()
    hand.ok(0x08)
    hand.advance()
    assert len(hand.outlet.take(("127.0.0.1", 6000))) == run
    hand.data(initial, 1.0)
    assert len(hand.model.taken) == initial + run


@pytest.mark.parametrize("state", STATES)
def test_data_are_taken_in_the_states_of_table_63(state):
    hand = Hand().lead_to(state)
    before = len(hand.model.taken)
    hand.data(40, 1.0)
    taken = len(hand.model.taken) - before
    # in a run 40 belongs to a step that nobody has asked for
    expected = state in ("CONFIGURED", "INITIALIZING", "INITIALIZED", "SENDING_I")
    assert (taken == 1) == expected
    hand.data(0, 7.0, data_id=5, kind=0xF1)
    assert (hand.model.gain == 7.0) == (state not in [*STATES[:5], "STOPPING", "STOPPED"])


def test_data_that_do_not_fit_are_counted():
    hand = Hand(mode=1).lead_to("CONFIGURED again")
    machine = hand.machine
    hand.data(0, 1.0, data_id=3)
    hand.data(0, float("inf"))
    machine.receive(struct.pack("<BHHf", 0xF0, 0, 1, 1.0), MASTER, hand.now)
    machine.receive(struct.pack("<BHHd", 0xF0, 0, 1, 1.0), MASTER, hand.now, ("127.0.0.1", 7001))
    wanted = {"unexpected": 2, "not_finite": 1, "length": 1}
    assert {reason: count for reason, count in machine.dropped.items() if count} == wanted
    assert hand.model.taken == []


def test_log_entries_on_request_and_at_once():
    for mode in (1, 2):
        hand = Hand(mode=1).lead_to("CONFIGURATION")
        hand.ok(0x2A, "BBB", 0, 2, mode)
        hand.configure()
        for kind in (0x03, 0x04):
            hand.ok(kind)
            hand.advance()
        hand.ok(0x06, "q", 0)
        hand.outlet.take()
        hand.now += 2.0
        hand.machine.advance(hand.now)
        entry = struct.pack("<qBId", 1002, 1, 0, 2.0)
        if mode == 2:
            ntf = [one for one in hand.outlet.take() if one[0] == 0xE1]
            assert ntf == [b"\xe1\x09" + entry]
        else:
            hand.outlet.take()
            number = hand.number
            assert hand.ask(0x82, "BB", 0, 5)[0] == struct.pack("<BHB", 0xB4, number, 9) + entry
            assert hand.ask(0x82, "BB", 0, 5)[0] == struct.pack("<BHB", 0xB4, number + 1, 9)


def test_a_slave_that_ends_by_itself_tells_so():
    hand = Hand(mode=1).lead_to("CONFIGURED again")
    hand.ok(0x06, "q", 0)
    hand.advance()
    hand.model.ended = True
    hand.now += PERIOD
    assert hand.advance() == [State.STOPPING]
    assert hand.advance() == [State.STOPPED]


def test_parameters_reach_the_model_and_clear_takes_them_back():
    hand = Hand().lead_to("CONFIGURATION")
    hand.ok(0x27, "QBd", 3, 9, 4.5)
    hand.ok(0x24)
    hand.ok(0x27, "QBf", 4, 8, 2.5)
    hand.configure()
    for kind in (0x03, 0x04):
        hand.ok(kind)
        hand.advance()
    assert hand.model.calls[-1] == ("start", {4: 2.5})
